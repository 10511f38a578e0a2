"""A road from city to city, for tests of driving: player 1 has three mechanics and nothing else."""

from __future__ import annotations

from typing import Any

from .scenes import Race, scene

ROAD = "AA .. .. .. .. .. BB"
MECHANICS = {1: "0-3-0-0"}


def road(*tiles: str, **more: Any) -> Race:
    """A race on ``ROAD`` with these tiles on 1a, 2a and so on; an empty name is unknown land."""
    lying = {f"{i}a": tile for i, tile in enumerate(tiles, 1) if tile}
    return scene(more.pop("grid", ROAD), **{"tiles": lying, "crews": MECHANICS, **more})
