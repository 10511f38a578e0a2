"""How much memory an idle table takes in the server; exit 1 above a bar.

A table is played through the service with random moves, then loaded by fresh services, whose memory grows by
all that they hold for it: the table, its game, its setup, its players and who is here.
"""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import tempfile
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from paddock.core import title as titles
from paddock.core.title import Seen
from paddock.kernel.source import Seeded
from paddock.store import Store
from paddock.tables import Tables

ANA = "a" * 64  # the hash of a browser's secret
TIMES = 5  # that each table is loaded
CASES: Sequence[tuple[str, dict[str, Any], int, int]] = (  # what, options, races played, the bar in bytes
    ("twelve cars after six races", {"drivers": 12, "races": 7, "large_grid": True}, 6, 100_000),
    ("four cars after seven races", {"drivers": 4, "races": 8}, 7, 50_000),
)


class NoBots:
    """Nobody who plays without hands."""

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        raise AssertionError("there is no bot here")

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
    """The id of a table at which so many races have been played."""
    choose = random.Random(1)
    async with service(url) as tables:
        table = await tables.create("lacorsa", options, ["me"] * options["drivers"], holder=ANA)
        while len(table.game.rounds) < races:
            seat, moves = choose.choice(table.moves(table.awaited()[0]))
            notation, key = choose.choice(moves)[1], str(choose.random())
            await tables.submit(table.id, ANA, seat, notation, table.decision, key)
    return table.id


async def size(url: str, id: str) -> float:
    """The bytes of the table in memory."""
    async with service(url) as tables:
        await tables.table(id)  # so that all that is loaded once is there
    store = await Store.open(url)
    held = []
    try:
        await store.load(id)
        gc.collect()
        tracemalloc.start()
        for _ in range(TIMES):
            titles._setup_of.cache_clear()  # or the tables would share one
            tables = Tables(store, NoBots())
            await tables.presence.seen(id, ANA)
            held.append(tables)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / TIMES
    finally:
        tracemalloc.stop()
        await store.close()


async def main() -> bool:
    """Print the figures; whether all are under their bars."""
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        for n, (what, options, races, bar) in enumerate(CASES):
            url = f"sqlite:///{folder}/{n}.sqlite3"
            took = await size(url, await played(url, options, races))
            fine &= took < bar
            mark = "ok " if took < bar else "BIG"
            print(f"{mark} {what}: {took / 1000:.1f} kB; the bar is {bar / 1000:.0f} kB")
    return fine


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
