"""How much of a large test runs: a sample in ``make test``, all of it with other seeds in ``make test-all``.

``PADDOCK_TEST_WHOLE=1`` runs all, ``PADDOCK_TEST_SEED=7`` plays other games; a run prints both.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
WHOLE = os.environ.get("PADDOCK_TEST_WHOLE", "") not in ("", "0")
SEED = int(os.environ.get("PADDOCK_TEST_SEED") or 0)


def count(sample: int, whole: int) -> int:
    """Return how many games, decisions or examples to test."""
    return whole if WHOLE else sample


def seeds(sample: int, whole: int) -> range:
    """Return as many seeds; other ones for each ``PADDOCK_TEST_SEED``."""
    first = SEED * 1_000_000
    return range(first, first + count(sample, whole))


def some(cases: Sequence[T], sample: int, test: str = "") -> list[T]:
    """Return a sample of the cases, in their order: other ones for each ``PADDOCK_TEST_SEED`` and test."""
    if WHOLE or sample >= len(cases):
        return list(cases)
    return [cases[i] for i in sorted(random.Random(f"{SEED} {test}").sample(range(len(cases)), sample))]


def header() -> str:
    """Return the line that says what runs."""
    how = "everything, whole" if WHOLE else "large tests on a sample: make test-all runs them whole"
    return f"{how}; PADDOCK_TEST_SEED={SEED}"
