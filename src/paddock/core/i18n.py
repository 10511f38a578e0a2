"""Translation by gettext. Catalogues, once there are any, are in ``locale/``."""

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
    """Translate a message to the current ``language``; return it unchanged if there is no translation."""
    return _catalogue(language.get()).gettext(message)


def mark(message: str) -> str:
    """The message itself, which the catalogue then has: for words that are translated when they are shown."""
    return message


def plural(one: str, many: str, n: int) -> str:
    """Translate the singular or plural for ``n`` to the current ``language``, with ``{n}`` filled in."""
    return _catalogue(language.get()).ngettext(one, many, n).format(n=n)
