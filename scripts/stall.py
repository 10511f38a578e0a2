"""Measure how long other visitors wait while the server does long work; exit 1 above the bar.

Visitors send maps that are none and bodies full of faults, ask for pages and pictures of The Great Race,
upload the records of a championship of 12 cars and 99 races and of a Great Race, read their replays, explore
them, download them and start an analysis, and the server loads them after a start. Meanwhile another visitor
asks for ``/healthz`` again and again, and the players of a few tables are told of moves by their streams.
Then the database is filled with the most that it may have of one visitor or table (``stall_worst.py``), and
all answers are asked for whose size follows from that: once, and again. At last four clients ask for the
dearest of them as fast as they can.

``stall.py servers`` does the same with two servers on one PostgreSQL. Each request goes to the other one than
the request before, so half of them are handed over; both are watched, and each line is about the later one.

The client and the worker processes run on the same machine, so anything else there makes the answers later.
On Linux each line also says for how long the server's event loop had a processor, all threads of the server
together, and for how long the loop waited for a processor. «Held» is the most processor time that the server
took between two turns of its loop, whichever thread took it. On a busy machine, look at this: it does not
count how long the server waited for a processor.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from http.cookiejar import CookieJar
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import needs
import paddock
import stall_worst as worst
from load_told import told
from paddock import records
from paddock.games.great_race.maps import source
from paddock.kernel.source import Seeded

BAR_MS = 50
DEAREST_MS = 100  # the bar while several clients ask for the dearest addresses
CLIENTS, DEAREST_S = 4, 10
TOKEN = "operator-operator-operator"
WHO, BROUGHT = "a" * 43, "b" * 43  # the secrets of browsers that have everything, and games from elsewhere
PAUSE_S = 0.005  # between two questions
CARS, RACES = 12, 99
JUDGED = 20  # decisions that the analysis judges meanwhile
PICTURES = 20  # asked for at once
TABLES = 5  # with a stream for each of their four players, at each server
MOVES = 5  # a second, at these
NO_MAP = "x:/" * 20_000  # 60 kB
CITIES = source("usa-west").replace("cities:\n", "cities:\n" + "ZZ Nowhere 9\n" * 3_500)  # 49 kB
# Run in the server: note the most processor time between two turns of the loop, in milliseconds.
HEART = """
import asyncio, mmap, struct, sys, time
from paddock.cli import main
from paddock.server.serve import Server
with open(sys.argv.pop(1), "r+b") as file:
    held, start = mmap.mmap(file.fileno(), 8), Server.startup
async def startup(self, sockets=None):
    loop = asyncio.get_running_loop()
    def beat(since):
        now = time.process_time()
        held[:] = struct.pack("d", max(struct.unpack("d", held[:])[0], 1000 * (now - since)))
        loop.call_later(0.001, beat, time.process_time())
    await start(self, sockets)
    beat(time.process_time())
