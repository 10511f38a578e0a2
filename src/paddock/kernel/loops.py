"""The loops over a title's rules, written once and instantiated per title by the loader.

This source runs with the title's functions (``start``, ``who``, …) among its globals, in either
life; ``rng`` is a stream, ``out`` room for a legal list, ``weights`` for an outcome's weights.
"""

# mypy: disable-error-code=name-defined

from __future__ import annotations

from typing import Any

from paddock.core.words import CHANCE
from paddock.kernel.chance import below, stream
from paddock.kernel.mode import rule
from paddock.kernel.record import Row


@rule
def first_of(mask: int) -> int:
    """The lowest seat of a bitmask that is not 0."""
    seat = 0
    while not mask & 1:
        mask >>= 1
        seat += 1
    return seat


@rule
def playout(s: Any, g: Any, rng: Row, out: Row) -> int:
    """Play uniformly at random to the end; returns the number of decisions."""
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
    """Game ``index`` of ``seed`` from its deal to its end; returns the number of decisions."""
    stream(seed, index, rng)
    start(s, g)
    return playout(s, g, rng, out)


@rule
def take_chance(s: Any, g: Any, rng: Row, out: Row, weights: Row) -> int:
    """Draw and apply the one outcome that is due, stepwise; returns it."""
    n = outcomes(s, g, out, weights)
    total = 0
    for i in range(n):
        total += weights[i]
    x = below(rng, total)
    i = 0
    while x >= weights[i]:
        x -= weights[i]
        i += 1
    outcome = out[i]
    apply(s, g, CHANCE, outcome)
    return outcome
