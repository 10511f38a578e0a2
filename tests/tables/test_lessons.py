"""A lesson at a table: it follows its script, and goes back or on when the learner wants it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from paddock.core.errors import BadMove
from paddock.core.lesson import LEARNER, Script, lesson, script
from paddock.core.title import title as find_title
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
        title, course.OPTIONS, course.SEATS, course.NAMES, holder=ANA, kind="learn", start=start
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
    now = lesson(table.game)
    assert now
    legal = [id for id in table.game.legal(LEARNER).ids if id != now.move]
    return random.Random(table.decision).choice(legal) if legal else None


@titles
async def test_who_plays_what_is_suggested_gets_the_script(database: str, title: str) -> None:
    bots = Monkeys()
    async with service(database, bots=bots) as tables:
        table = await begin(tables, title)
        steps = []
        while not table.game.over:
            now = lesson(table.game)
            assert now and now.move is not None and not waits(table)
            steps.append(now.step)
            await send(tables, table, now.move)
        assert table.game.log == list(known(title).entries)
        assert steps == list(range(1, len(known(title).starts) + 1))
        assert bots.asked == [], "no bot chooses anything"
        before = facts(table)
    async with service(database) as tables:
        assert facts(await tables.table(table.id)) == before


@titles
async def test_after_another_move_the_table_waits_then_tries_again_or_goes_on(
    database: str, title: str
) -> None:
    script_, bots = known(title), Monkeys()
    async with service(database, bots=bots) as tables:
        table = await begin(tables, title)
        for step, start in enumerate(script_.starts):
            assert table.game.log == list(script_.entries[:start])
            move = other(table)
            if move is None:  # the suggested move is the only one
                await send(tables, table, script_.entries[start].what)
                continue
            for where in ("again", "on"):
                decision = table.decision
                await send(tables, table, move)
                if table.game.over:
                    return
                now = lesson(table.game)
                assert now and now.missed and now.step == step + 1 and table.decision > decision
                assert table.pending == {} and waits(table) and automatic.awaited(table) == {}
                with pytest.raises(BadMove, match="the lesson waits"):
                    await tables.submit(table.id, ANA, LEARNER, "1", table.decision, f"late{step}{where}")
                await tables.run(table.id, lessons.turn, ANA, where)
                await asked(tables, table)
                if where == "again":
                    assert table.game.log == list(script_.entries[:start])
        assert table.game.over and table.game.log == list(script_.entries)
        assert bots.asked == []
        before = facts(table)
    async with service(database) as tables:
        restored = await tables.table(table.id)
        assert facts(restored) == before and restored.fault is None


async def test_a_step_back_and_a_restart_in_between(database: str) -> None:
    script_ = known("rasant")
    async with service(database) as tables:
        table = await begin(tables, "rasant")
        for _ in range(2):
            await send(tables, table, script_.entries[len(table.game.log)].what)
        await tables.run(table.id, moves.read, ANA, LEARNER)
        await tables.run(table.id, lessons.turn, ANA, "back")
        assert table.game.log == list(script_.entries[: script_.starts[1]])
        assert table.players[LEARNER].read_up_to == script_.starts[1]
        stands = facts(table)
    async with service(database) as tables:
        table = await tables.table(table.id)
        assert facts(table) == stands and script_of(table)
        for start in script_.starts[1:]:
            await asked(tables, table)
            assert len(table.game.log) == start
            tables.start_bots()
            await send(tables, table, script_.entries[start].what)
        assert table.game.over


async def test_a_step_back_that_is_sent_twice_is_one_step(tmp_path: object) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        table, script_ = await begin(tables, "rasant"), known("rasant")
        for _ in range(2):
            await send(tables, table, script_.entries[len(table.game.log)].what)
        decision = table.decision
        await tables.run(table.id, lessons.turn, ANA, "back", decision)
        with pytest.raises(Forbidden, match="out of date"):
            await tables.run(table.id, lessons.turn, ANA, "back", decision)
        assert len(table.game.log) == script_.starts[1]


async def test_what_is_refused(tmp_path: object) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        table = await begin(tables, "lacorsa")
        stands = facts(table)
        for where in ("back", "again", "on", "", "forth"):
            with pytest.raises(Forbidden, match="out of date"):
                await tables.run(table.id, lessons.turn, ANA, where)
        await send(tables, table, known("lacorsa").entries[table.decision].what)
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
        table = await tables.making.create("lacorsa", {"races": 1}, seats, holder=ANA, kind="learn")
        tables.start_bots()
        assert script_of(table) is None and lesson(table.game) is None
        while not table.game.over:
            await send(tables, table, table.game.legal(LEARNER).ids[0])
