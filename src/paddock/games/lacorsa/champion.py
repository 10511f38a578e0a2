"""LACORSA: the networks of the level *Champion*: which one plays where, and how each was trained.

Their weights are in the folder ``networks``.
"""

from __future__ import annotations

from paddock.core.recipe import Recipe
from paddock.games.lacorsa.state import Setup


def network(g: Setup) -> str:
    """Return the name of the network for races of this set-up; empty if there can be none.

    Each driver has one car, and there are no teams. The Large Grid has all parts of the expansion. A network
    may play other points and suits than it learned.
    """
    alone = all(g.owner[car] == car and g.team[car] == car for car in range(g.cars))
    parts = g.pit + g.incidents + g.drafting
    return "" if not alone or 0 < parts < 3 else f"large-{g.cars}" if parts else f"{g.cars}"


RECIPES = {
    # First mostly against itself, then more against Clubs, with advantages that vary less
    "4-start": Recipe({"drivers": 4}, updates=260, stop=200),
    "4": Recipe(
        {"drivers": 4},
        updates=80,
        begin="4-start",
        itself=0.35,
        levels={"club": 3.0},
        rate=5e-4,
        fade=0.9,
        curiosity=(0.003, 0.0003),
    ),
}
