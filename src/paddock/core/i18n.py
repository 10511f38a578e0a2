"""Sentences behind gettext: templates here and there, catalogues in ``locale/`` when they come."""

from __future__ import annotations

import gettext
from contextvars import ContextVar
from functools import cache
from pathlib import Path

_LOCALE = Path(__file__).parent.parent / "locale"
language: ContextVar[str] = ContextVar("language", default="en")


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    return gettext.translation("paddock", _LOCALE, [code], fallback=True)


def _(message: str) -> str:
    """The sentence in the current ``language``; the message itself where no catalogue has it."""
    return _catalogue(language.get()).gettext(message)


def mark(message: str) -> str:
    """The message itself, which the catalogue then has: for words that are translated when they are shown."""
    return message


def plural(one: str, many: str, n: int) -> str:
    """The sentence for so many, in the current ``language``, with ``{n}`` filled in."""
    return _catalogue(language.get()).ngettext(one, many, n).format(n=n)
