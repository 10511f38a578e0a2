"""The Great Race: the networks of the level *Champion*: which one plays where, and how each was trained.

Their weights are in the folder ``networks``.
"""

from __future__ import annotations

from dataclasses import replace

from paddock.core.recipe import Recipe
from paddock.games.great_race.rules.state import Setup


def network(g: Setup) -> str:
    """Return the name of the network for races of this set-up; empty where *Works* is stronger.

    One plays on full maps, one on half maps, both with and without leaders. With two crews on a half map
    *Works* beats the network.
    """
    if g.n_ends == 0:
        return "full"
    return "half" if g.players > 2 else ""


# It begins with the moves of Club, and learns where others are better. Nearly all that counts is to win.
START = Recipe(
    {"players": 4, "map": "usa-west"},
    updates=26,
    games=300,
    learners=3,
    points=0.02,
    wins=1.0,
    fade=0.95,
    prior=5.5,
    itself=0.3,
    alone=0.4,
    curiosity=(0.004, 0.0005),
    batch=2048,
)
# Each learner plays races of another kind, so that one network can do all of them.
FULL = (
    {"players": 4, "map": "usa"},
    {"players": 4, "map": "asia"},
    {"players": 4, "map": "usa", "leaders": True},
    {"players": 4, "map": "asia", "leaders": True},
    {"players": 2, "map": "usa"},
    {"players": 2, "map": "asia", "leaders": True},
    {"players": 3, "map": "usa", "leaders": True},
    {"players": 5, "map": "asia"},
)
HALF = (
    {"players": 4, "map": "usa-west", "leaders": True},
    {"players": 4, "map": "usa-east", "leaders": True},
    {"players": 4, "map": "asia-west", "leaders": True},
    {"players": 4, "map": "asia-east", "leaders": True},
    {"players": 2, "map": "usa-west", "leaders": True},
    {"players": 2, "map": "asia-east", "leaders": True},
    {"players": 3, "map": "usa-east", "leaders": True},
    {"players": 5, "map": "asia-west", "leaders": True},
)
EIGHT = replace(START, begin="half-west", learners=8)
RECIPES = {
    "half-start": START,
    "half-west": replace(
        START, begin="half-start", updates=35, stop=31, rate=6e-4, curiosity=(0.002, 0.0003)
    ),
    "half": replace(EIGHT, options=HALF[0], others=HALF[1:], updates=57, stop=55, games=200),
    "full": replace(EIGHT, options=FULL[0], others=FULL[1:], updates=44, stop=41, games=100),
}
