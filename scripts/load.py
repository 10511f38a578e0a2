"""Measure the server under load, beside a reference server; exit 1 below a bar: ``make load``.

It starts ``paddock serve`` with a database on disk and plays LACORSA through the API. One token holds the
four seats of each table. The reference does the least that a durable server must do: it stores one row a
request, and one thread commits the rows that have gathered. It is measured before and after each run. The
client runs on the same machine, so its processor time is printed too.

boardgame.io, where Node is found, plays as many moves of a game of the same size beside ours, in turns: with
its store in files and in memory. It tells all players before it has stored a move, and flushes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import os
import queue
import resource
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import asyncpg
import psutil
import uvicorn
import uvloop

import needs
from load_client import SEATS, Client, Ear, Seats, seated
from load_peer import Match, Missing, environment, installed, matches
from load_told import Friends, Told, friends, told

CORES = 4  # that two processes, PostgreSQL and the client need to show how much more two carry than one
TURNS = 4  # of each server, alternately, after one to warm up
IDLE = 0.1  # seconds of processor time in a second that an idle server may use
WAKE = 1000  # hundredths of a second to wait for the first wake, where a machine is busy
SERVER = "from paddock.cli import main; main()"
UNLIMITED = {"PADDOCK_RATE_ADDRESS": "0", "PADDOCK_RATE_HOLDER": "0", "PADDOCK_STREAMS_ADDRESS": "0"}


# The reference


def reference(file: str) -> None:
    """Run the reference server: one durable row a request, committed in groups by one thread."""
    rows: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()

    def write() -> None:
        database = sqlite3.connect(file, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, body BLOB)")
        while True:
            group = [rows.get()]
            while not rows.empty():
                group.append(rows.get())
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT INTO row (body) VALUES (?)", [(body,) for body, _ in group])
            database.execute("COMMIT")
            group[0][1].get_loop().call_soon_threadsafe(finish, group)

    def finish(group: Sequence[tuple[bytes, asyncio.Future[None]]]) -> None:
        for _body, stored in group:
            if not stored.done():
                stored.set_result(None)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        body = (await receive())["body"]
        json.loads(body)
        stored = asyncio.get_running_loop().create_future()
        rows.put((body, stored))
        await stored
        answer = b'{"status":"played"}'
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    threading.Thread(target=write, daemon=True).start()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1000)
        print(f"The reference is at http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off")).run(sockets=[listener])


# The servers


@dataclass
class Server:
    """A server process that is measured."""

    process: psutil.Process
    port: int

    def cpu(self) -> float:
        """Return the processor seconds that it and its workers have used."""
        family = [self.process, *self.process.children(recursive=True)]
        times = [one.cpu_times() for one in family]
        return sum(float(used.user + used.system) for used in times)

    def settle(self) -> Server:
        """Return it when it has done what it prepares after its start: when it was idle for a second."""
        used = math.nan
        while not (now := self.cpu()) - used < IDLE:
            used = now
            time.sleep(1)
        return self

    def memory(self) -> int:
        """Return the bytes of memory of its main process."""
        return int(self.process.memory_info().rss)


@contextmanager
def running(command: Sequence[str], **more: str) -> Iterator[Server]:
    """Start a server that prints its address, and stop it at the end."""
    with subprocess.Popen(command, env=os.environ | more, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            line = next((line for line in process.stdout if " at http" in line), "")
            if not line:
                raise SystemExit("the server did not start")
            port = int(line.split(" at ")[1].split()[0].rstrip("/").rpartition(":")[2])
            yield Server(psutil.Process(process.pid), port)
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def paddock(folder: str, database: str = "", processes: int = 1) -> Iterator[Server]:
    """Start ``paddock serve`` with a new database, and let it settle."""
    database = database or f"sqlite:///{tempfile.mkdtemp(dir=folder)}/tables.sqlite3"
    command = [sys.executable, "-c", SERVER, "serve", "--port", "0"]
    command += ["--processes", str(processes)] if processes > 1 else []
    with running(command, PADDOCK_DATABASE_URL=database, PYTHONUNBUFFERED="1", **UNLIMITED) as server:
        yield server.settle()


# The measurements


@dataclass
class Run:
    """What was measured while requests were made for some seconds."""

    delays: list[float]
    seconds: float
    server: float  # processor seconds
    client: float
    looks: int = 0  # requests for choices that no answer had listed

    def add(self, other: Run) -> None:
        """Add what was measured later."""
        self.delays += other.delays
        self.seconds += other.seconds
        self.server += other.server
        self.client += other.client
        self.looks += other.looks

    @property
    def rate(self) -> float:
        return len(self.delays) / self.seconds

    @property
    def cost(self) -> float:
        """The server's processor seconds for one of them: less disturbed by other programs than the rate."""
        return self.server / max(1, len(self.delays))

    def __str__(self) -> str:
        n = len(self.delays) or 1
        middle, late = quantiles(self.delays)
        return (
            f"{self.rate:6.0f}/s   p50 {middle:6.1f} ms   p99 {late:6.1f} ms   processor time each: "
            f"server {1000 * self.cost:.2f} ms, client {1000 * self.client / n:.2f} ms"
            + (f"   {self.looks / n:.1f} looks each" if self.looks else "")
        )


