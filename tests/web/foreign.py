"""English words that are left on a page in another language, by its own catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from paddock.core import catalogue
from paddock.core.i18n import LOCALE

_WORD = re.compile(r"[A-Za-zÀ-ÿœ]{3,}")
_HIDDEN = re.compile(r"\{[^}]*\}|`[^`]*`|<[^>]*>|\S*[=/:@]\S+|--\S+")


@cache
def english(code: str = "de") -> frozenset[str]:
    """Return the words of the English messages with a translation that no translation has."""
    found = catalogue.read(LOCALE / code / "LC_MESSAGES" / "paddock.po").texts
    theirs = _words(text for forms in found.values() for text in forms)
    return frozenset(_words(key.rpartition(catalogue.APART)[2] for key in found) - theirs)


def _words(texts: Iterable[str]) -> set[str]:
    return {word.lower() for text in texts for word in _WORD.findall(_HIDDEN.sub(" ", text))}


def left(text: str, code: str = "de") -> list[str]:
    """Return the English words of a text in German, or in another language."""
    return sorted({word for word in _WORD.findall(text) if word.lower() in english(code)})
