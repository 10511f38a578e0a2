"""Riders: its words."""

from typing import Any

from riders.rules import DREW, MOVED, REVEALED

MOVES = [f"play{value}" for value in range(1, 6)]
OUTCOMES = [f"{value}" for value in range(1, 6)]
EVENTS = {REVEALED: "{name} plays {b}.", MOVED: "{name} stands at {b}.", DREW: "{name} draws {b}."}


def chance_heading(s: Any, g: Any) -> str:
    """Who gets the card."""
    return f"deal {s.dealing}"
