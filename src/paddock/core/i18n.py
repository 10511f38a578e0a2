"""Messages go through gettext; their catalogues are in ``locale/``.

Text is translated when it is shown, in the ``language`` of the request. What is written down earlier (a
constant of a module, a field of a title) is marked with ``mark`` and translated by ``_`` where it is shown.
"""

from __future__ import annotations

import gettext
from contextvars import ContextVar
from functools import cache
from pathlib import Path

DOMAIN = "paddock"
ENGLISH = "en"  # what the messages themselves are in
LOCALE = Path(__file__).parent.parent / "locale"
language: ContextVar[str] = ContextVar("language", default=ENGLISH)
catalogues: ContextVar[Path] = ContextVar("catalogues", default=LOCALE)


def languages(folder: Path = LOCALE) -> tuple[str, ...]:
    """English, and every language that has a catalogue in the folder."""
    found = {file.parent.parent.name for file in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return (ENGLISH, *sorted(found - {ENGLISH}))


@cache
def _catalogue(folder: Path, code: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, folder, [code], fallback=True)


def _current() -> gettext.NullTranslations:
    return _catalogue(catalogues.get(), language.get())


def _(message: str) -> str:
    """The sentence in the current ``language``; the message itself where no catalogue has it."""
    return _current().gettext(message) if message else ""  # gettext's own word for "" is the header


def mark(message: str) -> str:
    """The message itself, which the catalogue then has: for words that are translated when they are shown."""
    return message


def plural(one: str, many: str, n: int, **words: str) -> str:
    """The sentence for so many, in the current ``language``, with ``{n}`` and the words filled in."""
    return _current().ngettext(one, many, n).format(n=n, **words)
