"""What an operator does with a server's tables: lists, closing, deleting, forgetting, and records."""

from __future__ import annotations

import asyncio
import hashlib
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import update

from paddock import records
from paddock.core.errors import PaddockError
from paddock.features.operating.operator import Operator
from paddock.features.operating.store import OperatingStore
from paddock.store import Store, StoreError
from paddock.store.schema import HEAD
from paddock.store.schema import talk as talk_rows
from paddock.tables import NoTable, Terms, hosting, seats, talk
from paddock.tables.errors import Frozen
from paddock.tables.hosting import Abandon
from paddock.web.streams import News, Signal, told
from store.databases import FILE, both, execute, rows_of
from tables.harness import ANA, BEN, CountedRuntime, alter, give_seats, service, someone

pytestmark = pytest.mark.anyio
FOUR = {"drivers": 4, "races": 3}
KEPT = Path(__file__).parents[2] / "kept"


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
        assert await tables.store.part(OperatingStore).bans() == 2
        entries = len(shared.game.log)
        gone = await operator.forget(f"{shared.id}:1")
        assert gone.tables == (alone.id,) and (gone.seats, gone.lines, gone.tokens) == (2, 1, 1)
        await tables.upkeep.notice()
        table = await tables.table(shared.id)
        assert [player.name for player in table.players] == ["1", "Benno", "3", "Cy"]
        assert [line.text for line in table.talk if line.player is not None] == ["I am Ben"]
        assert table.host is None and not table.fault and len(table.game.log) == entries
        assert (await tables.table(other.id)).running
        assert await tables.store.part(OperatingStore).bans() == 1, "Ben's stays"
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
