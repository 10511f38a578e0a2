"""The room ``situations.py`` of a title: moments that come again and again, and a choice in each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from paddock.core.rooms.basics import Known


@dataclass(frozen=True)
class Situation:
    """A kind of moments, and a choice in them."""

    name: str  # as it is stored: a word
    moment: str  # what the player sees then, in a few words; to be translated
    # How often the choice was made, in a sentence with {own}, {n}, {level} and {others}: “You extended in
    # {own} of {n} such moments; {level} does so in {others}.” To be translated
    choice: str
    value: int = 0  # {value} in it, if the choice has one


def real_choices(
    legal: Iterable[int], kinds: Mapping[str, Callable[[int], bool]]
) -> dict[str, frozenset[int]]:
    """Return which legal moves are the choice of each kind, by what says so of a move.

    A kind is left out where these are all legal moves, or none.
    """
    all_moves = frozenset(legal)
    chosen = {name: frozenset(filter(fits, all_moves)) for name, fits in kinds.items()}
    return {name: moves for name, moves in chosen.items() if moves and moves != all_moves}


class Situations(Protocol):
    """The room ``situations.py`` of a title."""

    SITUATIONS: Sequence[Situation]

    def choices(self, seen: Known, seat: int) -> Mapping[str, Collection[int]]:
        """Return the kinds of moments that a decision of a seat is one of, with their ``real_choices``."""
