"""The pictures of studies and ladders: each is as it was, drawn and in numbers.

The drawings are in ``tests/lab/pictures/``. After an intended change, ``PADDOCK_PICTURES=write pytest
tests/lab/test_pictures.py`` writes them again: look at them.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from paddock.lab.figures import Estimate
from paddock.lab.pictures import bars, cross, curve, dots, stack

HERE = Path(__file__).parent / "pictures"


def one(label: str, value: float, error: float = math.nan, *, percent: bool = False) -> Estimate:
    """Return a figure; without an error it has no interval."""
    return Estimate(label, label, value, error, value - error, value + error, 50, percent, "paddock study")


LAPS = [one(f"{n}–{n + 9}", value, 0.02, percent=True) for n, value in ((0, 0.1), (10, 0.45), (20, 0.3))]
LEAD = [one(f"{n}", 0.5 + n / 50, 0.02, percent=True) for n in range(6)]
GAP = [one(f"{n}", 20 + n, 0.5) for n in range(4)]
PLAYERS = [
    one("Ana", 3.25, 0.5),
    one("Ben with a name that is too long to be shown whole", -1.5, 0.125),
    one("Cleo", 0.75, 0.001),
    one("nobody", math.nan),
]
SKILL = [
    [
        one(name, value, 0.01, percent=True)
        for name, value in zip(("cards", "seat", "chance", "skill"), row, strict=True)
    ]
    for row in ((0.4, 0.3, 0.02, 0.28), (0.1, -0.05, 0.6, 0.35))
]
AMONG = [
    [None, one("b", 0.5, 0.2), one("c", -0.75, 0.25)],
    [one("a", -0.5, 0.2), None, one("c", 0.05, 0.1)],
    [one("a", 0.75, 0.25), one("b", -0.05, 0.1), None],
]
CHARTS = {
    "bars": lambda: bars("Laps", "what it says", "lap", LAPS),
    "curve": lambda: curve("Lead", "what it says", "part", LEAD, fair=0.55, first=0.5),
    "curve without a level": lambda: curve("Gap", "what it says", "part", [*GAP, PLAYERS[-1]]),
    "dots": lambda: dots("Points", "what it says", "player", PLAYERS, line=1.0, sign=True),
    "dots in percent": lambda: dots("Wins", "what it says", "player", LAPS, line=0.25),
    "stack": lambda: stack("Skill", "what it says", [("one race", SKILL[0]), ("a championship", SKILL[1])]),
    "cross": lambda: cross(
        "Cross-table", "what it says", ("gets", "among"), ("rookie", "club", "works"), AMONG
    ),
}


@pytest.mark.parametrize("name", CHARTS)
def test_a_picture_is_as_it_was(name: str) -> None:
    chart, file = CHARTS[name](), HERE / f"{name.replace(' ', '_')}.svg"
    numbers = "\n".join(" | ".join(row) for row in (chart.head, *chart.rows))
    drawn = f"{chart.svg}\n<!--\n{numbers}\n-->\n"
    if os.environ.get("PADDOCK_PICTURES") == "write":
        file.write_text(drawn, "utf-8")
    assert drawn == file.read_text("utf-8")
