"""Friends at a table of Skerries: chains, windows, orders, undo, restarts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.titles.skerries.tests.harness import sailing

import paddock
from paddock import records
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.tables import Forbidden, Table, Tables, Terms, orders, undo
from tables.clockwork import PEOPLE, HandRuntime, until
from tables.harness import ANA, BEN, CountedRuntime, Monkeys, facts, give_seats, service

pytestmark = pytest.mark.anyio
SMALL = {"chart": "qh/.l", "days": 4, "copies": 2}


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The URL of an empty database."""
    return f"sqlite:///{tmp_path / 'paddock.sqlite3'}"


async def friends(
    tables: Tables, people: int = 3, bots: int = 0, pace: str = "instant", **agreed: object
) -> Table:
    """A table whose persons each have a browser of their own, and bots after them."""
    terms = Terms(pace=pace, **{name: agreed.pop(name) for name in ("clock", "grace") if name in agreed})
    options = SMALL | {"skippers": people + bots} | agreed
    seats = ["me"] * people + ["club"] * bots
    table = await tables.making.create("skerries", options, seats, holder=ANA, terms=terms)
    await give_seats(tables, table, dict(enumerate(PEOPLE[:people])))
    return table


_key = iter(range(10**9))


async def submit(tables: Tables, table: Table, seat: int, *moves: str) -> str:
    """Submit for the person of a seat; return the status of the answer."""
    holder = table.players[seat].holder
    return (await tables.submit(table.id, holder, seat, moves, table.decision, f"key{next(_key)}")).status


async def chain(tables: Tables, table: Table, choose: random.Random) -> tuple[int, list[str]]:
    """Return whose turn it is, and a random chain of links from the previews."""
    (seat,) = table.awaited_seats()
    words: list[str] = []
    while len(words) < 6:
        preview = await tables.preview(table.id, table.players[seat].holder, seat, words)
        if preview.ended:
            break
        text, setup = table.title.text, preview.seen.setup
        legal = [str(text.move(setup, id)) for id in preview.legal]
        words.append(choose.choice([word for word in legal if word != "stop"] or legal))
        if choose.random() < 0.3:
            break
    return seat, words


async def robbed(tables: Tables, table: Table) -> None:
    """Skipper 1 has drawn a card and is being robbed of it by skipper 2."""
    await submit(tables, table, 0, "e")
    await submit(tables, table, 0, "w", "stop")
    await submit(tables, table, 1, "rob 1")
    assert table.game.deciders == (0,)


async def test_friends_sail_a_regatta_over_restarts(skerries: Title, database: str) -> None:
    choose, runtime, chance = random.Random(3), CountedRuntime(), Seeded(7)
    async with service(database, chance, runtime) as tables:
        id = (await friends(tables, 3, races=3)).id
    stands = None
    while True:
        async with service(database, chance, runtime) as tables:
            table = await tables.table(id)
            assert table.frozen is None
            assert stands in (None, facts(table))
            for _ in range(40):
                if table.game.over:
                    break
                seat, words = await chain(tables, table, choose)
                assert await submit(tables, table, seat, *words) == "played"
            stands = facts(table)
            if table.game.over:
                record = records.read(await tables.record(id))
                assert record.game().log == table.game.log
                break
    assert len(table.game.rounds) == 3
    assert sum(entry.linked for entry in table.game.log) > 10
    events = {event.code for item in table.game.events for event in item.events}
    assert {sailing.DREW, sailing.ROBS, sailing.ARRIVED} <= events


async def test_a_chain_is_one_submission(skerries: Title, database: str) -> None:
    """One key, one decision, one increment of the clock, one line for «late»."""
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        table = await friends(tables, 2, clock="600+10", chart="q...l")
        await runtime.let(tables, 5)
        decision = table.decision
        links = ["e", "w", "e"]
        first = await tables.submit(table.id, ANA, 0, links, decision, "one")
        assert (first.status, first.sentence) == ("played", "Played: e; w; e.")
        assert await tables.submit(table.id, ANA, 0, links, decision, "one") == first
        assert (await tables.submit(table.id, ANA, 0, links, decision, "two")).status == "late"
        assert tables.left(table)[0] == 605_000
        assert [(entry.what, entry.linked) for entry in table.game.log[-3:]] == [
            (0, False),
            (3, True),
            (0, True),
        ]
        assert table.awaited() == [0], "it may go on in another submission"
        before = facts(table)
        for bad, reason in {
            ("w", "ne"): "SK-2.3",
            ("stop", "stop"): "chain ends",
            ("gust",): "SK-3.3",
        }.items():
            with pytest.raises(paddock.PaddockError, match=reason):
                await submit(tables, table, 0, *bad)
            assert facts(table) == before
        with pytest.raises(Forbidden):
            await tables.submit(table.id, BEN, 0, ["w"], table.decision, "three")
    async with service(database, runtime=runtime) as tables:
        assert facts(await tables.table(table.id)) == before


async def test_a_chain_is_taken_back_as_one_step(skerries: Title, database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 2, chart="q...l")
        before = (table.game.position, list(table.game.log), table.game.story)
        await submit(tables, table, 0, "e", "e", "w")
        assert await tables.run(table.id, undo.request, ANA) == "asked"
        assert await tables.run(table.id, undo.agree, BEN) == "undone"
        assert (table.game.position, list(table.game.log), table.game.story) == before
        stands = facts(table)
    async with service(database) as tables:
        assert facts(await tables.table(table.id)) == stands


