"""The only writer of a database: changes that wait share a transaction, and each gets its own answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

from paddock.store import (
    AnswerRow,
    EventRow,
    Keeping,
    KeyTaken,
    PendingRow,
    PlayerRow,
    Store,
    TableRow,
    TalkRow,
    Unavailable,
    Write,
)
from paddock.store.database import LOCKED, connect, database_url, transactions
from paddock.store.driver import Transactions
from paddock.store.kinds import RACE
from paddock.store.terms import Terms
from paddock.store.writer import InThread, Writer
from store.databases import sqlite_only, without
from tables.clockwork import PATIENCE_S

pytestmark = pytest.mark.anyio
T = TypeVar("T")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TABLE = TableRow(
    id="t0",
    title="lacorsa",
    revision=1,
    options="drivers=4",
    kind=RACE,
    terms=Terms(),
    created=NOW,
    date="2026-03-01",
    length=0,
    over=False,
)
ANSWER = AnswerRow("key", 0, 0, "committed", "Committed: 7.", "7")


class Held:
    """Transactions that begin when the test lets them; ``begun`` counts them."""

    def __init__(self, real: Transactions) -> None:
        self._real = real
        self.begun = 0
        self.fails_at = 0  # this transaction fails, because the database is gone
        self.reached = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()

    @property
    def engine(self) -> Engine:
        return self._real.engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        self.begun += 1
        self.reached.set()
        await self.open.wait()
        if self.begun == self.fails_at:
            raise ConnectionError("the database is gone")
        return await self._real.run(work)

    async def close(self) -> None:
        await self._real.close()


@asynccontextmanager
async def held(database: str, tables: int) -> AsyncIterator[tuple[Store, Held]]:
    """A store with the tables t0, t1, and so on."""
    await (await Store.open(database)).close()
    address = database_url(database)
    gate = Held(transactions(address))
    store = Store(connect(address), Writer(gate))
    for n in range(tables):
        await store.create(replace(TABLE, id=f"t{n}"), [PlayerRow(0, "Ana", None, None)], [])
    gate.begun = 0
    gate.reached.clear()
    yield store, gate
    await store.close()


def change(n: int, before: int = 0, **rows: Any) -> Write:
    """A change of the table tN that also says a line."""
    return Write(
        f"t{n}",
        before,
        NOW,
        {"host": f"{before + 1}"},
        talk=[TalkRow(before, NOW, None, "table", "hello")],
        **rows,
    )


async def together(store: Store, writes: list[Write]) -> list[bool | BaseException]:
    """Commit changes at the same time."""
    return await asyncio.gather(*map(store.commit, writes), return_exceptions=True)


async def versions(store: Store, tables: int) -> list[int]:
    """Return the stored versions, and check that each table has as many lines."""
    found = []
    for n in range(tables):
        stored = await store.load(f"t{n}")
        assert stored is not None and len(stored.talk) == stored.table.version
        found.append(stored.table.version)
    return found


async def test_changes_that_wait_share_a_transaction(database: str) -> None:
    async with held(database, 6) as (store, gate):
        gate.open.clear()
        first = asyncio.create_task(store.commit(change(0)))
        await gate.reached.wait()
        others = [asyncio.create_task(store.commit(change(n))) for n in range(1, 6)]
        await asyncio.sleep(0)
        gate.open.set()
        assert await asyncio.gather(first, *others) == [True] * 6
        assert gate.begun == 2
        assert await versions(store, 6) == [1] * 6


async def test_a_transaction_has_so_many_changes(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.store.writer.MOST", 2)
    async with held(database, 5) as (store, gate):
        assert await together(store, [change(n) for n in range(5)]) == [True] * 5
        assert gate.begun == 3


async def test_a_change_of_another_version_alone_is_left_out(database: str) -> None:
    async with held(database, 4) as (store, gate):
        writes = [change(0), change(1, before=1), replace(change(2), before=7), change(3)]
        assert await together(store, writes) == [True, False, False, True]
        assert gate.begun == 1
        assert await versions(store, 4) == [1, 0, 0, 1]
        gone = replace(change(0, 1), id="nowhere")
        assert await together(store, [gone, change(3, 1)]) == [False, True]


@sqlite_only
async def test_a_server_that_has_lost_a_table_changes_nothing_there(database: str) -> None:
    async with held(database, 0) as (store, _gate):
        for n, owner in enumerate(("me", "other", None)):
            await store.create(replace(TABLE, id=f"t{n}"), [PlayerRow(0, "Ana", None, None)], [], owner=owner)
        mine = [store.commit(change(n), owner="me") for n in range(3)]
        assert await asyncio.gather(*mine) == [True, False, False]
        assert await versions(store, 3) == [1, 0, 0]
        assert await together(store, [change(0, 1), change(1), change(2)]) == [True] * 3, "whoever has them"


async def test_changes_of_one_table_follow_one_another(database: str) -> None:
    async with held(database, 2) as (store, _gate):
        writes = [change(0), change(1), change(0, 1), change(0, 1), change(1, 1), change(0, 2)]
        assert await together(store, writes) == [True, True, True, False, True, True]
        assert await versions(store, 2) == [3, 2]


async def test_a_key_that_is_taken_fails_alone(database: str) -> None:
    async with held(database, 3) as (store, _gate):
        assert await store.commit(change(1, answer=ANSWER))
        other = replace(ANSWER, decision=3, moves="8")
        writes = [change(0, answer=other), change(1, 1, answer=other), change(2)]
        first, taken, last = await together(store, writes)
        assert first is True and isinstance(taken, KeyTaken) and last is True
        assert await versions(store, 3) == [1, 1, 1]
        assert await store.answer("t1", "key") == ANSWER and await store.answer("t0", "key") == other


@sqlite_only
async def test_one_of_two_whose_key_is_taken_fails_alone(database: str) -> None:
    """Whichever comes first."""
    async with held(database, 2) as (store, _gate):
        assert await store.commit(change(0, answer=ANSWER))
        again = change(0, 1, answer=ANSWER)
        taken, stored = await together(store, [again, change(1)])
        assert isinstance(taken, KeyTaken) and stored is True
        stored, taken = await together(store, [change(1, 1), again])
        assert stored is True and isinstance(taken, KeyTaken)
        assert await versions(store, 2) == [1, 2]


async def test_a_database_that_fails_is_unavailable_for_all_that_waited(database: str) -> None:
    async with held(database, 3) as (store, gate):
        async with without(store, "talk"):
            answers = await together(store, [change(n) for n in range(3)])
            assert [type(answer) for answer in answers] == [Unavailable] * 3 and gate.begun == 1
        assert await versions(store, 3) == [0, 0, 0]
        assert await together(store, [change(n) for n in range(3)]) == [True] * 3


@sqlite_only
async def test_each_time_that_the_database_does_not_answer_is_counted(database: str) -> None:
    async with held(database, 1) as (store, gate):
        for n in range(1, 4):
            gate.fails_at = gate.begun + 1
            with pytest.raises(Unavailable):
                await store.commit(change(0))
            assert store.failures == n
        assert await store.commit(change(0)) and store.failures == 3


async def test_a_database_that_goes_away_while_a_key_is_looked_up_stops_nobody(database: str) -> None:
    async with held(database, 2) as (store, gate):
        assert await store.commit(change(0, answer=ANSWER))
        gate.open.clear()
        gate.reached.clear()
        taken = asyncio.create_task(store.commit(change(0, 1, answer=ANSWER)))
        await gate.reached.wait()
        gate.fails_at = gate.begun + 1
        gate.open.set()
        with pytest.raises(Unavailable):
            await taken
        assert await together(store, [change(0, 1), change(1)]) == [True, True]


async def test_nobody_waits_in_vain_for_who_went_away(database: str) -> None:
    async with held(database, 2) as (store, gate):
        gate.open.clear()
        gone, stays = (asyncio.create_task(store.commit(change(n))) for n in range(2))
        await gate.reached.wait()
        for _ in range(3):  # a framework may cancel again until the task ends
            gone.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert not gone.done(), "what it locked stays locked until its change is stored"
        gate.open.set()
        await asyncio.wait([gone, stays])
        assert stays.result() and gone.cancelled()
        assert await versions(store, 2) == [1, 1]


async def test_a_commit_that_fails_leaves_no_transaction_open(tmp_path: Path) -> None:
    """SQLite does not end a transaction whose commit breaks a deferred key."""
    url = f"sqlite:///{tmp_path}/p.db"
    await (await Store.open(url)).close()
    writing = transactions(database_url(url))

    def orphan(connection: Connection) -> None:
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        connection.execute(text("INSERT INTO banned VALUES ('nowhere', 'h')"))

    with pytest.raises(IntegrityError):
        await writing.run(orphan)
    assert await writing.run(lambda connection: connection.execute(text("SELECT 1")).scalar()) == 1
    assert not await writing.run(lambda connection: connection.execute(text("SELECT * FROM banned")).all())
    await writing.close()


async def test_what_waits_is_stored_before_the_end(database: str) -> None:
    async with held(database, 2) as (store, gate):
        gate.open.clear()
        tasks = [asyncio.create_task(store.commit(change(n))) for n in range(2)]
        await gate.reached.wait()
        asyncio.get_running_loop().call_later(0.05, gate.open.set)
    assert [task.result() for task in tasks] == [True, True]
    again = await Store.open(database)
    assert await versions(again, 2) == [1, 1]
    await again.close()


async def test_nothing_is_acknowledged_before_it_is_committed(tmp_path: Path) -> None:
    """The statements have run, and the thread is about to commit: nobody has an answer yet."""
    url = f"sqlite:///{tmp_path}/p.db"
    store = await Store.open(url)
    for n in range(2):
        await store.create(replace(TABLE, id=f"t{n}"), [PlayerRow(0, "Ana", None, None)], [])
    await store.close()
    engine = create_engine(url)
    committing, go_on = threading.Event(), threading.Event()

    @event.listens_for(engine, "commit")
    def wait(_connection: Connection) -> None:
        committing.set()
        assert go_on.wait(PATIENCE_S)

    store = Store(connect(database_url(url)), Writer(InThread(engine, ThreadPoolExecutor(1))))
    tasks = [asyncio.create_task(store.commit(change(n))) for n in range(2)]
    assert await asyncio.to_thread(committing.wait, PATIENCE_S)
    await asyncio.sleep(0.05)
    assert not any(task.done() for task in tasks)
    assert await versions(store, 2) == [0, 0]
    go_on.set()
    assert await asyncio.gather(*tasks) == [True, True]
    assert await versions(store, 2) == [1, 1]
    await store.close()


async def test_one_of_two_servers_changes_a_version(database: str) -> None:
    """They change the same tables in another order at the same time: nobody blocks the other for good."""
    async with held(database, 3) as (one, _gate):
        other = await Store.open(database)
        for before in range(20):
            ones = [one.commit(change(n, before)) for n in (0, 1, 2)]
            others = [other.commit(change(n, before)) for n in (2, 1, 0)]
            answers = await asyncio.gather(*ones, *others)
            mine, theirs = answers[:3], answers[:2:-1]
            assert [sum(pair) for pair in zip(mine, theirs, strict=True)] == [1] * 3
        await other.close()
        assert await versions(one, 3) == [20] * 3


async def test_what_waits_behind_a_transaction_that_fails_does_not_wait_again(database: str) -> None:
    """Otherwise the last of many requests hears of a lock that is held only after many times its limit."""
    async with held(database, 3) as (store, gate):
        gate.open.clear()
        first = asyncio.create_task(store.commit(change(0)))
        await gate.reached.wait()
        waiting = [store.commit(change(0)), store.commit(change(1)), store.keep({"d": "text"})]
        rest = asyncio.gather(*waiting, return_exceptions=True)
        await asyncio.sleep(0.01)  # so that they wait
        gate.fails_at = 1
        gate.open.set()
        with pytest.raises(Unavailable):
            await first
        assert [type(error) for error in await rest] == [Unavailable] * 3
        assert gate.begun == 1
        assert await store.commit(change(2)) and await versions(store, 3) == [0, 0, 1]


async def test_a_foreign_lock_is_waited_for_but_not_for_long(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process holds the whole database; the server can write again as soon as it lets go."""
    assert LOCKED == 5
    monkeypatch.setattr("paddock.store.database.LOCKED", 0.1)
    store = await Store.open(database)
    await store.create(TABLE, [PlayerRow(0, "Ana", None, None)], [])
    engine = create_async_engine(database_url(database))
    async with engine.connect() as foreign:
        sqlite = database.startswith("sqlite")
        await foreign.execute(text("BEGIN IMMEDIATE" if sqlite else "LOCK TABLE tables, talk"))
        with pytest.raises(Unavailable, match="does not answer at the moment"):
            await store.commit(change(0))
        await foreign.rollback()
    await engine.dispose()
    assert await store.commit(change(0))
    await store.close()


