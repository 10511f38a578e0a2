"""Translation with gettext; the catalogues are in ``locale/``.

Text is translated when it is shown, in the ``language`` of the request. A constant is marked with ``mark``
and translated with ``_`` where it is shown. Text with data that is stored or shown later is a ``Sentence``.
"""

from __future__ import annotations

import gettext
import json
from collections.abc import Iterable
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

DOMAIN = "paddock"
ENGLISH = "en"  # the language of the messages in the code
LOCALE = Path(__file__).parent.parent / "locale"
language: ContextVar[str] = ContextVar("language", default=ENGLISH)
catalogues: ContextVar[Path] = ContextVar("catalogues", default=LOCALE)
_packages: tuple[tuple[str, Path], ...] = ()  # of titles that come from other packages: domain, folder


def languages(folder: Path = LOCALE) -> tuple[str, ...]:
    """Return English and every language that has a catalogue in the folder."""
    found = {file.parent.parent.name for file in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return (ENGLISH, *sorted(found - {ENGLISH}))


def of_environment() -> str:
    """Return the language that ``LANGUAGE``, ``LANG`` and so on ask for; English if it has no catalogue."""
    found = gettext.find(DOMAIN, catalogues.get())
    return Path(found).parent.parent.name if found else ENGLISH


def use_packages(names: Iterable[str]) -> None:
    """Use the catalogues of these packages (``<package>/locale/``) for messages that Paddock's lacks."""
    global _packages
    _packages = tuple((name, Path(str(files(name))) / "locale") for name in sorted(set(names) - {DOMAIN}))


@cache
def _catalogue(folder: Path, code: str, packages: tuple[tuple[str, Path], ...]) -> gettext.NullTranslations:
    found = gettext.translation(DOMAIN, folder, [code], fallback=True)
    for domain, place in packages:
        found.add_fallback(gettext.translation(domain, place, [code], fallback=True))
    return found


def _current() -> gettext.NullTranslations:
    return _catalogue(catalogues.get(), language.get(), _packages)


def _(message: str) -> str:
    """Return the message in the current ``language``; the message itself if no catalogue has it."""
    return _current().gettext(message) if message else ""  # gettext translates "" to the header


def mark(message: str) -> str:
    """Return the message unchanged, and mark it for the catalogue: ``_`` translates it when it is shown."""
    return message


def plural(one: str, many: str, n: int, **words: str) -> str:
    """Return the form for ``n`` in the current ``language``, with ``{n}`` and the words filled in."""
    return _current().ngettext(one, many, n).format(n=n, **words)


Word: TypeAlias = "str | int | Sentence"


class Sentence:
    """A template with its words. ``str()`` translates and formats it in the current ``language``.

    Text that is stored, or shown to several people, is kept in this form and never formatted. A word may be
    a sentence too.
    """

    __slots__ = ("template", "words")

    def __init__(self, template: str, /, **words: Word) -> None:
        self.template = template
        self.words = words

    def __str__(self) -> str:
        return _(self.template).format(**self.words)

    def __repr__(self) -> str:
        return f"Sentence({self.dump()})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and self.dump() == other.dump()

    def __hash__(self) -> int:
        return hash(self.dump())

    def dump(self) -> str:
        """Return the sentence as one line of ASCII text for the store; ``load`` parses it."""
        return json.dumps(self._packed())

    def _packed(self) -> list[Any]:
        words = {
            name: word._packed() if isinstance(word, Sentence) else word for name, word in self.words.items()
        }
        return [self.template, words]

    @classmethod
    def load(cls, text: str) -> Sentence | str:
        """Parse what ``dump`` returned; return any other text, as older versions stored it, unchanged."""
        try:
            return cls._unpacked(json.loads(text))
        except (ValueError, TypeError):
            return text

    @classmethod
    def _unpacked(cls, packed: Any) -> Sentence:
        template, words = packed
        if not isinstance(template, str) or not isinstance(words, dict):
            raise TypeError("not a sentence")
        return cls(
            template,
            **{name: cls._unpacked(word) if isinstance(word, list) else word for name, word in words.items()},
        )
