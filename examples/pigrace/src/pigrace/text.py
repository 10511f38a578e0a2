"""Pig race: its words."""

from pigrace.rules import ROLLED, STANDS

MOVES = "roll", "hold"
OUTCOMES = [f"{one}+{other}" for one in range(1, 7) for other in range(1, 7)]
EVENTS = {ROLLED: "{name} rolls {b} and {c}.", STANDS: "{name} stands at {b}."}
