"""The rooms ``chains.py``, ``orders.py`` and ``forced.py``: decisions of several moves, and of none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from paddock.core.i18n import Sentence
from paddock.core.rooms.basics import Known


@dataclass(frozen=True)
class Chain:
    """A suggested chain: its links, the text of its button, and its total cost (petrol, cards, …)."""

    moves: tuple[int, ...]
    label: str
    cost: Mapping[str, int]


class Chains(Protocol):
    """The room ``chains.py`` of a title whose moves can be combined into chains."""

    def cost(self, seen: Known, seat: int, move: int) -> Mapping[str, int]:
        """Return the cost of a legal link as far as the seat knows: name → amount."""

    def ready(self, seen: Known, seat: int) -> Sequence[Chain]:
        """Return suggested chains from here, such as the cheapest way to each destination."""


@dataclass(frozen=True)
class Order:
    """A standing order: its notation (one line without «;») and the text of its button."""

    text: str
    label: str


@dataclass(frozen=True)
class Dropped:
    """An order that no longer applies, with the reason for its owner; empty if it was carried out.

    The reason is stored, and shown in the language of the owner: write it as a ``Sentence``.
    """

    reason: Sentence | str


class Orders(Protocol):
    """The room ``orders.py``. It gets only what the owner of the order sees.

    A title may add ``always(seen, seat)``: the texts of the orders that its options give to everybody.
    """

    def describe(self, seen: Known, seat: int) -> list[Order]:
        """Return the orders that the seat can give now."""

    def parse(self, text: str) -> Order:
        """Parse an order; raise ``BadMove``."""

    def answer(self, seen: Known, seat: int, text: str) -> int | Dropped | None:
        """Return the move that the order makes now, None if it waits, ``Dropped`` if it is out of date."""


class Forced(Protocol):
    """The room ``forced.py``: why a move was the only one. Tables then play it by itself."""

    def why(self, seen: Known, seat: int, move: int) -> Sentence | None:
        """Return why ``move``, the only legal one of the seat, is the only one; None if that is a secret.

        ``seen`` is what a spectator sees. With it and the move everybody must be able to tell that the seat
        had no choice. The reason is a part of a sentence, such as «no petrol».
        """
