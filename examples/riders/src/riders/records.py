"""Riders: how the hidden cards of a record are filled in. They stay in the hand that they are dealt to."""

from typing import Any


def uses(g: Any, move: int) -> list[int]:
    """RI-2.2 the card that a move plays."""
    return [move]
