"""Who beats whom need not follow one order: cycles, and orders that depend on the opponents."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from paddock.core.intervals import half_width
from paddock.lab.figures import Floats


@dataclass(frozen=True)
class Reversal:
    """``one`` beats ``other``, and yet gets less than it among players of ``third`` (indices of bots)."""

    one: int
    other: int
    third: int
    less: float  # by how much
    error: float  # half the width of its 95 % interval


def cycles(bots: int, beats: Collection[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return every cycle in which each bot beats the next one, and the last the first; short ones first.

    A cycle begins with its smallest index, and has no bot twice.
    """
    cycles_found = list[tuple[int, ...]]()
    paths: list[tuple[int, ...]] = [(first,) for first in range(bots)]
    for path in paths:  # grows while it is read
        for loser in range(path[0], bots):
            if (path[-1], loser) not in beats:
                continue
            if loser == path[0]:
                cycles_found.append(path)
            elif loser not in path:
                paths.append((*path, loser))
    return cycles_found


def reversal(bot: int, rival: int, third: int, first: Floats, second: Floats) -> Reversal | None:
    """Return by how much less ``bot`` gets than ``rival`` among ``third``; None if that is not shown.

    ``first`` and ``second`` are what they get over the fair share, by deal. Both play the same deals, so the
    difference is taken deal by deal.
    """
    deals = min(len(first), len(second))
    less = second[:deals] - first[:deals]
    error = half_width(less)
    return Reversal(bot, rival, third, float(less.mean()), error) if less.mean() > error else None
