"""The Great Race: the networks of the level *Champion*: which one plays where, and how each was trained."""

from __future__ import annotations

from paddock.core.recipe import Recipe
from paddock.games.great_race.state import Setup


def network(g: Setup) -> str:
    """Return the name of the network for races of this set-up; empty if there can be none.

    It plays on half maps without leaders.
    """
    return "" if g.leaders or g.n_ends == 0 else f"half-{g.players}"


# It begins with the moves of Club and learns where others are better. Nearly all that counts is to win.
RECIPES = {
    "half-4": Recipe(
        {"players": 4, "map": "usa-west"},
        updates=200,
        games=300,
        learners=4,
        points=0.02,
        wins=1.0,
        fade=0.95,
        prior=5.5,
        itself=0.3,
        alone=0.4,
        curiosity=(0.004, 0.0005),
        batch=2048,
    )
}
