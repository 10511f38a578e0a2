"""The titles under test, and random options for each."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from paddock.core.options import Options
from paddock.core.title import Title


def _lacorsa(choose: random.Random) -> dict[str, Any]:
    drivers = choose.randint(2, 6)
    return {
        "drivers": drivers,
        "races": choose.choice([1, 2]),
        "pairs": drivers > 3 and choose.random() < 0.3,
        "extra_suits": choose.choice([0, 0, 1, 3]),
        "double_redline": choose.choice(["refused", "void"]),
        "points": choose.choice([(9, 6, 4, 3, 2, 1), (25, 18, 15, 12, 10, 8, 6), (1,)]),
    }


_RANDOM: dict[str, Callable[[random.Random], dict[str, Any]]] = {"lacorsa": _lacorsa}
TITLES = tuple(_RANDOM)


def random_options(title: Title, choose: random.Random) -> Options:
    """Options drawn over everything the title allows."""
    return title.options.read(_RANDOM[title.name](choose))
