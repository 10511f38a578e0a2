"""A lesson at a table: it follows its script, and goes back or on when the learner wants it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from games.lesson_ways import choices
from paddock.core.errors import BadMove
from paddock.core.lesson import LEARNER, Script, lesson, script
from paddock.core.title import title as find_title
from paddock.store.kinds import LESSON
from paddock.tables import Forbidden, Table, Tables, automatic, lessons, moves
from paddock.tables.lessons import script_of, waits
from tables.clockwork import PATIENCE_S
from tables.harness import ANA, BEN, Monkeys, facts, service

pytestmark = pytest.mark.anyio
titles = pytest.mark.parametrize("title", ["lacorsa", "rasant"])


def known(title: str) -> Script:
    found = script(find_title(title))
    assert found
    return found


async def begin(tables: Tables, title: str) -> Table:
    course, start = find_title(title).room("learn"), known(title).opening
    table = await tables.making.create(
        title, course.OPTIONS, course.SEATS, course.NAMES, holder=ANA, kind=LESSON, start=start
    )
    tables.start_bots()
    return table


async def until(tables: Tables, table: Table, done: Callable[[], bool]) -> None:
    async with tables.streams.watch(table.id) as changed:
        while not done():
            assert await changed(PATIENCE_S), "nothing happens"


async def asked(tables: Tables, table: Table) -> None:
    """Wait until the learner must decide, or the lesson is over or waits."""
    await until(
        tables,
        table,
        lambda: table.game.over or waits(table) or LEARNER in table.awaited_seats(),
    )


async def send(tables: Tables, table: Table, move: int) -> None:
    text = str(table.title.text.move(table.game.setup, move))
    await tables.submit(table.id, ANA, LEARNER, text, table.decision, f"key{table.decision}")
    await asked(tables, table)


def other(table: Table) -> int | None:
    """Return a legal move that the lesson does not suggest."""
    legal = [id for id in table.game.legal(LEARNER).ids if id != own(table)]
    return random.Random(table.decision).choice(legal) if legal else None


def own(table: Table) -> int:
    """Return the lesson's own move at the open decision."""
    at = known(table.title.name).trace(table.game.log)
    assert at and at.asks
    return at.best[0].what


def judged(table: Table, kind: str) -> int | None:
    """Return a legal move of which the lesson says that it is weaker, or a mistake."""
    found = [one for one in choices(table.title, tuple(table.game.log)) if one.kind == kind]
    return found[0].log[len(table.game.log)].what if found else None


@titles
async def test_who_plays_the_lessons_own_moves_gets_the_script(database: str, title: str) -> None:
    bots = Monkeys()
    async with service(database, bots=bots) as tables:
        table = await begin(tables, title)
        steps = []
        while not table.game.over:
            now = lesson(table.game)
            assert now and now.move in (None, own(table)) and not waits(table)
            steps.append(now.step)
            await send(tables, table, own(table))
        assert steps == list(range(1, len(known(title).course.IDEAS) + 1))
        assert bots.asked == [], "no bot chooses anything"
        before = facts(table)
    async with service(database) as tables:
        assert facts(await tables.table(table.id)) == before


@titles
async def test_a_mistake_waits_until_it_is_taken_back_and_a_weaker_move_is_played_on(
    database: str, title: str
) -> None:
    bots, weaker = Monkeys(), 0
    async with service(database, bots=bots) as tables:
        table = await begin(tables, title)
        while not table.game.over:
            before, decision = list(table.game.log), table.decision
            if (wrong := judged(table, "mistake")) is not None:
                await send(tables, table, wrong)
                now = lesson(table.game)
                assert now and now.missed and now.verdict and now.verdict.kind == "mistake"
                assert waits(table) and table.pending == {} and automatic.awaited(table) == {}
                with pytest.raises(BadMove, match="the lesson waits"):
                    await tables.submit(table.id, ANA, LEARNER, "1", table.decision, f"late{decision}")
                with pytest.raises(Forbidden, match="out of date"):
                    await tables.run(table.id, lessons.turn, ANA, "on")
                await tables.run(table.id, lessons.turn, ANA, "again")
                await asked(tables, table)
                assert table.game.log == before
            choice = judged(table, "weaker")
            await send(tables, table, own(table) if choice is None else choice)
            if choice is not None and not table.game.over:
                now = lesson(table.game)
                assert now and not waits(table) and now.verdict and now.verdict.kind == "weaker"
                weaker += 1
        assert weaker > 1 and bots.asked == []
        stored = facts(table)
    async with service(database) as tables:
        restored = await tables.table(table.id)
        assert facts(restored) == stored and restored.fault is None


@titles
async def test_a_move_that_nobody_judges_is_taken_back_or_the_lesson_goes_on_with_its_own(
    database: str, title: str
) -> None:
    async with service(database) as tables:
        table = await begin(tables, title)
        for where in ("again", "on"):
            before, best = list(table.game.log), own(table)
            await send(tables, table, other(table) or best)
            now = lesson(table.game)
            assert now and now.missed and now.verdict is None and now.step == 1
            await tables.run(table.id, lessons.turn, ANA, where)
            await asked(tables, table)
            assert (table.game.log == before) == (where == "again")
        assert table.game.log[len(before)].what == best
        now = lesson(table.game)
        assert now and now.step == 2 and not now.missed


async def test_a_step_back_and_a_restart_in_between(database: str) -> None:
    async with service(database) as tables:
        table = await begin(tables, "rasant")
        await send(tables, table, own(table))
        second = list(table.game.log)
        await send(tables, table, own(table))
        await tables.run(table.id, moves.read, ANA, LEARNER)
        await tables.run(table.id, lessons.turn, ANA, "back")
        assert table.game.log == second
        assert table.players[LEARNER].read_up_to == len(second)
        stands = facts(table)
    async with service(database) as tables:
        table = await tables.table(table.id)
        assert facts(table) == stands and script_of(table)
        tables.start_bots()
        while not table.game.over:
            await asked(tables, table)
            await send(tables, table, own(table))


async def test_a_step_back_that_is_sent_twice_is_one_step(tmp_path: object) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        table = await begin(tables, "rasant")
        await send(tables, table, own(table))
        second = list(table.game.log)
        await send(tables, table, own(table))
        decision = table.decision
        await tables.run(table.id, lessons.turn, ANA, "back", decision)
        with pytest.raises(Forbidden, match="out of date"):
            await tables.run(table.id, lessons.turn, ANA, "back", decision)
        assert table.game.log == second


async def test_what_is_refused(tmp_path: object) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        table = await begin(tables, "lacorsa")
        stands = facts(table)
        for where in ("back", "again", "on", "", "forth"):
            with pytest.raises(Forbidden, match="out of date"):
                await tables.run(table.id, lessons.turn, ANA, where)
        await send(tables, table, own(table))
        assert facts(table) != stands
        for holder in (BEN, None):
            with pytest.raises(Forbidden, match="only players"):
                await tables.run(table.id, lessons.turn, holder, "back")
        race = await tables.making.create("lacorsa", {"races": 1}, ["me"] * 4, holder=ANA)
        with pytest.raises(Forbidden, match="no lesson"):
            await tables.run(race.id, lessons.turn, ANA, "back")


async def test_a_lesson_of_an_older_script_is_played_on_as_a_game(tmp_path: object) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        seats = ["me", "rookie", "rookie", "rookie"]
        table = await tables.making.create("lacorsa", {"races": 1}, seats, holder=ANA, kind=LESSON)
        tables.start_bots()
        assert script_of(table) is None and lesson(table.game) is None
        while not table.game.over:
            await send(tables, table, table.game.legal(LEARNER).ids[0])
