"""The rows that tables of friends store, and the second migration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

import paddock.store
from paddock.store import (
    AnswerRow,
    ClaimRow,
    EventRow,
    OrderRow,
    PendingRow,
    PlayerRow,
    Store,
    Stored,
    TableRow,
    TalkRow,
    TokenRow,
    UndoRow,
    Write,
)
from paddock.store.database import bring_up, connect, database_url
from paddock.store.kinds import RACE
from paddock.store.terms import Terms

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=2)
ANA, BEN = "a" * 64, "b" * 64
TABLE = TableRow(
    id="t1",
    title="lacorsa",
    revision=1,
    options="drivers=4",
    kind=RACE,
    terms=Terms(),
    created=NOW,
    date="2026-03-01",
    maker=ANA,
    host=ANA,
    touched_at=NOW,
    length=0,
    over=False,
)
WHO = [
    PlayerRow(0, "Ana", None, ANA, True),
    PlayerRow(1, "Ben", None, None),
    PlayerRow(2, "Bot", "club", None),
]


async def changed(
    store: Store,
    columns: Mapping[str, Any] = MappingProxyType({}),
    id: str = "t1",
    at: datetime = NOW,
    **rows: Any,
) -> Stored:
    """Commit a change of columns and rows; return the table as it is stored afterwards."""
    stored = await store.load(id)
    assert stored is not None
    before = stored.table.version
    table = replace(stored.table, **columns, version=before + 1)
    assert await store.commit(Write(id, before, at, columns, **rows))
    stored = await store.load(id)
    assert stored is not None and stored.table == table
    return stored


async def made_by_the_first_migration(database: str) -> None:
    """A database of the first version: one running race, and one not started."""
    engine = connect(database_url(database))

    def fill(connection: Connection) -> None:
        config = Config()
        folder = str(paddock.store.__path__[0]) + "/migrations"
        config.set_main_option("script_location", folder.replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for id, length in (("t1", 2), ("t2", 0)):
            connection.execute(
                text(
                    "INSERT INTO tables VALUES (:id, 'lacorsa', 1, 'drivers=4', 'race', 'human', "
                    "'2026-03-01 12:00:00+00', '2026-03-01', :maker, NULL, :length, false)"
                    if connection.dialect.name == "postgresql"
                    else "INSERT INTO tables VALUES (:id, 'lacorsa', 1, 'drivers=4', 'race', 'human', "
                    "'2026-03-01 12:00:00.000000', '2026-03-01', :maker, NULL, :length, 0)"
                ),
                {"id": id, "maker": ANA, "length": length},
            )
            connection.execute(
                text(
                    "INSERT INTO players VALUES (:id, 0, 'Ana', NULL, :holder), (:id, 1, 'Bot', 'club', NULL)"
                ),
                {"id": id, "holder": ANA},
            )
        zone = "+00" if connection.dialect.name == "postgresql" else ".000000"
        connection.execute(
            text(
                "INSERT INTO events VALUES ('t1', 0, 31, 5, 0, 1, '2026-03-01 12:00:00" + zone + "'), "
                "('t1', 1, 31, 4, 0, 2, '2026-03-03 12:00:00" + zone + "')"
            )
        )
        connection.execute(
            text("INSERT INTO pending VALUES ('t1', 2, 0, 7, '2026-03-03 12:00:00" + zone + "')")
        )
        connection.execute(text("INSERT INTO answers VALUES ('t1', 'k', 0, 2, 'committed', 'Committed: 7.')"))

    async with engine.begin() as connection:
        await connection.run_sync(fill)
    await engine.dispose()


async def test_a_database_of_the_first_migration_is_brought_up_whole(empty: str) -> None:
    await made_by_the_first_migration(empty)
    store = await Store.open(empty)
    stored, other = await store.load("t1"), await store.load("t2")
    assert stored is not None and other is not None
    assert stored.table == replace(TABLE, length=2, touched_at=LATER)
    assert other.table == replace(TABLE, id="t2")
    assert stored.table.phase == "play" and stored.table.host == stored.table.maker
    assert stored.players == (PlayerRow(0, "Ana", None, ANA), PlayerRow(1, "Bot", "club", None))
    assert stored.events == (EventRow(0, 31, 5, 0, 1), EventRow(1, 31, 4, 0, 2))
    assert stored.pending == (PendingRow(2, 0, 7),)
    answer = await store.answer("t1", "k")
    assert answer == AnswerRow("k", 0, 2, "committed", "Committed: 7.") and stored.answers == (answer,)
    await store.close()
    engine = connect(database_url(empty))
    await bring_up(engine)  # once more changes nothing
    await engine.dispose()


async def test_what_friends_do_comes_back(database: str) -> None:
    store = await Store.open(database)
    terms = Terms(listed=True, pace="instant", clock="600+10", grace=90)
    await store.create(
        replace(TABLE, phase="lobby", terms=terms, opened_at=NOW, rematch_of="t0"),
        WHO,
        [],
    )
    ben = PlayerRow(1, "Ben", None, BEN, True, False, 1 << 40, "r" * 64, True, 3)
    lines = [TalkRow(n, NOW, 1, "table", word) for n, word in enumerate(("one", "two", "three"))]
    lines.append(TalkRow(3, LATER, None, "team:1", "four"))
    stored = await store.load("t1")
    assert stored is not None and stored.table.terms == terms and list(stored.players) == WHO
    stored = await changed(
        store,
        {"phase": "play", "host": BEN, "rematch": "t9"},
        players={0: {"stand_in": True}, 1: asdict(ben)},
        orders={3: "defend with 7", 1: "discard the lowest"},
        undo=UndoRow(5, 1, (0,)),
        banned=[ANA],
        talk=lines[:3],
    )
    assert stored.banned == {ANA} and stored.undo == UndoRow(5, 1, (0,))
    stored = await changed(
        store, at=LATER, orders={3: "defend with 8", 0: ""}, undo=UndoRow(5, 1, (0, 2)), talk=lines[3:]
    )
    assert stored.banned == {ANA}
    assert (stored.table.phase, stored.table.host, stored.table.rematch) == ("play", BEN, "t9")
    assert (stored.table.terms, stored.table.opened_at, stored.table.rematch_of) == (terms, NOW, "t0")
    assert stored.players[1] == ben
    assert stored.players[0].stand_in and stored.players[2] == WHO[2]
    assert stored.orders == (
        OrderRow(1, "discard the lowest", NOW),
        OrderRow(3, "defend with 8", LATER),
    )
    assert stored.undo == UndoRow(5, 1, (0, 2))
    assert stored.talk == tuple(lines)
    stored = await changed(store, commit=PendingRow(0, 1, 4))
    stored = await changed(store, commit=PendingRow(0, 1, 5), replaces=True)
    assert stored.pending == (PendingRow(0, 1, 5),) and stored.undo
    answer, played = AnswerRow("k", 1, 1, "played", "Played: 5.", "5"), EventRow(0, 31, 5, 0, 1)
    moment = {"opened_at": LATER, "touched_at": LATER, "length": 1}
    stored = await changed(
        store, moment, orders={3: ""}, events=[played], settled=True, no_undo=True, answer=answer
    )
    assert stored.undo is None and stored.pending == () and len(stored.orders) == 1
    assert stored.events == (played,) and stored.answers == (answer,) == (await store.answer("t1", "k"),)
    assert stored.table.length == 1 and stored.table.opened_at == LATER == stored.table.touched_at
    asked = ClaimRow(2, 7, ANA, "Eva", (0, 1)), ClaimRow(3, 9, BEN, "Bea")
    stored = await changed(store, claims=asked)
    assert stored.claims == asked == (await changed(store)).claims
    freed = replace(WHO[2], bot=None, holder=None, last_holder=BEN, removed_by=ANA)
    stored = await changed(store, claims=asked[1:], players={2: asdict(freed)})
    assert stored.claims == asked[1:] and stored.players[2] == freed
    assert (await changed(store, claims=())).claims == ()
    stored = await changed(store, undo=UndoRow(5, 1, (0,)))
    assert (await changed(store, no_undo=True)).undo is None and stored.undo
    await store.close()


async def test_listed_and_abandoned_tables(database: str) -> None:
    store = await Store.open(database)
    kinds: dict[str, dict[str, Any]] = {
        "lobby": {"terms": Terms(listed=True), "phase": "lobby"},
        "game": {"terms": Terms(listed=True)},
        "over": {"terms": Terms(listed=True), "over": True},
        "private": {},
    }
    for day, (id, more) in enumerate(kinds.items()):
        at = NOW + timedelta(days=day)
        await store.create(replace(TABLE, id=id, created=at, touched_at=at, **more), WHO, [])
    assert [row.id for row in await store.listed(5)] == ["game", "lobby"]
    assert [row.id for row in await store.listed(1)] == ["game"]
    assert await store.abandon(None, None) == []
    assert await store.abandon(NOW, None) == []
    long = NOW + timedelta(days=9)
    assert await store.abandon(long, None) == ["lobby"]
    assert [row.id for row in await store.listed(5)] == ["game"]
    assert sorted(await store.abandon(long, long)) == ["game", "private"]
    assert await store.abandon(long, long) == []
    stored = await store.load("game")
    assert stored is not None and stored.table.abandoned
    assert stored.table.version == 1, "a server that knows the table must look again"
    stored = await changed(store, {"abandoned": False, "touched_at": long}, id="game")
    assert not stored.table.abandoned and stored.table.touched_at == long
    await store.close()


async def test_tables_where_something_moves_by_itself(database: str) -> None:
    store = await Store.open(database)
    people = [WHO[0], replace(WHO[1], holder=BEN)]
    away = [people[0], replace(people[1], stand_in=True)]
    kinds: dict[str, tuple[dict[str, Any], list[PlayerRow]]] = {
        "untimed": ({}, people),
        "ordered": ({}, people),
        "clock": ({"terms": Terms(clock="600+10")}, people),
        "grace": ({"terms": Terms(grace=1)}, people),
        "bots": ({}, WHO),
        "stand-in": ({}, away),
        "open": ({}, WHO[:2]),
        "lobby": ({"phase": "lobby"}, WHO),
        "over": ({"over": True}, WHO),
        "abandoned": ({"abandoned": True, "terms": Terms(clock="600+10")}, WHO),
    }
    for day, (id, (more, who)) in enumerate(kinds.items()):
        await store.create(replace(TABLE, id=id, touched_at=NOW + timedelta(days=day), **more), who, [])
    await changed(store, id="ordered", orders={0: "discard lowest"})
    assert await store.to_resume() == ["open", "stand-in", "bots", "grace", "clock", "ordered"]
    await store.close()


async def test_tokens(database: str) -> None:
    store = await Store.open(database)
    row = TokenRow("1" * 64, ANA, "bot", NOW)
    assert await store.add_token(row)
    assert not await store.add_token(replace(row, hash="2" * 64))
    assert await store.add_token(replace(row, hash="3" * 64, holder=BEN))
    assert await store.add_token(replace(row, hash="4" * 64, label="another"))
    await store.use_token(row.hash, LATER)
    assert await store.token(row.hash) == replace(row, used_at=LATER)
    assert await store.token("9" * 64) is None
    assert [token.label for token in await store.tokens_of(ANA)] == ["another", "bot"]
    assert not await store.drop_token(BEN, "another")
    assert await store.drop_token(ANA, "bot")
    assert await store.token(row.hash) is None
    await store.close()


async def test_an_analysis_replaces_an_earlier_one(database: str) -> None:
    store = await Store.open(database)
    await store.create(TABLE, WHO, [])
    assert await store.analysis("t1") is None
    for at, words in ((NOW, "one"), (LATER, "two “ü”")):
        await store.keep_analysis("t1", at, words)
        assert await store.analysis("t1") == words
    await store.close()
