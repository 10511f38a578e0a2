"""A database that is gone for a while: nothing is lost, and everything goes on by itself afterwards."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

import needs
from paddock.core.title import Seen
from paddock.kernel.source import Seeded
from paddock.store import Store, Unavailable
from paddock.store.database import connect, database_url, transactions
from paddock.store.driver import Transactions
from paddock.store.writer import Writer
from paddock.tables import Tables, autoplay, orders, timers
from paddock.tables import service as parts
from paddock.tables.live import LiveTable
from paddock.tables.replaying import replayed
from paddock.tables.restore import restore
from store.databases import KINDS, both
from tables.clockwork import friends, play, play_on, road, until
from tables.harness import BEN, CountedRuntime, Monkeys, facts, service

pytestmark = pytest.mark.anyio
T = TypeVar("T")


class Waiting(Monkeys):
    """Bots that choose when the test lets them."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        await self.open.wait()
        return await super().choose(level, seen, seat, legal, seed)


class Patient(CountedRuntime):
    """Retries take a little real time, in which a database can start."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        await asyncio.sleep(0.01 if seconds else 0)


class Deaf:
    """Transactions whose connection breaks after the commit and before the answer, if ``broken`` is set."""

    def __init__(self, real: Transactions) -> None:
        self._real = real
        self.broken = False

    @property
    def engine(self) -> Engine:
        return self._real.engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        found = await self._real.run(work)
        if self.broken:
            raise OperationalError("COMMIT", {}, ConnectionResetError())
        return found

    async def close(self) -> None:
        await self._real.close()


async def half_deaf(database: str, runtime: CountedRuntime) -> tuple[Tables, Deaf]:
    """Return tables, and what breaks their connection after a commit."""
    await (await Store.open(database)).close()
    address = database_url(database)
    deaf = Deaf(transactions(address))
    return Tables(Store(connect(address), Writer(deaf)), Monkeys(), Seeded(7), runtime), deaf


class Heard:
    """A follower that notes which tables it was told of."""

    def __init__(self, told: list[str]) -> None:
        self._told = told

    def changed(self, live: LiveTable, audience: str) -> None:
        self._told.append(live.table.id)


@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
@pytest.mark.parametrize("end", [needs.Postgres.kill, needs.Postgres.stop])
async def test_everything_goes_on_when_postgresql_is_back(
    end: Callable[[needs.Postgres], None],
    postgres_server: needs.Postgres,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """People, bots, orders and clocks, without a restart of the server."""
    waits = {autoplay: 5.25, timers: 5.5, parts: 5.75}
    for part, seconds in waits.items():
        monkeypatch.setattr(part, "AGAIN", seconds)
    runtime, bots = Patient(), Waiting()
    async with service(database, runtime=runtime, bots=bots) as tables:
        timed = await friends(tables, 2, clock="60+0")
        table = await friends(tables, 2, bots=2)
        ordered = await friends(tables, 4)
        await play_on(tables, ordered, lambda: road(ordered))
        seat, decision = ordered.game.deciders[0], ordered.decision
        await tables.run(ordered.id, orders.give, ordered.players[seat].holder, seat, "discard lowest")
        assert await play(tables, table, 0) == "committed"
        (_seat, moves), *_ = table.moves(1)
        move = moves[0][1]

        end(postgres_server)
        for _ in range(2):
            with pytest.raises(Unavailable, match="try again in a few seconds"):
                await tables.submit(table.id, BEN, 1, move, table.decision, "key")
        tables.start_bots()
        bots.open.set()
        await until(lambda: set(waits.values()) <= set(runtime.slept))
        assert set(table.pending) == {0} and ordered.decision == decision
        assert not any(one.stalled for one in (timed, table, ordered))

        postgres_server.start()
        await until(lambda: set(table.pending) == {0, 2, 3})
        await until(lambda: ordered.decision > decision)
        await until(lambda: timed.players[0].stand_in)
        assert (await tables.submit(table.id, BEN, 1, move, table.decision, "key")).status == "played"
        assert tables.resuming is not None
        await tables.resuming


@both
@pytest.mark.parametrize("last", [False, True])
async def test_a_move_whose_commit_was_not_heard_counts_once(database: str, last: bool) -> None:
    """The connection may break after the commit: the same submission gets the answer that was stored."""
    tables, deaf = await half_deaf(database, CountedRuntime())
    store = tables.store
    table = await friends(tables, 4)
    for seat in range(3 if last else 0):
        assert await play(tables, table, seat) == "committed"
    seat, decision, version = len(table.pending), table.decision, table.version
    move = dict(table.moves(seat))[seat][0][1]
    holder = table.players[seat].holder
    deaf.broken = True
    with pytest.raises(Unavailable, match="try again"):
        await tables.submit(table.id, holder, seat, move, decision, "key")
    deaf.broken = False
    again = await tables.submit(table.id, holder, seat, move, decision, "key")
    assert again.status == ("played" if last else "committed")
    stored = await store.load(table.id)
    assert stored is not None and stored.table.length == table.rows == len(stored.events)
    assert stored.table.version == version + 1 and len(stored.pending) == (0 if last else 1)
    again_ = restore(stored, await replayed(tables.workers, stored))
    assert facts(table) == facts(again_)
    await tables.close()
    await store.close()


@both
async def test_a_move_whose_commit_was_not_heard_is_seen_by_itself(database: str) -> None:
    """Whoever moved may have closed the page: who is called to the table finds the move there."""
    tables, deaf = await half_deaf(database, Patient())
    store = tables.store
    table = await friends(tables, 4)
    version, told = table.version, list[str]()
    tables.engine.followers.append(Heard(told))
    deaf.broken = True
    with pytest.raises(Unavailable, match="try again"):
        await play(tables, table, 0)
    assert not table.pending
    deaf.broken = False
    await until(lambda: set(table.pending) == {0} and bool(told))
    assert table.version == version + 1
    await tables.close()
    await store.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_people_at_one_table_wait_for_a_lock_together(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A foreign lock: the commands of a table take turns, but not turns of waiting."""
    monkeypatch.setattr("paddock.store.database.LOCKED", 0.2)
    begun = 0
    async with service(database) as tables:
        table = await friends(tables, 4)

        def count(_connection: object) -> None:
            nonlocal begun
            begun += 1

        with sqlite3.connect(database.removeprefix("sqlite:///")) as foreign:
            foreign.execute("BEGIN IMMEDIATE")
            event.listen(Engine, "begin", count)
            answers = await asyncio.gather(
                *(play(tables, table, n) for n in range(4)), return_exceptions=True
            )
            event.remove(Engine, "begin", count)
        foreign.close()
        assert [type(answer) for answer in answers] == [Unavailable] * 4
        assert begun == 1
        assert [await play(tables, table, n) for n in range(4)] == [*["committed"] * 3, "played"]
