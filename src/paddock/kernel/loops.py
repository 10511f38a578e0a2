"""Loops that play games, instantiated for each title by the loader.

This source is executed with the title's functions (``start``, ``who``, …) as globals, in both modes.
``rng`` is a random stream, ``out`` a buffer for legal moves, ``weights`` a buffer for outcome weights.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.words import CHANCE
from paddock.kernel.chance import below, stream
from paddock.kernel.mode import rule
from paddock.kernel.record import Row

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *

THIRDS = 3


@rule
def first_of(mask: int) -> int:
    """Return the lowest seat in a bitmask, which must not be 0."""
    seat = 0
    while not mask & 1:
        mask >>= 1
        seat += 1
    return seat


@rule
def playout(s: Any, g: Any, rng: Row, out: Row) -> int:
    """Play random moves to the end; return the number of decisions."""
    decisions = 0
    waiting = who(s, g)
    while waiting:
        if waiting >> CHANCE:
            run_chance(s, g, rng)
        else:
            seat = first_of(waiting)
            n = legal(s, g, seat, out)
            apply(s, g, seat, out[below(rng, n)])
            decisions += 1
        waiting = who(s, g)
    return decisions


@rule
def play_one(s: Any, g: Any, seed: int, index: int, rng: Row, out: Row) -> int:
    """Play game ``index`` of ``seed`` from start to end; return the number of decisions."""
    stream(seed, index, rng)
    start(s, g)
    return playout(s, g, rng, out)


@rule
def policy_move(ss: Any, at: int, g: Any, seat: int, eyes: int, out: Row, n: int, rng: Row) -> int:
    """Return the policy's choice of the ``n`` legal moves in ``out``, from what ``eyes`` see of ``ss[at]``.

    ``ss[0]`` is a buffer. The policy is not asked if there is only one move.
    """
    if n == 1:
        return out[0]
    ss[0] = ss[at]
    hide(ss[0], g, eyes)
    return policy(ss[0], g, seat, out, n, rng)


@rule
def asks_policy(thirds: int, rng: Row) -> bool:
    """Whether the policy makes this decision: it makes ``thirds`` of three, and the others are random."""
    return thirds == THIRDS or (thirds > 0 and below(rng, THIRDS) < thirds)
