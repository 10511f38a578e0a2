"""What is kept, and for how long: backups under load, restores, and what is deleted when it is old."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from paddock.kernel.source import Seeded
from paddock.store import StoreError, backup, only_server, restore_backup, write_backup
from paddock.store.database import connect, database_url, revision
from paddock.store.schema import HEAD, metadata
from paddock.tables import NoTable, Tables, talk
from paddock.tables.upkeep import Retention
from sampling import WHOLE, count
from store.databases import FILE, both, empty_postgres, migrate_to, rows_of
from tables.harness import ANA, CountedRuntime, facts, service, someone

pytestmark = pytest.mark.anyio
FOUR = {"drivers": 4, "races": 3}
KEPT = Path(__file__).parents[1] / "kept"


async def play(tables: Tables, id: str, choose: random.Random, acknowledged: dict[str, int]) -> None:
    """Play one move at a table; note how long the stored log is once that is acknowledged."""
    table = await tables.table(id)
    seat, move = someone(table, choose)
    await tables.submit(id, ANA, seat, move, table.decision, f"{table.version}.{seat}")
    acknowledged[id] = table.rows


@both
@pytest.mark.slow("plays on three databases while they are copied")
async def test_a_backup_under_load_holds_every_move_acknowledged_before_it_began(
    database: str, tmp_path: Path
) -> None:
    choose, acknowledged, stop, moved = (random.Random(3), dict[str, int](), asyncio.Event(), asyncio.Event())
    async with service(database) as tables:
        ids = [(await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)).id for _ in range(5)]

        async def players(id: str) -> None:
            while not (stop.is_set() or (await tables.table(id)).game.over):
                await play(tables, id, choose, acknowledged)
                moved.set()

        playing = [asyncio.create_task(players(id)) for id in ids]
        taken = []
        for n in range(count(2, 3)):
            while sum(acknowledged.values()) < (n + 1) * count(30, 60):
                moved.clear()
                await moved.wait()
            before = dict(acknowledged)
            file = tmp_path / f"backup{n}.sqlite3"
            copied = await write_backup(database, file)
            assert copied.tables == len(ids) and copied.size == file.stat().st_size
            taken.append((file, before))
        stop.set()
        await asyncio.gather(*playing)
        assert sum(acknowledged.values()) > sum(taken[-1][1].values()), "they played during the backups"
        logs = {id: [(e.by, e.what) for e in (await tables.table(id)).game.log] for id in ids}
    for file, before in taken:
        there = f"{FILE}{tmp_path / f'restored-{file.name}'}"
        await restore_backup(file, there)
        async with service(there, Seeded(5)) as tables:
            for id in ids:
                table = await tables.table(id)
                log = [(e.by, e.what) for e in table.game.log]
                assert not table.fault
                assert table.rows >= before[id], "a move that was acknowledged before is missing"
                assert log == logs[id][: len(log)]
            if WHOLE or file is taken[-1][0]:  # it plays on, to the end of a game
                for _ in range(2000):
                    if (await tables.table(ids[0])).game.over:
                        break
                    await play(tables, ids[0], choose, acknowledged)
                assert (await tables.table(ids[0])).game.over


@both
async def test_everything_that_is_stored_comes_back_on_either_kind(database: str, tmp_path: Path) -> None:
    shutil.copy(KEPT / "tables.sqlite3", old := tmp_path / "kept.sqlite3")
    kept = await write_backup(f"{FILE}{old}", tmp_path / "old.sqlite3")  # of an older version, byte by byte
    assert kept.tables == 4
    with sqlite3.connect(tmp_path / "old.sqlite3") as there:
        assert there.execute("SELECT version_num FROM alembic_version").fetchone()[0] < HEAD
    await restore_backup(tmp_path / "old.sqlite3", database)
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", FOUR, ["me"] * 4, list("ABCD"), holder=ANA)
        await tables.run(table.id, talk.say, ANA, 1, "Hello “you” – 👋")
        await tables.tokens.make(ANA, "bot")
        kept_now = [one.row.id for one in await tables.upkeep.keeping.all()]
        before = {id: facts(await tables.table(id)) for id in kept_now}
    stored = await rows_of(database)
    assert {name for name, rows in stored.items() if rows} >= {
        "tables",
        "players",
        "events",
        "talk",
        "tokens",
    }
    await write_backup(database, tmp_path / "all.sqlite3")
    assert {"all.sqlite3-wal", "all.sqlite3.part"}.isdisjoint(os.listdir(tmp_path)), "one closed file"
    assert await rows_of(f"{FILE}{tmp_path / 'all.sqlite3'}") == stored, "a backup is a database"
    with pytest.raises(StoreError, match="the database has 5 tables, which would be lost: write --replace"):
        await restore_backup(tmp_path / "all.sqlite3", database)
    async with service(database) as tables:
        await tables.upkeep.keeping.delete("kept-lobby")
    assert (await restore_backup(tmp_path / "all.sqlite3", database, replace=True)).tables == 5
    assert await rows_of(database) == stored
    async with service(database) as tables:
        assert {id: facts(await tables.table(id)) for id in before} == before


async def test_what_is_no_backup_is_refused_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = f"{FILE}{tmp_path / 'tables.sqlite3'}"
    async with service(database) as tables:
        await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)
    before, file = await rows_of(database), tmp_path / "backup.sqlite3"
    await write_backup(database, file)
    with pytest.raises(StoreError, match="exists already"):
        await write_backup(database, file)
    file.with_name("backup.sqlite3.part").write_bytes(b"left by a backup that was killed")
    flushed, fsync = set[tuple[int, int]](), os.fsync

    def flush(number: int) -> None:
        flushed.add((os.fstat(number).st_dev, os.fstat(number).st_ino))
        fsync(number)

    monkeypatch.setattr(os, "fsync", flush)
    await write_backup(database, file, replace=True)
    stats = [one.stat() for one in (file, tmp_path)]
    assert flushed >= {(one.st_dev, one.st_ino) for one in stats}, "a power cut takes neither it nor its name"
    assert file.stat().st_mode & 0o077 == 0, "only its owner can read it"
    with pytest.raises(StoreError, match=r"there is no database .*: does PADDOCK_DATABASE_URL say"):
        await write_backup(f"{FILE}{tmp_path / 'nothing.sqlite3'}", tmp_path / "b")
    assert {"nothing.sqlite3", "b", "b.part"}.isdisjoint(os.listdir(tmp_path))
    with pytest.raises(StoreError, match="No such file"):
        await write_backup(database, tmp_path / "no" / "folder" / "b")
    for name, content in (("text", b"hello" * 1000), ("half", file.read_bytes()[: file.stat().st_size // 2])):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(StoreError, match=r"is no backup|malformed"):
            await restore_backup(tmp_path / name, database, replace=True)
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE tables (id)")
    with pytest.raises(StoreError, match="is no"):
        await restore_backup(tmp_path / "other", database, replace=True)
    shutil.copy(file, tmp_path / "newer")
    with sqlite3.connect(tmp_path / "newer") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer version of Paddock"):
        await restore_backup(tmp_path / "newer", database, replace=True)
    with only_server(database), pytest.raises(StoreError, match="another server uses the database"):
        await restore_backup(file, database, replace=True)
    assert await rows_of(database) == before


def test_a_folder_that_was_flushed_does_not_stay_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the disk takes it or not."""
    flushed, closed, close = list[int](), list[int](), os.close

    def fsync(number: int) -> None:
        assert os.path.samestat(os.fstat(number), tmp_path.stat())
        flushed.append(number)
        if len(flushed) > 1:
            raise OSError("the disk is gone")

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "close", lambda number: closed.append(number) or close(number))
    backup._flush_folder(tmp_path)
    assert flushed[0] in closed
    closed.clear()
    with pytest.raises(OSError, match="the disk is gone"):
        backup._flush_folder(tmp_path)
    assert flushed[1] in closed


