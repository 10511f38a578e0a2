"""Several servers on one PostgreSQL: each table has one, and another one when that is gone."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select, text

from paddock.core.game import ChanceSource
from paddock.features.pairing.service import Pairing
from paddock.kernel.source import Seeded
from paddock.store import Store, Unavailable, leases
from paddock.store.schema import servers
from paddock.store.schema import tables as stored
from paddock.tables import Runtime, Table, Tables, Terms, moves
from paddock.tables.errors import Elsewhere
from paddock.tables.owning import Shared
from paddock.tables.tasks import end
from store.databases import KINDS, execute
from tables.clockwork import until
from tables.harness import ANA, BEN, SERVICES, Monkeys, service, someone

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("database", KINDS[1:], indirect=True)]
PEOPLE, BOTS = ["me", "me"], ["club", "club"]
RACE = {"drivers": 2, "races": 1}


@pytest.fixture(autouse=True)
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lease ends only when a test says so."""
    monkeypatch.setattr(leases, "LEASE", 600.0)
    monkeypatch.setattr("paddock.tables.owning.PATIENCE", 0.1)


class Late(Runtime):
    """Real time, of which more may pass; bots take none."""

    still = math.inf
    more = 0.0

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.more)

    def elapsed(self) -> float:
        return super().elapsed() + self.more

    def pause(self) -> float:
        return 0.0


@asynccontextmanager
async def server(database: str, chance: ChanceSource | None = None) -> AsyncIterator[Tables]:
    """A server as ``Tables.open`` makes it, without worker processes."""
    store = await Store.open(database, server=True)
    runtime = Late()
    owning = Shared(store.leases(), runtime, "")
    tables = Tables(store, Monkeys(), chance or Seeded(7), runtime, owning=owning, services=SERVICES)
    owning.forget = tables.registry.forget
    await owning.start()
    try:
        yield tables
    finally:
        await tables.close()
        await store.close()


def shared(tables: Tables) -> Shared:
    assert isinstance(tables.owning, Shared)
    return tables.owning


async def still(tables: Tables) -> str:
    """Let a server give no sign of life; return its id."""
    owning = shared(tables)
    await end(owning._tasks)
    assert owning.me
    return owning.me.id


async def freeze(tables: Tables) -> None:
    """Let a server be gone for all others. It does not notice that yet."""
    await execute(tables.store, servers.delete().where(servers.c.id == await still(tables)))


async def there(tables: Tables) -> set[str]:
    """Return the ids of all servers."""
    async with tables.store._engine.connect() as connection:
        return set((await connection.execute(select(servers.c.id))).scalars())


def thaw(tables: Tables) -> None:
    owning = shared(tables)
    owning._tasks = [asyncio.create_task(owning._beat())]


def look(tables: Tables) -> None:
    """Let a server give a sign of life, and look for others, now."""
    shared(tables)._told.set()


async def play(tables: Tables, table: Table, key: str) -> None:
    seat, move = someone(table, random.Random(key))
    await tables.submit(table.id, ANA, seat, move, table.decision, key)


async def made(tables: Tables, who: list[str] = PEOPLE) -> Table:
    return await tables.making.create("lacorsa", RACE, who, holder=ANA)


async def test_two_people_meet_at_two_servers_and_a_double_click_makes_one_table(database: str) -> None:
    async with server(database) as one, server(database) as two:
        clicks = [one, two, one, two]
        assert (
            await asyncio.gather(*(at.service(Pairing).join(ANA, "lacorsa", "live") for at in clicks))
            == [None] * 4
        )
        assert [row.holder for row in await two.service(Pairing).open(BEN)] == [ANA]
        for who in (BEN, ANA):  # who comes, and who has waited
            led = await asyncio.gather(*(at.service(Pairing).join(who, "lacorsa", "live") for at in clicks))
            async with one.store._engine.connect() as connection:
                assert {table.id for table in led if table} == set(
                    (await connection.execute(select(stored.c.id))).scalars()
                )
            assert all(led)
            assert await one.service(Pairing).open(None) == await two.service(Pairing).of(who) == []
        table = led[0]
        assert table and {p.holder for p in table.players if p.bot is None} == {ANA, BEN}


