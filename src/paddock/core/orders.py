"""Standing orders: what a seat wants done when a decision comes, so that nobody has to wait for it.

A title may have a room ``orders.py`` with the functions of ``Orders``; a title without one offers none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, cast

from paddock.core.game import Seen

if TYPE_CHECKING:
    from paddock.core.title import Title


@dataclass(frozen=True)
class Order:
    """A standing order: its text in notation (one line without «;») and what a button says."""

    text: str
    label: str


@dataclass(frozen=True)
class Dropped:
    """An order that no longer fits, and the reason as a sentence for its owner; empty where it is done."""

    reason: str


class Orders(Protocol):
    """The room ``orders.py``. It knows nothing but what the order's owner sees."""

    def describe(self, seen: Seen, seat: int) -> list[Order]:
        """The orders that the seat can give now."""

    def parse(self, text: str) -> Order:
        """The order of a text; raises ``BadMove``."""

    def answer(self, seen: Seen, seat: int, text: str) -> int | Dropped | None:
        """The move that the order makes now; None where it waits; ``Dropped`` where it no longer fits."""


@cache
def orders_of(title: Title) -> Orders | None:
    """The room of a title; None where it has none."""
    name = f"{title.package}.orders"
    return cast(Orders, import_module(name)) if find_spec(name) else None
