"""The Great Race: the networks of the level *Champion*: which one plays where, and how each was trained.

Their weights are in the folder ``networks``.
"""

from __future__ import annotations

from dataclasses import replace

from paddock.core.recipe import Recipe
from paddock.games.great_race.state import Setup


def network(g: Setup) -> str:
    """Return the name of the network for races of this set-up; empty if there can be none.

    One plays on all half maps, with any number of players: it has learned with four on one of them. On full
    maps and with leaders it is no better than *Club*, or it has not been tried among *Works*.
    """
    return "" if g.leaders or g.n_ends == 0 else "half"


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
RECIPES = {
    "half-start": START,
    "half": replace(START, begin="half-start", updates=35, stop=31, rate=6e-4, curiosity=(0.002, 0.0003)),
}