@pytest.mark.postgres
async def test_a_postgresql_that_a_server_uses_is_not_replaced(postgres_url: str, tmp_path: Path) -> None:
    file = tmp_path / "backup.sqlite3"
    async with Tables.open(postgres_url) as tables:
        made = await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)
        await write_backup(postgres_url, file)
        with pytest.raises(StoreError, match="a server uses this database: stop it first"):
            await restore_backup(file, postgres_url, replace=True)
    await restore_backup(file, postgres_url, replace=True)
    async with Tables.open(postgres_url) as tables:
        (kept,) = [one for one in await tables.upkeep.keeping.all() if one.row.id == made.id]
        assert kept.row.maker == ANA
        assert not (await tables.table(made.id)).fault, "no server has it"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files to others")
async def test_what_root_restores_belongs_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    nobody = 65534
    database, file = f"{FILE}{tmp_path / 'tables.sqlite3'}", tmp_path / "backup.sqlite3"
    async with service(database) as tables:
        await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)
    await write_backup(database, file)
    folder = tmp_path / "server"
    folder.mkdir()
    os.chown(folder, nobody, nobody)
    await restore_backup(file, f"{FILE}{folder / 'tables.sqlite3'}")
    assert {"tables.sqlite3", "tables.sqlite3.lock"} <= set(os.listdir(folder))
    assert {path.stat().st_uid for path in folder.iterdir()} == {nobody}


