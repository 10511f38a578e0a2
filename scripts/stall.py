"""Measure how long other visitors wait while the server does long work; exit 1 above the bar.

One visitor uploads the record of a championship of 12 cars and 99 races, reads its replay, explores it,
downloads it and starts its analysis, and the server loads it after a start. Meanwhile another visitor asks
for ``/healthz`` again and again. The client runs on the same machine, so other work there makes the figures
worse.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import paddock
from paddock import records
from paddock.kernel.source import Seeded

BAR_MS = 100
PAUSE_S = 0.01  # between two questions
CARS, RACES = 12, 99
JUDGED = 20  # decisions that the analysis judges meanwhile


def championship() -> str:
    """Return the record of a championship with random moves."""
    game = paddock.start("lacorsa", drivers=CARS, races=RACES, large_grid=True, seed=1)
    rng = Seeded(1)
    while not game.over:
        seat = game.deciders[0]
        legal = game.legal(seat).ids
        game.play(seat, legal[rng.below(len(legal))])
    return records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])


@contextmanager
def server(folder: str) -> Iterator[str]:
    """Run a server; yield its address."""
    command = [sys.executable, "-c", "from paddock.cli import main; main()", "serve", "--port", "0"]
    environment = os.environ | {
        "PADDOCK_DATABASE_URL": f"sqlite:///{folder}/tables.sqlite3",
        "PADDOCK_RATE_ADDRESS": "0",
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = next(line for line in process.stdout if " at http" in line)
        try:
            yield line.split(" at ")[1].split()[0].rstrip("/")
        finally:
            process.send_signal(signal.SIGINT)


class Visitor:
    """A visitor with a token."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.token = ""
        self.token = self.json("/api/v1/tokens", {"label": "stall"})["token"]

    def ask(self, path: str, body: Any = None) -> bytes:
        """Return the answer; raise ``HTTPError`` if the server refuses."""
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=600) as answer:
            return bytes(answer.read())

    def json(self, path: str, body: Any = None) -> Any:
        return json.loads(self.ask(path, body))


class Watch:
    """Asks for ``/healthz`` while something else runs, and prints how long the answers took."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.fine = True

    @contextmanager
    def during(self, what: str) -> Iterator[None]:
        waits: list[float] = []
        done = threading.Event()

        def ask() -> None:
            while True:
                before = time.perf_counter()
                with urllib.request.urlopen(f"{self._url}/healthz", timeout=600) as answer:
                    answer.read()
                waits.append(1000 * (time.perf_counter() - before))
                if done.wait(PAUSE_S):
                    return

        asking = threading.Thread(target=ask)
        before = time.perf_counter()
        asking.start()
        try:
            yield
        finally:
            took = time.perf_counter() - before
            done.set()
            asking.join()
        waits.sort()
        worst, middle = waits[-1], waits[len(waits) // 2]
        late = waits[int(0.99 * len(waits))]
        self.fine &= worst <= BAR_MS
        mark = "ok " if worst <= BAR_MS else "LOW"
        print(
            f"{mark} {what:42} {took:7.2f} s; /healthz {len(waits):5} answers: "
            f"half within {middle:5.1f} ms, 99 % within {late:7.1f} ms, all within {worst:7.1f} ms",
            flush=True,
        )


def main() -> bool:
    """Print the figures; return whether every answer came within the bar."""
    text = championship()
    print(f"A record of {CARS} cars and {RACES} races: {len(text)} characters; the bar is {BAR_MS} ms.")
    with tempfile.TemporaryDirectory() as folder:
        with server(folder) as url:
            ana, watch = Visitor(url), Watch(url)
            with watch.during("nothing else, for comparison"):
                time.sleep(3)
            with watch.during("upload"):
                id = ana.json("/api/v1/records", {"text": text})["id"]
            fine = work(ana, watch, id, "")
        with server(folder) as url:
            ana, watch = Visitor(url), Watch(url)
            with watch.during("load the table"):
                ana.ask(f"/api/v1/tables/{id}")
            fine &= work(ana, watch, id, " after a start")
            with watch.during(f"analysis, {JUDGED} decisions"):
                ana.json(f"/api/v1/tables/{id}/analysis", {})
                while ana.json(f"/api/v1/tables/{id}/analysis")["done"] < JUDGED:
                    time.sleep(1)
            return watch.fine and fine


def work(ana: Visitor, watch: Watch, id: str, when: str) -> bool:
    """Read, explore and download an uploaded record; return whether every answer came within the bar."""
    entries = ana.json(f"/api/v1/tables/{id}/replay?entry=0")["entries"]
    with watch.during("replay of the API, three steps" + when):
        for part in (3, 2, 1):
            ana.ask(f"/api/v1/tables/{id}/replay?entry={entries * part // 4}")
    with watch.during("page of the table" + when):
        ana.ask(f"/t/{id}")
    with watch.during("page of the replay, ten steps" + when):
        for part in range(1, 11):
            ana.ask(f"/t/{id}/replay?entry={entries * part // 11}")
    with watch.during("picture of a step" + when):
        ana.ask(f"/t/{id}/preview.png?entry={entries // 2}")
    with watch.during("record" + when):
        ana.ask(f"/api/v1/tables/{id}/record")
    with watch.during("explore near the end" + when):
        ana.json(f"/api/v1/tables/{id}/explore", {"entry": entries - 200, "player": 0})
    return watch.fine


if __name__ == "__main__":
    sys.exit(not main())
