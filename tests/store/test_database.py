"""Opening a database: its location, its schema, and errors."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, inspect, text
from sqlalchemy.event import listens_for
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

import paddock.features  # their rows are in the schema, too
import paddock.store
from paddock.core.errors import PaddockError
from paddock.features import FEATURES
from paddock.features.daily.rows import PRACTICE, RACED, daily_attempts, daily_days, daily_deals
from paddock.features.daily.store import DailyStore
from paddock.store import (
    AnswerRow,
    EventRow,
    PlayerRow,
    Store,
    StoreError,
    TableRow,
    TalkRow,
    Unavailable,
    Write,
    database_file,
    only_server,
)
from paddock.store.database import SERVER_LOCK, connect, database_url, transactions
from paddock.store.given import file_engine
from paddock.store.kinds import RACE
from paddock.store.schema import HEAD, claims, metadata, tables
from paddock.store.terms import Terms
from store.databases import KINDS, both, migrate_to, sqlite_only, without

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def row(id: str = "t1", **more: object) -> TableRow:
    values = {
        "id": id,
        "title": "lacorsa",
        "revision": 1,
        "options": "drivers=4",
        "kind": RACE,
        "terms": Terms(),
        "created": NOW,
        "date": "2026-03-01",
        "maker": "m" * 64,
        "length": 0,
        "over": False,
        **more,
    }
    return TableRow(**values)


def test_url_from_argument_and_default() -> None:
    assert database_url("sqlite:////a/b.db").database == "/a/b.db"
    assert database_url("postgresql://u@h/n").drivername == "postgresql+asyncpg"
    assert database_url("postgres://u@h/n").drivername == "postgresql+asyncpg"
    default = database_url()
    assert default.drivername == "sqlite+aiosqlite" and str(default.database).endswith("paddock.sqlite3")


def test_only_sqlite_has_a_file() -> None:
    assert database_file("sqlite:////a/b.db") == Path("/a/b.db")
    assert database_file("postgresql://u@h/n") is None
    assert str(database_file(None)).endswith("paddock.sqlite3")


@pytest.mark.parametrize("url", ["sqlite:///{folder}/p.db", "postgresql://h/n"])
def test_no_error_of_a_database_says_what_is_stored(url: str, tmp_path: Path) -> None:
    """Neither where it is read nor where it is written or copied."""
    address = database_url(url.format(folder=tmp_path))
    copy = file_engine(tmp_path / "copy.db")
    for engine in (connect(address).sync_engine, transactions(address).engine, copy):
        assert engine.hide_parameters


@pytest.mark.parametrize("bad", ["nonsense", "mysql://u:secret@h/n", "sqlite://", "sqlite:///:memory:"])
def test_urls_that_are_refused_say_what_to_write(bad: str) -> None:
    with pytest.raises(StoreError) as refusal:
        database_url(bad)
    assert "secret" not in str(refusal.value) and "sqlite" in str(refusal.value)


async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="PADDOCK_DATABASE_URL"):
        await Store.open(f"sqlite:///{tmp_path}/file/p.db")


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "p.db").write_text("this is no database, whatever its name says")
    with pytest.raises(StoreError) as refusal:
        await Store.open(f"sqlite:///{tmp_path}/p.db")
    assert (
        str(refusal.value) == "the database of PADDOCK_DATABASE_URL cannot be opened: file is not a database"
    )


async def test_the_migrations_lead_to_the_schema(empty: str) -> None:
    assert FEATURES, "they are loaded, with their tables"
    store = await Store.open(empty)
    async with store._engine.connect() as connection:
        differences = await connection.run_sync(
            lambda c: compare_metadata(MigrationContext.configure(c), metadata)
        )
        if connection.dialect.name == "sqlite":
            made = "SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'"
            found = (await connection.execute(text(made))).scalars()
            assert {*found} == {
                one.name
                for one in metadata.tables.values()
                if not one.dialect_options["sqlite"]["with_rowid"]
            }
    await store.close()
    assert differences == []


def older_row(connection: Connection) -> dict[str, Any]:
    """A table without the columns that an older database does not have."""
    there = {column["name"] for column in inspect(connection).get_columns("tables")}
    return {name: value for name, value in row().columns().items() if tables.c[name].name in there}


async def test_attempts_of_older_versions_that_count_are_not_practice(empty: str) -> None:
    """Until revision 0020 the table of every attempt became practice when its day was over."""
    engine = connect(database_url(empty))

    def older(connection: Connection) -> None:
        migrate_to(connection, "0020")
        day, deal = {"day": "2026-03-01"}, {"title": "rasant", "revision": 1, "options": "", "player": 0}
        connection.execute(insert(daily_days).values(secret="1" * 64, **day))
        connection.execute(insert(daily_deals).values(level="club", **day, **deal))
        for n, ended in enumerate((NOW, None)):
            old = older_row(connection) | {"id": f"t{n}", "kind": PRACTICE}
            connection.execute(insert(tables).values(old))
            attempt = {"title": "rasant", "holder": f"{n}", "name": "Ana", "begun": NOW, "settled": True}
            connection.execute(insert(daily_attempts).values(table_id=f"t{n}", ended=ended, **day, **attempt))

    async with engine.begin() as connection:
        await connection.run_sync(older)
    await engine.dispose()
    store = await Store.open(empty)
    found = [await store.load(id) for id in ("t0", "t1")]
    day = await store.part(DailyStore).day("2026-03-01")
    await store.close()
    assert [stored.table.kind for stored in found if stored] == [RACED, PRACTICE]
    assert day and day.told is None, "the server tells it"


async def test_open_requests_of_older_versions_keep_their_numbers(empty: str) -> None:
    """Until revision 0007 they had the version of the table; the next one must have another number."""
    engine = connect(database_url(empty))

    def older(connection: Connection) -> None:
        migrate_to(connection, "0007")
        for id in ("t1", "t2"):
            connection.execute(insert(tables).values(older_row(connection) | {"id": id}))
        for player, number in ((1, 12), (2, 9)):
            claim = {"table_id": "t1", "player": player, "number": number}
            connection.execute(insert(claims).values(claim | {"holder": "h", "name": "Eva", "consents": ()}))

    async with engine.begin() as connection:
        await connection.run_sync(older)
    await engine.dispose()
    store = await Store.open(empty)
    found = [await store.load(id) for id in ("t1", "t2")]
    await store.close()
    assert [stored.table.requests for stored in found if stored] == [12, 0]


def test_head_is_the_newest_migration() -> None:
    folder = Path(paddock.store.__file__).parent / "migrations"
    assert ScriptDirectory(folder).get_heads() == [HEAD]


async def test_many_open_a_new_database_at_once(empty: str) -> None:
    stores = await asyncio.gather(*(Store.open(empty) for _ in range(4)))
    await stores[0].create(row(), [PlayerRow(0, "Ana", None, None)], [])
    assert (await stores[3].load("t1")) is not None
    for store in stores:
        await store.close()


@pytest.mark.parametrize("database", KINDS[:1], indirect=True)
def test_one_server_uses_an_sqlite_file(database: str, tmp_path: Path) -> None:
    with only_server(database):
        (tmp_path / "other").symlink_to(str(database_url(database).database))
        for name in (database, f"sqlite:///{tmp_path}/other"):
            with (
                pytest.raises(StoreError, match=r"another server uses.*PADDOCK_DATABASE_URL"),
                only_server(name),
            ):
                pass
    with only_server(database):
        pass


async def other(database: str) -> asyncpg.Connection:
    """Another connection to PostgreSQL."""
    return await asyncpg.connect(database.replace("+asyncpg", ""))


async def kept(store: Store) -> bool:
    """Write something; return whether the store was able to."""
    try:
        await store.keep({"digest": "text"})
    except Unavailable:
        return False
    return True


OLDER = text("UPDATE alembic_version SET version_num = '0007'")


@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
async def test_servers_share_a_postgresql_database(database: str) -> None:
    first, second = await Store.open(database, server=True), await Store.open(database, server=True)
    assert await kept(first) and await kept(second)
    await first.close()
    await second.close()


@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
async def test_nobody_changes_the_schema_under_a_server(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paddock.store.store.TAKEOVER", 0.3)
    first = await Store.open(database, server=True)
    async with first._engine.begin() as connection:
        await connection.execute(OLDER)
    for server in (True, False):
        with pytest.raises(StoreError, match=r"another version.*PADDOCK_DATABASE_URL") as refusal:
            await Store.open(database, server=server)
        assert not isinstance(refusal.value, Unavailable), "it does not try again"
    async with first._engine.connect() as connection:
        found = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar()
        assert found == "0007", "who is refused migrates nothing"
        await connection.rollback()
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{HEAD}'"))
        await connection.commit()
    assert await kept(first)
    await first.close()


@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
async def test_a_server_of_an_older_version_keeps_others_out(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took the lock alone."""
    monkeypatch.setattr("paddock.store.store.TAKEOVER", 0.3)
    old = await other(database)
    assert await old.fetchval(f"SELECT pg_try_advisory_lock({SERVER_LOCK})")
    with pytest.raises(StoreError, match="another version"):
        await Store.open(database, server=True)
    await old.close()
    await (await Store.open(database, server=True)).close()