async def test_a_backup_does_not_follow_a_link_that_others_have_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, file, secret = f"{FILE}{tmp_path / 't.sqlite3'}", tmp_path / "b", tmp_path / "secret"
    async with service(database):
        pass
    secret.write_text("keep me")

    def unlink(path: Path, missing_ok: bool = False) -> None:
        """Somebody is faster: the name is a link again as soon as it is free."""
        if not os.path.lexists(path):
            os.symlink(secret, path)

    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(StoreError, match="File exists"):
        await write_backup(database, file)
    assert secret.read_text() == "keep me"


@pytest.mark.postgres
async def test_a_restore_that_fails_leaves_an_older_schema_as_it_was(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "backup.sqlite3"
    async with service(f"{FILE}{tmp_path / 't.sqlite3'}") as tables:
        await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)
    await write_backup(f"{FILE}{tmp_path / 't.sqlite3'}", file)
    await empty_postgres(postgres_url)
    engine = connect(database_url(postgres_url))
    async with engine.begin() as connection:
        await connection.run_sync(migrate_to, "0010")

    async def version() -> str | None:
        async with engine.connect() as connection:
            return await connection.run_sync(revision)

    def broken(source: object, target: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(backup, "_copy_all", broken)
        with pytest.raises(StoreError, match="the disk is full"):
            await restore_backup(file, postgres_url, replace=True)
    assert await version() == "0010"
    await restore_backup(file, postgres_url, replace=True)
    assert await version() == HEAD
    await engine.dispose()


@both
async def test_what_is_kept_long_enough_is_deleted(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        lobby = await tables.making.open_lobby("lacorsa", FOUR, ["me"] * 4, holder=ANA)
        running = await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)
        short = {"players": 2, "games": 1, "deck": "r10-130 g10-130\nk30 k90"}
        over = await tables.making.create("rasant", short, ["me"] * 2, holder=ANA)
        while not (await tables.table(over.id)).game.over:
            table = await tables.table(over.id)
            seat, move = someone(table, random.Random(1))
            await tables.submit(over.id, ANA, seat, move, table.decision, f"{table.version}")
        await tables.run(running.id, talk.say, ANA, 0, "an old line")
        day = timedelta(days=1)

        async def purge(**kept: timedelta) -> tuple[tuple[int, int], set[str]]:
            found = await tables.upkeep.purge(runtime.now(), Retention(**kept))
            return found, {one.row.id for one in await tables.upkeep.keeping.all()}

        everything = {lobby.id, running.id, over.id}
        runtime.time += 10 * 86400
        assert await purge() == ((0, 0), everything)
        assert await purge(lobbies=11 * day, games=11 * day, talk=11 * day) == ((0, 0), everything)
        assert await purge(lobbies=9 * day) == ((1, 0), {running.id, over.id})
        assert await purge(talk=9 * day) == ((0, 1), {running.id, over.id})
        assert not (await tables.table(running.id)).talk
        await tables.run(running.id, talk.say, ANA, 0, "a new line")
        assert [line.text for line in talk.lines_for(await tables.table(running.id), 0)] == ["a new line"]
        assert await purge(games=9 * day) == ((1, 0), {running.id})
        with pytest.raises(NoTable):
            await tables.table(over.id)


async def test_lists_of_the_operator_wait_for_no_writer(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite3"
    async with service(f"{FILE}{database}") as tables:
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert await tables.upkeep.keeping.all() == []


def test_the_page_on_privacy_names_every_table_of_the_database() -> None:
    page = (KEPT.parents[1] / "docs" / "privacy.md").read_text("utf-8")
    assert [name for name in metadata.tables if f"`{name}`" not in page] == []