Server.startup = startup
main()
"""
RACE = {"title": "great_race", "map": "usa", "players": "5", "leaders": "yes", "pace": "instant"}


def played(title: str, **options: Any) -> str:
    """Return the record of a game with random moves."""
    game = paddock.start(title, seed=1, **options)
    rng = Seeded(1)
    while not game.over:
        seat = game.deciders[0]
        legal = game.legal(seat).ids
        game.play(seat, legal[rng.below(len(legal))])
    return records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])


@dataclass
class Used:
    """Processor time of a server so far, in milliseconds; zeros where the system does not tell."""

    loop: float  # of the thread with the event loop
    all: float  # of all threads
    waited: float  # the loop, for a processor

    @classmethod
    def by(cls, pid: int) -> Used:
        """Read it from the system."""
        times = {}
        for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            ran, waited, _slices = map(int, file.read_text().split())
            times[file.parent.name] = ran / 1e6, waited / 1e6
        loop, waited = times.get(str(pid), (0.0, 0.0))
        return cls(loop, sum(ran for ran, _waited in times.values()), waited)

    def __sub__(self, other: Used) -> Used:
        return Used(self.loop - other.loop, max(0, self.all - other.all), self.waited - other.waited)


@dataclass(frozen=True)
class Watched:
    """A server: its address, its process, and the file of its HEART."""

    url: str
    pid: int
    held: Path

    @cached_property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


@contextmanager
def server(folder: str, database: str, name: str) -> Iterator[Watched]:
    """Run a server."""
    held = Path(folder) / name
    held.write_bytes(bytes(8))
    command = [sys.executable, "-c", HEART, str(held), "serve", "--port", "0"]
    environment = os.environ | {
        "PADDOCK_DATABASE_URL": database,
        "PADDOCK_RATE_ADDRESS": "0",
        "PADDOCK_RATE_HOLDER": "0",
        "PADDOCK_STREAMS_ADDRESS": "0",
        "PADDOCK_ADMIN_TOKEN": TOKEN,
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = next(line for line in process.stdout if " at http" in line)
        try:
            yield Watched(line.split(" at ")[1].split()[0].rstrip("/"), process.pid, held)
        finally:
            process.send_signal(signal.SIGTERM)


@contextmanager
def servers(folder: str, database: str, count: int) -> Iterator[list[Watched]]:
    """Run some servers on one database."""
    with ExitStack() as stack:
        yield [stack.enter_context(server(folder, database, f"held{n}")) for n in range(count)]


@contextmanager
def crowd(those: Sequence[Watched]) -> Iterator[None]:
    """Let others play at tables of these servers, in a process of their own."""
    ports = [str(one.port) for one in those]
    command = [sys.executable, __file__, "--crowd", *ports]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            if not process.stdout.readline():
                raise SystemExit("nobody plays at the servers")
            yield
            if process.poll() is not None:
                raise SystemExit("those who play at the servers have stopped")
        finally:
            process.terminate()


async def play(ports: Sequence[int]) -> None:
    """Make moves, of which the streams of all four players tell, until this process is ended."""
    tables = [one for port in ports for one in await told(port, TABLES)]
    print("playing", flush=True)
    for one in cycle(tables):
        await one.move()
        await asyncio.sleep(1 / MOVES / len(ports))


class Visitor:
    """A visitor with a token for the API, and a browser for pages, who asks each server in turn."""

    def __init__(self, those: Sequence[Watched], secret: str = "") -> None:
        self._urls = cycle([one.url for one in those])
        self._cookie = {"cookie": f"paddock_browser={secret}", "accept-encoding": "br"}
        self.token = ""
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.token = self.json("/api/v1/tokens", {"label": "stall"})["token"]

    def ask(self, path: str, body: Any = None) -> bytes:
        """Return the answer; raise ``HTTPError`` if the server refuses."""
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(next(self._urls) + path, data, headers)
        with urllib.request.urlopen(request, timeout=600) as answer:
            return bytes(answer.read())

    def look(self, path: str, form: Mapping[str, str] | None = None, token: str = "") -> None:
        """Ask as the browser of the secret, which takes compressed answers; with ``token`` as operator."""
        data = None if form is None else urlencode(form).encode()
        headers = self._cookie | ({"authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(next(self._urls) + path, data, headers)
        with urllib.request.urlopen(request, timeout=600) as answer:
            answer.read()

    def json(self, path: str, body: Any = None) -> Any:
        """Return the answer as data."""
        return json.loads(self.ask(path, body))

    def page(self, path: str, form: Mapping[str, str] | None = None) -> tuple[str, str]:
        """Return the path where the browser arrives, and the page, which may be a refusal."""
        data, url = None if form is None else urlencode(form).encode(), next(self._urls)
        try:
            with self.browser.open(url + path, data, timeout=600) as answer:
                return answer.geturl().removeprefix(url), answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as refusal:
            return path, refusal.read().decode("utf-8", "replace")


class Watch:
    """Asks for ``/healthz`` while something else runs, and prints how long the answers took."""

    def __init__(self, those: Sequence[Watched]) -> None:
        self._those = those
        self.fine = True

    @contextmanager
    def during(self, what: str, bar: float = BAR_MS) -> Iterator[None]:
        """Watch what happens in this context."""
        waits: dict[str, list[float]] = {one.url: [] for one in self._those}
        done = threading.Event()

        def ask(url: str) -> None:
            while True:
                before = time.perf_counter()
                with urllib.request.urlopen(f"{url}/healthz", timeout=600) as answer:
                    answer.read()
                waits[url].append(1000 * (time.perf_counter() - before))
                if done.wait(PAUSE_S):
                    return

        asking = [threading.Thread(target=ask, args=(one.url,)) for one in self._those]
        for one in self._those:
            longest(one.held, empty=True)
        start, used = time.perf_counter(), [Used.by(one.pid) for one in self._those]
        for thread in asking:
            thread.start()
        try:
            yield
        finally:
            took = time.perf_counter() - start
            done.set()
            for thread in asking:
                thread.join()
            used = [Used.by(one.pid) - before for one, before in zip(self._those, used, strict=True)]
        late = max(waits.values(), key=max)
        late.sort()
        latest, middle, most = late[-1], late[len(late) // 2], late[int(0.99 * len(late))]
        self.fine &= latest <= bar
        mark = "ok " if latest <= bar else "LOW"
        loop, threads, waited = (
            max(getattr(one, name) for one in used) for name in ("loop", "all", "waited")
        )
        held = max(longest(one.held) for one in self._those)
        print(
            f"{mark} {what:46} {took:6.2f} s; /healthz {len(late):5} answers: half within {middle:5.1f} ms, "
            f"99 % {most:6.1f} ms, all {latest:6.1f} ms; processor: loop {loop:5.0f} ms, "
            f"threads {threads:5.0f} ms, held {held:5.0f} ms, loop waited {waited:5.0f} ms",
            flush=True,
        )


def longest(held: Path, empty: bool = False) -> float:
    """Return what the HEART of a server has noted; with ``empty``, let it begin again."""
    with held.open("r+b") as file:
        (noted,) = struct.unpack("d", file.read(8))
        if empty:
            file.seek(0)
            file.write(bytes(8))
    return float(noted)


def measure(folder: str, database: str, count: int) -> bool:
    """Print the figures; return whether every answer came within the bar."""
    text, race = (
        played("lacorsa", drivers=CARS, races=RACES, large_grid=True),
        played("great_race", players=5),
    )
    print(f"A record of {CARS} cars and {RACES} races: {len(text)} characters; the bar is {BAR_MS} ms.")
    with servers(folder, database, count) as those:
        ana, watch = Visitor(those), Watch(those)
        with watch.during("the start"):
            time.sleep(4)
        with watch.during("nothing else, for comparison"):
            time.sleep(3)
        with crowd(those):
            with watch.during("streams that carry data"):
                time.sleep(3)
            maps(ana, watch)
            bodies(ana, watch)
            great_race(ana, watch)
            with watch.during("upload"):
                id = ana.json("/api/v1/records", {"text": text})["id"]
            with watch.during("upload of a Great Race"):
                other = ana.json("/api/v1/records", {"text": race})["id"]
            fine = work(ana, watch, id, "") & work(ana, watch, other, ", Great Race")
            with watch.during(f"analysis, {JUDGED} decisions"):
                ana.json(f"/api/v1/tables/{id}/analysis", {})
                while ana.json(f"/api/v1/tables/{id}/analysis")["done"] < JUDGED:
                    time.sleep(1)
            places = begun(ana, watch) | {"long": id}
            ana.ask("/daily")  # deals the races of today
    asyncio.run(worst.fill(database, WHO, BROUGHT, places, text))
    with servers(folder, database, count) as those:
        ana, watch = Visitor(those), Watch(those)
        time.sleep(4)
        with crowd(those):
            with watch.during("load the table"):
                ana.ask(f"/api/v1/tables/{id}")
            with watch.during("load the Great Race"):
                ana.ask(f"/api/v1/tables/{other}")
            fine &= work(ana, watch, id, " after a start")
            stored(Visitor(those, WHO), Visitor(those, BROUGHT), watch, places)
            dearest(those, watch, places)
        return watch.fine and fine


def main() -> bool:
    """Measure one server on SQLite, or two on PostgreSQL; return whether every answer came within the bar."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("kind", nargs="?", choices=["server", "servers"], default="server", help="one or two")
    parser.add_argument("--crowd", nargs="+", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.crowd:
        asyncio.run(play(given.crowd))
    with tempfile.TemporaryDirectory() as folder:
        if given.kind == "server":
            return measure(folder, f"sqlite:///{folder}/tables.sqlite3", 1)
        with needs.postgres_server() as postgres:
            return measure(folder, f"postgresql://postgres:@/postgres?host={postgres.folder}", 2)


def maps(ana: Visitor, watch: Watch) -> None:
    """Send files that are no maps, in every way that there is."""
    with watch.during("an address with 60 kB that is no map"):
        ana.page(f"/new/great_race?map=y:/{NO_MAP[:60_000]}")
    with watch.during("an address with 45 kB that is no map"):
        ana.page(f"/new/great_race?map=y:/{NO_MAP[:45_000]}")
    with watch.during("a form with 50 kB that is no map"):
        ana.page("/new/great_race", {"map": f"z:/{NO_MAP[:49_900]}"})
    with watch.during("a form with a list of cities of 49 kB"):
        ana.page("/new/great_race", {"map": CITIES})
    with watch.during("a table with a list of cities of 49 kB"):
        ana.page("/tables", {"title": "great_race", "map": f"{CITIES}\n"})
    with watch.during("the API with a list of cities of 49 kB"), suppress(urllib.error.HTTPError):
        ana.json("/api/v1/tables", {"title": "great_race", "seats": ["me"], "options": {"map": CITIES}})
    with watch.during("the description of the API"):
        ana.ask("/api/v1/openapi.json")


def bodies(ana: Visitor, watch: Watch) -> None:
    """Send options, forms and bodies of the API of which every part is wrong."""
    with watch.during("an address with a list of 3,000 wrong points"):
        ana.page("/new/lacorsa?points=" + "a," * 3_000)
    asked = {"title": "lacorsa", "seats": ["me"], "options": {"points": ["a"] * 100_000}}
    with watch.during("the API with a list of 100,000 wrong points"), suppress(urllib.error.HTTPError):
        ana.json("/api/v1/tables", asked)
    with watch.during("the API with 150,000 unknown fields"), suppress(urllib.error.HTTPError):
        ana.json("/api/v1/records", {f"x{n}": 1 for n in range(150_000)})
    with watch.during("a form of 200,000 empty fields"):
        ana.page("/records", {f"{n:x}": "" for n in range(200_000)})
    with watch.during("a form with 690,000 empty lines"):
        ana.page("/records", {"record": "\n" * 690_000})


def great_race(ana: Visitor, watch: Watch) -> None:
    """Open fresh pages of The Great Race, and ask for pictures of it."""
    people = {"who-1": "me"} | {f"who-{seat}": "rookie" for seat in range(2, 6)}
    with watch.during("a race on the whole of the USA, and its page"):
        path, text = ana.page("/tables", RACE | people)
    with watch.during("its page again"):
        ana.page(path)
    for n in range(3):
        while not (form := re.search(r'<form[^>]*class="compose".*?</form>', text, re.DOTALL)):
            time.sleep(0.2)
            path, text = ana.page(path)
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
        moves = [html.unescape(move) for move in re.findall(r'<option value="([^"]+)"', form[0])]
        with watch.during(f"move {n + 1}: its preview, and the next page"):
            ana.page(f"{path}/preview", hidden | {"move": moves[0]})
            _path, text = ana.page(f"{path}/move", hidden | {"move": moves[0]})
    with watch.during("the picture of its link"):
        ana.ask(f"{path}/preview.png")
    with watch.during("the picture again"):
        ana.ask(f"{path}/preview.png")
    paths = [path] + [ana.page("/tables", RACE | people | {"map": name})[0] for name in ("asia", "usa")]
    with watch.during(f"{PICTURES} pictures at once"):
        asking = [
            threading.Thread(target=ana.page, args=(f"{paths[n % len(paths)]}/preview.png",))
            for n in range(PICTURES)
        ]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()


def begun(ana: Visitor, watch: Watch) -> dict[str, str]:
    """Return the tables of which ``stall_worst.py`` makes many: one that is over, and one whose clock runs.

    Also upload the record of a short game with the most notes that one may have.
    """
    table = {"title": "lacorsa", "seats": ["me", *["rookie"] * (CARS - 1)], "pace": "instant"}
    over = ana.json("/api/v1/tables", table | {"options": {"races": 1, "large_grid": True}})["id"]
    while not (now := ana.json(f"/api/v1/tables/{over}"))["winners"]:
        for ask in now["asks"]:
            move = {"seat": ask["seat"], "decision": now["decision"], "move": ask["moves"][0]["move"]}
            with suppress(urllib.error.HTTPError):  # a forced move was played meanwhile
                ana.json(f"/api/v1/tables/{over}/moves", move)
        time.sleep(0.05)
    table |= {"seats": ["me"] * 4, "options": {"races": 1}, "clock": "86400+10"}
    clock = ana.json("/api/v1/tables", table)["id"]
    text = worst.noted(played("lacorsa", drivers=6, races=3))
    with watch.during("upload of a record with 500 notes"):
        noted = ana.json("/api/v1/records", {"text": text})["id"]
    return {"over": over, "clock": clock, "noted": noted}


def stored(who: Visitor, brought: Visitor, watch: Watch, places: Mapping[str, str]) -> None:
    """Ask for everything whose size follows from what is stored, as it is at worst."""
    noted, long = f"/t/{places['noted']}", f"/t/{places['long']}"
    api = {name: f"/api/v1/tables/{id}" for name, id in places.items()}
    own = ("/", "/me", "/me?all=yes", "/me?all=yes&page=9", "/me/file", "/api/v1/me", "/api/v1/me/file")
    asked = [
        *((who, f"/puzzles/anki?of={title}") for title in ("lacorsa", "rasant", "great_race", "mine")),
        *((who, path) for path in ("/puzzles", "/puzzles/mine", "/puzzle/lacorsa", "/api/v1/puzzles")),
        *((who, path) for path in own),
        *((brought, path) for path in own[1:]),
        *((who, path) for path in ("/daily", f"/daily/{worst.DAY}", "/api/v1/daily", "/api/v1/daily/past")),
        (who, f"/api/v1/daily/{worst.DAY}"),
        (who, f"/calendar/{worst.SECRET}.ics"),
        *((who, path) for path in ("/reach", "/api/v1/tables", "/pair")),
        *((brought, f"{noted}/replay?step={step}") for step in (0, 50)),
        *((brought, path) for path in (f"{noted}/record", f"{api['noted']}/record", f"{api['noted']}/notes")),
        *(
            (brought, path)
            for path in (f"{long}/replay?step=5000", f"{long}/record", f"{api['long']}/analysis")
        ),
    ]
    for visitor, path in asked:
        for when in ("", " again"):
            with watch.during(path.replace(places["noted"], "noted").replace(places["long"], "long") + when):
                visitor.look(path)
    with watch.during("the page of the operator"):
        who.look("/admin", token=TOKEN)
    for rivals in (worst.MOST_RIVALS, 3):
        with watch.during(f"import of 1,000 games with {rivals} others"):
            brought.look("/me/file", {"file": worst.file(rivals)})
    with watch.during("a note more"), suppress(urllib.error.HTTPError):
        who.look(f"{noted}/review/notes", {"step": "0", "text": "One more."})


def dearest(those: Sequence[Watched], watch: Watch, places: Mapping[str, str]) -> None:
    """Let several clients ask for the dearest addresses as fast as they can; one changes its games, too."""
    noted, long = places["noted"], places["long"]
    paths = [
        "/puzzles/anki?of=lacorsa", "/me/file", "/api/v1/me", "/me?all=yes", "/daily",
        f"/api/v1/daily/{worst.DAY}", f"/t/{noted}/replay?step=0", f"/t/{long}/replay?step=9",
        f"/api/v1/tables/{noted}/notes", f"/api/v1/tables/{long}/analysis",
    ]  # fmt: skip
    until = time.monotonic() + DEAREST_S

    def ask(n: int) -> None:
        client, at = Visitor(those, BROUGHT if n == 0 else WHO), n
        while time.monotonic() < until:
            if n == 0:
                client.look("/me/file", {"file": worst.file(1, at)})
            client.look(paths[at % len(paths)])
            at += 1

    clients = [threading.Thread(target=ask, args=(n,)) for n in range(CLIENTS)]
    with watch.during(f"{CLIENTS} clients and the dearest addresses", DEAREST_MS):
        for client in clients:
            client.start()
        for client in clients:
            client.join()


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
        ana.json(f"/api/v1/tables/{id}/explore", {"entry": entries - min(200, entries // 2), "player": 0})
    return watch.fine


if __name__ == "__main__":
    sys.exit(not main())
