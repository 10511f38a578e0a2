"""Rasant: how networks are trained. None has beaten *Works* yet, so it comes with none."""

from __future__ import annotations

from paddock.core.recipe import Recipe
from paddock.games.rasant.state import Setup


def network(g: Setup) -> str:
    """Return the name of the network for games of this set-up."""
    return f"{g.players}"


# Rounds are won one by one, and the score is seen: advantages that look less far ahead vary much less.
RECIPES = {
    str(n): Recipe(
        {"players": n},
        updates=150,
        games=600,
        points=0.04,
        wins=0.5,
        fade=0.8,
        prior=2.5,
        curiosity=(0.01, 0.001),
    )
    for n in (2, 3, 4, 5)
}
