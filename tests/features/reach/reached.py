"""Players who are called: a receiver in this process, and time that tests move."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from paddock.features.reach.outside import Outside
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.sender import Sender
from paddock.features.reach.service import Reach
from paddock.features.reach.ways.way import Sent
from paddock.features.reach.wishes import Wishes
from paddock.features.reach.words import Message
from paddock.kernel.source import Seeded
from paddock.store import Store
from paddock.store.database import connect, database_url, transactions
from paddock.store.driver import Transactions
from paddock.store.writer import T, Writer
from paddock.tables import Runtime, Table, Tables, automatic
from paddock.tables.tasks import end
from store.databases import prepared
from tables.clockwork import HandRuntime, play, quiet
from tables.harness import SERVICES, Monkeys

SITE = "https://club.example"
HOOK = "https://hooks.example/"


@dataclass
class Ears:
    """Hears every message. ``how`` says whether one arrives, and what its sender hears of that."""

    heard: list[tuple[ChannelRow, Message]] = field(default_factory=list)
    how: Callable[[], tuple[bool, Sent]] = lambda: (
        True,
        Sent(True),
    )

    async def send(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
        arrives, sent = self.how()
        await asyncio.sleep(0)
        if arrives:
            self.heard.append((channel, message))
        return sent

    async def close(self) -> None:
        pass

    def told(self) -> list[tuple[str, str]]:
        """Return the first letter of whom each message was for, and its kind; forget them."""
        found = [(channel.holder[0], message.kind) for channel, message in self.heard]
        self.heard.clear()
        return found


class Days(HandRuntime):
    """Time that passes only when a test says so; whoever sends has always finished before it goes on."""

    async def let(self, tables: Tables, seconds: float) -> None:
        end = self.time + seconds
        await settled(tables)
        while due := [when for when, event in self._sleepers if when <= end and not event.is_set()]:
            self.time = max(self.time, min(due))
            for when, event in self._sleepers:
                if when <= self.time:
                    event.set()
            await settled(tables)
        self.time = end


class Leaps(Days):
    """Time that passes at once: where it does not matter when something happens in it."""

    async def let(self, tables: Tables, seconds: float) -> None:
        await settled(tables)
        self.time += seconds
        while due := [event for when, event in self._sleepers if when <= self.time and not event.is_set()]:
            for event in due:
                event.set()
            await settled(tables)


def wishes_of(tables: Tables) -> Wishes:
    """Return what browsers have said."""
    return tables.service(Reach).wishes


def sender_of(tables: Tables) -> Sender:
    """Return what sends messages."""
    return tables.service(Reach).sender


async def settled(tables: Tables) -> None:
    """Wait until nothing is being written, read or sent."""
    while True:
        await quiet(tables)
        if sender_of(tables).idle:
            return


class Flaky:
    """Transactions that fail now and then: before they begin, or after they were committed."""

    def __init__(self, real: Transactions, choose: random.Random, rate: float) -> None:
        self._real = real
        self._choose = choose
        self.rate = rate
        self.failed = 0

    @property
    def engine(self) -> Engine:
        return self._real.engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        before, after = (self._choose.random() < self.rate for _ in range(2))
        if before:
            self._fail()
        found = await self._real.run(work)
        if after:
            self._fail()
        return found

    def _fail(self) -> None:
        self.failed += 1
        raise OperationalError("COMMIT", {}, ConnectionResetError())

    async def close(self) -> None:
        await self._real.close()


def opened(
    database: str,
    ears: Ears,
    runtime: Runtime,
    choose: random.Random | None = None,
    rate: float = 0.0,
    outside: Outside | None = None,
) -> tuple[Tables, Flaky]:
    """Return the tables of a server whose messages are heard, and its transactions; it has not started."""
    address = database_url(prepared(database))
    flaky = Flaky(transactions(address), choose or random.Random(0), rate)
    store = Store(connect(address), Writer(flaky))
    others = [one for one in SERVICES if one is not Reach]
    services = [*others, lambda tables: Reach(tables, outside or Outside(), ears)]
    return Tables(store, Monkeys(), Seeded(7), runtime, services=services), flaky


@asynccontextmanager
async def calling(
    database: str, ears: Ears, runtime: Runtime | None = None, outside: Outside | None = None
) -> AsyncIterator[Tables]:
    """The tables of a server that calls players, with bots and clocks."""
    tables, _flaky = opened(database, ears, runtime or Days(), outside=outside)
    tables.start_bots()
    try:
        yield tables
    finally:
        await tables.close()
        await tables.store.close()


async def killed(tables: Tables) -> None:
    """End a server as a kill does: it does nothing more. What is being written is written."""
    sender, tables.autoplay.moving, tables.timers.moving = sender_of(tables), False, False
    tasks = [sender._task, *sender._sending, *sender._looking.values(), tables.resuming, tables.beating]
    tasks += [presence.timer for presence in tables.registry.presence.values()]
    await end([*tasks, *(task for live in tables.registry for task in live.tasks)])
    await tables.store.close()


async def go(tables: Tables, table: Table, *holders: str) -> None:
    """Let these people decide, if it is their turn."""
    for seat in table.awaited_seats():
        player = table.players[table.options.owners[seat]]
        if player.holder in holders and seat in table.awaited_seats():
            await play(tables, table, seat)


def asks(table: Table, holder: str) -> bool:
    """Whether a table waits for somebody, whose move is not played by itself."""
    seats = set(table.awaited_seats()) - automatic.awaited(table).keys()
    return any(table.players[table.options.owners[seat]].holder == holder for seat in seats)


async def hook(tables: Tables, *holders: str) -> None:
    """Let these browsers be called by a webhook, at all tables."""
    for holder in holders:
        await wishes_of(tables).add(holder, SITE, "webhook", f"{HOOK}{holder[0]}")