async def test_a_table_has_one_server_and_lists_are_never_old(database: str) -> None:
    async with server(database) as one, server(database) as two:
        table = await made(one)
        with pytest.raises(Elsewhere) as elsewhere:
            await two.table(table.id)
        assert elsewhere.value.peer == one.owning.me
        with pytest.raises(Elsewhere):
            await play(two, table, "elsewhere")
        for n in range(6):
            await play(one, table, f"k{n}")
            (listed,) = await two.tables_of(ANA)
            assert (listed.version, listed.game.log) == (table.version, table.game.log)
            assert await two.tables_of(ANA) == [listed], "what has not changed is not read again"
            waiting = await two.waiting(ANA)
            assert [one.id for one, _since in waiting] == [table.id]
        assert two.registry.get(table.id) is None


async def test_a_server_that_stops_frees_its_tables_at_once(database: str) -> None:
    async with server(database) as two:
        two.start_bots()
        async with server(database) as one:
            table, bots = await made(one), await made(one, BOTS)
            with pytest.raises(Elsewhere):
                await two.table(table.id)
            await play(one, table, "k")
        assert (await two.table(table.id)).game.log == table.game.log
        # Nobody asks for this one: the other server has been told.
        await until(lambda: bool((found := two.registry.get(bots.id)) and found.table.game.over))


async def test_a_server_without_a_sign_of_life_loses_its_tables_and_writes_no_more(database: str) -> None:
    async with server(database) as one, server(database, Seeded(8)) as two:
        table = await made(one)
        live = one.registry.get(table.id)
        assert live
        old = one.owning.lost
        await freeze(one)
        assert await two.table(table.id)
        before = (len(table.game.log), table.version)
        with pytest.raises(Elsewhere):
            await play(one, table, "late")  # it believes that it has the table
        shared(one)._until = 0.0
        with pytest.raises(Unavailable):
            await one.table(table.id)
        assert (len(table.game.log), table.version) == before
        for n in range(4):
            await play(two, await two.table(table.id), f"k{n}")
        thaw(one)
        await old.wait()
        assert live.lost and one.registry.get(table.id) is None
        with pytest.raises(Elsewhere):
            await one.engine.run_live(live, moves.read, ANA, 0)
        await until(lambda: one.owning.valid)  # it has joined again
        with pytest.raises(Elsewhere) as elsewhere:
            await one.table(table.id)
        assert elsewhere.value.peer == two.owning.me
        other = await made(one)
        assert (await two.store.version(other.id)) == 0
    async with service(database) as fresh:
        found = await fresh.table(table.id)
        assert found.frozen is None and found.version == before[1] + 4


async def test_what_was_decided_before_the_loss_is_not_stored_after_it(database: str) -> None:
    """The change waits in the queue of the writer while the table goes to another server."""
    async with server(database) as one, server(database) as two:
        table = await made(one)
        async with one.store._writer._turn:
            late = asyncio.create_task(play(one, table, "late"))
            await until(lambda: one.store._writer._flushing is not None)
            await freeze(one)
            there = await two.table(table.id)
        with pytest.raises(Unavailable):
            await late
        assert await two.store.version(table.id) == there.version == table.version


async def test_bots_of_a_server_that_was_killed_go_on_and_move_once(database: str) -> None:
    async with server(database) as one, server(database, Seeded(8)) as two:
        two.start_bots()
        one.start_bots()
        await until(lambda: bool(shared(two)._others))  # else nobody notices that one is gone
        table = await made(one, BOTS)
        await until(lambda: len(table.game.log) > 4)
        await freeze(one)  # its bots go on until it cannot write any more
        look(two)
        await until(lambda: two.registry.get(table.id) is not None)
        found = two.registry.get(table.id)
        assert found
        thaw(one)
        await until(lambda: found.table.game.over)
        assert found.table.stalled is None and table.stalled is None
        log = found.table.game.log
    async with service(database) as fresh:
        last = await fresh.table(table.id)
        assert last.frozen is None and last.game.log == log


async def test_a_clock_is_not_charged_for_the_time_between_two_servers(database: str) -> None:
    async with server(database) as one, server(database) as two:
        terms = Terms(clock="600+0")
        table = await one.making.create("lacorsa", RACE, PEOPLE, holder=ANA, terms=terms)
        await freeze(one)
        two.runtime.more = 3600.0  # type: ignore[attr-defined]
        there = await two.table(table.id)
        left = two.left(there)[0]
        assert left is not None and left > 590_000
        two.registry.drop(table.id)
        two.runtime.more += 60.0  # type: ignore[attr-defined]
        left = two.left(await two.table(table.id))[0]
        assert left is not None and 530_000 < left < 541_000, "but for the time at the second one"


