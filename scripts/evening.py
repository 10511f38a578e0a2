"""Play a whole evening by programs, and measure how long the answers to their moves take: ``make evening``.

It starts ``paddock serve`` with a database on disk, and programs join an evening through the API. Each asks
for the evening every second, has the stream of its table open, and answers at once with a random move. Exit 1
beyond the bar. With ``--kills 5`` the server is killed and started again in the middle of deals, and nothing
is measured: then every move that was acknowledged must be stored once, and every deal be played to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import uvloop

import load
from kill import LINES, Lost, Said, Server, logged, missing, serving
from load_client import Client, Wire
from load_told import DIGEST
from paddock.store import Store

BAR = 250  # ms: 99 % of the answers to moves come within that
LOOK = 1.0  # seconds between two requests for the evening
PATIENCE = 120  # seconds until an answer, or the next thing at a table or an evening
INTO = 5  # moves that each program makes in a deal, on the average, before the server is killed
DRIVERS = 5  # at a table


@dataclass
class Measured:
    """What was measured."""

    moves: list[float] = field(default_factory=list)  # seconds until their answers
    looks: list[float] = field(default_factory=list)  # the same of requests for the evening
    bytes: int = 0  # of the answers to these
    again: int = 0  # requests that were sent again to the next server


@dataclass
class Place:
    """Where the server runs now."""

    port: int = 0


class Line:
    """A connection that asks again until the server has answered."""

    def __init__(self, place: Place, found: Measured, token: str = "") -> None:
        self._place, self._found, self._token = place, found, token
        self._client: Client | None = None
        self.again = False  # whether the last request was sent more than once
        self.tag = ""  # of the last answer that had one

    async def ask(self, method: str, path: str, body: Any = None, tag: str = "") -> tuple[int, bytes]:
        """Return the status and the body of the answer: 304 if it has this tag."""
        sent, until = b"" if body is None else json.dumps(body).encode(), time.monotonic() + PATIENCE
        self.again, status, text = False, 0, b""
        while time.monotonic() < until:
            client = self._client
            if client is None or client.port != self._place.port:
                client = self._client = Client(self._place.port, self._token)
            own, client.head = client.head, client.head + (f"If-None-Match: {tag}\r\n" if tag else "")
            request, client.head = client.request(method, path, sent), own
            try:
                async with asyncio.timeout(PATIENCE):
                    status, text = await client.send(request)
                if status != 503:  # else it has too much to do, or is about to stop
                    self.tag = client.wire.tag
                    return status, text
            except OSError:
                self._client = None
            self._found.again += not self.again
            self.again = True
            await asyncio.sleep(0.3)
        raise Lost(f"{method} {path}: no answer, {status} {text.decode()}")

    async def json(self, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON of an answer that must be good."""
        status, text = await self.ask(method, path, body)
        if status >= 300:
            raise Lost(f"{method} {path} {body or ''}: {status} {text.decode()}")
        return json.loads(text)


