"""The coach: who gets hints, what they do to a race, and how that is told."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from paddock.bots import rollouts
from paddock.features.coach import rules, words
from paddock.features.coach import service as coaching
from paddock.features.coach.service import Coach
from paddock.features.mygames.games import file, tally
from paddock.features.mygames.listing import finished
from paddock.features.mygames.service import MyGames
from paddock.store.kinds import EXPLORED, HINTED, LESSON, RACE
from paddock.tables import Forbidden, Table, Tables
from paddock.tables.seats import claim
from tables.clockwork import PATIENCE_S
from tables.harness import ANA, BEN, CountedRuntime, alter, decide, service, someone

pytestmark = pytest.mark.anyio
RACE_OF_THREE = {"players": 3, "games": 1, "deck": "r10-130 g10-130\nk30 k90"}
CHAINS = {"great_race": {"players": 2}, "lacorsa": {"drivers": 4, "races": 1, "large_grid": True}}
ALONE = ("me", "rookie", "rookie")


async def made(tables: Tables, seats: Sequence[str] = ALONE) -> Table:
    return await tables.making.create("rasant", RACE_OF_THREE, seats, ["Ana", "Bot", "Cat"], holder=ANA)


async def asked(tables: Tables, table: Table) -> None:
    """Play until Ana has a choice."""
    while not (0 in table.awaited() and len(table.game.legal(0)) > 1):
        await decide(tables, table, *someone(table, random.Random(1)))


async def play(tables: Tables, table: Table, choose: random.Random) -> None:
    """Play all seats to the end, those of bots too."""
    while not table.game.over:
        await decide(tables, table, *someone(table, choose))


def models_there() -> int:
    """How many models a worker has loaded to play on."""
    return rollouts._plays_on.cache_info().currsize


async def test_only_a_person_alone_with_bots_gets_hints(database: str) -> None:
    async with service(database) as tables:
        table = await made(tables)
        assert rules.offered(table, 0) and rules.player_at(table, ANA) == 0
        others = await made(tables, ("me", "me", "rookie"))
        lesson = await tables.making.create("lacorsa", {}, ["me", *["club"] * 3], holder=ANA, kind=LESSON)
        deal = table.copy()
        deal.deal = "2026-03-01"
        explored = table.copy()
        explored.kind = EXPLORED
        assert rules.offered(explored, 0) and not rules.must_mark(explored)
        refused = {
            "only who plays at this table": (table, BEN),
            "at a table with other people": (others, ANA),
            "no hints at this table": (lesson, ANA),
            "others play the same cards": (deal, ANA),
        }
        for why, (there, who) in refused.items():
            with pytest.raises(Forbidden, match=why):
                rules.player_at(there, who)
        with pytest.raises(Forbidden, match="at a table with other people"):
            await tables.service(Coach).mark(others.id, ANA)
        assert others.kind is RACE
        await tables.run(others.id, alter, {1: {"holder": None}})
        assert not rules.offered(others, 0), "somebody may still take the open seat"
        await tables.run(others.id, claim, BEN, 1)
        await play(tables, table, random.Random(2))
        with pytest.raises(Forbidden, match="only while a game is being played"):
            rules.player_at(table, ANA)


async def test_a_race_with_hints_is_marked_and_no_result(database: str) -> None:
    """Also in its record, in «My games» and in a file of these; others stay as they were, byte for byte."""
    async with service(database) as tables:
        coach, my_games = tables.service(Coach), tables.service(MyGames)
        plain, hinted = await made(tables), await made(tables)
        await coach.mark(hinted.id, ANA)
        version = hinted.version
        await coach.mark(hinted.id, ANA)
        assert hinted.kind is HINTED and hinted.version == version, "once is enough"
        for table in (plain, hinted):
            await asked(tables, table)
        assert [table.id for table, _since in await tables.waiting(ANA)] == [plain.id, hinted.id]
        for table in (plain, hinted):
            await play(tables, table, random.Random(1))
        records = [await tables.record(table.id) for table in (plain, hinted)]
        assert "note " not in records[0]
        assert records[1].endswith('note 0: {"by": "Ana", "tags": ["hints"]}\n')
        brought = await tables.making.upload(records[1], BEN)
        assert (await tables.record(brought.id)) == records[1]

        await my_games.tend()
        games = {game.id: game for game in await my_games.of(ANA)}
        assert [games[table.id].hinted for table in (plain, hinted)] == [False, True]
        assert not games[hinted.id].counts and tally([games[hinted.id]]).games == 0
        shown = finished(False, 1, [*games.values()]).games
        lines = {line.url.rpartition("/")[2]: line.facts for line in shown}
        assert "with hints, does not count" in lines[hinted.id] and "hints" not in lines[plain.id]
        text = file([*games.values()], "Ana", None)
        assert text.count('"hinted":true') == 1
        await my_games.bring(BEN, text)
        there = {game.id: game for game in await my_games.of(BEN)}
        assert there[hinted.id].hinted and not there[hinted.id].counts and not there[plain.id].hinted
    async with service(database, runtime=CountedRuntime("u")) as tables:
        assert (await tables.table(hinted.id)).kind is HINTED
        rematch = await tables.making.rematch(hinted.id, ANA)
        assert rematch.kind is RACE


@pytest.mark.slow("a worker loads the compiled rollouts")
async def test_a_hint_is_made_of_what_its_player_sees_and_kept(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coaching, "PATIENCE", PATIENCE_S)
    async with service(database) as tables:
        coach, table = tables.service(Coach), await made(tables)
        preparing = coach.prepare(table)
        assert coach.prepare(await made(tables)) is preparing, "a title once"
        await preparing
        assert await tables.workers.run(models_there) == 2
        await asked(tables, table)
        seen = rules.seen_by(table, 0)
        assert seen.eyes == 1, "its own hand and no other"
        first = await coach.hint(table, 0, 0)
        again = await coach.hint(table, 0, 0)
        assert again.hint is first.hint
        lines = words.lines(first.hint, seen, 0)
        assert len(lines) == len(table.game.legal(0)) and lines[0].worth == "best" and lines[0].good
        assert words.matters(seen, 0)
        move = str(table.title.text.move(table.game.setup, table.game.legal(0).ids[-1]))
        start = len(table.game.log)
        await decide(tables, table, 0, move)
        submission = rules.last_submission(table, 0)
        assert submission is not None and submission.start == start
        cost = await coach.made(table, 0, submission)
        assert len(tables.workers.processes) == 1, "the one that was prepared"
        assert cost.made.move == move
        assert f"“{words.label(seen, 0, move)}”" in words.made(cost.made, cost.seen, cost.seat)


@pytest.mark.slow("plays a race until a chain is asked for, with a hint for each decision")
@pytest.mark.parametrize("title", CHAINS)
async def test_a_chain_is_told_whole_and_its_hint_stays_true(
    title: str, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a link that is chosen, and after one that is sent, the rest of the chain is told.

    LX-2.0 so is the card of a challenge, beside the choice not to pit.
    """
    monkeypatch.setattr(coaching, "PATIENCE", PATIENCE_S)
    async with service(database) as tables:
        seats = ["me", *["rookie"] * (max(CHAINS[title].values()) - 1)]
        names = ["Ana", "Bot", "Cat", "Dog"][: len(seats)]
        table = await tables.making.create(title, CHAINS[title], seats, names, holder=ANA)
        coach, told, choose = tables.service(Coach), None, random.Random(1)
        while told is None or len(told.whole) < 2:
            if 0 in table.awaited() and len(table.game.legal(0)) > 1:
                told = await coach.hint(table, 0, 0)
                if len(told.whole) < 2:
                    await decide(tables, table, 0, told.whole[0])
            else:
                await decide(tables, table, *someone(table, choose))
        first, *rest = told.whole
        seen = rules.seen_by(table, 0)
        assert [link.move for link in words.whole(seen, 0, told.whole)] == [first, *rest]
        chosen = await coach.hint(table, 0, 0, [first])
        assert list(chosen.whole) == rest
        ahead, links = rules.after(seen, 0, [f" {first} ", "no move"])
        assert links == [first], "whatever else is sent, it is one hint"
        assert {line.move for line in words.lines(chosen.hint, ahead.seen, 0)} <= {
            str(table.title.text.move(seen.setup, id)) for id in ahead.seen.legal(0)
        }
        await decide(tables, table, 0, first)
        sent = await coach.hint(table, 0, 0)
        assert list(sent.whole) == rest and sent.hint is chosen.hint
