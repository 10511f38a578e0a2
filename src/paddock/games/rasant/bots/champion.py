"""Rasant: how networks are trained. None has beaten *Works* yet, so it comes with none."""

from __future__ import annotations

from paddock.core.recipe import Recipe
from paddock.games.rasant.rules.state import Setup


def network(g: Setup) -> str:
    """Return the name of the network for games of this set-up."""
    return f"{g.players}"


# Rounds are won one by one: advantages that look less far ahead vary much less.
RECIPES = {
    str(n): Recipe(
        {"players": n},
        updates=126,
        games=800,
        learners=4,
        points=0.04,
        wins=0.5,
        fade=0.8,
        prior=2.5,
        itself=0.2,
        alone=0.7,
        curiosity=(0.01, 0.001),
        batch=2048,
    )
    for n in (2, 3, 4, 5)
}