async def test_what_a_harbour_brought_cannot_be_taken_back(skerries: Title, database: str) -> None:
    """SK-3.1 nor a wind, nor what was stolen; a yield that waits for the theft is followed by it at once."""
    async with service(database) as tables:
        table = await friends(tables, 2)
        await submit(tables, table, 0, "e")
        assert table.game.log[-1].by == CHANCE and table.game.deciders == (0,)
        with pytest.raises(Forbidden, match="after a random draw"):
            await tables.run(table.id, undo.request, ANA)


async def test_each_is_told_and_recorded_what_it_saw(skerries: Title, database: str) -> None:
    """SK-3.1, SK-4.3 draws and thefts in the stories and the records of those who sit there."""
    async with service(database, Seeded(3)) as tables:
        table = await friends(tables, 3)
        await robbed(tables, table)
        await submit(tables, table, 0, "yield")
        known: dict[int | None, int] = {}
        for player in (None, 0, 1, 2):
            text = await tables.record(table.id, player)
            known[player] = sum(
                line.whats[0] >= 0
                for line in records.read(text).lines
                if "wind" not in line.heading and line.by == CHANCE
            )
            story = table.game.story_for(table.eyes(player))
            assert sum(": " in line for line in story) == known[player]
        assert known == {None: 0, 0: 2, 1: 1, 2: 0}


# Windows and standing orders


async def test_who_is_robbed_is_asked_even_where_only_yielding_is_left(
    skerries: Title, database: str
) -> None:
    """SK-4.2 whether the window opens depends on public facts only, so it reveals nothing."""
    held = set()
    for seed in range(8):
        async with service(f"{database}{seed}", Seeded(seed)) as tables:
            table = await friends(tables, 3)
            await robbed(tables, table)
            held.add(len(dict(table.moves(0))[0]))
            others = [repr(table.view(player)) for player in (None, 1, 2)]
            assert all("anchor" not in view for view in others)
    assert held == {1, 2}


@pytest.mark.parametrize("word", ["anchor", "yield"])
async def test_an_order_answers_the_robber_at_the_pace_of_a_bot(
    skerries: Title, database: str, word: str
) -> None:
    answered = set()
    for seed in range(8):
        runtime = HandRuntime()
        async with service(f"{database}{seed}", Seeded(seed), runtime) as tables:
            tables.start_bots()
            table = await friends(tables, 3)
            order = await tables.run(table.id, orders.give, ANA, 0, f"{word} in race 1")
            await robbed(tables, table)
            anchors = table.game._state.held[0, sailing.ANCHOR]
            decision = table.decision
            await runtime.let(tables, 0.5)
            assert table.decision == decision, "never at once: that would tell what it is"
            await runtime.let(tables, 2)
            assert len(runtime.paused) == 1, "whatever the hand, one pause"
            move = next(entry for entry in table.game.log[decision:] if entry.by == 0)
            answered.add((anchors > 0, str(skerries.text.move(table.game.setup, move.what))))
            assert orders.given(table, 0) == [order], "it stands"
    assert answered == {(False, "yield"), (True, word)}


async def test_orders_are_for_one_race_and_for_boats_that_sail(skerries: Title, database: str) -> None:
    async with service(database, Seeded(5)) as tables:
        tables.start_bots()
        table = await friends(tables, 2, races=2, days=1, pace="human")
        assert [order.text for order in orders.offered(table, 0)] == [
            "only move",
            "anchor in race 1",
            "yield in race 1",
        ]
        await tables.run(table.id, orders.give, ANA, 0, "anchor in race 1")
        for wrong in ("anchor in race 2", "anchor", "sink"):
            with pytest.raises(paddock.BadMove):
                await tables.run(table.id, orders.give, ANA, 0, wrong)
        await submit(tables, table, 0, "stop")
        await submit(tables, table, 1, "stop")
        assert len(table.game.rounds) == 1
        await until(lambda: orders.given(table, 0) == [])
        assert orders.dropped(table, 0) == [], "it is done, without a word"


# Bots


async def test_a_bot_makes_a_whole_chain_in_one_pause(skerries: Title, database: str) -> None:
    runtime, bots = CountedRuntime(), Monkeys()
    async with service(database, Seeded(5), runtime, bots) as tables:
        tables.start_bots()
        table = await tables.making.create("skerries", SMALL | {"skippers": 3}, ["club"] * 3, holder=ANA)
        await until(lambda: table.game.over or table.stalled is not None)
        assert table.stalled is None
    submissions = [entry for entry in table.game.log if entry.by != CHANCE and not entry.linked]
    assert len(runtime.paused) == len(submissions)
    assert (
        len(bots.asked) == len([entry for entry in table.game.log if entry.by != CHANCE]) > len(submissions)
    )
    for _level, seen, seat, legal in bots.asked:
        assert seen.eyes == 1 << seat and list(legal) == seen.legal(seat)


async def test_real_bots_sail_to_the_end(skerries: Title, database: str) -> None:
    async with Tables.open(database, chance=Seeded(3)) as tables:
        table = await tables.making.create(
            "skerries", {}, ["club", "rookie", "club"], holder=ANA, terms=Terms(pace="instant")
        )
        await until(lambda: table.game.over or table.stalled is not None)
        assert table.stalled is None


# A chart of one's own


def drawn() -> Sequence[str]:
    return ["q" + 11 * ".", *(12 * "." for _ in range(6)), 11 * "." + "l"]


async def test_a_long_chart_is_kept_once_and_named_by_its_digest(skerries: Title, database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 2, chart="\n".join(drawn()))
        name = table.options.named["chart"]
        assert name.startswith("~") and "/".join(drawn()) in table.game.position
        stored = await tables.store.load(table.id)
        assert stored and f"chart={name}" in stored.table.options
        again = await friends(tables, 2, chart=name)
        assert again.options == table.options
        stands = facts(table)
    async with service(database) as tables:
        assert facts(await tables.table(table.id)) == stands
