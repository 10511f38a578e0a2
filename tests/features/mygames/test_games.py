"""«My games»: what is noted of a finished game, what games add up to, and the file of a browser."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from paddock.bots.ledger import LedgerMoment, Total
from paddock.core.errors import BadOption
from paddock.features.mygames.archive import MOST_BYTES
from paddock.features.mygames.games import Finished, Opponent, by_title, file, rivalries, sums, tally
from paddock.features.mygames.results import judged_in
from paddock.features.mygames.rows import results
from paddock.features.mygames.service import COUNTED, MyGames
from paddock.features.mygames.store import GamesStore
from paddock.store.kinds import EXPLORED, LESSON
from paddock.store.terms import Terms
from paddock.tables import Tables
from paddock.tables.analysing import Analysed
from paddock.tables.presence import settle
from store.databases import execute
from tables.harness import ANA, BEN, CountedRuntime, alter, give_seats, service
from tables.light import analysis_of
from tables.test_play import play

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RACE = {"drivers": 4, "races": 1}


async def race(tables: Tables, seed: int = 6, **terms: str) -> str:
    """A finished race of Ana, Ben and two bots."""
    table = await tables.making.create("lacorsa", RACE, ["me"] * 4, holder=ANA, terms=Terms(**terms))
    await play(tables, table, random.Random(seed), 10**6)
    countable = await tables.store.part(GamesStore).countable(tables.runtime.now(), COUNTED)
    assert table.id in countable, "its last move has stored the results"
    bots = {2: {"bot": "rookie", "holder": None}, 3: {"bot": "club", "holder": None}}
    await tables.run(table.id, alter, {1: {"holder": BEN}} | bots)
    return table.id


async def test_a_result_is_stored_with_the_last_move(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        id = await race(tables)
        (game,) = await my_games.of(ANA)
        table = await tables.table(id)
        result = table.game.result
        assert result
        ranks = {line.who: line.rank for line in result.standings.players}
        assert (game.id, game.title, game.place, game.players) == (id, "lacorsa", ranks[0], 4)
        assert [(one.bot, one.place) for one in game.others] == [
            (None, ranks[1]),
            ("rookie", ranks[2]),
            ("club", ranks[3]),
        ]
        assert game.ended == table.touched_at and game.kept is None and game.cost is None
        assert (await my_games.of(BEN))[0].place == ranks[1]
        assert await my_games.of(None) == [] and await my_games.of("f" * 64) == []
        assert await my_games.count(ANA) == ([], 0), "there is nothing to count afterwards"
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        assert [one.id for one in await my_games.of(ANA)] == [id]


async def test_lessons_running_games_and_hot_seats_do_not_count(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        for kind in (LESSON, EXPLORED):
            table = await tables.making.create("lacorsa", RACE, ["me"] * 4, holder=ANA, kind=kind)
            await play(tables, table, random.Random(1), 10**6)
            await give_seats(tables, table, dict.fromkeys((1, 2, 3), BEN))
        await tables.making.create("lacorsa", RACE, ["me", *["rookie"] * 3], holder=ANA)
        table = await tables.making.create("lacorsa", RACE, ["me"] * 4, holder=ANA)
        await play(tables, table, random.Random(1), 10**6)
        assert await my_games.of(ANA) == []


async def test_a_clock_that_ran_out_is_not_kept(database: str) -> None:
    """Also if the player is back before the end, and has earned time since."""
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        my_games = tables.service(MyGames)
        for late in (False, True):
            table = await tables.making.create(
                "lacorsa", RACE, ["me"] * 4, holder=ANA, terms=Terms(clock="60+5")
            )
            if late:
                runtime.time += 61
                await tables.run(table.id, settle)
                back = {player: {"stand_in": False, "bank_ms": 5000} for player in range(4)}
                await tables.run(table.id, alter, back)
                table = await tables.table(table.id)
                assert all(player.late for player in table.players)
            await play(tables, table, random.Random(2), 10**6)
            await give_seats(tables, table, dict.fromkeys((1, 2, 3), BEN))
        assert sorted(game.kept for game in await my_games.of(ANA)) == [False, True]


async def test_games_of_older_versions_are_counted_when_they_are_asked_for(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        ids = {await race(tables, seed, clock="600+5") for seed in range(2)}
        before = await my_games.of(ANA)
        await tables.store.part(GamesStore)._writer.run(
            lambda connection: connection.execute(results.delete())
        )
        assert await my_games.of(ANA) == []
        assert await my_games.count(ANA) == ([], 0)
        after = await my_games.of(ANA)
        assert {game.id for game in after} == ids
        assert all(game.kept for game in before), "whether a clock ran out was not noted then"
        assert [replace(game, ended=NOW) for game in after] == [
            replace(game, ended=NOW, kept=None) for game in before
        ]


async def test_an_analysis_says_what_decisions_cost(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        table = await tables.table(await race(tables))
        moments = (
            LedgerMoment(0, 0, (0.5, -0.5, 0.0, 0.0), (0.1,) * 4),
            LedgerMoment(len(table.game.log), 0, (3.0, -1.0, -1.0, -1.0), (0.0,) * 4),
        )
        found = Analysed.of(replace(analysis_of(table, 0, 3), moments=moments), table)
        await tables.analysing.tell(table, found.analysis)
        (game,) = await my_games.of(ANA)
        judged, cost, _account = judged_in(table, found.analysis)[0]
        assert (game.judged, game.cost) == (judged, pytest.approx(cost)) and judged
        assert tally([game]).error == pytest.approx(cost / judged)
        assert game.account == found.ledger[0] and game.account.result == 3.0
        assert sums([game, replace(game, account=None)]) == {"lacorsa": Total.of([game.account])}
        await execute(tables.store, results.update().values(account='{"an": "older form"}'))
        assert [one.account for one in await my_games.of(ANA)] == [None]


def game(place: int, *others: Opponent, **more: Any) -> Finished:
    """A game of a browser."""
    return replace(Finished("t1", "lacorsa", NOW, place, 5, None, None, None, others), **more)


def test_what_games_add_up_to() -> None:
    ana, ana2 = Opponent("Ana", None, 2, ANA), Opponent("Anna", None, 1, ANA)
    bot, elsewhere = Opponent("Bruno", "club", 3), Opponent("ANA", None, 0)
    games = [
        game(1, ana, bot, bot, kept=True, judged=10, cost=1.0),
        game(2, ana2, kept=False, judged=30, cost=5.0),
        game(0, elsewhere, title="rasant"),
    ]
    total = tally(games)
    assert (total.games, total.wins, total.place, total.field) == (3, 1, 1.5, pytest.approx(8 / 3))
    assert (total.timed, total.kept, total.judged, total.error) == (2, 1, 40, 0.15)
    assert {title: one.games for title, one in by_title(games).items()} == {"lacorsa": 2, "rasant": 1}
    assert by_title(games)["rasant"].place is None and by_title(games)["rasant"].error is None
    said = [(one.name, one.bot, one.games, one.ahead, one.behind) for one in rivalries(games)]
    assert said == [
        ("Ana", None, 2, 1, 1),  # one browser under two names
        ("ANA", None, 1, 0, 0),  # another one: both without a place
        ("Bruno", "club", 2, 2, 0),
    ]


async def test_a_file_goes_to_another_server_and_opens_nothing(database: str) -> None:
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        await race(tables)
        text = file(await my_games.of(ANA), "Ana", 5)
        said = json.loads(text)
        assert (said["paddock"], said["name"], said["number"], len(said["games"])) == (
            "my games",
            "Ana",
            5,
            1,
        )
        assert ANA not in text and BEN not in text
        given, new, left_out = await my_games.bring("d" * 64, text)
        assert (given.name, given.number, new, left_out) == ("Ana", 5, 1, 0)
        (mine,), (theirs,) = await my_games.of(ANA), await my_games.of("d" * 64)
        unnamed = tuple(replace(one, holder=None) for one in mine.others)
        assert theirs == replace(mine, here=False, others=unnamed)
        assert (await my_games.bring("d" * 64, text))[1] == 0, "known already"
        assert (await my_games.bring(ANA, text))[1] == 0, "it is here"
        one = said["games"][0] | {"game": "older", "ended": "2020-01-01T00:00:00Z", "others": []}
        assert (await my_games.bring(ANA, json.dumps(said | {"games": [one]})))[1] == 1
        assert [game.id for game in await my_games.of(ANA)] == [mine.id, "older"]
        assert file(await my_games.of("d" * 64), "Ana", 5) == text, "the file of the file is the same"
        await tables.forget("d" * 64)
        assert await my_games.of("d" * 64) == []


async def test_only_the_newest_games_of_a_large_file_are_stored(database: str) -> None:
    game = {"title": "x", "place": 1, "points": 1, "others": [{"name": "Ä" * 24, "place": 2}] * 32}
    ended = [f"2026-03-01T{n // 60:02}:{n % 60:02}:00Z" for n in range(300)]
    games = [game | {"game": f"g{n}", "ended": at} for n, at in enumerate(ended)]
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        _given, new, left_out = await my_games.bring(ANA, json.dumps({"games": games}))
        text = await tables.store.part(GamesStore).archive(ANA)
        assert text and 0.95 * MOST_BYTES < len(text.encode()) < MOST_BYTES + 200
        found = await my_games.of(ANA)
        assert [one.id for one in found] == [f"g{299 - n}" for n in range(len(found))]
        assert (new, left_out) == (len(found), len(games) - len(found))


async def test_a_wrong_file_is_refused_with_its_fault(database: str) -> None:
    one = {
        "game": "t",
        "title": "lacorsa",
        "ended": "2026-01-01T00:00:00Z",
        "place": 1,
        "points": 3,
        "others": [],
    }
    file = {"paddock": "my games", "version": 1, "name": "", "number": None, "games": [one]}
    async with service(database) as tables:
        my_games = tables.service(MyGames)
        assert (await my_games.bring(ANA, json.dumps(file)))[1] == 1
        for wrong, where in (
            ("no json", "not the whole"),
            ("[]", "not the whole"),
            (json.dumps(file | {"paddock": "other"}), "paddock"),
            (json.dumps(file | {"number": 13}), "number"),
            (json.dumps(file | {"games": [one] * 1001}), "games"),
            (json.dumps(file | {"games": [one | {"game": "../x"}]}), "games.0.game"),
            (json.dumps(file | {"games": [one | {"cost": 1e300}]}), "games.0.cost"),
            (json.dumps(file | {"games": [one | {"ended": "2026-01-01"}]}), "games.0.ended"),
            (json.dumps(file | {"games": [one | {"secret": 1}]}), "games.0.secret"),
        ):
            with pytest.raises(BadOption, match=where):
                await my_games.bring(ANA, wrong)
        assert len(await my_games.of(ANA)) == 1
        evil = one | {"game": "u", "others": [{"name": "a\u202e\x00b" * 20, "place": 0}]}
        await my_games.bring(ANA, json.dumps(file | {"games": [evil]}))
        names = {other.name for game in await my_games.of(ANA) for other in game.others}
        assert names == {("ab" * 20)[:24]}
