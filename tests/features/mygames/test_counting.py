"""A game counts for who made most of their decisions; who left is said to have left."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from paddock.core.title import move_id
from paddock.features.mygames.archive import GamesFile
from paddock.features.mygames.games import by_title, file, rivalries, sums, tally
from paddock.features.mygames.listing import finished
from paddock.features.mygames.rows import results
from paddock.features.mygames.service import MyGames
from paddock.features.mygames.store import TRIES, GamesStore
from paddock.store import Store
from paddock.store.schema import answers
from paddock.tables import Stopped, Table, Tables, Unavailable, moves
from paddock.tables.played import played
from store.databases import both, execute, sqlite_only
from tables.harness import ANA, BEN, alter, service, someone

pytestmark = pytest.mark.anyio
RACE = {"drivers": 4, "races": 1}


async def race(tables: Tables, decides: Callable[[int, int], bool], seed: int = 6) -> str:
    """A race of Ana, Ben and two bots; ``decides``: whether a person makes the nth decision of a seat."""
    table = await tables.making.create("lacorsa", RACE, ["me"] * 4, holder=ANA)
    await finish(tables, table, decides, seed)
    return table.id


async def finish(tables: Tables, table: Table, decides: Callable[[int, int], bool], seed: int = 6) -> None:
    choose, decided = random.Random(seed), Counter[int]()
    while not table.game.over:
        seat, move = someone(table, choose)
        if decides(seat, decided[seat]):
            await tables.submit(table.id, ANA, seat, move, table.decision, f"k{table.decision}.{seat}")
        else:
            await tables.run(table.id, alter, {seat: {"stand_in": True}})
            chosen = (move_id(table.title, table.game.setup, move),)
            await tables.run(table.id, moves.move_automatically, seat, chosen, table.decision)
            await tables.run(table.id, alter, {seat: {"stand_in": False}})
        decided[seat] += 1
    bots = {player: {"bot": "club", "holder": None} for player in (2, 3)}
    await tables.run(table.id, alter, {1: {"holder": BEN}} | bots)


@both
async def test_a_game_that_nobody_played_counts_for_nobody(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        await race(tables, lambda _seat, _n: False)
        for who in (ANA, BEN):
            assert await my_games.count(who) == ([], 0)
            games = await my_games.of(who)
            assert [(game.counts, game.left) for game in games] == [(False, True)]
            total = tally(games)
            assert (total.games, total.wins, total.place, total.timed, total.left) == (0, 0, None, 0, 1)
            assert total.field is None
            assert rivalries(games) == [] and sums(games) == {}
            (line,) = finished(False, 1, games).games
            assert not line.won and line.facts.endswith("left, does not count")


@pytest.mark.parametrize("long", [0, 600])
@sqlite_only
async def test_a_game_counts_for_who_made_most_decisions_and_others_left(
    database: str, long: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if a worker counts it, as its log is long."""
    monkeypatch.setattr("paddock.tables.replaying.LONG_LOOK", long)
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        await race(tables, lambda seat, n: seat == 0 or n < 1)
        await my_games.tend()
        (mine,), (theirs,) = await my_games.of(ANA), await my_games.of(BEN)
        assert (mine.counts, mine.left, theirs.counts, theirs.left) == (True, False, False, True)
        assert [rivalry.bot for rivalry in rivalries([mine])] == ["club"], "Ben was not there"
        assert tally([mine]).games == 1 and by_title([theirs])["lacorsa"].games == 0


