"""Sentences behind gettext: templates here and there, catalogues in ``locale/`` when they come."""

from __future__ import annotations

import gettext
from contextvars import ContextVar
from pathlib import Path

_LOCALE = Path(__file__).parent.parent / "locale"
language: ContextVar[str] = ContextVar("language", default="en")


def _(message: str) -> str:
    """The sentence in the current ``language``; the message itself where no catalogue has it."""
    return gettext.translation("paddock", _LOCALE, [language.get()], fallback=True).gettext(message)