async def test_a_database_that_was_away_takes_nothing_from_the_only_server(database: str) -> None:
    async with server(database) as one:
        table = await made(one)
        live, me = one.registry.get(table.id), one.owning.me
        await still(one)
        one.runtime.more = leases.LEASE  # type: ignore[attr-defined]
        with pytest.raises(Unavailable):
            await one.table(table.id)
        thaw(one)
        await until(lambda: one.owning.valid)
        assert await one.table(table.id) is table
        assert one.registry.get(table.id) is live and one.owning.me == me
        await play(one, table, "k")


async def test_the_rematch_of_a_table_may_be_elsewhere(database: str) -> None:
    async with server(database) as one, server(database) as two:
        table = await made(one)
        while table.awaited():
            await play(one, table, f"{table.version}")
        lobby = await one.making.rematch(table.id, ANA)
        lost = one.owning.lost
        await freeze(one)
        await two.table(lobby.id)
        thaw(one)
        look(one)
        await lost.wait()
        await until(lambda: one.owning.valid)
        again = await one.making.rematch(table.id, ANA)
        assert (again.id, again.rematch_of) == (lobby.id, table.id)
        assert one.registry.get(lobby.id) is None and two.registry.get(table.id) is None


async def test_a_server_hears_of_others_again_after_its_connection_broke(database: str) -> None:
    listens = "FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"

    async def seen(what: str) -> None:
        while True:
            async with one.store._engine.begin() as connection:
                if (await connection.execute(text(f"SELECT {what} {listens}"))).all():
                    return
            await asyncio.sleep(0.01)

    async with server(database) as one:
        leases.LEASE = 0.4  # it listens again after a part of that; restored by ``long``
        await seen("pg_terminate_backend(pid, 60000)")
        await seen("pid")
        leases.LEASE = 600.0
        await end([shared(one)._tasks.pop(0)])
        shared(one)._told.clear()
        async with server(database):
            await shared(one)._told.wait()


def later(tables: Tables, seconds: float) -> None:
    """Let time pass at a server."""
    assert isinstance(tables.runtime, Late)
    tables.runtime.more += seconds


async def renewed(tables: Tables) -> None:
    """Let a server that is still give a sign of life, and look for others."""
    await shared(tables)._renew()


async def test_a_server_is_gone_when_another_one_has_waited_for_its_whole_time(database: str) -> None:
    """Whoever waits measures that on its own clock; what the clock of the database says does not matter."""
    async with server(database) as one, server(database) as two:
        id = await still(one)
        await still(two)  # it looks only when it is told to
        await renewed(two)
        later(two, leases.LEASE - 25)
        await renewed(two)
        assert id in await there(two)
        assert await shared(one)._renew()  # in time
        later(two, 50)
        await renewed(two)
        later(two, leases.LEASE - 25)
        await renewed(two)
        assert id in await there(two)
        assert await two.owning._store.remove({id: 0}) == [id], "it has given one more meanwhile"  # type: ignore[attr-defined]
        later(one, leases.LEASE - 5)
        assert not one.owning.valid, "a server stops before others may take its tables"
        later(two, 50)
        await renewed(two)
        assert two.owning.me and await there(two) == {two.owning.me.id}
        assert not shared(two)._others


async def test_a_server_that_is_lost_again_while_it_loads_a_table_does_not_keep_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has joined again when it takes the table, and is lost when it has read it."""
    async with server(database) as one:
        table = await made(one)
        one.registry.drop(table.id)
        reading, go_on, load = asyncio.Event(), asyncio.Event(), one.store.load

        async def slow(*which: object) -> object:
            stored = await load(*which)  # type: ignore[arg-type]
            reading.set()
            await go_on.wait()
            return stored

        monkeypatch.setattr(one.store, "load", slow)
        monkeypatch.setattr("paddock.tables.owning.PATIENCE", 30.0)
        async with one.registry._turn(table.id):
            finding = asyncio.create_task(one.table(table.id))
            await asyncio.sleep(0)  # it waits for its turn
            await freeze(one)
            shared(one)._lose()
        thaw(one)
        await reading.wait()
        await freeze(one)
        shared(one)._lose()
        go_on.set()
        monkeypatch.setattr("paddock.tables.owning.PATIENCE", 0.1)
        with pytest.raises(Unavailable):
            await finding
        assert one.registry.get(table.id) is None
