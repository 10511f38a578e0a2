"""A server that starts resumes every table that another left, even if nobody watches it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from paddock.kernel.source import Seeded
from paddock.store import Stored, Unavailable
from paddock.store.schema import tables as rows
from paddock.tables import Tables, orders
from paddock.tables.glances import Glances
from paddock.tables.registry import weight
from paddock.tables.runtime import LONGEST, SHORTEST
from store.databases import both, execute, without
from tables.clockwork import HandRuntime, friends, play, play_on, quiet, road, until
from tables.harness import ANA, BEN, service

pytestmark = pytest.mark.anyio
DOWN = 10_000  # seconds that nobody serves


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resume tables without a pause in between."""
    monkeypatch.setattr("paddock.tables.service.GAP", 0.0)


@asynccontextmanager
async def next_server(database: str, runtime: HandRuntime, **more: Any) -> AsyncIterator[Tables]:
    """Yield another server some time later, after it has resumed all tables."""
    runtime.time += DOWN
    async with service(database, Seeded(8), runtime, **more) as tables:
        tables.start_bots()
        await until(resumed(tables).done)
        await quiet(tables)
        yield tables


def resumed(tables: Tables) -> asyncio.Task[None]:
    assert tables.resuming is not None
    return tables.resuming


def in_memory(tables: Tables) -> set[str]:
    return {live.table.id for live in tables.registry}


async def left(tables: Tables, id: str) -> Stored:
    """Return what is stored of a table, without loading it."""
    await quiet(tables)
    stored = await tables.store.load(id)
    assert stored is not None
    return stored


