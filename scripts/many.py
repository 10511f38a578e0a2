"""Measure a server whose database is full; exit 1 beyond a bar: ``make many``.

Two servers run in turns: one with a dozen stored tables, and one with 10,000 running tables and the records
of 100,000 finished games. For each: the time from the command to the first page, the home page of somebody
who plays, and moves at a dozen tables. Then 1,000 tables are live at the second: a stream is open at each.
The bars compare both within one run, by processor time where other programs would disturb the clock.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import resource
import sqlite3
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvloop

from load import UNLIMITED, Run, Server, paced, quantiles, running
from load_client import Client, Ear, Seats, sit_all, token
from paddock.kernel.source import Seeded
from paddock.tables import Tables
from stall import played

TABLES, RECORDS, LIVE, FEW = 10_000, 100_000, 1_000, 12
SECRET = "a" * 43  # the cookie of somebody who plays
ANA = hashlib.sha256(SECRET.encode()).hexdigest()
HOLDERS = ("maker", "host", "holder", "last_holder")  # columns with the hash of a browser
PAGES = 30  # home pages of each server in a turn
TURNS = 3
RATE = 20  # moves a second
# How much more the full database may take: of the time to start and of processor times, and seconds and
# milliseconds on top, below which a difference says nothing.
START, START_S = 1.25, 0.5
HOME, HOME_MS = 1.5, 3
MOVE, MOVE_MS = 1.25, 0.2
MEMORY_MB = 400


# The database


async def begin(file: Path) -> tuple[str, str]:
    """Make a database with a running table and a record; return their ids."""
    async with Tables.open(f"sqlite:///{file}", chance=Seeded(1)) as tables:
        table = await tables.making.create("lacorsa", {"drivers": 4}, ["me"] * 4, holder=ANA)
        for _ in range(12):
            seat, moves = table.moves(table.awaited()[0])[0]
            await tables.submit(table.id, ANA, seat, [moves[0][1]], table.decision, f"{table.rows}-{seat}")
            table = await tables.table(table.id)
        record = await tables.making.upload(played("rasant", players=2), ANA)
        return table.id, record.id


def fill(file: Path, table: str, record: str, tables: int, records: int) -> int:
    """Add copies of a table and of a record, each of somebody else; return the rows of all logs."""
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA synchronous = OFF")
        for id, prefix, count in ((table, "t", tables), (record, "r", records)):
            for name, key in (("tables", "id"), ("players", "table_id"), ("events", "table_id")):
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
                values = [value(column, key, prefix) for column in columns]
                names = ", ".join(f'"{column}"' for column in columns)
                numbers = f"SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}"
                copies = f'SELECT {", ".join(values)} FROM n, {name} WHERE "{key}" = ?'
                database.execute(
                    f"WITH RECURSIVE n(i) AS ({numbers}) INSERT INTO {name} ({names}) {copies}", (id,)
                )
        return int(database.execute("SELECT count(*) FROM events").fetchone()[0])


def value(column: str, key: str, prefix: str) -> str:
    """Return what a copy has in a column."""
    if column == key:
        return f"printf('{prefix}%015d', i)"
    if column in HOLDERS:
        return f"CASE WHEN \"{column}\" IS NULL THEN NULL ELSE printf('{prefix}%063d', i) END"
    return f'"{column}"'


# The servers


@dataclass
class Started:
    """A server, and the seconds from the command to its first page."""

    server: Server
    took: float


@contextmanager
def started(file: Path) -> Iterator[Started]:
    """Start a server, and ask for its first page."""
    command = [sys.executable, "-c", "from paddock.cli import main; main()", "serve", "--port", "0"]
    more = UNLIMITED | {"PADDOCK_DATABASE_URL": f"sqlite:///{file}", "PYTHONUNBUFFERED": "1"}
    before = time.perf_counter()
    with running(command, **more) as server:
        home(server.port)
        yield Started(server, time.perf_counter() - before)


def home(port: int) -> float:
    """Ask for the home page of somebody who plays; return the seconds."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/", headers={"Cookie": f"paddock_browser={SECRET}"}
    )
    before = time.perf_counter()
    with urllib.request.urlopen(request, timeout=600) as answer:
        answer.read()
    return time.perf_counter() - before


def homes(server: Server) -> Run:
    """Ask for the home page some times."""
    begun, used = time.perf_counter(), server.cpu()
    delays = [home(server.port) for _ in range(PAGES)]
    return Run(delays, time.perf_counter() - begun, server.cpu() - used, 0)


async def live(server: Server, count: int, me: str) -> list[Seats]:
    """Create tables, and open a stream at each."""
    tables = [Seats(Client(server.port, me), random.Random(n)) for n in range(count)]
    await sit_all(tables)
    for start in range(0, count, 20):
        await asyncio.gather(*(listen(one) for one in tables[start : start + 20]))
    return tables


