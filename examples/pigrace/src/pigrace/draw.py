"""Pig race as a drawing: a lane for each pig, and the steps of this turn ahead of one of them."""

from typing import Any

from paddock.parts.lanes import lanes


def ahead(state: Any, seat: int) -> int:
    """PR-2.2 the steps of this turn."""
    return int(state["steps"] * (seat == state["turn"]))


svg = lanes("at", "track", ahead=ahead)
