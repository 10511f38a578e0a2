"""``scripts/load.py`` in small: it measures every kind, whatever the machine bears."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import load
from load_client import Client, Ear, Gunzip, Seats
from load_told import Stream, Telling, Told, page_in
from paddock.web.streams import beat
from sampling import some
from test_kill import COLD

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


def test_packed_parts_are_unpacked_as_they_come() -> None:
    parts, unpack = gzip.compress(b"one ") + gzip.compress(b"two"), Gunzip()
    assert b"".join(unpack(parts[at : at + 7]) for at in range(0, len(parts), 7)) == b"one two"


def test_a_stream_gives_whole_events_and_skips_those_that_newer_ones_replace() -> None:
    async def told() -> tuple[list[str], Telling]:
        telling, data, newer = Telling([0]), list[str](), asyncio.Event()

        async def hear(text: str) -> None:
            data.append(text)
            if text == "4":
                newer.set()

        stream = Stream(telling, hear)
        begin = (beat(20), b"retry: 1000\n\n", b"data: ", b"1\n", b"\n: \n", b"\nid: 7\ndata: 2\ndata: 3\n\n")
        for part in (*begin, beat(20)):
            stream.feed(part)
        listening = asyncio.create_task(stream.listen())
        await stream.began.wait()
        stream.feed(b"data: 4\n\n")
        await newer.wait()
        listening.cancel()
        return data, telling

    data, telling = asyncio.run(told())
    assert data == ["2\n3", "4"]
    assert (telling.events, telling.heard) == (3, len("data: 1\n\nid: 7\ndata: 2\ndata: 3\n\ndata: 4\n\n"))


def test_only_a_view_that_shows_the_move_tells_a_player() -> None:
    async def told() -> list[bool]:
        one = Told(Client(0), random.Random(1), said=(5, 2))
        shown = []
        for view in (
            {"decision": 5, "committed": [1], "phase": "play"},
            {"decision": 5, "committed": [1, 2], "phase": "play"},
            {"decision": 6, "committed": [], "phase": "play"},
            {"decision": 5, "committed": [], "phase": "over"},
        ):
            one.telling.begin(but=[1, 2, 3])
            await one.hearing(0, Client(0))(json.dumps(view))
            shown.append(one.telling.over)
        return shown

    assert asyncio.run(told()) == [False, True, True, True]


def test_a_page_is_found_in_an_event() -> None:
    page = '<div id="state" hidden></div>'
    assert page_in(page) == page == page_in(json.dumps({"digest": "0", "main": page}))


LINES = {
    "closed": ["100 tables"],
    "views": ["100 tables, 4 views a move"],
    "sizes": ["20 tables", "500 tables"],
    "paced": ["100 tables, 200 due a second"],
    "streams": ["1000 streams: wakes", "1000 streams: server"],
    "memory": ["5000 idle tables"],
    "told": ["50 tables, all told", "50 tables, all told: share"],
    "alone": ["50 tables, moves alone", "50 tables, moves alone: share"],
    "watched": ["100 spectators", "100 spectators of the page"],
    "idle": ["1000 idle streams"],
    "friends": ["50 tables, told by pages", "50 tables, told by pages: share"],
    "processes": ["two processes"],
}


def test_every_kind_has_its_lines() -> None:
    assert LINES.keys() == {*load.KINDS}


@pytest.mark.slow("each kind has servers of its own")
@pytest.mark.parametrize("kind", some(load.KINDS, 1, "kinds"))
def test_a_kind_gives_its_lines_with_figures(kind: str, tmp_path: Path) -> None:
    script = f"import sys, load; load.SERVER = {COLD!r}; sys.exit(load.main())"
    command = [sys.executable, "-c", script, kind, "--seconds", "0.5", "--scale", "0.02"]
    done = subprocess.run(
        [*command, "--folder", tmp_path], cwd=ROOT / "scripts", capture_output=True, text=True
    )
    lines = done.stdout.splitlines()
    assert done.returncode == any(line.startswith("BELOW") for line in lines), done.stderr
    for what in ("disk", "reference, 100 clients", *LINES[kind]):
        assert any(line[6:].startswith(f"{what} ") for line in lines), (what, done.stdout, done.stderr)
    for line in lines:
        # Where boardgame.io cannot run, the line says why. A run so short may cost no tick of a clock.
        if ": share " in line:
            assert re.search(r": share +(of the processor time: (\d|nan)|not judged: \w)", line)
        else:
            assert "nan" not in line
    assert done.stderr == ""


def test_an_unknown_kind_is_refused() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts/load.py", "speed"], capture_output=True, text=True)
    assert done.returncode == 2 and "unknown: speed" in done.stderr