async def listen(table: Seats) -> None:
    """Open the stream of a player."""
    ear = Ear(table, [])
    wire = await table.client.connect(ear.hear)
    wire.transport.write(table.client.request("GET", f"/tables/{table.id}/stream?player=0"))
    await ear.began.wait()


# The measurements


class Report:
    """Prints figures, and remembers whether all keep to their bars."""

    def __init__(self) -> None:
        self.fine = True

    def line(self, what: str, text: str, fine: bool | None = None) -> None:
        """Print a line; None: it has no bar."""
        self.fine &= fine is not False
        mark = {None: "    ", True: "ok  ", False: "OVER"}[fine]
        print(f"{mark} {what:34} {text}", flush=True)

    def costs(self, what: str, small: Run, full: Run, most: float, more: float) -> None:
        """Compare processor times: ``most`` times those of the small database, and ``more`` milliseconds."""
        few, many = 1000 * small.cost, 1000 * full.cost
        for name, run in (("a dozen tables", small), ("full", full)):
            middle, late = quantiles(run.delays)
            self.line(
                f"{what}, {name}",
                f"processor time {1000 * run.cost:.2f} ms; half within {middle:.1f} ms, 99 % {late:.1f} ms",
            )
        bar = f"(bar: {most:g} times and {more:g} ms)"
        ratio = many / few if few else float("nan")
        self.line(what, f"{ratio:.2f} times the processor time {bar}", many <= most * few + more)


async def measure(folder: Path, scale: float, seconds: float) -> bool:
    """Print the figures; return whether they keep to the bars."""
    report = Report()
    small, full = folder / "small.sqlite3", folder / "full.sqlite3"
    counts = [round(n * scale) for n in (TABLES, RECORDS, LIVE)]
    for file, tables, records in ((small, FEW, FEW), (full, *counts[:2])):
        begun = time.perf_counter()
        rows = fill(file, *await begin(file), tables, records)
        size = file.stat().st_size / 1e6
        took = time.perf_counter() - begun
        report.line(
            file.stem, f"{tables} tables, {records} records, {rows} rows, {size:.0f} MB, made in {took:.0f} s"
        )
    starts: dict[Path, list[float]] = {small: [], full: []}
    for _ in range(TURNS):
        for file, took_each in starts.items():
            with started(file) as one:
                took_each.append(one.took)
    few, many = min(starts[small]), min(starts[full])
    text = f"{many:.2f} s beside {few:.2f} s (bar: {START:g} times and {START_S:g} s)"
    report.line("start, to the first page", text, many <= START * few + START_S)
    with ExitStack() as stack:
        servers = [stack.enter_context(started(file)).server for file in starts]
        pages, moves = ([Run([], 0, 0, 0) for _ in servers] for _ in range(2))
        mine = [await token(server.port) for server in servers]
        sitting = [await live(server, FEW, me) for server, me in zip(servers, mine, strict=True)]
        for turn in range(1 + TURNS):
            for n, server in enumerate(servers):
                seen = homes(server)
                made = await paced(server, sitting[n], RATE, seconds / TURNS)
                if turn:  # the first is to warm up
                    pages[n].add(seen)
                    moves[n].add(made)
        report.costs("home page", *pages, HOME, HOME_MS)
        report.costs(f"a move, {FEW} live", *moves, MOVE, MOVE_MS)
        before = servers[1].memory()
        tables = await live(servers[1], counts[2], mine[1])
        grown = (servers[1].memory() - before) / max(1, counts[2])
        made = [Run([], 0, 0, 0) for _ in servers]
        for turn in range(1 + TURNS):
            for n, group in enumerate((sitting[0], tables)):
                run = await paced(servers[n], group, RATE, seconds / TURNS)
                if turn:
                    made[n].add(run)
        report.costs(f"a move, {counts[2]} live", *made, MOVE, MOVE_MS)
        megabytes = servers[1].memory() / 1e6
        text = f"{megabytes:.0f} MB, {grown / 1000:.0f} kB for each live table and stream"
        report.line("memory", f"{text} (bar: {MEMORY_MB} MB)", megabytes <= MEMORY_MB)
    return report.fine


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--scale", type=float, default=1, help="0.01: a hundredth of everything")
    parser.add_argument("--seconds", type=float, default=15, help="how long moves are made")
    parser.add_argument("--folder", help="where the databases are made: choose a disk, not memory")
    asked = parser.parse_args(given)
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        return not uvloop.run(measure(Path(folder), asked.scale, asked.seconds))


if __name__ == "__main__":
    sys.exit(main())
