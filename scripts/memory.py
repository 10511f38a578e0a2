"""Measure the memory of an idle table in the server, and of a server under load; exit 1 above a bar.

A table is played with random moves, then loaded by new services. The growth of their memory is what a table
takes: the table, its game, its setup, its players and their presence.

Under load, clients play whole games at some tables of ``paddock serve``, a new one where one ends. After its
caches are full, the server must not grow: the second half of the time is compared with the first.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from load import paddock
from load_client import Seats, seated
from paddock.core.title import Seen, facts
from paddock.kernel.source import Seeded
from paddock.store import Store
from paddock.tables import Tables

ANA = "a" * 64  # the hash of a browser's secret
TIMES = 5  # how often each table is loaded
CASES: Sequence[tuple[str, dict[str, Any], int, int]] = (  # name, options, races played, bar in bytes
    ("twelve cars after six races", {"drivers": 12, "races": 7, "large_grid": True}, 6, 100_000),
    ("four cars after seven races", {"drivers": 4, "races": 8}, 7, 50_000),
)
TABLES, RATE = (
    100,
    230,
)  # tables under load, and the moves a second at all of them, or what the machine can do
RACES = 1  # of a game: short ones, as the server keeps some that are over
AT_ONCE = 10  # moves that are not answered yet
ENOUGH = 30_000  # moves after which all caches are full
GROWTH = 0.02  # of the memory, in the second half of the time: the bar


class NoBots:
    """A ``MoveChooser`` for tables without bots."""

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        raise AssertionError("this table has no bots")

    def close(self) -> None:
        pass


@asynccontextmanager
async def service(url: str) -> AsyncIterator[Tables]:
    store = await Store.open(url)
    tables = Tables(store, NoBots(), Seeded(1))
    try:
        yield tables
    finally:
        await tables.close()
        await store.close()


async def played(url: str, options: dict[str, Any], races: int) -> str:
    """Play ``races`` races at a new table; return its id."""
    choose = random.Random(1)
    async with service(url) as tables:
        table = await tables.making.create("lacorsa", options, ["me"] * options["drivers"], holder=ANA)
        while len(table.game.rounds) < races:
            seat, moves = choose.choice(table.moves(table.awaited()[0]))
            notation, key = choose.choice(moves)[1], str(choose.random())
            await tables.submit(table.id, ANA, seat, notation, table.decision, key)
    return table.id


async def size(url: str, id: str) -> float:
    """Return the bytes of the table in memory: those of a server with it, less those of one without."""
    return await held_by(url, id, load=True) - await held_by(url, id, load=False)


async def held_by(url: str, id: str, *, load: bool) -> float:
    """Return the bytes of the parts of a server, with a table loaded or not."""
    async with service(url) as tables:
        await tables.table(id)  # loads what all tables share
    store = await Store.open(url)
    held = []
    try:
        await store.load(id)
        gc.collect()
        tracemalloc.start()
        for _ in range(TIMES):
            facts._setup_of.cache_clear()  # otherwise the tables would share one
            tables = Tables(store, NoBots())
            if load:
                await tables.timers.seen(id, ANA)
            held.append(tables)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / TIMES
    finally:
        tracemalloc.stop()
        await store.close()


async def under_load(minutes: int) -> bool:
    """Play for some minutes, and print the memory after each; return whether it stays below the bar."""
    marks, moves, games = list[tuple[int, float]](), 0, set[str]()
    turn = asyncio.Semaphore(AT_ONCE)

    async def play(one: Seats, until: float) -> None:
        nonlocal moves
        while time.monotonic() < until:
            due = time.monotonic() + TABLES / RATE
            async with turn:
                await one.move()
            moves += 1
            games.add(one.id)
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    with tempfile.TemporaryDirectory() as folder, paddock(folder) as server:
        tables, begun = await seated(server.port, TABLES, races=RACES), time.monotonic()
        print(f"     under load: {server.memory() / 1e6:.0f} MB with {TABLES} tables")
        for minute in range(1, minutes + 1):
            await asyncio.gather(*(play(one, begun + 60 * minute) for one in tables))
            marks.append((moves, server.memory() / 1e6))
            print(
                f"     minute {minute}: {marks[-1][1]:.1f} MB, {moves} moves, {len(games)} games", flush=True
            )
    (before, middle), (after, last) = marks[len(marks) // 2 - 1], marks[-1]
    each = (last - middle) * 1e6 / max(1, after - before)
    text = (
        f"under load: {middle:.1f} MB after half the time, {last:.1f} MB at its end, {each:.0f} bytes a move"
    )
    if before < ENOUGH:
        print(f"     {text}; not judged: its caches are full after {ENOUGH} moves")
        return True
    fine = last < middle * (1 + GROWTH)
    print(f"{'ok ' if fine else 'BIG'}  {text}; the bar is {GROWTH:.0%} more")
    return fine


async def main(minutes: int) -> bool:
    """Print the figures; return whether all are below their bars."""
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        for n, (what, options, races, bar) in enumerate(CASES):
            url = f"sqlite:///{folder}/{n}.sqlite3"
            took = await size(url, await played(url, options, races))
            fine &= took < bar
            mark = "ok " if took < bar else "BIG"
            print(f"{mark} {what}: {took / 1000:.1f} kB; the bar is {bar / 1000:.0f} kB")
    return fine & await under_load(minutes) if minutes else fine


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=int, default=8, help="under load (8; 0: only idle tables)")
    sys.exit(not asyncio.run(main(parser.parse_args().minutes)))
