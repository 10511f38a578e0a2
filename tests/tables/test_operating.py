"""What an operator does with a server's database: backups under load, restores, deleting, forgetting."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from paddock import records
from paddock.core.errors import PaddockError
from paddock.kernel.source import Seeded
from paddock.store import Store, StoreError, backup, only_server, restore_backup, write_backup
from paddock.store.database import connect, database_url, revision
from paddock.store.schema import HEAD, metadata
from paddock.store.schema import talk as talk_rows
from paddock.tables import NoTable, Tables, Terms, hosting, seats, talk
from paddock.tables.errors import Frozen
from paddock.tables.hosting import Abandon
from paddock.tables.operating import Operator
from paddock.tables.upkeep import Retention
from paddock.web.streams import News, Signal, told
from sampling import WHOLE, count
from store.databases import FILE, both, empty_postgres, execute, migrate_to
from tables.harness import ANA, BEN, CountedRuntime, alter, facts, give_seats, service, someone

pytestmark = pytest.mark.anyio
FOUR = {"drivers": 4, "races": 3}
KEPT = Path(__file__).parents[1] / "kept"


async def rows_of(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that a database holds, but not who has which table at the moment."""
    store = await Store.open(url)
    found = {}
    async with store._engine.connect() as connection:
        for table in metadata.sorted_tables:
            if table.name != "servers":
                columns = [column for column in table.c if column.name != "owner"]
                rows = await connection.execute(select(*columns).order_by(*table.primary_key))
                found[table.name] = [tuple(row) for row in rows]
    await store.close()
    return found


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


@both
async def test_a_running_server_notices_what_the_operator_does(database: str) -> None:
    async with service(database) as tables, Operator.open(database) as operator:
        ids = [(await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)).id for _ in range(3)]
        stamp = (await tables.table(ids[2])).stamp
        await operator.close(ids[0])
        await operator.delete(ids[1])
        await tables.upkeep.notice()
        closed, there = await tables.table(ids[0]), await tables.table(ids[2])
        assert there.stamp == stamp, "only what was changed is read again"
        assert "operator of this server has closed" in (closed.frozen or "")
        with pytest.raises(Frozen):
            await tables.submit(ids[0], ANA, 0, "2", closed.decision, "k")
        with pytest.raises(NoTable):
            await tables.table(ids[1])
        assert not there.fault and ids[2] in {live.table.id for live in tables.registry}
        assert {one.row.id: one.status for one in await operator.all()} == {
            ids[0]: "closed", ids[2]: "running",
        }  # fmt: skip
        await operator.close(ids[0], closed=False)
        await tables.upkeep.notice()
        assert (await tables.table(ids[0])).running
        with pytest.raises(NoTable, match="paddock admin tables list"):
            await operator.delete(ids[1])
        with pytest.raises(NoTable):
            await operator.close("nothing")


async def test_a_move_at_a_deleted_table_is_refused_before_the_server_has_noticed(database: str) -> None:
    async with service(database) as tables, Operator.open(database) as operator:
        table = await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)
        seat, move = someone(table, random.Random(1))
        await operator.delete(table.id)
        with pytest.raises(NoTable):
            await tables.submit(table.id, ANA, seat, move, table.decision, "k")


async def test_a_stream_ends_when_its_table_is_deleted(database: str) -> None:
    async with service(database) as tables, Operator.open(database) as operator:
        table = await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)

        async def news() -> News:
            return News(str((await tables.table(table.id)).stamp), b"{}")

        pieces = told(tables, [Signal()], table.id, ANA, news)
        await anext(pieces)
        await anext(pieces)
        rest = asyncio.create_task(anext(pieces, None))
        await asyncio.sleep(0)
        await operator.delete(table.id)
        await tables.upkeep.notice()
        assert await rest is None
        assert not tables.registry.presence


@both
async def test_a_browser_is_forgotten_and_the_games_of_others_stay(database: str) -> None:
    secret = "s" * 43
    me = hashlib.sha256(secret.encode()).hexdigest()
    async with service(database) as tables, Operator.open(database) as operator:
        names = ["Mira", "Ben", "Mirjam", "Cy"]
        alone = await tables.making.create("lacorsa", FOUR, ["me", *["rookie"] * 3], names, holder=me)
        shared = await tables.making.create("lacorsa", FOUR, ["me"] * 4, names, holder=me)
        await give_seats(tables, shared, {1: BEN, 3: BEN})
        for who, player, line in ((me, 0, "I am Mira"), (BEN, 1, "I am Ben")):
            await tables.run(shared.id, talk.say, who, player, line)
        await tables.run(shared.id, seats.rename, BEN, 1, "Benno")
        await tables.run(shared.id, seats.rename, me, 2, "Mira II")
        await tables.tokens.make(me, "laptop")
        other = await tables.making.create("lacorsa", FOUR, ["me"] * 4, holder=ANA)
        for who in (me, BEN):
            await give_seats(tables, other, {1: who})
            await tables.run(other.id, hosting.mute, ANA, 1)
            await tables.run(other.id, hosting.kick, ANA, 1)
            assert not (await tables.table(other.id)).players[1].muted, "whoever comes next may talk"
        assert await tables.upkeep.keeping.bans() == 2
        entries = len(shared.game.log)
        gone = await operator.forget(f"{shared.id}:1")
        assert gone.tables == (alone.id,) and (gone.seats, gone.lines, gone.tokens) == (2, 1, 1)
        await tables.upkeep.notice()
        table = await tables.table(shared.id)
        assert [player.name for player in table.players] == ["1", "Benno", "3", "Cy"]
        assert [line.text for line in table.talk if line.player is not None] == ["I am Ben"]
        assert table.host is None and not table.fault and len(table.game.log) == entries
        assert (await tables.table(other.id)).running
        assert await tables.upkeep.keeping.bans() == 1, "Ben's stays"
        stored = str(await rows_of(database))
        assert me not in stored and "Mira" not in stored and BEN in stored and ANA in stored
        assert (await operator.forget(secret)).tables == ()
        wrong = {
            "nonsense": "write TABLE:PLAYER",
            f"{shared.id}:9": "no browser has player 9",
            "no:1": "no table",
        }
        for bad, words in wrong.items():
            with pytest.raises(PaddockError, match=words):
                await operator.forget(bad)
        # A bot plays the seats that nobody has now, and Ben plays on.
        seat, moves = table.moves(1)[0]
        move = moves[0][1]
        await tables.submit(shared.id, BEN, seat, move, table.decision, "k")


