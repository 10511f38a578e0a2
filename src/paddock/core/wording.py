"""Lists, numbers and dates in the current language.

How a language writes them is in ``locale/<code>/cldr.json``, which ``make messages`` writes from the data of
Babel (Unicode CLDR): Babel itself would be a third of a light installation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from paddock.core.i18n import ENGLISH, _, catalogues, language, pgettext, pmark

FILE = "cldr.json"
MINUS = "−"  # a hyphen is none where people read
_ENGLISH: Mapping[str, Any] = {
    "name": "English",
    "and": {"start": "{0}, {1}", "middle": "{0}, {1}", "end": "{0} and {1}", "2": "{0} and {1}"},
    "or": {"start": "{0}, {1}", "middle": "{0}, {1}", "end": "{0} or {1}", "2": "{0} or {1}"},
    "decimal": ".",
    "group": ",",
    "date": "{y}-{m:02}-{d:02}",
}


@cache
def _data(folder: Path, code: str) -> Mapping[str, Any]:
    file = folder / code / FILE
    return json.loads(file.read_text("utf-8")) if code != ENGLISH and file.exists() else _ENGLISH


def _here() -> Mapping[str, Any]:
    return _data(catalogues.get(), language.get())


def listed(words: Iterable[str]) -> str:
    """Return a list in a sentence: «Ana, Ben and Cleo»."""
    return _joined(list(words), _here()["and"])


def either(words: Iterable[str]) -> str:
    """Return what there is to choose from in a sentence: «rookie, club or works»."""
    return _joined(list(words), _here()["or"])


def _joined(words: list[str], patterns: Mapping[str, str]) -> str:
    """Join words by the patterns of CLDR: one for two words, three for the parts of a longer list."""
    if len(words) < 3:
        return patterns["2"].format(*words) if len(words) == 2 else "".join(words)
    *before, last = words[1:]
    text = patterns["start"].format(words[0], before[0])
    for word in before[1:]:
        text = patterns["middle"].format(text, word)
    return patterns["end"].format(text, last)


_FIRST = (
    pmark("finishes …", "first"),
    pmark("finishes …", "second"),
    pmark("finishes …", "third"),
    pmark("finishes …", "fourth"),
    pmark("finishes …", "fifth"),
    pmark("finishes …", "sixth"),
)


def nth(place: int) -> str:
    """Return a place at the finish as an adverb: “finishes first”, “finishes in place 7”."""
    if place <= len(_FIRST):
        return _(_FIRST[place - 1])
    return pgettext("finishes …", "in place {n}").format(n=place)


def finished(rank: int, *, shared: bool = False) -> str:
    """Return where the reader finished, as a sentence. 0: nowhere; ``shared``: others have the same rank."""
    if not rank:
        return _("You did not finish.")
    said = _("You finished {place}, level with others.") if shared else _("You finished {place}.")
    return said.format(place=nth(rank))


def number(value: float, form: str = ",") -> str:
    """Return a number by a format of Python, with the signs of the language: «1.234,5» in German."""
    text = format(value, form)
    if language.get() == ENGLISH:
        return text
    own_data = _here()
    signs = {ord("."): own_data["decimal"], ord(","): own_data["group"], ord("-"): MINUS}
    return text.translate(signs)


def dated(day: date) -> str:
    """Return a date in figures: «01.03.2026» in German."""
    pattern: str = _here()["date"]
    return pattern.format(d=day.day, m=day.month, y=day.year)


def timed(at: datetime) -> str:
    """Return a date and a time of day, without its zone: «01.03.2026 14:05» in German."""
    return f"{dated(at)} {at:%H:%M}"


def own_name(code: str, folder: Path) -> str:
    """Return what a language calls itself: «Deutsch», «Français»; its code if there is no data of it."""
    language_data = _data(folder, code)
    name: str = language_data["name"] if code == ENGLISH or language_data is not _ENGLISH else code
    return name
