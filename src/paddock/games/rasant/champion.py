"""Rasant: how networks are trained. None has beaten *Works* yet, so it comes with none."""

from __future__ import annotations

from paddock.core.recipe import Recipe
from paddock.games.rasant.state import Setup


def network(g: Setup) -> str:
    """Return the name of the network for games of this set-up."""
    return f"{g.players}"


RECIPES = {
    "4-start": Recipe(
        {"players": 4},
        updates=200,
        games=800,
        learners=4,
        points=0.04,
        wins=0.5,
        fade=0.9,
        itself=0.5,
        alone=0.25,
        curiosity=(0.01, 0.001),
    )
}
