"""Riders: its words."""

from typing import Any

from paddock.core.i18n import mark
from riders.rules import DREW, MOVED, REVEALED, drawing

MOVES = [f"play{value}" for value in range(1, 6)]
OUTCOMES = [f"{value}" for value in range(1, 6)]
EVENTS = {
    REVEALED: mark("{name} plays {b}."),
    MOVED: mark("{name} stands at {b}."),
    DREW: mark("{name} draws {b}."),
}


def chance_heading(s: Any, g: Any) -> str:
    """Who gets the card."""
    return f"deal {drawing(s, g) + 1}"
