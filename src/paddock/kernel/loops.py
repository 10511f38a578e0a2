"""Loops that play games, instantiated for each title by the loader.

This source is executed with the title's functions (``start``, ``who``, …) as globals, in both modes.
``rng`` is a random stream, ``out`` a buffer for legal moves, ``weights`` a buffer for outcome weights.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.bounds import FENCED
from paddock.core.errors import OutOfBounds
from paddock.core.words import CHANCE
from paddock.kernel.chance import below, stream
from paddock.kernel.mode import rule
from paddock.kernel.record import Row

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *

THIRDS = 3
FENCE = -(1 << 52)  # the mark: a float can be it, too


@rule
def first_of(mask: int, seats: int = MAX_SEATS) -> int:
    """Return the lowest seat in a bitmask, which must not be 0. It is one of so many seats."""
    seat = 0
    while not mask & 1:
        mask >>= 1
        seat += 1
    if seat >= seats:
        raise OutOfBounds("MAX_SEATS", seat + 1, seats)
    return seat


@rule
def listed(s: Any, g: Any, seat: int, out: Row) -> int:
    """Write the legal moves of a seat that must decide to ``out``; return how many: 1 to ACTIONS."""
    n = legal(s, g, seat, out)
    if n < 1 or n > ACTIONS:
        raise OutOfBounds("ACTIONS", n, ACTIONS)
    return n


@rule
def give_way() -> None:
    """Let other work come in between, where a loop runs in steps: see ``with_steps`` of checking.py."""


@rule
def counted(decisions: int) -> int:
    """Return one decision more: of a game, at most MAX_DECISIONS."""
    if decisions >= MAX_DECISIONS:
        raise OutOfBounds("MAX_DECISIONS", decisions + 1, MAX_DECISIONS)
    return decisions + 1


@rule
def fence(out: Any, room: int) -> None:
    """Mark the numbers of a buffer behind its ``room``: ``written`` sees then whether they were written."""
    for i in range(room, room + FENCED):
        out[i] = FENCE


@rule
def written(out: Any, room: int) -> int:
    """Return how many numbers of the buffer there must be room for; at least ``room``."""
    n = room + FENCED
    while n > room and out[n - 1] == FENCE:
        n -= 1
    return n


@rule
def by_seat(out: Any) -> None:
    """Set the numbers of all seats in a buffer to 0, and fence them."""
    for seat in range(MAX_SEATS):
        out[seat] = 0
    fence(out, MAX_SEATS)


@rule
def of_seats(out: Any, row: Any) -> None:
    """Copy the numbers of all seats to ``row``, after a check that there are no others."""
    n = written(out, MAX_SEATS)
    if n > MAX_SEATS:
        raise OutOfBounds("MAX_SEATS", n, MAX_SEATS)
    for seat in range(MAX_SEATS):
        row[seat] = out[seat]


@rule
def settle(s: Any, g: Any, out: Row, scored: Any, placed: Any) -> None:
    """Write the scores and places of all seats at the end of a game; ``out`` is a buffer."""
    by_seat(out)
    scores(s, g, out)
    of_seats(out, scored)
    by_seat(out)
    places(s, g, out)
    of_seats(out, placed)


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
            n = listed(s, g, seat, out)
            apply(s, g, seat, out[below(rng, n)])
            decisions = counted(decisions)
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
