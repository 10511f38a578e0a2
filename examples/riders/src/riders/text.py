"""Riders: its words."""

from paddock.core.i18n import mark
from riders.rules import DREW, MOVED, REVEALED

MOVES = [f"play{value}" for value in range(1, 6)]
OUTCOMES = [f"{value}" for value in range(1, 6)]
EVENTS = {
    REVEALED: mark("{name} plays {b}."),
    MOVED: mark("{name} stands at {b}."),
    DREW: mark("{name} draws {b}."),
}
FIELDS = {"at": mark("steps"), "hand": mark("cards of each value"), "chosen": mark("chosen card")}
