"""The days of the race in both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, insert

from paddock.features.daily.rows import (
    DAILY,
    PRACTICE,
    AttemptRow,
    DayRow,
    DealRow,
    ParRow,
    daily_attempts,
)
from paddock.features.daily.store import Begun, DailyStore, DayTold, begun
from paddock.store import Before, Keeping, PlayerRow, Store, TableRow, restore_backup, write_backup
from paddock.store.schema import servers
from paddock.store.terms import Terms
from store.databases import KINDS, execute, ready

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ANA, BEN = "a" * 64, "b" * 64
ONE, TWO = "2026-03-01", "2026-03-02"
TABLE = TableRow(
    id="t1", title="rasant", revision=1, options="players=4", kind=DAILY, terms=Terms(), created=NOW,
    date=ONE, length=0, over=False, touched_at=NOW, deal=ONE,
)  # fmt: skip
DEAL = DealRow(ONE, "rasant", 1, "players=4", 2, "club")
MINE = AttemptRow(ONE, "rasant", ANA, "Ana", NOW, "t1")


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without rows."""
    return ready(request, tmp_path)


async def begin(store: Store, row: AttemptRow) -> None:
    """Store an attempt."""
    await store.part(DailyStore)._writer.run(begun(row))


async def attempts(kept: DailyStore, day: str) -> list[AttemptRow]:
    """Return all attempts of a day, the first to end first."""
    return await kept._attempts(daily_attempts.c.day == day)


async def filled(database: str) -> Store:
    """Return a store with a day, a race, and the attempt of a browser."""
    store = await Store.open(database)
    await store.create(TABLE, [PlayerRow(0, "Ana", None, ANA)], [])
    kept = store.part(DailyStore)
    assert await kept.secret(ONE) is None
    assert await kept.open_day(DayRow(ONE, "1" * 64)) == "1" * 64
    await kept.add_deals([DEAL])
    await begin(store, MINE)
    return store


async def test_a_day_and_its_races_are_made_once(database: str) -> None:
    store = await filled(database)
    kept = store.part(DailyStore)
    assert await kept.open_day(DayRow(ONE, "2" * 64)) == "1" * 64 == await kept.secret(ONE)
    await kept.add_deals([replace(DEAL, player=3), replace(DEAL, title="lacorsa")])
    assert await kept.deals(ONE) == [replace(DEAL, title="lacorsa"), DEAL]
    assert await kept.without_par(ONE) == [], "nobody has ended it"
    await kept.end("t1", NOW, 9, 1)
    assert await kept.without_par("2026-02-28") == [] and await kept.without_par(ONE) == [DEAL]
    await kept.set_par(ONE, "rasant", 7, "works")
    await kept.set_par(ONE, "rasant", 8, "works")
    assert (await kept.deals(ONE))[1] == replace(DEAL, par=7, par_level="works")
    assert await kept.without_par(ONE) == []
    loaded = await store.load("t1")
    assert loaded and loaded.table.deal == ONE
    await store.close()


async def test_one_server_measures_a_par_and_the_next_one_goes_on(database: str) -> None:
    store = await filled(database)
    kept, mine = store.part(DailyStore), ParRow(ONE, "rasant", "works", "[]", "s1")
    theirs = replace(mine, owner="s2")
    await execute(store, *(insert(servers).values(id=id, address="", key="", beats=0) for id in ("s1", "s2")))
    assert await kept.take_par(mine) == "[]"
    assert await kept.note_par(replace(mine, log="[1]"))
    assert await kept.take_par(theirs) is None and await kept.take_par(mine) == "[1]"
    assert not await kept.note_par(theirs)
    await execute(store, delete(servers).where(servers.c.id == "s1"))
    assert await kept.take_par(theirs) == "[1]" and not await kept.note_par(mine)
    assert await kept.take_par(replace(theirs, level="club")) == "[]", "another bot begins anew"
    await kept.set_par(ONE, "rasant", 7, "works")
    for one in (mine, theirs):
        assert await kept.take_par(one) is None and not await kept.note_par(one)
    await kept.add_deals([replace(DEAL, title="lacorsa")])
    alone = replace(mine, title="lacorsa", owner=None)
    assert await kept.take_par(alone) == "[]" and await kept.note_par(replace(alone, log="[2]"))
    assert await kept.take_par(alone) == "[2]", "the only server, after a restart"
    await store.close()


async def test_a_browser_has_one_attempt_and_one_result(database: str) -> None:
    store = await filled(database)
    kept = store.part(DailyStore)
    second = replace(MINE, name="Eve", table_id="t2")
    with pytest.raises(Begun):
        await store.create(replace(TABLE, id="t2"), [PlayerRow(0, "Eve", None, ANA)], [], also=begun(second))
    assert await store.load("t2") is None, "no table without its attempt"
    ben = replace(MINE, holder=BEN, name="Ben", table_id=None, begun=NOW - HOUR)
    await begin(store, ben)
    assert await attempts(kept, ONE) == [ben, MINE] and await kept.attempt(ONE, "lacorsa", ANA) is None
    await kept.end("t1", NOW + HOUR, 9, 1)
    await kept.end("t1", NOW + 2 * HOUR, 3, 4)
    done = replace(MINE, ended=NOW + HOUR, points=9, place=1)
    assert await attempts(kept, ONE) == [done, ben]
    assert (await kept.days_of(ANA), await kept.days_of(BEN)) == ([ONE], [])
    await store.close()


