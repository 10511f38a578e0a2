"""A runtime in which time is counted, ids are numbers, and bots choose at once."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from paddock.core.game import ChanceSource
from paddock.core.title import Seen, move_id
from paddock.features import FEATURES
from paddock.kernel.source import Seeded
from paddock.store import Store
from paddock.tables import Runtime, Table, Tables, moves
from paddock.tables.change import EVERYBODY, Change
from paddock.tables.context import Context
from paddock.tables.registry import MEMORY
from paddock.tables.runtime import MoveChooser
from store.databases import prepared

SERVICES = [feature.service for feature in FEATURES if feature.service]
ANA, BEN = "a" * 64, "b" * 64  # hashes of two browsers' secrets


class CountedRuntime(Runtime):
    """Time passes only in ``sleep``, and everything is repeatable."""

    still = math.inf  # the server runs all the time, however far a test moves the time on
    kept = True  # whether something keeps the clock of the machine right

    def __init__(self, prefix: str = "t") -> None:
        self.time = 0.0
        self.set_by = timedelta()  # how the clock of the machine was set
        self.slept: list[float] = []
        self.paused: list[float] = []
        self._prefix = prefix
        self._n = 0

    def now(self) -> datetime:
        return datetime(2026, 3, 1, 12, tzinfo=UTC) + timedelta(seconds=self.time) + self.set_by

    def elapsed(self) -> float:
        return self.time

    def synchronised(self) -> bool:
        return self.kept

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)

    def pause(self) -> float:
        self.paused.append(0.6 + 0.1 * (len(self.paused) * 7 % 11))
        return self.paused[-1]

    def table_id(self) -> str:
        self._n += 1
        return f"{self._prefix}{self._n}"

    def bot_seed(self) -> int:
        self._n += 1
        return self._n


class Monkeys:
    """Bots of all levels that choose at random; ``asked`` has what they were given."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Seen, int, tuple[int, ...]]] = []
        self.closed = False

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        self.asked.append((level, seen, seat, tuple(legal)))
        await asyncio.sleep(0)
        return random.Random(seed).choice(list(legal))

    def close(self) -> None:
        self.closed = True


@asynccontextmanager
async def service(
    database: str,
    chance: ChanceSource | None = None,
    runtime: Runtime | None = None,
    bots: MoveChooser | None = None,
    memory: int = MEMORY,
) -> AsyncIterator[Tables]:
    """The tables of a server, which stops at the end. Bots move after ``start_bots``."""
    store = await Store.open(prepared(database))
    runtime = runtime or CountedRuntime()
    tables = Tables(store, bots or Monkeys(), chance or Seeded(7), runtime, memory=memory, services=SERVICES)
    try:
        yield tables
    finally:
        await tables.close()
        await store.close()


def alter(
    table: Table,
    context: Context,
    players: Mapping[int, Mapping[str, Any]] | None = None,
    orders: Mapping[int, str] | None = None,
) -> Change[None]:
    """Set columns of players and the texts of orders, as no command of a person does."""
    change = Change(table, context.now, None, orders=dict(orders or {}), audience=EVERYBODY)
    for player, columns in (players or {}).items():
        change.player(player, **columns)
    return change


async def give_seats(tables: Tables, table: Table, holders: Mapping[int, str]) -> None:
    """Give each of these players to the browser with this hash."""
    await tables.run(table.id, alter, {player: {"holder": holder} for player, holder in holders.items()})


async def decide(tables: Tables, table: Table, seat: int, move: str) -> None:
    """Play a move in notation for a seat, which may be a bot's."""
    player = table.players[table.options.owners[seat]]
    if player.bot:
        chosen = (move_id(table.title, table.game.setup, move),)
        await tables.run(table.id, moves.move_automatically, seat, chosen, table.decision)
    else:
        key = f"{table.version}.{seat}"  # not the move: notation may be longer than keys may be
        await tables.submit(table.id, player.holder, seat, move, table.decision, key)


def facts(table: Table) -> tuple[object, ...]:
    """Return everything that defines a table, and everything that anybody sees of it."""
    eyes = [None, *range(table.options.players)]
    return (
        [(e.by, e.what) for e in table.game.log],
        table.game.position,
        table.pending,
        table.awaited(),
        table.frozen,
        [repr(table.view(player)) for player in eyes],
        [table.moves(player) for player in eyes[1:]],
        table.players,
        (table.kind, table.terms, table.created, table.date, table.origin, table.options),
    )


def someone(table: Table, choose: random.Random) -> tuple[int, str]:
    """Return a seat that must decide, and one of its moves in notation."""
    asked = [line for player in table.awaited() for line in table.moves(player)]
    seat, moves = choose.choice(asked)
    return seat, choose.choice(moves)[1]