@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
async def test_a_server_that_loses_its_connection_takes_the_lock_again(database: str) -> None:
    first = await Store.open(database, server=True)
    operator = await other(database)
    end = """SELECT pg_terminate_backend(pid, 60000) FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE locktype = 'advisory' AND datname = current_database()"""
    assert await operator.fetchval(end)
    alone = f"SELECT pg_try_advisory_lock({SERVER_LOCK})"
    while not await kept(first):  # the driver may fail once more while it hears of the end
        pass
    assert not await operator.fetchval(alone)
    assert await operator.fetchval(end)
    assert await operator.fetchval(alone) and not await kept(first)
    await operator.close()
    while not await kept(first):  # the lock ends a moment after its connection
        pass
    await first.close()


@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
async def test_a_server_waits_a_moment_for_one_that_was_killed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL may notice the end of a killed server after the next one starts."""
    monkeypatch.setattr("paddock.store.store.TAKEOVER", 60)
    tried = asyncio.Event()
    sleep = asyncio.sleep

    async def trying(seconds: float) -> None:
        tried.set()
        await sleep(seconds)

    killed = await Store.open(database, server=True)
    async with killed._engine.begin() as connection:
        await connection.execute(OLDER)
    monkeypatch.setattr("paddock.store.store.asyncio.sleep", trying)
    next_ = asyncio.create_task(Store.open(database, server=True))
    await tried.wait()
    async with killed._engine.begin() as connection:
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{HEAD}'"))
    await killed.close()
    await (await next_).close()


async def test_a_newer_database_is_refused_and_left_alone(database: str) -> None:
    store = await Store.open(database)
    async with store._engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await store.close()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"newer version of Paddock.*9999.*update Paddock"):
            await Store.open(database)


@pytest.mark.parametrize("empty", KINDS[:1], indirect=True)
def test_an_opened_database_needs_no_alembic(empty: str) -> None:
    program = (
        "import asyncio, sys\n"
        "from paddock.store import Store\n"
        f"asyncio.run(Store.open({empty!r}))\n"
        "print('alembic' in sys.modules)\n"
    )
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True) for _ in range(2)]
    assert [run.stdout for run in runs] == ["True\n", "False\n"], runs[1].stderr


async def pragmas(url: str, *names: str) -> tuple[list[object], list[object]]:
    """Return these settings where tables are read, and where they are written."""

    def settings(connection: Connection) -> list[object]:
        return [connection.execute(text(f"PRAGMA {name}")).scalar() for name in names]

    store = await Store.open(url)
    async with store._engine.connect() as connection:
        read = await connection.run_sync(settings)
    await store.close()
    writing = transactions(database_url(url))
    written = await writing.run(settings)
    await writing.close()
    return read, written


async def test_sqlite_is_durable(tmp_path: Path) -> None:
    """Both where tables are read and where they are written."""
    names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    read, written = await pragmas(f"sqlite:///{tmp_path}/p.db", *names)
    assert read == written == ["wal", 2, 1, 5000]


async def test_sqlite_waits_for_a_lock_as_long_as_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not as long as the driver waits by itself, which happens to be the same today."""
    monkeypatch.setattr("paddock.store.database.LOCKED", 7.0)
    read, written = await pragmas(f"sqlite:///{tmp_path}/p.db", "busy_timeout")
    assert read == written == [7000]