@sqlite_only
async def test_each_kind_of_row_takes_one_statement_and_none_without_rows(database: str) -> None:
    async with held(database, 4) as (store, gate):
        asked: list[str] = []

        @event.listens_for(gate.engine, "before_cursor_execute")
        def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
            asked.append(statement)

        statements = []
        for changes in ([change(0)], [change(n) for n in (1, 2, 3)]):
            asked.clear()
            assert await together(store, changes) == [True] * len(changes)
            statements.append([said.split()[0] for said in asked])
            assert any("json_each" in said for said in asked) is (len(changes) > 1), "one row needs no JSON"
        assert statements[0] == statements[1] == ["BEGIN", "SELECT", "UPDATE", "INSERT"]


async def test_many_changes_store_what_one_change_stores(database: str) -> None:
    """Rows that go to the database together lose nothing: numbers, times, nothing at all, strange texts."""
    texts = ["", "7", "null", "“Ana” 'n' \"B\"\\", "a\nb\t\u2028c", "\x01\x7f", "🏎 é", "[1]", "$[0] ? {}"]
    texts += ["a\0b"] * database.startswith("sqlite")  # PostgreSQL has no such texts

    def strange(n: int, text: str) -> Write:
        rows = [EventRow(i, i, i, 0, (1 << 64) - 1 - i, bool(i)) for i in range(2)]
        player = {"name": text, "bank_ms": (1 << 40) if n else None, "ready": bool(n), "holder": text or None}
        answer = AnswerRow(text or "key", 0, 0, "played", text, text)
        talk = [TalkRow(0, NOW + timedelta(microseconds=n), None, "table", text)]
        columns = {"host": text, "abandoned": bool(n), "touched_at": NOW + timedelta(seconds=n)}
        commit = PendingRow(0, n, n)
        return Write(f"t{n}", 0, NOW, columns, {0: player}, rows, commit=commit, talk=talk, answer=answer)

    writes = [strange(n, text) for n, text in enumerate(texts)]
    async with held(database, len(texts)) as (store, gate):
        for write in writes:
            assert await store.commit(write)
        one_by_one = [await store.load(write.id) for write in writes]
        for write in writes:
            assert await store.part(Keeping).delete(write.id)
            await store.create(replace(TABLE, id=write.id), [PlayerRow(0, "Ana", None, None)], [])
        gate.begun = 0
        assert await together(store, writes) == [True] * len(writes) and gate.begun == 1
        assert [await store.load(write.id) for write in writes] == one_by_one
        assert one_by_one[3] and one_by_one[3].players[0].name == texts[3]
