"""``scripts/load.py`` in small: it measures every kind, whatever the machine bears."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import load
from load_client import Client, Ear, Seats
from sampling import some

ROOT = Path(__file__).resolve().parents[1]


def test_quantiles_are_in_milliseconds() -> None:
    assert load.quantiles([0.001 * n for n in range(1, 102)]) == pytest.approx((51, 100))


def test_an_answer_that_lists_the_next_choices_is_used() -> None:
    seats = Seats(Client(0), random.Random(1))
    asks = [{"seat": n, "moves": [{"move": f"{n}"}], "committed": "x" if n == 2 else None} for n in range(3)]
    seats.learn({"decision": 5, "asks": asks[:1]})
    seats.learn({"decision": 6, "asks": asks[1:]}, more=True)
    assert (seats.decision, seats.moves) == (6, {0: ["0"], 1: ["1"]})
    seats.learn({"decision": 7, "asks": []})
    assert (seats.decision, seats.moves) == (7, {})


def test_a_wake_up_counts_once_for_each_move() -> None:
    seats, delays = Seats(Client(0), random.Random(1)), list[float]()
    ear = Ear(seats, delays)
    for part in (b"retry: 1000\n\n", b"data: 1\n\n", b": \n\n"):
        ear.hear(part)
    assert ear.began.is_set() and delays == []
    for _ in range(2):
        seats.played += 1
        ear.hear(b"data: 2\n\n")
        ear.hear(b"data: 3\n\n")
    assert len(delays) == 2


LINES = {
    "closed": ["100 tables"],
    "views": ["100 tables, 4 views a move"],
    "sizes": ["20 tables", "500 tables"],
    "paced": ["100 tables, 200 due a second"],
    "streams": ["1000 streams: wakes", "1000 streams: server"],
    "memory": ["5000 idle tables"],
}


@pytest.mark.slow("each kind has a server of its own")
def test_every_kind_gives_a_line_with_figures(tmp_path: Path) -> None:
    assert LINES.keys() == {*load.KINDS}
    kinds = some(load.KINDS, 2)
    command = [sys.executable, ROOT / "scripts/load.py", *kinds, "--seconds", "0.5", "--scale", "0.02"]
    done = subprocess.run([*command, "--folder", tmp_path], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == any(line.startswith("BELOW") for line in lines), done.stderr
    for what in ("disk", "reference, 100 clients", *(line for kind in kinds for line in LINES[kind])):
        assert any(line[6:].startswith(f"{what} ") for line in lines), (what, done.stdout, done.stderr)
    assert "nan" not in done.stdout and done.stderr == ""


def test_an_unknown_kind_is_refused() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts/load.py", "speed"], capture_output=True, text=True)
    assert done.returncode == 2 and "unknown: speed" in done.stderr
