"""The loops over a title's rules, written once and instantiated per title by the loader.

Loaded with the title's functions (``start``, ``who``, …) as its globals, plain or compiled.
"""

from __future__ import annotations

from typing import Any

from paddock.kernel import rule
from paddock.kernel.chance import below, stream
from paddock.core.words import CHANCE


@rule
def playout(s: Any, g: Any, rng: Any, out: Any) -> int:
    """Play uniformly at random to the end; returns the number of decisions."""
    decisions = 0
    waiting = who(s, g)
    while waiting:
        if waiting >> CHANCE:
            run_chance(s, g, rng)
        else:
            seat = 0
            while not (waiting >> seat) & 1:
                seat += 1
            n = legal(s, g, seat, out)
            apply(s, g, seat, out[below(rng, n)])
            decisions += 1
        waiting = who(s, g)
    return decisions


@rule
def many(s: Any, g: Any, seed: int, first: int, count: int, rng: Any, out: Any) -> int:
    total = 0
    for i in range(first, first + count):
        stream(seed, i, rng)
        start(s, g)
        total += playout(s, g, rng, out)
    return total
