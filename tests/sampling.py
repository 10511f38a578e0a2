"""How much of a large test runs: a sample in ``make test``, all of it with other seeds in ``make test-all``.

``PADDOCK_TEST_WHOLE=1`` runs all, ``PADDOCK_TEST_SEED=7`` plays other games, and ``PADDOCK_TEST_ORDER=7``
runs the files, and the tests of each, in a random order. A run prints all three.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")
WHOLE = os.environ.get("PADDOCK_TEST_WHOLE", "") not in ("", "0")
SEED = int(os.environ.get("PADDOCK_TEST_SEED") or 0)
ORDER = os.environ.get("PADDOCK_TEST_ORDER", "")


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


def shuffle(items: list[pytest.Item]) -> None:
    """Put the files, and the tests of each, in the order of ``PADDOCK_TEST_ORDER``, one for all workers."""
    if ORDER:
        chance = random.Random(ORDER)
        files = {path: chance.random() for path in sorted({item.path for item in items})}
        items.sort(key=lambda item: item.nodeid)
        chance.shuffle(items)
        items.sort(key=lambda item: files[item.path])


def header() -> str:
    """Return the line that says what runs."""
    how = "everything, whole" if WHOLE else "large tests on a sample: make test-all runs them whole"
    order = f"; PADDOCK_TEST_ORDER={ORDER}" if ORDER else ""
    return f"{how}; PADDOCK_TEST_SEED={SEED}{order}"
