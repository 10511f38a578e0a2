"""A runtime whose time passes only when a test says so, and helpers for tests with time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from sqlalchemy import QueuePool

from paddock.tables import Table, Tables, Terms, talk
from tables.harness import ANA, BEN, CountedRuntime, give_seats
from tables.held import PATIENCE_S as PATIENCE_S

CAT = "c" * 64
PEOPLE = [ANA, BEN, CAT, "d" * 64]


class HandRuntime(CountedRuntime):
    """Sleeping tasks wake when ``let`` moves the time on."""

    def __init__(self, prefix: str = "t") -> None:
        super().__init__(prefix)
        self._sleepers: list[tuple[float, asyncio.Event]] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeper = (self.time + seconds, asyncio.Event())
        self._sleepers.append(sleeper)
        try:
            await sleeper[1].wait()
        finally:
            self._sleepers.remove(sleeper)

    async def let(self, tables: Tables, seconds: float) -> None:
        """Let time pass, and run the tasks that wake in it."""
        end = self.time + seconds
        await quiet(tables)
        while due := [when for when, event in self._sleepers if when <= end and not event.is_set()]:
            self.time = max(self.time, min(due))
            for when, event in self._sleepers:
                if when <= self.time:
                    event.set()
            await quiet(tables)
        self.time = end


async def quiet(tables: Tables) -> None:
    """Wait until nothing is being written, read or loaded."""
    still, pool = 0, tables.store._engine.pool
    assert isinstance(pool, QueuePool)
    while still < 4:
        await asyncio.sleep(0.002)
        busy = pool.checkedout() or tables.registry.loading or any(live.commands for live in tables.registry)
        still = 0 if busy else still + 1


async def until(done: Callable[[], bool]) -> None:
    while not done():  # noqa: ASYNC110 # nothing tells of it; pytest stops a test that hangs
        await asyncio.sleep(0.005)


async def friends(
    tables: Tables, browsers: int = 2, bots: int = 0, pace: str = "instant", **agreed: object
) -> Table:
    """Create a table with people, each in their own browser, followed by bots.

    ``agreed``: other terms, and options of the title; 4 cars and one race where nothing is said.
    """
    other: dict[str, Any] = {name: agreed.pop(name) for name in vars(Terms()) if name in agreed}
    terms = Terms(pace=pace, **other)
    seats = ["me"] * browsers + ["club"] * bots
    options = {"races": 1, "drivers": browsers + bots, **agreed}
    table = await tables.making.create("lacorsa", options, seats, holder=ANA, terms=terms)
    await give_seats(tables, table, dict(enumerate(PEOPLE[:browsers])))
    return table


_key = iter(range(10**9))


async def play(tables: Tables, table: Table, seat: int, move: str | None = None) -> str:
    """Make a move for the seat's person (None: the first legal one); return the status of the answer."""
    player = table.players[table.options.owners[seat]]
    notation = move or dict(table.moves(player.index))[seat][0][1]
    answer = await tables.submit(table.id, player.holder, seat, notation, table.decision, f"key{next(_key)}")
    return answer.status


async def play_on(tables: Tables, table: Table, done: Callable[[], bool], seed: int = 1) -> None:
    """Let people play at random until ``done``."""
    choose = random.Random(seed)
    while not done():
        assert table.awaited_seats(), "the game is over too soon"
        seat = choose.choice(table.awaited_seats())
        moves = dict(table.moves(table.options.owners[seat]))[seat]
        await play(tables, table, seat, choose.choice(moves)[1])


def road(table: Table) -> bool:
    """Whether one seat alone must decide."""
    return len(table.game.deciders) == 1


async def said(tables: Tables, table: Table) -> list[str]:
    """Return the lines of the table itself."""
    await quiet(tables)
    return [line.text for line in talk.lines_for(await tables.table(table.id), None) if line.player is None]
