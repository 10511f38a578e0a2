"""Translation with gettext; the catalogues are in ``locale/``.

Text is translated when it is shown, in the ``language`` of the request. A constant is marked with ``mark``
and translated with ``_`` where it is shown. Text with data that is stored or shown later is a ``Sentence``.

A short message that could mean two things has a context, which only translators see:
``pgettext("verb", "Pass")``, or ``pmark("verb", "Pass")`` for a constant. Lists and numbers are in
``core/wording.py``.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from paddock.core import catalogue
from paddock.core.catalogue import APART, Catalogue

T = TypeVar("T")
DOMAIN = "paddock"
ENGLISH = "en"  # the language of the messages in the code
LOCALE = Path(__file__).parent.parent / "locale"
language: ContextVar[str] = ContextVar("language", default=ENGLISH)
catalogues: ContextVar[Path] = ContextVar("catalogues", default=LOCALE)
LANGUAGE = "PADDOCK_LANGUAGE"
_VARIABLES = (LANGUAGE, "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_log = logging.getLogger(__name__)
_packages: tuple[tuple[str, Path], ...] = ()  # of titles that come from other packages: domain, folder
_last: dict[str, tuple[Path, tuple[Catalogue, ...]]] = {}  # by language: the folder, and what is in it


def languages(folder: Path = LOCALE) -> tuple[str, ...]:
    """Return English and every language that has a catalogue in the folder."""
    codes = {file.parent.parent.name for file in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")}
    return (ENGLISH, *sorted(codes - {ENGLISH}))


def known(tag: str, languages: Sequence[str]) -> str | None:
    """Return the available language for a tag such as ``de`` or ``pt-BR``; None if there is none."""
    if not tag:
        return None
    words = tag.lower().replace("-", "_").split("_")
    codes = {code.lower(): code for code in languages}
    for end in range(len(words), 0, -1):
        if language := codes.get("_".join(words[:end])):
            return language
    return None


def of_environment() -> str:
    """Return the language that ``PADDOCK_LANGUAGE``, ``LANGUAGE``, ``LANG`` and so on ask for, else English.

    The first of the variables that is set counts, and in it the first language that there is.
    """
    return (
        _first_language(next((value for name in _VARIABLES if (value := os.environ.get(name))), ""))
        or ENGLISH
    )


def unknown_language() -> str:
    """Return what ``PADDOCK_LANGUAGE`` asks for, if there is no such language; else an empty text.

    The other variables speak to all programs: what they ask for need not be here.
    """
    asked = os.environ.get(LANGUAGE, "")
    return "" if _first_language(asked) else asked


def _first_language(asked: str) -> str | None:
    codes = languages(catalogues.get())
    tags = (re.split("[.@]", tag)[0] for tag in asked.split(":"))
    return next((code for tag in tags if (code := known(tag, codes))), None)


def use_packages(names: Iterable[str]) -> None:
    """Use the catalogues of these packages (``<package>/locale/``) for messages that Paddock's lacks."""
    global _packages
    _packages = tuple((name, Path(str(files(name))) / "locale") for name in sorted(set(names) - {DOMAIN}))
    _last.clear()


@cache
def _read_catalogues(
    folder: Path, code: str, packages: tuple[tuple[str, Path], ...]
) -> tuple[Catalogue, ...]:
    """Return the catalogues of a language: Paddock's own, then those of the packages."""
    catalogues_read = []
    for domain, place in ((DOMAIN, folder), *packages):
        for name in dict.fromkeys((code, code.partition("_")[0])):
            file = place / name / "LC_MESSAGES" / f"{domain}.po"
            try:
                catalogues_read.append(catalogue.read(file))
                break
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                _log.warning("the translation %s cannot be read: %s", file, error)
    return tuple(catalogues_read)


def _current() -> tuple[Catalogue, ...]:
    """Return the catalogues of the current language; every message needs them, and hashing a path is slow."""
    code = language.get()
    if code == ENGLISH:
        return ()
    folder = catalogues.get()
    last = _last.get(code)
    if last is None or last[0] is not folder:
        last = _last[code] = folder, _read_catalogues(folder, code, _packages)
    return last[1]


def spoken(language_: str, catalogues_: Path, work: Callable[..., T], *args: Any) -> T:
    """Call a function in the language of a request: a worker process imports nothing else for it."""
    language.set(language_)
    catalogues.set(catalogues_)
    return work(*args)


def _(message: str) -> str:
    """Return the message in the current ``language``; the message itself if no catalogue has it."""
    for own_catalogue in _current():
        if text := own_catalogue.one(message):
            return text
    return message_of(message) if APART in message else message


def translated(message: str) -> bool:
    """Whether a catalogue of the current ``language`` has the message."""
    return any(own_catalogue.one(message) for own_catalogue in _current())


def pgettext(context: str, message: str) -> str:
    """Return the message in the current ``language``, as it is translated in this context."""
    return _(f"{context}{APART}{message}")


def mark(message: str) -> str:
    """Return the message unchanged, and mark it for the catalogue: ``_`` translates it when it is shown."""
    return message


def pmark(context: str, message: str) -> str:
    """Mark a message with its context. ``_`` translates what it returns; ``message_of`` is the message."""
    return f"{context}{APART}{message}"


def message_of(marked: str) -> str:
    """Return a marked message without its context."""
    return marked.rpartition(APART)[2]


def plural(one: str, many: str, n: int, **words: str) -> str:
    """Return the form for ``n`` in the current ``language``, with ``{n}`` and the words filled in."""
    translations = (text for own_catalogue in _current() if (text := own_catalogue.many(one, n)))
    return next(translations, one if n == 1 else many).format(n=n, **words)


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
        """Return the sentence that ``_packed`` made a list of; raise ``TypeError`` for anything else."""
        template, words = packed
        if not isinstance(template, str) or not isinstance(words, dict):
            raise TypeError("not a sentence")
        return cls(
            template,
            **{name: cls._unpacked(word) if isinstance(word, list) else word for name, word in words.items()},
        )
