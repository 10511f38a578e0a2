"""Riders: how the hidden cards of a record are filled in. They stay in the hand that they are dealt to."""

from typing import Any

from riders.rules import COPIES, KINDS


def stock(g: Any) -> list[int]:
    """RI-1.2 how many cards of each kind there are."""
    return [COPIES] * KINDS


def owner(g: Any, heading: str) -> int:
    """RI-1.2, RI-2.3 the rider who gets the card."""
    return int(heading.split()[1]) - 1


def uses(g: Any, move: int) -> list[int]:
    """RI-2.2 the card that a move plays."""
    return [move]
