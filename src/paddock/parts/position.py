"""Parts of ``position.py``: reading and writing the fields of a state. ``core/state_text.py`` joins them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from paddock.core.i18n import _
from paddock.core.state_text import NONE as NONE
from paddock.core.state_text import Reader as Reader
from paddock.core.state_text import check as check
from paddock.core.state_text import into_record as into_record
from paddock.core.state_text import of_record as of_record
from paddock.core.state_text import read as read
from paddock.core.state_text import written as written

T = TypeVar("T")


def number(text: str, most: int, least: int = 0, *, or_none: bool = False) -> int:
    """Return the whole number that the text says; raise ``ValueError`` if it is out of bounds.

    There is one text for each number: ``7``, never ``07``. With ``or_none`` the error says that the field may
    be empty, too.
    """
    if re.fullmatch(r"0|-?[1-9][0-9]{0,4}", text) and least <= int(text) <= most:
        return int(text)
    words = _("write a number from {least} to {most}")
    if or_none:
        words = _("write a number from {least} to {most}, or -")
    raise ValueError(words.format(least=least, most=most))


def seat_of(text: str, seats: int) -> int:
    """Return the seat, from 0, of a number from 1; raise ``ValueError``."""
    return number(text, seats, least=1) - 1


def word(text: str, words: Sequence[str]) -> str:
    """Return the text if it is one of the words; raise ``ValueError``."""
    if text in words:
        return text
    raise ValueError(_("write one of {words}").format(words=", ".join(words)))


def parts(text: str, between: str = ",") -> list[str]:
    """Return the parts of a list; none if the field is empty."""
    return [] if text == NONE else text.split(between)


def by_seat(text: str, seats: int, between: str = ",") -> list[tuple[int, str]]:
    """Return the pairs of a list such as ``1:a,3:b``: (seat, text), each seat once; raise ``ValueError``."""
    pairs = [part.partition(":") for part in parts(text, between)]
    if not all(colon for _number, colon, _value in pairs):
        raise ValueError(_("write number:value"))
    named = once([seat_of(number, seats) for number, _colon, _value in pairs], _("name each number once"))
    return [(seat, value) for seat, (_number, _colon, value) in zip(named, pairs, strict=True)]


def once(values: list[T], fault: str) -> list[T]:
    """Return the values if they differ; raise ``ValueError`` with the fault."""
    if len(set(values)) == len(values):
        return values
    raise ValueError(fault)