async def test_a_day_is_told_once_and_for_good(database: str) -> None:
    """The kind: that something was told is a stored fact, and what was over then counts, nothing later."""
    store = await filled(database)
    kept = store.part(DailyStore)
    await store.create(replace(TABLE, id="t2", over=True), [PlayerRow(0, "Ben", None, BEN)], [])
    await begin(store, replace(MINE, holder=BEN, name="Ben", table_id="t2"))
    await kept.tell("2026-02-28", NOW)
    assert await kept.past(9) == [] and await kept.sealed(DAILY) == []
    await kept.tell(TWO, NOW + HOUR)
    await kept.tell(TWO, NOW + 2 * HOUR)
    assert await kept.day(ONE) == DayRow(ONE, "1" * 64, NOW + HOUR) and await kept.day(TWO) is None
    assert [row.table_id for row in await kept.sealed(DAILY)] == ["t1", "t2"]
    assert await kept.sealed(PRACTICE) == []
    for id in ("t1", "t2"):
        await kept.end(id, NOW, 9, 1)
    assert {row.table_id: row.points for row in await attempts(kept, ONE)} == {"t1": None, "t2": 9}
    assert await kept.past(9) == [(ONE, 1)]
    with pytest.raises(DayTold):
        await begin(store, replace(MINE, holder="c" * 64, table_id=None))
    await store.close()


async def test_a_browser_that_is_forgotten_has_raced_until_the_day_is_told(database: str) -> None:
    """The kind: forgetting must not give anything back that can be had once."""
    store = await filled(database)
    kept, keeping = store.part(DailyStore), store.part(Keeping)
    await kept.open_day(DayRow(TWO, "2" * 64))
    await kept.add_deals([replace(DEAL, day=TWO), replace(DEAL, title="lacorsa")])
    await begin(store, replace(MINE, day=TWO, table_id=None))
    await kept.tell(ONE, NOW)
    await keeping.forget(ANA)
    days = [await kept.day(ONE), await kept.day(TWO)]
    assert days[0] and days[1]
    titles = ["lacorsa", "rasant"]
    assert [await kept.raced(day, titles, ANA) for day in days if day] == [set(), {"rasant"}]
    assert await kept.raced(days[1], titles, BEN) == set()
    await keeping.rekey(ANA, BEN)
    assert await kept.raced(days[1], titles, BEN) == {"rasant"}
    for holder in (ANA, BEN):
        with pytest.raises(Begun):
            await begin(store, replace(MINE, day=TWO, holder=holder, table_id=None))
    assert await attempts(kept, TWO) == []
    await kept.tell(TWO, NOW)
    assert await kept.raced(days[1], titles, BEN) == set()
    await store.close()


async def test_results_are_ranked_by_the_database(database: str) -> None:
    """Equal points share a rank, and of these the first to end comes first. A page needs only some."""
    store = await filled(database)
    kept = store.part(DailyStore)
    assert await kept.begun_and_ended(ONE) == {"rasant": (1, 0)}
    assert await kept.results(ONE, ["rasant"], None, ANA) == []
    stamps = [await kept.stamp(ONE)]
    for n, points in enumerate((3, 7, 7, -2)):
        row = replace(MINE, holder=f"{n}" * 64, name=f"N{n}", table_id=None, begun=NOW)
        await begin(store, replace(row, ended=NOW + n * HOUR, points=points, place=n + 1))
        stamps.append(await kept.stamp(ONE))
    assert len(set(stamps)) == 5, "each result changes the stamp"
    assert await kept.begun_and_ended(ONE) == {"rasant": (5, 4)}
    every = [
        ("rasant", 1, "N1", 7, 2, "1" * 64),
        ("rasant", 1, "N2", 7, 3, "2" * 64),
        ("rasant", 3, "N0", 3, 1, "0" * 64),
        ("rasant", 4, "N3", -2, 4, "3" * 64),
    ]
    assert [tuple(row) for row in await kept.results(ONE, ["rasant"], None, None)] == every
    assert [tuple(row) for row in await kept.results(ONE, ["rasant"], 1, "3" * 64)] == [every[0], every[3]]
    assert [tuple(row) for row in await kept.results(ONE, ["rasant"], 0, "0" * 64)] == [every[2]]
    assert (
        await kept.results(ONE, ["lacorsa"], None, ANA) == [] == await kept.results(TWO, ["rasant"], 9, ANA)
    )
    assert await kept.mine(ONE, ANA) == {"rasant": MINE} and await kept.mine(ONE, BEN) == {}
    await store.close()


async def test_attempts_go_with_their_browsers_and_results_stay_without_their_tables(
    database: str, tmp_path: Path
) -> None:
    store = await filled(database)
    kept, keeping = store.part(DailyStore), store.part(Keeping)
    await begin(store, replace(MINE, holder=BEN, name="Ben", table_id=None, begun=NOW + HOUR))
    copy = tmp_path / "copy.sqlite3"
    await write_backup(database, copy)
    await keeping.delete("t1")
    assert [one.table_id for one in await attempts(kept, ONE)] == [None, None]
    await keeping.forget(ANA)
    assert [one.holder for one in await attempts(kept, ONE)] == [BEN]
    await keeping.purge(Before(games=NOW + HOUR))
    assert len(await attempts(kept, ONE)) == 1
    await keeping.purge(Before(games=NOW + 2 * HOUR))
    assert len(await attempts(kept, ONE)) == 1, "a clock that is ahead gives nobody a second attempt"
    await kept.tell(ONE, NOW)
    await keeping.purge(Before(games=NOW + 2 * HOUR))
    assert await attempts(kept, ONE) == [] and await kept.secret(ONE) == "1" * 64
    await store.close()
    again = f"sqlite:///{tmp_path / 'again.sqlite3'}"
    await restore_backup(copy, again)
    store = await Store.open(again)
    kept = store.part(DailyStore)
    assert (await attempts(kept, ONE))[0] == MINE and await kept.deals(ONE) == [DEAL]
    await store.close()