class Program:
    """Plays an evening."""

    def __init__(self, number: int, place: Place, found: Measured) -> None:
        self.number = number  # as an entrant, from 1
        self.place, self.found = place, found
        self.choose = random.Random(number)
        self.token = ""
        self.told: Any = {}  # the evening, as it was told last
        self.sure: list[Said] = []  # acknowledged
        self._decided = set[tuple[str, int, int]]()

    def line(self) -> Line:
        return Line(self.place, self.found, self.token)

    async def join(self, evening: str) -> None:
        """Play along. The number of an entrant is that of its program if they join in turn."""
        body = {"name": f"Program {self.number}", "lot": f"{self.choose.getrandbits(64):x}"}
        self.told = await self.line().json("POST", f"/evenings/{evening}/join", body)

    async def look(self, evening: str) -> None:
        """Ask for the evening, again and again, until it is over."""
        line, tag = self.line(), ""
        await asyncio.sleep(self.choose.random() * LOOK)
        while self.told["phase"] != "over":
            start = time.perf_counter()
            status, text = await line.ask("GET", f"/evenings/{evening}", tag=tag)
            if not line.again:
                self.found.looks.append(time.perf_counter() - start)
                self.found.bytes += len(text)
            if status == 200:
                self.told, tag = json.loads(text), line.tag
            elif status != 304:
                raise Lost(f"the evening: {status} {text.decode()}")
            await asyncio.sleep(LOOK)

    async def play(self) -> None:
        """Play at one table after another, until the evening is over."""
        while self.told["phase"] != "over":
            for table in self.told["tables"]:
                mine = any(seat["entrant"] == self.number for seat in table["seats"])
                if mine and table["table"] and not table["over"]:
                    await self.sit(table["table"])
            await asyncio.sleep(LOOK / 10)

    async def sit(self, id: str) -> None:
        """Play at a table until its game is over."""
        line, over = self.line(), False
        while not over:
            client, events = Client(self.place.port, self.token), asyncio.Queue[str]()
            try:
                wire = await client.connect(Feed(events).hear)
                wire.transport.write(client.request("GET", f"/tables/{id}/stream"))
                over = await self.listen(line, id, wire, events)
                wire.transport.close()
            except OSError:
                pass
            await asyncio.sleep(0 if over else 0.1)

    async def listen(self, line: Line, id: str, wire: Wire, events: asyncio.Queue[str]) -> bool:
        """Answer the events of a table; return whether its game is over, not just the stream."""
        until = time.monotonic() + PATIENCE
        while wire.open or not events.empty():
            try:
                text = await asyncio.wait_for(events.get(), 1)
            except TimeoutError:
                if time.monotonic() > until:
                    raise Lost(f"table {id} stands still") from None
                continue
            until = time.monotonic() + PATIENCE
            while not events.empty():
                text = events.get_nowait()
            whole = not DIGEST.fullmatch(text)
            view = json.loads(text) if whole else await line.json("GET", f"/tables/{id}")
            if view["phase"] == "over":
                return True
            asks = view["asks"]
            while asks:
                asks = await self.answer(line, id, asks)
        return False

    async def answer(self, line: Line, id: str, asks: Sequence[Any]) -> Sequence[Any]:
        """Make the moves that are asked for; return what the last answer asks for next."""
        then: Sequence[Any] = []
        for ask in asks:
            which = id, ask["decision"], ask["seat"]
            if ask["committed"] is not None or which in self._decided:
                continue
            self._decided.add(which)
            move, key = self.choose.choice(ask["moves"])["move"], f"{self.choose.getrandbits(64):016x}"
            said = Said(id, ask["seat"], move, ask["decision"], key, len(ask["moves"]) == 1)
            body = {"seat": said.seat, "decision": said.decision, "move": move, "key": key}
            start = time.perf_counter()
            answer = await line.json("POST", f"/tables/{id}/moves", body)
            if not line.again:
                self.found.moves.append(time.perf_counter() - start)
            if answer["status"] in ("played", "committed"):
                self.sure.append(said)
            elif not said.only:  # it may have been played by itself
                raise Lost(f"{said}: {answer['status']}")
            then = answer.get("asks", [])
        return then


class Feed:
    """Takes the bytes of an event stream, and hands over the data of its events."""

    def __init__(self, events: asyncio.Queue[str]) -> None:
        self._events, self._rest = events, b""

    def hear(self, part: bytes) -> None:
        """Take the next bytes. A heartbeat is an event with a name, and no news."""
        *events, self._rest = (self._rest + part).split(b"\n\n")
        for event in events:
            data = [line[5:].removeprefix(b" ") for line in event.split(b"\n") if line.startswith(b"data:")]
            if data and b"event:" not in event:
                self._events.put_nowait(b"\n".join(data).decode())


async def begun(place: Place, found: Measured, programs: int, deals: int) -> tuple[str, list[Program]]:
    """Make an evening, let everybody join, and begin it."""
    playing = [Program(n, place, found) for n in range(1, programs + 1)]
    for one in playing:
        one.token = (await one.line().json("POST", "/tokens", {"label": "evening"}))["token"]
    options = {"drivers": DRIVERS, "races": 1}
    wish = {"title": "lacorsa", "options": options, "deals": deals, "pause": 0, "name": "Load"}
    host = playing[0].line()
    evening = (await host.json("POST", "/evenings", wish))["id"]
    for one in playing:
        await one.join(evening)
    await host.json("POST", f"/evenings/{evening}/begin")
    return str(evening), playing


