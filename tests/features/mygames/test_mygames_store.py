"""What is stored of finished games: results belong to seats, and a stamp tells of each change."""

from __future__ import annotations

from datetime import timedelta

import pytest

from paddock.features.mygames.rows import ResultRow
from paddock.features.mygames.store import LEASE, GamesStore, past
from paddock.store import Keeping, PlayerRow, Store, Write
from paddock.store.keeping import Before
from paddock.tables.played import Played
from store.databases import both
from store.test_others import ME, NOW, OTHER, finished, row

pytestmark = pytest.mark.anyio


@both
async def test_results_belong_to_seats_and_go_with_their_tables(database: str) -> None:
    store = await Store.open(database)
    await finished(store, "t1", ME, OTHER)
    await finished(store, "t2", None, ME)
    await finished(store, "t3", OTHER, None)
    games = store.part(GamesStore)
    assert [one.id for one in past(await games.read(ME, 10))] == ["t1", "t2"]
    first, second = past(await games.read(ME, 10))[0].players
    assert (first.holder, first.result.place, second.name, second.result.place) == (ME, 1, "P1", 2)
    await games.judge("t1", {0: (20, 1.5, "{}")})
    assert past(await games.read(ME, 1))[0].players[0].result == ResultRow(0, 1, 9, NOW, True, 20, 1.5, "{}")
    assert await store.commit(Write("t2", 1, NOW, players={1: {"holder": OTHER}}))  # a seat moves on
    assert [one.id for one in past(await games.read(OTHER, 10))] == ["t1", "t2", "t3"]
    await store.part(Keeping).delete("t1")
    assert past(await games.read(ME, 10)) == []
    await store.create(row("t4", over=True), [PlayerRow(0, "P", None, ME)], [])
    assert await games.uncounted(ME, 10) == (["t4"], 0)
    assert await games.uncounted(OTHER, 10) == (["t2", "t3"], 0)
    assert [await games.add("t4", [ResultRow(0, 3, 5, NOW)]) for _twice in range(2)] == [True, False]
    assert await games.countable(NOW, 2) == ["t2", "t3"]
    assert [await games.claim("t2", NOW) for _server in range(2)] == [True, False], "one of them counts it"
    assert await games.countable(NOW, 9) == ["t3", "t4"]
    assert await games.countable(NOW + 2 * LEASE, 9) == ["t3", "t4", "t2"], "the one that took it is gone"
    await games.give_back("t2", NOW - LEASE, 0)  # of a claim that has lapsed
    await games.give_back("t2", NOW, 1)
    assert await games.countable(NOW, 9) == ["t3", "t4", "t2"]
    for again in (0, 1, 1):
        assert await games.claim("t2", NOW)
        await games.give_back("t2", NOW, again)
    assert not await games.claim("t2", NOW) and await games.countable(NOW, 9) == ["t3", "t4"]
    assert await games.uncounted(OTHER, 1) == (["t3"], 0), "what cannot be counted hides no other"
    assert await games.uncounted(OTHER, 9) == (["t3"], 1)
    assert await games.claim("t4", NOW)
    for part in (Played(4, 1, left=True), Played(4, 4)):  # what is noted stays
        await games.count("t4", {0: part, 1: part})
    (counted,) = past(await games.read(ME, 10))[0].players
    assert counted.result == ResultRow(0, 3, 5, NOW, asked=4, made=1, left_game=True)
    assert not counted.result.counts and await games.uncounted(ME, 10) == ([], 0)
    assert not await games.claim("t4", NOW), "it is counted"
    await finished(store, "t0", OTHER, OTHER)  # a game of both seats hides no other
    assert [one.id for one in past(await games.read(OTHER, 2))] == ["t2", "t3"]
    assert await games.archive(ME) is None
    assert await games.keep_archive(ME, None, "{}", NOW)
    for before in (None, "{2}"):
        assert not await games.keep_archive(ME, before, "{3}", NOW), "another one came first"
    assert await games.keep_archive(ME, "{}", "{1}", NOW)
    assert await games.archive(ME) == "{1}"
    for before, left in ((NOW, "{1}"), (NOW + timedelta(seconds=1), None)):
        await store.part(Keeping).purge(Before(games=before))
        assert await games.archive(ME) == left, "kept as long as games are"
    await store.close()


@both
async def test_each_change_of_the_games_of_a_browser_changes_their_stamp(database: str) -> None:
    """An answer that is kept is made again then."""
    store = await Store.open(database)
    games, keeping = store.part(GamesStore), store.part(Keeping)
    stamps = [await games.stamp(ME)]
    await finished(store, "t1", ME, OTHER)
    await finished(store, "t2", OTHER, None)
    unchanged = await games.stamp(ME)
    await finished(store, "t3", OTHER, None)
    assert await games.stamp(ME) == unchanged, "of others"
    for change in (
        finished(store, "t4", None, ME),
        games.judge("t1", {0: (20, 1.5, "{}")}),
        games.judge("t1", {1: (20, 1.5, None)}),
        games.count("t1", {0: Played(9, 9), 1: Played(9, 9)}),
        store.commit(Write("t4", 1, NOW, players={0: {"name": "Eve"}})),
        games.keep_archive(ME, None, "{}", NOW),
        games.keep_archive(ME, "{}", "{}", NOW + timedelta(seconds=1)),
        keeping.forget(OTHER),
        keeping.delete("t4"),
        keeping.forget(ME),
    ):
        stamps.append(await games.stamp(ME))
        await change
    assert len({*stamps, await games.stamp(ME)}) == len(stamps), "at the end as at the beginning"
    await store.close()