def quantiles(delays: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile, in milliseconds."""
    ordered = sorted(delays) or [float("nan")]
    return 1000 * statistics.median(ordered), 1000 * ordered[int(len(ordered) * 0.99)]


@asynccontextmanager
async def measured(server: Server) -> AsyncIterator[Run]:
    """Measure the time and the processor time of what is done meanwhile."""
    run = Run([], time.perf_counter(), server.cpu(), time.process_time())
    yield run
    run.seconds = time.perf_counter() - run.seconds
    run.server, run.client = server.cpu() - run.server, time.process_time() - run.client


async def closed(server: Server, doing: Sequence[Callable[[], Any]], seconds: float) -> Run:
    """Do each thing again and again, each one at a time."""

    async def again(do: Callable[[], Any], run: Run, end: float) -> None:
        while time.perf_counter() < end:
            run.delays.append(await do())

    async with measured(server) as run:
        end = time.perf_counter() + seconds
        await asyncio.gather(*(again(do, run, end) for do in doing))
    return run


async def paced(server: Server, tables: Sequence[Seats], rate: float, seconds: float) -> Run:
    """Make ``rate`` moves a second in turn. A delay counts from the time at which the move was due."""

    async def due(one: Seats, at: float, run: Run) -> None:
        async with one.busy:
            if not one.moves:
                await one.look()
            waited = time.perf_counter() - at
            run.delays.append(waited + await one.move())

    async with measured(server) as run, asyncio.TaskGroup() as moves:
        start = time.perf_counter()
        for n in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, start + n / rate - time.perf_counter()))
            moves.create_task(due(tables[n % len(tables)], start + n / rate, run))
    return run


class Moves(Protocol):
    looks: int

    async def move(self) -> float: ...


@dataclass
class Load:
    """Tables on a server, and what was measured of the moves there."""

    server: Server
    tables: Sequence[Moves]
    run: Run = field(default_factory=lambda: Run([], 0, 0, 0))

    def __str__(self) -> str:
        tellings = [one.telling for one in self.tables if isinstance(one, Told | Friends | Match)]
        events = sum(one.events for one in tellings)
        if not events:
            return str(self.run)
        size = sum(one.heard for one in tellings) / events / 1000
        share = sum(one.fetched for one in tellings) / events
        return f"{self.run}   events of {size:.2f} kB" + (f", then a GET for {share:.0%}" if share else "")


async def alternately(loads: Collection[Load], seconds: float, moves: float = 1) -> None:
    """Make ``moves`` times ``seconds`` moves at every table of each load, in turns.

    So all play the same part of a game. boardgame.io stores within a second after it has told: that counts.
    """
    rest = min(1.0, seconds / 10)

    async def some(table: Moves, run: Run) -> None:
        for _ in range(max(1, round(moves * seconds))):
            run.delays.append(await table.move())

    for turn in range(1 + TURNS):
        for load in loads:
            async with measured(load.server) as run:
                looks = sum(table.looks for table in load.tables)
                await asyncio.gather(*(some(table, run) for table in load.tables))
                run.looks = sum(table.looks for table in load.tables) - looks
                await asyncio.sleep(rest)
            run.seconds -= rest
            if turn:
                load.run.add(run)


class Reference:
    """The reference server, and how many rows a second it stores at this moment."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.clients = [Client(server.port, "x" * 51) for _ in range(100)]

    async def row(self, client: Client) -> float:
        body = {"seat": 3, "decision": 100, "move": "12+R", "key": "0123456789abcdef"}
        start = time.perf_counter()
        await client.ask("POST", "/tables/abcdefghijklmnop/moves", body)
        return time.perf_counter() - start

    async def run(self, seconds: float) -> Run:
        return await closed(self.server, [partial(self.row, client) for client in self.clients], seconds)


async def streams(
    server: Server, number: int, tables: int, rate: float, seconds: float
) -> tuple[Run, list[float]]:
    """Open streams for players and spectators, and move; return the moves, and the delays of the wakes."""
    sitting = await seated(server.port, tables)
    wakes: list[float] = []
    ears: list[Ear] = []
    for n in range(number):
        one, eyes = sitting[n % tables], n // tables % (SEATS + 1)
        client, path = (one.client, f"?player={eyes}") if eyes < SEATS else (Client(server.port), "")
        ears.append(Ear(one, wakes))
        wire = await client.connect(ears[-1].hear)
        wire.transport.write(client.request("GET", f"/tables/{one.id}/stream{path}"))
    for ear in ears:
        await ear.began.wait()
    moves = await paced(server, sitting, rate, seconds)
    for _ in range(WAKE):
        if wakes:
            break
        await asyncio.sleep(0.01)
    return moves, wakes


async def memory(server: Server, tables: int) -> float:
    """Return the bytes that the server grows for each table of four."""
    await seated(server.port, 20)  # loads what all tables share
    before = server.memory()
    await seated(server.port, tables)
    return (server.memory() - before) / tables


def flush(folder: str) -> list[float]:
    """Return how long the disk takes to flush 4 kB, again and again."""
    delays = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(200):
            start = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            getattr(os, "fdatasync", os.fsync)(file.fileno())
            delays.append(time.perf_counter() - start)
    return delays


class Report:
    """Runs the measurements, prints their figures, and remembers whether all reach their bars."""

    def __init__(self, folder: str, reference: Reference, seconds: float, scale: float) -> None:
        self.folder, self.reference, self.seconds, self.scale = folder, reference, seconds, scale
        self.fine = True

    def few(self, number: int) -> int:
        """Return the number of tables or streams for the scale."""
        return max(1, round(number * self.scale))

    def line(self, what: str, text: object, bar: str = "", reached: bool = True) -> None:
        self.fine &= reached
        mark = ("ok   " if reached else "BELOW") if bar else "     "
        print(f"{mark} {what:28} {text}{f'   (bar: {bar})' if bar else ''}", flush=True)

    async def loaded(self, what: str, tables: int, views: bool = False, bar: float = 0) -> Run:
        """Play at all tables as fast as the server answers."""
        with paddock(self.folder) as server:
            sitting = await seated(server.port, self.few(tables), views)
            before = await self.reference.run(self.seconds / 5)
            looks = sum(one.looks for one in sitting)
            run = await closed(server, [one.move for one in sitting], self.seconds)
            run.looks = sum(one.looks for one in sitting) - looks
            after = await self.reference.run(self.seconds / 5)
        rate, cost = (before.rate + after.rate) / 2, (before.cost + after.cost) / 2
        text = f"{run}   {run.rate / rate:.3f} of the reference's {rate:.0f}/s"
        text += f", {run.cost / cost:.0f} times its processor time"
        self.line(what, text, f"{bar:.0f}/s" if bar else "", run.rate >= bar)
        return run

    async def closed(self) -> None:
        await self.loaded("100 tables", 100, bar=1000)

    async def views(self) -> None:
        await self.loaded("100 tables, 4 views a move", 100, views=True, bar=400)

    async def sizes(self) -> None:
        few, many = [await self.loaded(f"{tables} tables", tables) for tables in (20, 500)]
        share = many.rate / few.rate
        self.line("500 tables", f"{share:.2f} of the moves of 20 tables", "0.80", share >= 0.8)

    async def paced(self) -> None:
        with paddock(self.folder) as server:
            run = await paced(server, await seated(server.port, self.few(100)), 200, self.seconds)
        self.line("100 tables, 200 due a second", run, "p99 60 ms", quantiles(run.delays)[1] < 60)

    async def streams(self) -> None:
        with paddock(self.folder) as server:
            number, tables = self.few(1000), self.few(20)
            moves, wakes = await streams(server, number, tables, 20, self.seconds)
        middle, late = quantiles(wakes)
        woken = len(wakes) / (number / tables * len(moves.delays))
        text = f"{woken:.1%} woken   p50 {middle:.1f} ms   p99 {late:.1f} ms"
        reached = woken > 0.99 and middle < 50 and late < 200
        self.line("1000 streams: wakes", text, "99 %, p50 50 ms, p99 200 ms", reached)
        core = moves.server / moves.seconds
        kept = moves.rate > 0.95 * 20
        self.line("1000 streams: moves", moves, "20/s", kept)
        self.line("1000 streams: server", f"{core:.2f} of a core", "0.50 at 20/s", core < 0.5 and kept)

    async def memory(self) -> None:
        with paddock(self.folder) as server:
            size = await memory(server, self.few(5000))
            whole = server.memory() / 1e6
        bar = "50 kB, server 1000 MB"
        text = f"{size / 1000:.1f} kB each, the server {whole:.0f} MB"
        self.line("5000 idle tables", text, bar, size < 50_000 and whole < 1000)

    async def told(self) -> None:
        await self.beside("50 tables, all told", told, ALL_TOLD, 0.8)

    async def friends(self) -> None:
        await self.beside("50 tables, told by pages", friends, ALL_TOLD)

    async def alone(self) -> None:
        await self.beside("50 tables, moves alone", seated, ONE_TOLD, 0.35)

    async def beside(
        self,
        what: str,
        sit: Callable[[int, int], Awaitable[Sequence[Moves]]],
        peers: Sequence[tuple[str, bool, bool]],
        bar: float = 0,
    ) -> None:
        """Measure moves beside boardgame.io; a bar is a share of the processor time of the first peer."""
        tables, missing = self.few(50), ""
        with contextlib.ExitStack() as servers:
            ours = servers.enter_context(paddock(self.folder))
            loads = {what: Load(ours, await sit(ours.port, tables))}
            try:
                command = installed()
                for name, files, open in peers:
                    store = tempfile.mkdtemp(dir=self.folder) if files else None
                    peer = servers.enter_context(running(command, **environment(store)))
                    loads[name] = Load(peer, await matches(peer.port, tables, open))
            except Missing as why:
                missing = str(why)
            await alternately(loads.values(), self.seconds)
        for name, load in loads.items():
            self.line(name, load)
        if missing:
            return self.line(f"{what}: share", f"not judged: {missing}")
        cost, first = loads[what].run.cost, loads[peers[0][0]].run.cost
        shares = [f"{cost / (loads[name].run.cost or math.nan):.2f} of {name}" for name, *_ in peers]
        text = f"of the processor time: {', '.join(shares)}"
        says = f"{bar:.2f} of the first" if bar else ""
        return self.line(f"{what}: share", text, says, not bar or cost <= bar * first)

    async def watched(self) -> None:
        with paddock(self.folder) as server:
            for what, pages in (("100 spectators", False), ("100 spectators of the page", True)):
                empty = Load(server, await told(server.port, 1))
                full = Load(server, await told(server.port, 1, self.few(100), pages))
                await alternately([empty, full], self.seconds, 2.5)
                without, cost = 1000 * empty.run.cost, 1000 * full.run.cost
                text = f"{cost - without:.2f} ms more for each move: {cost:.2f} after {without:.2f} without"
                self.line(what, text, "3 ms", cost - without <= 3)

    async def processes(self) -> None:
        """Measure two server processes beside one, each with a database of its own in one PostgreSQL."""
        tables = self.few(100)
        with contextlib.ExitStack() as stack:
            try:
                postgres = stack.enter_context(needs.postgres_server())
            except RuntimeError as why:
                return self.line("two processes", f"not judged: {why}")
            loads = {}
            for what, count in (("one process", 1), ("two processes", 2)):
                database = await new_database(postgres, what.replace(" ", "_"))
                server = stack.enter_context(paddock(self.folder, database, count))
                loads[what] = Load(server, await seated(server.port, tables))
            await alternately(loads.values(), self.seconds)
        for what, load in loads.items():
            self.line(what, load)
        one, two = (load.run for load in loads.values())
        share, cost, cores = (
            two.rate / one.rate,
            two.cost / (one.cost or math.nan),
            len(os.sched_getaffinity(0)),
        )
        self.line("two processes: cost", f"{cost:.2f} of the processor time of one", "1.15", cost <= 1.15)
        text = f"{share:.2f} of the moves of one"
        if cores < CORES:  # the client and PostgreSQL need processors too
            return self.line(
                "two processes: moves", f"{text}; not judged with {cores} cores: it takes {CORES}"
            )
        return self.line("two processes: moves", text, "1.70", share >= 1.7)

    async def idle(self) -> None:
        with paddock(self.folder) as server:
            await told(server.port, self.few(250))
            await asyncio.sleep(self.seconds / 10)  # the work of opening them ends
            async with measured(server) as run:
                await asyncio.sleep(self.seconds)
        share = run.server / run.seconds
        self.line("1000 idle streams", f"{share:.1%} of a core", "3 %", share < 0.03)


async def new_database(postgres: needs.Postgres, name: str) -> str:
    """Create a database; return its address."""
    connection = await asyncpg.connect(user="postgres", database="postgres", host=str(postgres.folder))
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return f"postgresql://postgres:@/{name}?host={postgres.folder}"


# What boardgame.io runs beside us: the name, whether it keeps files, and whether only one client is told.
JUDGED = ("boardgame.io, files", True, False)
ALL_TOLD = (JUDGED, ("boardgame.io, memory", False, False))
ONE_TOLD = (
    JUDGED,
    ("boardgame.io, files, 1 told", True, True),
    ("boardgame.io, memory, 1 told", False, True),
)


async def measure(kinds: Sequence[str], folder: str, seconds: float, scale: float) -> bool:
    """Print the figures; return whether they reach the bars."""
    command = [sys.executable, __file__, "--reference", f"{folder}/rows.sqlite3"]
    with running(command) as server:
        report = Report(folder, Reference(server), seconds, scale)
        middle, late = quantiles(flush(folder))
        report.line("disk", f"4 kB flushed: p50 {middle:.2f} ms, p99 {late:.2f} ms")
        report.line("reference, 100 clients", await report.reference.run(seconds / 2))
        for kind in kinds:
            await getattr(report, kind)()
    return report.fine


KINDS = (
    *("closed", "views", "sizes", "paced", "streams", "memory"),
    *("told", "alone", "watched", "idle", "friends", "processes"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("kinds", nargs="*", metavar="kind", help=f"what to measure: {', '.join(KINDS)}")
    parser.add_argument("--seconds", type=float, default=20, help="how long each measurement takes")
    parser.add_argument("--scale", type=float, default=1, help="0.1: a tenth of the tables and streams")
    parser.add_argument("--folder", help="where the databases are made: choose a disk, not memory")
    parser.add_argument("--reference", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.reference:
        reference(given.reference)
        return 0
    if wrong := set(given.kinds) - set(KINDS):
        parser.error(f"unknown: {', '.join(sorted(wrong))}")
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        return not uvloop.run(measure(given.kinds or KINDS, folder, given.seconds, given.scale))


if __name__ == "__main__":
    sys.exit(main())