async def checked(database: str, evening: str, playing: list[Program]) -> int:
    """Raise ``Lost`` unless all acknowledged moves are stored once; return how many there are."""
    told = await playing[0].line().json("GET", f"/evenings/{evening}")
    if short := [line for line in told["results"] if line["deals"] != told["deals"] or line["left"]]:
        raise Lost(f"somebody has not played every deal to its end: {short[0]}")
    if len(told["results"]) != len(playing):
        raise Lost(f"{len(told['results'])} of {len(playing)} are in the table")
    sure = [said for one in playing for said in one.sure]
    store = await Store.open(database)
    try:
        for id in [table["table"] for table in told["tables"] if table["table"]]:
            table, rows = await logged(store, id)
            missing(table, rows, [said for said in sure if said.table == id])
            if not table.game.over:
                raise Lost(f"table {id}: it is not over")
    finally:
        await store.close()
    return len(sure)


async def killed(
    stack: ExitStack, server: Server, place: Place, serve: tuple[str, Path], playing: list[Program], n: int
) -> Server:
    """Kill the server in the middle of deal ``n``, and start it again; return the new one."""
    while playing[0].told["deal"] < n:  # noqa: ASYNC110 # nothing tells of it
        await asyncio.sleep(0.05)
    before = sum(len(one.sure) for one in playing)
    while sum(len(one.sure) for one in playing) < before + INTO * len(playing):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await asyncio.to_thread(server.kill)
    server = await asyncio.to_thread(stack.enter_context, serving(*serve))
    place.port = server.port
    return server


async def evening(folder: Path, programs: int, deals: int, kills: int) -> bool:
    """Play an evening and print what was measured; return whether it reaches the bar. Raises ``Lost``."""
    serve = f"sqlite:///{folder}/tables.sqlite3", folder / "errors.log"
    place, found = Place(), Measured()
    with ExitStack() as stack:
        server = await asyncio.to_thread(stack.enter_context, serving(*serve))
        meter = load.Server(psutil.Process(server.process.pid), server.port)
        await asyncio.to_thread(meter.settle)
        place.port = server.port
        id, playing = await begun(place, found, programs, deals)
        used, start = meter.cpu(), time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for one in playing:
                group.create_task(one.look(id))
                group.create_task(one.play())
            for n in range(kills):
                server = await killed(stack, server, place, serve, playing, 1 + n * deals // kills)
        seconds = time.perf_counter() - start
        used = 0 if kills else meter.cpu() - used
        moves = await checked(serve[0], id, playing)
    played = (
        f"{programs} programs, {deals} deals in {seconds:.0f} s: {moves} moves acknowledged, all stored once"
    )
    if kills:
        print(f"{played}; the server was killed {kills} times, {found.again} requests were sent again")
        return True
    middle, late = load.quantiles(found.moves)
    print(f"{played}; answers to moves: p50 {middle:.0f} ms, p99 {late:.0f} ms (bar: {BAR} ms)")
    middle, late = load.quantiles(found.looks)
    size = found.bytes / max(1, len(found.looks)) / 1000
    print(
        f"the evening was asked for {len(found.looks)} times: p50 {middle:.0f} ms, p99 {late:.0f} ms, "
        f"{size:.1f} kB each; the server took {used / seconds:.2f} of a core"
    )
    return load.quantiles(found.moves)[1] <= BAR


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--programs", type=int, default=60, help="who play (at most 60)")
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--kills", type=int, default=0, help="how often the server is killed in the middle")
    parser.add_argument("--folder", help="where the database is made: choose a disk, not memory")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        try:
            return not uvloop.run(evening(Path(folder), given.programs, given.deals, given.kills))
        except (Lost, ExceptionGroup) as error:
            if isinstance(error, ExceptionGroup) and error.split(Lost)[1]:
                raise
            print(f"Lost: {error.exceptions[0] if isinstance(error, ExceptionGroup) else error}")
            print(*Path(folder, "errors.log").read_text().splitlines()[-LINES:], sep="\n")
            return 1


if __name__ == "__main__":
    sys.exit(main())
