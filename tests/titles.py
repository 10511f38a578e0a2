"""The titles under test, and random options for each."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from paddock.core.options import Options
from paddock.core.title import Title
from paddock.games.lacorsa.rulebook import TITLE as LACORSA
from paddock.games.rasant.rulebook import TITLE as RASANT


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


def _rasant(choose: random.Random) -> dict[str, Any]:
    players = choose.randint(2, 5)
    own = "+".join(["r70", *(f"{choose.choice('rgbyk')}{choose.randint(1, 13)}0" for _ in range(50))])
    return {
        "players": players,
        "games": choose.choice([1, 2]),
        "round_end": choose.choice(["one", "all"]),
        "deck": choose.choice(["standard", "standard", "all-black-top", own]),
        "line": choose.choice(["shuffled", "shuffled", "krgbyrgbyrgby"]),
    }


_RANDOM: dict[str, Callable[[random.Random], dict[str, Any]]] = {"lacorsa": _lacorsa, "rasant": _rasant}
RULES = (LACORSA, RASANT)  # every title that has rules
TITLES = ("lacorsa", "rasant")  # those that can be played


def random_options(title: Title, choose: random.Random) -> Options:
    """Options drawn over everything the title allows."""
    return title.options.read(_RANDOM[title.name](choose))
