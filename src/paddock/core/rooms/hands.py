"""What a page asks and shows: the hand of a decision, and tables of points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

F = TypeVar("F")  # the title's face of a card
C = TypeVar("C")  # a choice of the title
W = TypeVar("W")  # what the title draws beside a name: a seat, a car


@dataclass(frozen=True)
class Choice(Generic[F]):
    """A card or a sign to choose."""

    name: str  # unique in the hand, and the same as long as the card is in it
    moves: tuple[str, ...]  # for each way of the hand, or just one; empty if there is nothing to choose
    face: F | None = None  # the card; None for a sign
    label: str = ""  # the text of a sign
    keys: str = ""  # shortcuts, with spaces between them
    fits: bool = True  # whether any of the moves is legal


@dataclass(frozen=True)
class Way:
    """One of several things to do with a card, such as «extend» or «discard». Each has a button."""

    idle: str  # the text of the button before a card is chosen
    key: str = ""  # a shortcut


@dataclass(frozen=True)
class Plus:
    """Something that can be added to a card."""

    label: str
    hint: str
    value: str  # what follows the notation of the card
    key: str = ""  # a shortcut
    off: bool = False  # whether it is only shown, because there is nothing to add


@dataclass(frozen=True)
class Hand(Generic[C]):
    """The decision of one seat, and what it can choose. The cards keep their order and their place."""

    question: str
    idle: str  # the text of the button before anything is chosen
    cards: tuple[C, ...]  # of the hand; all of them, even if some or all of them cannot be chosen
    signs: tuple[C, ...]  # choices without a card
    refused: dict[str, tuple[str, str]]  # choices that are not legal: notation → (sentence, clause)
    ways: tuple[Way, ...] = ()  # if there are several
    plus: Plus | None = None
    hint: str = ""
    clause: str = ""  # of the hint


@dataclass(frozen=True)
class Row(Generic[W]):
    """A row of a table of points."""

    name: str
    who: tuple[W, ...]
    points: tuple[int | None, ...]  # per round; None for a round to come
    total: int
    leads: bool


@dataclass(frozen=True)
class Pad(Generic[W]):
    """A table of points."""

    caption: str
    head: str  # of the column of names
    rounds: int
    rows: tuple[Row[W], ...]


def row(name: str, who: tuple[W, ...], points: Sequence[int], rounds: int, *, leads: bool) -> Row[W]:
    """Return the row for the points of the rounds played so far, of ``rounds`` in all."""
    return Row(name, who, (*points, *[None] * (rounds - len(points))), sum(points), leads)