def test_postgresql_waits_for_a_lock_as_long_as_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []

    def engine(*args: Any, **named: Any) -> AsyncEngine:
        given.append(named["connect_args"]["server_settings"])
        return create_async_engine(*args, **named)

    monkeypatch.setattr("paddock.store.database.LOCKED", 7.25)
    monkeypatch.setattr("sqlalchemy.ext.asyncio.create_async_engine", engine)
    address = database_url("postgresql://h/n")
    connect(address)
    transactions(address)
    assert [one["lock_timeout"] for one in given] == ["7250"] * 2, "in milliseconds, as a text"


@sqlite_only
async def test_who_opens_a_database_waits_for_no_writer(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that only reads can do so whatever the server writes."""
    monkeypatch.setattr("paddock.store.database.LOCKED", 0.05)
    with closing(sqlite3.connect(str(database_url(database).database), isolation_level=None)) as server:
        server.execute("BEGIN IMMEDIATE")
        store = await Store.open(database)
        assert await store.listed(9) == []
        await store.close()


@sqlite_only
async def test_lines_of_chat_are_counted_at_their_table(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that are not kept in memory."""
    monkeypatch.setattr("paddock.store.store.KEPT_TALK", 1)
    store = await Store.open(database)
    for id, said in (("t1", ["table", "team:0", "table"]), ("t2", ["team:1"])):
        await store.create(row(id), [PlayerRow(0, "Ana", None, None)], [])
        lines = [TalkRow(n, NOW, 0, channel, "hello") for n, channel in enumerate(said)]
        assert await store.commit(Write(id, 0, NOW, talk=lines))
    found = [await store.load(id) for id in ("t1", "t2")]
    assert [(len(one.talk), one.said) for one in found if one] == [
        (1, {"table": 2, "team:0": 1}),
        (1, {"team:1": 1}),
    ]
    await store.close()


async def test_what_is_stored_comes_back(empty: str) -> None:
    store = await Store.open(empty)
    log = [EventRow(0, 31, 5, 0, 0), EventRow(1, 31, 4, 0, (1 << 64) - 1), EventRow(2, 3, 7, 2, 1 << 63)]
    log += [EventRow(3, 3, 8, 2, 1, linked=True)]
    who = [PlayerRow(0, "Ána 🏁", None, "h" * 64), PlayerRow(1, "Club 2", "club", None)]
    await store.create(row(length=4), who, log)
    stored = await store.load("t1")
    assert stored is not None
    assert stored.table == row(length=4)
    assert stored.players == tuple(who)
    assert stored.events == tuple(log)
    assert await store.load("t2") is None
    assert (
        [t.id for t in await store.held("h" * 64, 5)]
        == ["t1"]
        == [t.id for t in await store.held("m" * 64, 5)]
    )
    assert await store.held("x" * 64, 5) == []
    await store.close()


@pytest.mark.parametrize("start", [0, 3, 9])
async def test_a_long_log_is_read_in_pieces(
    database: str, monkeypatch: pytest.MonkeyPatch, start: int
) -> None:
    """Other work comes in between."""
    monkeypatch.setattr("paddock.store.store.PIECE", 3)
    store = await Store.open(database)
    log = [EventRow(seq, 31, seq, 0, seq + 1) for seq in range(9)]
    await store.create(row(length=9), [PlayerRow(0, "Ana", None, None)], log)
    selects: list[str] = []
    really = AsyncConnection.execute

    async def execute(self: AsyncConnection, statement: Any, *args: Any, **named: Any) -> Any:
        if "events" in str(statement):
            selects.append(str(statement))
        return await really(self, statement, *args, **named)

    monkeypatch.setattr(AsyncConnection, "execute", execute)
    stored = await store.load("t1", start)
    assert stored is not None and stored.events == tuple(log[start:])
    assert len(selects) == (9 - start) // 3 + 1 and all("LIMIT" in said for said in selects)
    await store.close()


async def test_a_change_that_fails_is_not_stored_in_part(database: str) -> None:
    store = await Store.open(database)
    await store.create(row(), [PlayerRow(0, "Ana", None, None)], [])
    before = await store.load("t1")
    said = TalkRow(0, NOW, None, "table", "hello")
    after = row(length=1, version=1)
    log = [EventRow(0, 31, 1, 0, 1)]
    change = Write("t1", 0, NOW, {"length": 1}, events=log, talk=[said], banned=["b" * 64])
    async with without(store, "banned"):  # it comes last
        with pytest.raises(Unavailable, match="try again"):
            await store.commit(change)
    assert await store.load("t1") == before
    assert await store.commit(change)
    stored = await store.load("t1")
    assert stored is not None and stored.table == after and stored.talk == (said,)
    await store.close()


async def test_an_entry_is_written_once(database: str) -> None:
    store = await Store.open(database)
    await store.create(row(length=1), [PlayerRow(0, "Ana", None, None)], [EventRow(0, 31, 1, 0, 1)])
    first, second = (AnswerRow(key, 0, 0, "committed", "Committed: 7.") for key in ("first", "second"))
    assert await store.commit(Write("t1", 0, NOW, answer=first))
    before = await store.load("t1")
    again = Write("t1", 1, NOW, {"length": 2}, events=[EventRow(0, 31, 2, 0, 1)], answer=second)
    assert not await store.commit(again), "it is the entry that is not new, not the key"
    assert await store.load("t1") == before
    await store.close()


def test_the_driver_for_postgresql_is_named_when_it_is_missing(without: Callable[[str], None]) -> None:
    without("asyncpg")
    with pytest.raises(PaddockError, match=r"PostgreSQL needs the package asyncpg: .*\[postgres\]"):
        connect(database_url("postgresql://h/n"))


@both
async def test_a_home_page_reads_no_other_tables(database: str) -> None:
    """However many are stored, both lists find theirs by an index."""
    store = await Store.open(database)
    asked: list[tuple[str, Any]] = []

    @listens_for(store._engine.sync_engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        asked.append((statement, values))

    assert await store.listed(20) == await store.held("h" * 64, 12) == []
    queries = [one for one in asked if "FROM tables" in one[0]]
    sqlite = store._engine.dialect.name == "sqlite"
    async with store._engine.connect() as connection:
        if not sqlite:
            await connection.execute(text("SET enable_seqscan = off"))  # it reads small tables whole
        for query, values in queries:
            words = "EXPLAIN QUERY PLAN " if sqlite else "EXPLAIN "
            plan = [row[-1] for row in await connection.exec_driver_sql(words + query, values)]
            whole = [line for line in plan if re.search("SCAN (tables|players)$|Seq Scan", line)]
            assert not whole, plan
    await store.close()
    assert len(queries) == 2


@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
async def test_a_connection_that_broke_is_replaced(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was just used is not checked, unless the database has closed it."""
    engine, other = connect(database_url(database)), connect(database_url(database))
    asked: list[bool] = []

    async def pid() -> Any:
        async with engine.connect() as connection:
            return (await connection.execute(text("SELECT pg_backend_pid()"))).scalar()

    def ping(_connection: object) -> bool:
        asked.append(True)
        return False

    monkeypatch.setattr(engine.dialect, "do_ping", ping)
    monkeypatch.setattr("paddock.store.database.FRESH", inf)
    first = await pid()
    assert await pid() == first and not asked
    async with other.connect() as connection:
        await connection.execute(text(f"SELECT pg_terminate_backend({first}, 60000)"))
    second = await pid()
    assert second != first and not asked
    monkeypatch.setattr("paddock.store.database.FRESH", -1.0)
    assert await pid() != second and asked
    await engine.dispose()
    await other.dispose()


@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
async def test_a_long_log_is_stored_in_pieces(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop would stand still while one statement takes tens of thousands of rows."""
    monkeypatch.setattr("paddock.store.writing.PIECE", 20)
    store, stored = await Store.open(database), list[int]()

    @listens_for(store._writer._transactions.engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        if "INTO events" in statement:
            stored.append(len(values))

    log = [EventRow(n, 0, n, 0, n, False) for n in range(45)]
    await store.create(row(length=len(log)), [PlayerRow(0, "Ana", None, None)], log)
    found = await store.load("t1")
    await store.close()
    assert found and list(found.events) == log
    assert stored == [20, 20, 5]
