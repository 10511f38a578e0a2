"""Results, links, and those who wait for somebody to play with."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import String, insert, select, text, update
from sqlalchemy.event import listens_for
from sqlalchemy.ext.asyncio import create_async_engine

import paddock.features.reach.store  # noqa: F401 - what happens to its rows
from paddock.features.clubs.rows import (
    ClubRow,
    EntrantRow,
    EveningRow,
    club_organisers,
    club_racers,
    clubs,
    evening_entrants,
    evenings,
)
from paddock.features.daily.rows import daily_attempts, daily_days, daily_deals
from paddock.features.mygames.rows import ResultRow, archives
from paddock.features.mygames.store import GamesStore, ended, past
from paddock.features.pairing.rows import WaitingRow, waiting
from paddock.features.pairing.store import Gone, WaitingStore, seated
from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.store import PuzzleStore
from paddock.features.reach.rows import channels, outbox, reach, wanted
from paddock.features.reviews.rows import notes
from paddock.features.watching.store import WatchingStore
from paddock.store import (
    DeviceStore,
    Keeping,
    LinkRow,
    PlayerRow,
    Store,
    TableRow,
    TalkRow,
    TokenRow,
    Write,
)
from paddock.store.database import database_url
from paddock.store.kinds import LESSON, RACE, RECORD
from paddock.store.schema import (
    banned,
    claims,
    holders,
    metadata,
    own,
    players,
    tables,
)
from paddock.store.terms import Terms
from store.databases import KINDS, both, execute, sqlite_only

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ME, OTHER, NEW = "a" * 64, "b" * 64, "c" * 64
SECOND = timedelta(seconds=1)


def row(id: str, **more: Any) -> TableRow:
    """A running table."""
    facts: dict[str, Any] = {"id": id, "kind": RACE, "terms": Terms(), "created": NOW, "date": "2026-03-01"}
    facts |= {"title": "lacorsa", "revision": 1, "options": "drivers=4", "length": 0, "over": False}
    return TableRow(**(facts | {"touched_at": NOW} | more))


async def finished(store: Store, id: str, *holders: str | None, places: tuple[int, ...] = (1, 2)) -> None:
    """Store a game that ended with its last change."""
    who = [PlayerRow(n, f"P{n}", None if holder else "club", holder) for n, holder in enumerate(holders)]
    await store.create(row(id), who, [])
    results = [ResultRow(n, place, 10 - place, NOW, True) for n, place in enumerate(places)]
    assert await store.commit(Write(id, 0, NOW, {"over": True}, also=[ended(id, results)]))


@both
async def test_my_games_and_home_read_no_other_tables(database: str) -> None:
    """However many are stored, each statement finds what it needs by an index."""
    store = await Store.open(database)
    await finished(store, "t1", ME, OTHER)
    asked: list[tuple[str, Any]] = []

    @listens_for(store._engine.sync_engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        asked.append((statement, values))

    games, list_ = store.part(GamesStore), store.part(WaitingStore)
    past(await games.read(ME, 10))
    await games.uncounted(ME, 10)
    await games.countable(NOW, 10)
    await games.archive(ME)
    await store.unfinished(ME, 10)
    await store.playing(ME, 10)
    await store.held(ME, 10)
    await store.listed(20)
    await store.part(DeviceStore).of(ME)
    await store.part(DeviceStore).open("h", NOW)
    await store.listed(20, "lobby")
    await store.part(WatchingStore).live()
    await store.part(WatchingStore).over(["t1"])
    await store.part(WatchingStore).of(["t1"], NOW)
    await list_.of(ME)
    await list_.first("lacorsa", "live", NOW)
    queries = [one for one in asked if "FROM" in one[0] and "WHERE" in one[0]]
    sqlite = store._engine.dialect.name == "sqlite"
    async with store._engine.connect() as connection:
        if not sqlite:
            await connection.execute(text("SET enable_seqscan = off"))  # it reads small tables whole
        for query, values in queries:
            words = "EXPLAIN QUERY PLAN " if sqlite else "EXPLAIN "
            plan = [row[-1] for row in await connection.exec_driver_sql(words + query, values)]
            whole = [
                line
                for line in plan
                if (line.startswith("SCAN ") and "INDEX" not in line and "SUBQUERY" not in line)
                or "Seq Scan" in line
            ]
            assert not whole, (query, plan)
    await store.close()
    assert len(queries) == 17


@sqlite_only
async def test_my_unfinished_games_are_those_that_go_on_with_the_newest_moves_first(database: str) -> None:
    store = await Store.open(database)
    kinds: dict[str, dict[str, Any]] = {
        "over": {"over": True},
        "abandoned": {"abandoned": True},
        "closed": {"closed": True},
        "upload": {"kind": RECORD},
        "d-lobby": {"phase": "lobby"},
        "b-earlier": {"touched_at": NOW - SECOND},
        "c-now": {},
        "a-now": {"kind": LESSON},
        "e-later": {"touched_at": NOW + SECOND},
    }
    who = [PlayerRow(0, "Ben", None, OTHER), PlayerRow(1, "Ana", None, ME)]
    for id, facts in kinds.items():
        await store.create(row(id, **facts), who, [])
    await store.create(row("theirs", maker=ME), who[:1], [])
    mine = ["e-later", "a-now", "c-now", "d-lobby", "b-earlier"]
    assert await store.unfinished(ME, 9) == mine
    assert await store.unfinished(ME, 2) == mine[:2]
    assert await store.unfinished(NEW, 9) == []
    await store.close()


@both
async def test_a_link_is_used_once_and_the_newest_counts(database: str) -> None:
    store = await Store.open(database)
    devices = store.part(DeviceStore)
    first = LinkRow(ME, "h1", "sealed", NOW, None, "Ana", 5)
    await devices.keep(first)
    assert await devices.open("h1", NOW - timedelta(seconds=1)) == first
    assert await devices.open("h1", NOW) is None, "too old"
    await devices.keep(replace(first, hash="h2"))
    assert await devices.open("h1", NOW - timedelta(seconds=1)) is None
    before = NOW - timedelta(seconds=1)
    used = await asyncio.gather(*(devices.use("h2", before, NOW) for _ in range(3)))
    assert sorted(used) == [False, False, True]
    assert await devices.of(ME) == LinkRow(ME, None, "", NOW, NOW)
    await store.close()


def waits(holder: str, **more: Any) -> WaitingRow:
    """Somebody who waits for a live race."""
    return replace(WaitingRow(holder, "lacorsa", "live", "Ana", 0, NOW, NOW), **more)


@both
async def test_one_waits_for_each_game_and_nobody_for_two_tables(database: str) -> None:
    """Several servers ask at the same time: one of them waits, and one finds whoever waits."""
    async with AsyncExitStack() as stack:
        stores = [await Store.open(database) for _ in range(1 if database.startswith("sqlite") else 3)]
        for one in stores:
            stack.push_async_callback(one.close)
        before = NOW - timedelta(minutes=1)
        people = [f"{n:x}" * 64 for n in range(6)]
        lists = [stores[n % len(stores)].part(WaitingStore) for n in range(6)]
        joined = await asyncio.gather(
            *(one.join(waits(who), before) for one, who in zip(lists, people, strict=True))
        )
        assert sorted(joined) == [False] * 5 + [True]
        first = await lists[0].first("lacorsa", "live", before)
        assert first and first.holder == people[joined.index(True)]
        assert await lists[1].first("lacorsa", "days", before) is None
        assert await lists[0].join(waits(OTHER, pace="days"), before)

        async def seat(n: int) -> bool:
            id = f"t{n}"
            try:
                also = seated(first, waits(OTHER), before, id)
                await stores[n % len(stores)].create(row(id), [PlayerRow(0, "P", None, OTHER)], [], also=also)
            except Gone:
                return False
            return True

        made = await asyncio.gather(*(seat(n) for n in range(4)))
        assert sorted(made) == [False] * 3 + [True]
        mine = await lists[0].of(first.holder)
        assert [one.table_id for one in mine] == [f"t{made.index(True)}"]
        async with stores[0]._engine.connect() as connection:
            stored = (await connection.execute(select(tables.c.id))).scalars().all()
        assert stored == [f"t{made.index(True)}"], "no table without its two people"
        assert await lists[0].first("lacorsa", "live", before) is None
        assert not await lists[0].join(waits(first.holder), before), "their table is not lost"
        await lists[0].met(mine[0], NOW)
        assert await lists[0].of(first.holder) == [], "both are led to it"
        assert [one.pace for one in await lists[0].of(OTHER)] == ["days"]
        assert await lists[0].join(waits(NEW), before)
        with pytest.raises(Gone):  # a second click that reaches another server
            await stores[-1]._writer.run(seated(waits(NEW), waits(OTHER), before, mine[0].table_id or ""))
        assert await lists[0].leave(NEW, "lacorsa", "live"), "they wait for somebody else"
        await lists[0].purge(before, NOW - timedelta(seconds=1))
        for who in (first.holder, OTHER):
            assert not await lists[0].join(waits(who), before), "a click that follows leads there, too"
            got = await lists[-1].got(who, "lacorsa", "live")
            assert got and (got.table_id, got.led_at) == (mine[0].table_id, NOW)
        await lists[0].purge(before, NOW)
        assert await lists[0].got(OTHER, "lacorsa", "live") is None
        assert await lists[0].join(waits(first.holder), before), "they may wait again"
        assert not await lists[0].join(waits(OTHER), before)
        late = NOW + timedelta(minutes=5)
        assert await lists[0].join(waits(OTHER, since=late, seen_at=late), NOW), (
            "nobody sees the first any more"
        )
        assert [one.holder for one in await lists[0].open()] == [OTHER, OTHER]
        await lists[0].seen(OTHER, late + timedelta(minutes=1))
        assert {one.seen_at for one in await lists[0].open()} == {late + timedelta(minutes=1)}
        assert await lists[0].leave(OTHER, "lacorsa", "live")
        assert not await lists[0].leave(OTHER, "lacorsa", "live")
        await lists[0].purge(late, NOW)
        assert await lists[0].of(OTHER) == []


@sqlite_only
async def test_who_is_led_to_a_table_or_leaves_it_does_so_alone(database: str) -> None:
    """Each person at a table has a row of their own, and one for each other game."""
    store = await Store.open(database)
    for id in ("t1", "t2"):
        await finished(store, id, ME, OTHER)
    mine, theirs = waits(ME, table_id="t1"), waits(OTHER, table_id="t1")
    slow, other_title = replace(mine, pace="days"), replace(mine, title="rasant")
    await execute(store, *(insert(waiting).values(asdict(one)) for one in (mine, theirs, slow, other_title)))

    async def stored() -> list[tuple[str, str, str, bool]]:
        async with store._engine.connect() as connection:
            found = await connection.execute(select(waiting).order_by(*waiting.primary_key))
            return [(one.holder[0], one.title, one.pace, one.led_at is not None) for one in found]

    lists = store.part(WaitingStore)
    for elsewhere in (replace(mine, table_id="t2"), replace(mine, holder=NEW)):
        await lists.met(elsewhere, NOW)
        await lists.drop(elsewhere)
    rest = [("a", "lacorsa", "days", False), ("a", "rasant", "live", False), ("b", "lacorsa", "live", False)]
    assert await stored() == sorted([("a", "lacorsa", "live", False), *rest])
    await lists.met(mine, NOW)
    assert await stored() == sorted([("a", "lacorsa", "live", True), *rest])
    await lists.drop(mine)
    assert await stored() == rest
    await store.close()


def _named() -> set[str]:
    """The columns of the schema that have the hash of a browser, by their names."""
    words = {"holder", "maker", "host", "last_holder", "removed_by", "opened_by"}
    return {
        f"{one.name}.{column.name}"
        for one in metadata.tables.values()
        for column in one.columns
        if column.name in words or column.name.endswith("_holder")
    }


async def _everywhere(store: Store, holder: str) -> list[str]:
    """Return where the hash of a browser stands in the database."""
    found = []
    async with store._engine.connect() as connection:
        for one in metadata.sorted_tables:
            texts = [column for column in one.columns if isinstance(column.type, String)]
            for stored in (await connection.execute(select(*texts))).all() if texts else ():
                found += [f"{one.name}" for value in stored if value and holder in value]
    return found


async def _full(store: Store) -> None:
    """Store something of ``ME`` in every place that there is."""
    await finished(store, "t1", ME, OTHER, None)
    await store.create(row("t2", maker=ME, host=ME), [PlayerRow(0, "Ana", None, ME)], [])
    said = TalkRow(0, NOW, 0, "table", "hello", f"{ME} {OTHER}")
    change = Write(
        "t1",
        1,
        NOW,
        {"host": ME},
        players={0: {"recovery": "r" * 64}, 2: {"last_holder": ME, "removed_by": ME}},
        talk=[said],
        banned=[ME],
    )
    assert await store.commit(change)
    await store.part(PuzzleStore).found("t1", [PuzzleRow(ME, "t1/3", "", NOW, table_id="t1")])
    assert await store.add_token(TokenRow("h" * 64, ME, "mine", NOW))
    await store.part(GamesStore).keep_archive(ME, None, "{}", NOW)
    await store.part(DeviceStore).keep(LinkRow(ME, "h1", "sealed", NOW))
    assert await store.part(WaitingStore).join(waits(ME), NOW - timedelta(1))

    def claim(connection: Any) -> None:
        connection.execute(
            insert(claims).values(table_id="t1", player=1, number=1, holder=ME, name="Ana", consents=())
        )
        deal = {"day": "2026-01-01", "title": "lacorsa"}
        connection.execute(insert(daily_days).values(day="2026-01-01", secret="5" * 64))
        connection.execute(insert(daily_deals).values(**deal, revision=1, options="", player=0, level="club"))
        connection.execute(insert(daily_attempts).values(**deal, holder=ME, name="Ana", begun=NOW))
        ways = {"language": "en", "site": "https://club.example", "calendar": "k" * 64}
        connection.execute(insert(reach).values(holder=ME, **ways))
        for id, kind in (("w1", "ntfy"), ("w2", "push")):
            way = {"id": id, "holder": ME, "kind": kind, "address": f"https://{kind}.example/me"}
            connection.execute(insert(channels).values(**way, made_at=NOW))
        note = {"table_id": "t1", "seq": 1, "at": 0, "facts": "{}"}
        connection.execute(insert(notes).values(**note, made_at=NOW, holder=ME))
        connection.execute(insert(wanted).values(holder=ME, table_id="t1", wanted=True))
        message = {"channel_id": "w1", "about": "t1/3", "kind": "turn", "holder": ME, "table_id": "t1"}
        connection.execute(insert(outbox).values(**message, made_at=NOW, due=NOW))
        evening = EveningRow(
            id="e1", name="Friday", title="lacorsa", revision=1, options="", level="club", deals=1,
            style="live", system="robin", clock="", minutes=0, pause=0, pace="instant",
            secret="5" * 64, made=NOW,
        )  # fmt: skip
        connection.execute(insert(evenings).values(asdict(evening)))
        connection.execute(insert(club_organisers).values(of="e1", holder=ME))
        connection.execute(insert(clubs).values(asdict(ClubRow("c1", "The Oaks", NOW))))
        connection.execute(insert(club_racers).values(club="c1", holder=ME))
        connection.execute(insert(evening_entrants).values(asdict(EntrantRow("e1", 1, "Ana", ME, "", NOW))))

    await store.part(Keeping)._writer.run(claim)


@pytest.mark.postgres
@pytest.mark.parametrize("database", KINDS[1:], indirect=True)
@pytest.mark.parametrize("work", ["rekey", "forget"])
async def test_who_goes_locks_in_the_order_of_a_commit(
    database: str, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server changes a player of a table that it has locked: neither waits for the other for good."""
    monkeypatch.setattr("paddock.store.database.LOCKED", 280.0)
    store = await Store.open(database)
    await _full(store)
    keeping, engine = store.part(Keeping), create_async_engine(database_url(database))
    waits = text(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    async with engine.connect() as other, engine.connect() as watch:
        await other.execute(select(tables.c.id).where(tables.c.id == "t1").with_for_update())
        task = asyncio.create_task(keeping.rekey(ME, NEW) if work == "rekey" else keeping.forget(ME))
        while not (await watch.execute(waits)).scalar():
            await watch.rollback()
            await asyncio.sleep(0.01)
        await other.execute(update(players).where(players.c.table_id == "t1").values(ready=True))
        await other.commit()
        await task
    await engine.dispose()
    assert await _everywhere(store, ME) == []
    await store.close()


@both
async def test_every_place_of_a_browser_is_forgotten_and_gets_another_secret(database: str) -> None:
    assert _named() == {f"{column.table.name}.{column.name}" for column in holders()}, "list each new column"
    store = await Store.open(database)
    await _full(store)
    assert set(await _everywhere(store, ME)) == {column.table.name for column in holders()} | {"talk"}
    await store.part(Keeping).rekey(ME, NEW)
    assert await _everywhere(store, ME) == []
    moved = set(await _everywhere(store, NEW))
    assert moved == {column.table.name for column in holders()} - {"tokens", "device_links"} | {"talk"}
    assert (await store.versions(["t1", "t2"])) == {"t1": 3, "t2": 1}
    assert [one.id for one in past(await store.part(GamesStore).read(NEW, 9))] == ["t1"]
    assert not await _everywhere(store, "r" * 64), "links to recover a seat end too"
    async with store._reading.connect() as connection:
        ways = (await connection.execute(select(channels.c.kind))).scalars().all()
        calendars = (await connection.execute(select(reach.c.calendar))).scalars().all()
    assert (ways, calendars) == (["ntfy"], [None]), "a lost device is not called any more"
    gone = await store.part(Keeping).forget(NEW)
    assert gone.tables == ("t2",)
    assert await _everywhere(store, NEW) == []
    assert await _everywhere(store, OTHER)
    assert archives in own() and banned in own()
    await store.close()
