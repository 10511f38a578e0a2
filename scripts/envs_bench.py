"""Measure vector play on one core: decisions a second, with observations and masks; exit 1 below the bar.

A decision is: choose a legal action uniformly at random (``env.sampler``), apply it, take the chance that is
due, list the legal moves of the next seat, and write its observation and its mask. The bar is a ratio to the
reference kernel of ``paddock bench``, timed in the same run, because a busy machine slows both equally: 2
million decisions a second where the reference makes 480 million steps.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from paddock.envs import vector
from paddock.kernel.bench import compare, compiled_reference

REFERENCE = 480e6
CASES: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("lacorsa", {"drivers": 4}, 2e6),
    ("lacorsa", {"drivers": 12, "large_grid": True}, 0),
    ("rasant", {"players": 4}, 0),
    ("great_race", {"players": 4, "map": "usa-west"}, 0),
)
GAMES = 256


def stepping(title: str, options: dict[str, Any]) -> Callable[[int], int]:
    """Return a function that makes ``n`` steps in all games."""
    env = vector(title, options, GAMES, 7)
    sample, now = env.sampler(1), env.batch

    def work(n: int) -> int:
        for _ in range(n):
            env.step(sample(now.observations, now.masks))
        return n * GAMES

    return work


compiled, deck, rng = compiled_reference(), np.arange(52), np.ones(1, np.int64)


def reference(n: int) -> int:
    compiled(deck, rng, 1000 * n)
    return 1000 * n


low = False
for title, options, target in CASES:
    rate, _, ratio = compare(reference, stepping(title, options))
    bar = target / REFERENCE
    low |= ratio < bar
    mark = "   " if not bar else "ok " if ratio >= bar else "LOW"
    words = " ".join(f"{name}={value}" for name, value in options.items())
    print(f"{mark} {title} {words}: {rate:,.0f} decisions/s, ratio {ratio:.5f}, bar {bar:.5f}")
sys.exit(low)