@both
async def test_a_browser_is_forgotten_by_its_own_lines_and_not_by_its_name(database: str) -> None:
    me, other = "c" * 64, "d" * 64
    async with service(database) as tables, Operator.open(database) as operator:
        table = await tables.making.create(
            "lacorsa", FOUR, ["me"] * 4, ["Mira", "Mirjam", "Ben", "Cy"], holder=me
        )
        await give_seats(tables, table, {1: BEN, 2: BEN, 3: ANA})
        await tables.run(table.id, talk.say, me, 0, "a line of Mira")
        await tables.run(table.id, seats.rename, me, 0, "Mimi")
        await tables.run(table.id, seats.rename, BEN, 1, "Mirjana")
        secret, hashed = "s" * 43, hashlib.sha256(b"s" * 43).hexdigest()
        await tables.run(table.id, alter, {0: {"recovery": hashed}})
        await tables.run(table.id, seats.recover, secret, other)  # the seat goes to somebody else
        await tables.run(table.id, talk.say, other, 0, "a line of the next one")
        said = [str(line.line) for line in talk.lines_for(await tables.table(table.id), None)]
        assert len(said) == 5
        gone = await operator.forget(me)
        assert (gone.tables, gone.lines) == ((), 1), "it has no seat any more, but it said something"
        await tables.upkeep.notice()
        left = [str(line.line) for line in talk.lines_for(await tables.table(table.id), None)]
        assert left == ["Mirjam is now called Mirjana.", "a line of the next one"]
        assert me not in str(await rows_of(database))


@both
async def test_lines_of_older_versions_are_found_by_seats_and_whole_names(database: str) -> None:
    async with service(database) as tables, Operator.open(database) as operator:
        table = await tables.making.create(
            "lacorsa", FOUR, ["me"] * 4, ["Al", "Alma", "Ben", "Cy"], holder=ANA
        )
        await give_seats(tables, table, {1: BEN, 2: BEN, 3: BEN})
        await tables.run(table.id, talk.say, ANA, 0, "I am Al")
        await tables.run(table.id, talk.say, BEN, 1, "Hello Al")
        for player, name, holder in ((1, "Alba", BEN), (0, "Ali", ANA), (0, "Al", ANA)):
            await tables.run(table.id, seats.rename, holder, player, name)
        store = await Store.open(database)
        await execute(store, update(talk_rows).values(about=""))
        await store.close()
        gone = await operator.forget(ANA)
        assert gone.lines == 1
        await tables.upkeep.notice()
        left = [str(line.line) for line in talk.lines_for(await tables.table(table.id), None)]
        assert left == ["Hello Al", "Alma is now called Alba."]


@both
async def test_a_table_that_was_abandoned_before_it_was_closed_still_is(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables, Operator.open(database) as operator:
        idle, busy = [
            (
                await tables.making.open_lobby(
                    "lacorsa", FOUR, ["me"] * 4, holder=ANA, terms=Terms(listed=True)
                )
            ).id
            for _ in range(2)
        ]
        runtime.time += 2 * 86400
        await tables.run(busy, talk.say, ANA, 0, "still here")
        assert await tables.sweep(runtime.now(), Abandon()) == [idle]
        for id in (idle, busy):
            await operator.close(id)
        assert not await tables.store.listed(9), "no list names closed tables"
        for id in (idle, busy):
            await operator.close(id, closed=False)
        assert {one.row.id: one.status for one in await operator.all()} == {idle: "abandoned", busy: "lobby"}


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


async def test_an_operator_exports_records(database: str, tmp_path: Path) -> None:
    async with service(database) as tables, Operator.open(database) as operator:
        table = await tables.making.create("lacorsa", FOUR, ["me"] * 4, list("ABCD"), holder=ANA)
        public, whole = await operator.record(table.id), await operator.record(table.id, whole=True)
        assert "?" in public and not records.read(public).complete
        assert records.read(whole).complete
        assert records.read(whole).game().position == table.game.position
    missing = tmp_path / "nowhere" / "at-all.sqlite3"
    with pytest.raises(StoreError, match="there is no database"):
        async with Operator.open(f"{FILE}{missing}"):
            pass
    assert not missing.parent.exists()


async def test_a_database_of_an_older_version_is_not_migrated_by_the_way(tmp_path: Path) -> None:
    shutil.copy(KEPT / "tables.sqlite3", file := tmp_path / "old.sqlite3")
    with pytest.raises(StoreError, match="of an older version: start the server once"):
        async with Operator.open(f"{FILE}{file}"):
            pass
    with sqlite3.connect(file) as there:
        assert there.execute("SELECT version_num FROM alembic_version").fetchone()[0] < HEAD


def test_the_page_on_privacy_names_every_table_of_the_database() -> None:
    page = (KEPT.parents[1] / "docs" / "privacy.md").read_text("utf-8")
    assert [name for name in metadata.tables if f"`{name}`" not in page] == []