@both
async def test_who_left_near_the_end_has_left_and_the_game_counts(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        id = await race(tables, lambda _seat, _n: True)
        table, (rows, sent) = await tables.table(id), await tables.store.decided(id)
        for key in sorted(sent, key=lambda of: -of[1]):  # the last of Ana's decisions that was one
            if key[0] == 0 and played(table.game, rows, sent - {key})[0].left:
                break
        this = (answers.c.seat == key[0]) & (answers.c.decision == key[1])
        await execute(tables.store, answers.delete().where(this))
        await my_games.tend()
        (game,) = await my_games.of(ANA)
        assert (game.counts, game.left) == (True, True)
        assert "left" in finished(False, 1, [game]).games[0].facts.split(", ")


@both
async def test_games_of_older_versions_are_counted_again_from_their_logs(database: str) -> None:
    async with service(database) as tables:
        theirs = await race(tables, lambda _seat, _n: True, 1)
        unplayed = await race(tables, lambda seat, _n: seat == 1, 2)
        forgotten = dict.fromkeys(("asked", "made", "left_game"))
        await execute(tables.store, results.update().values(forgotten))
    async with service(database) as tables:
        my_games, store = tables.service(MyGames), tables.store.part(GamesStore)
        assert {game.counts for game in await my_games.of(ANA)} == {True}, "they count until that is known"
        stamp = await my_games.stamp(ANA)
        while await store.countable(tables.runtime.now(), 1):
            await my_games.tend()
        assert await my_games.stamp(ANA) != stamp
        counts = {game.id: game.counts for game in await my_games.of(ANA)}
        assert counts == {theirs: True, unplayed: False}
        before = await my_games.of(ANA)
        for _again in range(3):
            await my_games.tend()
        assert await my_games.of(ANA) == before and await my_games.count(ANA) == ([], 0)


@both
async def test_a_log_that_cannot_be_read_counts_as_before_and_is_left_alone(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        id = await race(tables, lambda _seat, _n: False)
        (await tables.table(id)).game.log.cut(3)

        async def peek(_id: str) -> object:
            return await tables.table(id)

        tables.registry.peek = peek  # type: ignore[method-assign,assignment]
        assert await my_games.count(ANA) == await my_games.count(ANA) == ([], 1)
        assert [(game.counts, game.left) for game in await my_games.of(ANA)] == [(True, False)]


@pytest.mark.parametrize("fails", ["decided", "count"])
@sqlite_only
async def test_a_database_that_does_not_answer_delays_the_counting(
    database: str, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else is lost that waits to be counted: neither by the server nor by a look at the page."""

    async def unavailable(*_facts: object) -> None:
        raise Unavailable

    async with service(database) as tables:
        my_games = tables.service(MyGames)
        for seed in (1, 2):
            await race(tables, lambda _seat, _n: False, seed)
        with monkeypatch.context() as broken:
            broken.setattr(Store if fails == "decided" else GamesStore, fails, unavailable)
            await my_games.tend()
            for _again in range(TRIES + 1):
                assert len((await my_games.count(ANA)).waiting) == 2
        await my_games.tend()
        assert [game.counts for game in await my_games.of(ANA)] == [False, False]
        assert await my_games.count(ANA) == ([], 0)


@pytest.mark.parametrize("fault", [Stopped("no worker"), RuntimeError("a bug")])
@sqlite_only
async def test_a_game_that_stops_its_worker_is_tried_three_times_and_stops_no_other(
    database: str, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database) as tables:
        my_games, registry = tables.service(MyGames), tables.registry
        bad, good = [await race(tables, lambda _seat, _n: False, seed) for seed in (1, 2)]
        peek, asked = registry.peek, list[str]()
        assert bad < good, "it comes first"

        async def peeked(id: str) -> Table:
            asked.append(id)
            if id == bad:
                raise fault
            return await peek(id)

        monkeypatch.setattr(registry, "peek", peeked)
        for _again in range(TRIES + 2):
            await my_games.tend()
        assert sorted(asked) == [bad] * TRIES + [good]
        assert await my_games.count(ANA) == ([], 1)
        assert {game.id: game.counts for game in await my_games.of(ANA)} == {bad: True, good: False}


@both
async def test_files_say_who_played_and_older_ones_count(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        await race(tables, lambda seat, _n: seat == 1)
        await my_games.tend()
        text = file(await my_games.of(ANA), "", None)
        (said,) = json.loads(text)["games"]
        assert (said["counts"], said["left"]) == (False, True)
        assert not any("counts" in one for one in said["others"]), "Ben and the bots have played"
        await my_games.bring("d" * 64, text)
        (brought,) = await my_games.of("d" * 64)
        (here,) = await my_games.of(ANA)
        others = tuple(replace(one, holder=None) for one in here.others)
        assert brought == replace(here, here=False, others=others)

        usual = file([replace(brought, counts=True, left=False)], "", None)
        assert not re.search("counts|left", usual), "older versions refuse fields that they do not know"
        new, corrected = "f" * 64, text.replace(f'"points":{here.points}', '"points":77')
        for sent, points, counts in (
            (usual, here.points, True),
            (corrected, 77, False),
            (usual, here.points, False),
        ):
            await my_games.bring(new, sent)
            (game,) = await my_games.of(new)
            assert (game.points, game.counts) == (points, counts), "who played stays known"
            assert game.left is not counts

        older = json.loads(text)
        older["games"][0].pop("counts"), older["games"][0].pop("left")
        assert GamesFile.model_validate(older).games[0].counts
        await my_games.bring("e" * 64, json.dumps(older))
        assert [(game.counts, game.left) for game in await my_games.of("e" * 64)] == [(True, False)]


@sqlite_only
async def test_a_game_with_changed_numbers_of_the_rules_does_not_count(database: str) -> None:
    """It is listed with the reason, and its file says that it does not count."""
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        options = {"players": 4, "games": 1, "black_factor": 3}
        table = await tables.making.create("rasant", options, ["me"] * 4, holder=ANA)
        await finish(tables, table, lambda _seat, _n: True)
        await my_games.tend()
        games = await my_games.of(ANA)
        assert [(game.changed, game.counts) for game in games] == [(True, False)]
        assert finished(False, 1, games).games[0].facts.endswith("changed numbers, does not count")
        assert tally(games).games == 0
        assert json.loads(file(games, "", None))["games"][0]["counts"] is False
