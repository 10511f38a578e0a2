"""Parts of ``page.py``: the hand of a decision as groups of choices, and tables of points.

The macros in ``web/templates/_cards.html`` and ``_macros.html`` draw them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from paddock.core.errors import BadMove, IllegalMove
from paddock.core.title import Seen

C = TypeVar("C")  # a choice of the title
W = TypeVar("W")  # what the title draws beside a name: a seat, a car


@dataclass(frozen=True)
class Group(Generic[C]):
    """Choices of one kind. If none can be made, ``why`` and the clause say why."""

    title: str
    hint: str
    cards: tuple[C, ...]
    why: str = ""
    clause: str = ""


@dataclass(frozen=True)
class Hand(Generic[C]):
    """The decision of one seat, and what it can choose."""

    question: str
    idle: str  # the text of the button before anything is chosen
    groups: tuple[Group[C], ...]
    refused: dict[str, tuple[str, str]]  # choices that are not legal: notation → (sentence, clause)


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


def refused(seen: Seen, seat: int, notations: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return why moves of a seat are not legal: notation → (sentence, clause), without malformed ones."""
    out = {}
    for notation in notations:
        try:
            id = seen.title.text.parse_move(seen.setup, notation).id
            fault = seen.title.refused(seen.state, seen.setup, seat, id)
        except IllegalMove as error:
            fault = error
        except BadMove:
            continue
        if fault:
            out[notation] = (fault.reason, fault.clause)
    return out