async def test_clocks_run_out_where_nobody_looks(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        tables.start_bots()
        id = (await friends(tables, 4, clock="20+0", pace="human")).id
        await runtime.let(tables, 5)
    async with next_server(database, runtime) as tables:
        assert not list(tables.registry), "a table that only waits is in memory when its time has come"
        await runtime.let(tables, 14.9)
        assert not any(player.stand_in for player in (await left(tables, id)).players)
        await runtime.let(tables, 0.2)
        stored = await left(tables, id)
        assert [(player.stand_in, player.bank_ms) for player in stored.players] == [(True, 0)] * 4
        await runtime.let(tables, 2 * LONGEST)
        assert (await left(tables, id)).table.length > stored.table.length
        assert not (await tables.table(id)).frozen


async def test_a_killed_server_costs_nobody_anything_where_nobody_looks(database: str) -> None:
    """The time since the clocks were last saved, and the downtime, are not charged."""
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as killed:
        killed.start_bots()
        id = (await friends(killed, 4, clock="1000+0")).id
        await runtime.let(killed, 17)  # written down after 10
        assert {player.bank_ms for player in (await left(killed, id)).players} == {990_000}
        killed.autoplay.moving = killed.timers.moving = False
        for presence in killed.registry.presence.values():
            assert presence.timer is not None
            presence.timer.cancel()
        async with next_server(database, runtime) as tables:
            await runtime.let(tables, 989)
            assert {player.bank_ms for player in (await left(tables, id)).players} == {10_000}
            await runtime.let(tables, 1.1)
            assert all(player.stand_in for player in (await left(tables, id)).players)


async def test_grace_periods_end_where_nobody_looks(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        tables.start_bots()
        id = (await friends(tables, 2, grace=60)).id
        await runtime.let(tables, 50)
    async with next_server(database, runtime) as tables:
        # Nobody knows for how long they are away: they have the whole period once more.
        await runtime.let(tables, 59)
        assert not any(player.stand_in for player in (await left(tables, id)).players)
        await runtime.let(tables, 1.1)
        assert all(player.stand_in for player in (await left(tables, id)).players)


async def test_bots_move_where_nobody_looks_at_their_pace(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        id = (await tables.making.create("lacorsa", {"drivers": 2, "races": 1}, ["club"] * 2, holder=ANA)).id
    async with next_server(database, runtime) as tables:
        await runtime.let(tables, SHORTEST - 0.01)
        assert (await left(tables, id)).pending == ()
        await runtime.let(tables, 2 * LONGEST)
        assert (await left(tables, id)).pending or (await left(tables, id)).table.length > 1
        table = await tables.table(id)
        for _ in range(200):
            if table.game.over:
                break
            await runtime.let(tables, 2 * LONGEST)
        assert table.game.over and table.stalled is None


async def test_a_standing_order_answers_where_nobody_looks(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        table = await friends(tables, 4, pace="instant")
        await play_on(tables, table, lambda: road(table))
        (seat,) = table.awaited_seats()
        order = next(order for order in orders.offered(table, seat) if order.text == "discard lowest")
        await tables.run(table.id, orders.give, table.players[seat].holder, seat, order.text)
        id, decision = table.id, table.decision
    async with next_server(database, runtime) as tables:
        await runtime.let(tables, SHORTEST - 0.01)
        assert (await left(tables, id)).table.length == decision
        await runtime.let(tables, LONGEST)
        stored = await left(tables, id)
        assert next(row for row in stored.events[decision:]).by == seat


async def test_a_table_that_cannot_be_taken_up_holds_up_no_other(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        good, broken, strange, last = [(await friends(tables, 2, grace=60)).id for _ in range(4)]
        await execute(
            tables.store,
            update(rows).where(rows.c.id == broken).values(length=99),
            update(rows).where(rows.c.id == strange).values(title="no such title"),
        )
    async with next_server(database, runtime) as tables:
        assert [r.message for r in caplog.records if r.levelno == logging.ERROR] == [
            f"cannot resume table {strange}"
        ]
        await runtime.let(tables, 61)
        for id, moved in ((good, True), (broken, False), (last, True)):
            assert [player.stand_in for player in (await left(tables, id)).players] == [moved] * 2


async def test_a_table_that_must_wait_lets_the_others_pass(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        other = (await friends(tables, 2, grace=60)).id
        runtime.time += 1
        busy = (await friends(tables, 2, grace=60)).id
    async with service(database, Seeded(8), runtime) as tables:
        find = tables.registry.find

        async def slow(id: str) -> object:
            if id == busy and other not in tables.registry.presence:
                raise Unavailable
            return await find(id)

        monkeypatch.setattr(tables.registry, "find", slow)
        tables.start_bots()
        await runtime.let(tables, 1.1)
        assert other in tables.registry.presence
        await runtime.let(tables, 1.1)
        assert resumed(tables).done() and busy in tables.registry.presence


async def test_a_request_does_not_wait_for_the_others(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.tables.service.GAP", 1.0)
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        ids = []
        for _ in range(3):
            ids.append((await friends(tables, 2, clock="600+0")).id)
            runtime.time += 1
    async with service(database, Seeded(8), runtime) as tables:
        tables.start_bots()
        oldest = await tables.table(ids[0])
        assert not resumed(tables).done()
        assert await play(tables, oldest, 0) == "committed"
        await runtime.let(tables, 0)
        known = tables.registry.presence
        assert known.keys() == {ids[0], ids[2]}, "the last touched is the first"
        await runtime.let(tables, 1.1)
        assert known.keys() == set(ids)
        await runtime.let(tables, 2.1)
        assert resumed(tables).done() and await tables.table(ids[0]) is oldest


async def test_a_table_that_is_new_is_not_taken_up_as_well(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database, Seeded(7), HandRuntime()) as tables:
        create = tables.store.create

        async def slowly(*rows: Any) -> None:
            await create(*rows)
            tables.start_bots()
            created = tables.registry._loading[rows[0].id]  # somebody else wants the table meanwhile
            await until(lambda: resumed(tables).done() or bool(created._waiters))

        monkeypatch.setattr(tables.store, "create", slowly)
        table = await friends(tables, 1, 3, pace="human")
        await until(resumed(tables).done)
        assert await tables.table(table.id) is table
        names = [task.get_name() for task in asyncio.all_tasks()]
        assert names.count(f"bots of {table.id}") == 1


async def test_a_server_that_stops_at_once_leaves_all_as_it_was(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        ids = [(await friends(tables, 2, clock="600+0")).id for _ in range(3)]
        stands = [await left(tables, id) for id in ids]
    for turns in range(4):
        async with service(database, Seeded(8), runtime) as tables:
            tables.start_bots()
            for _ in range(turns):
                await asyncio.sleep(0)
        assert resumed(tables).done()
    async with service(database, Seeded(8), runtime) as tables:
        for id, stood in zip(ids, stands, strict=True):
            stored = await left(tables, id)
            version = stored.table.version
            assert stored == replace(stood, table=replace(stood.table, version=version))


@both
async def test_tables_are_resumed_when_the_database_answers_again(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        id = (await friends(tables, 2, grace=60)).id
    async with service(database, Seeded(8), runtime) as tables:
        async with without(tables.store, "tables"):
            tables.start_bots()
            for _ in range(20):
                await runtime.let(tables, 5)
            assert not resumed(tables).done()
        for _ in range(100):
            await runtime.let(tables, 5)
            if resumed(tables).done():
                break
        await runtime.let(tables, 61)
        assert all(player.stand_in for player in (await left(tables, id)).players)


# Out of memory


async def test_a_table_that_waits_leaves_the_memory_and_who_was_there_is_known(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime, memory=1) as tables:
        tables.start_bots()
        table = await friends(tables, 2, grace=60)
        await runtime.let(tables, 30)
        await tables.timers.seen(table.id, BEN)
        other = await friends(tables, 2)
        assert in_memory(tables) == {other.id}
        assert tables.registry.presence.keys() == {table.id, other.id}
        await runtime.let(tables, 29)
        assert in_memory(tables) == {other.id}
        await runtime.let(tables, 2)
        assert [player.stand_in for player in (await left(tables, table.id)).players] == [True, False]
        await runtime.let(tables, 28)
        assert [player.stand_in for player in (await left(tables, table.id)).players] == [True, False]
        await runtime.let(tables, 2)
        assert [player.stand_in for player in (await left(tables, table.id)).players] == [True, True]


async def test_of_tables_of_other_servers_the_one_looked_at_first_leaves_the_memory(database: str) -> None:
    async with service(database) as tables:
        one, two, three = [await friends(tables, 2) for _ in range(3)]
        glances = Glances(tables.store, tables.registry, 2 * weight(one) + 1000)
        for table in (one, two, one, three):
            assert (await glances._stored(table.id, table.version)).game.log == table.game.log
        assert list(glances._known) == [one.id, three.id]


async def test_where_nothing_will_be_due_nobody_is_remembered(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime, memory=1) as tables:
        tables.start_bots()
        ids = [(await friends(tables, 2)).id for _ in range(3)]
        await tables.timers.seen(ids[0], ANA)
        await tables.table(ids[1])
        assert in_memory(tables) == {ids[1]} == tables.registry.presence.keys()


@both
async def test_clocks_go_on_when_the_database_answers_again(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 2, grace=60)
        async with without(tables.store, "talk"):
            await runtime.let(tables, 61)
        assert "does not answer" in caplog.text and not any(p.stand_in for p in table.players)
        await runtime.let(tables, 61)
        assert all(player.stand_in for player in (await left(tables, table.id)).players)
