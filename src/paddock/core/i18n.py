"""Messages go through gettext; their catalogues are in ``locale/``.

Text is translated when it is shown, in the ``language`` of the request. What is written down earlier (a
constant of a module, a field of a title) is marked with ``mark`` and translated by ``_`` where it is shown.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from pathlib import Path

DOMAIN = "paddock"
ENGLISH = "en"  # what the messages themselves are in
LOCALE = Path(__file__).parent.parent / "locale"
language: ContextVar[str] = ContextVar("language", default=ENGLISH)
catalogues: ContextVar[Path] = ContextVar("catalogues", default=LOCALE)
_packages: tuple[tuple[str, Path], ...] = ()  # of titles that come from other packages: domain, folder


def languages(folder: Path = LOCALE) -> tuple[str, ...]:
    """English, and every language that has a catalogue in the folder."""
    found = {file.parent.parent.name for file in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return (ENGLISH, *sorted(found - {ENGLISH}))


def use_packages(names: Iterable[str]) -> None:
    """Look up messages that Paddock's catalogue lacks in those of these packages: ``<package>/locale/``."""
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
    """The sentence in the current ``language``; the message itself where no catalogue has it."""
    return _current().gettext(message) if message else ""  # gettext's own word for "" is the header


def mark(message: str) -> str:
    """The message itself, which the catalogue then has: for words that are translated when they are shown."""
    return message


def plural(one: str, many: str, n: int, **words: str) -> str:
    """The sentence for so many, in the current ``language``, with ``{n}`` and the words filled in."""
    return _current().ngettext(one, many, n).format(n=n, **words)
