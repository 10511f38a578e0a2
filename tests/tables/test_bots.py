"""Bots at tables: their own view, their pace, and what happens when one fails."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from paddock.bots import BotPool, workers
from paddock.core.title import Seen
from paddock.kernel.source import Seeded
from paddock.tables import Runtime, Tables, Terms
from paddock.tables.autoplay import FAILED
from paddock.tables.runtime import LONGEST, SHORTEST
from tables.clockwork import PATIENCE_S, HandRuntime, until
from tables.harness import ANA, BEN, CountedRuntime, Monkeys, facts, service
from tables.held import begun, held_think

pytestmark = pytest.mark.anyio
HOUR = 3600.0  # seconds: nothing is late


async def test_a_championship_of_bots_ends(database: str) -> None:
    bots = Monkeys()
    async with service(database, bots=bots) as tables:
        tables.start_bots()
        table = await tables.making.create(
            "lacorsa",
            {"drivers": 3, "races": 3},
            ["club", "rookie", "club"],
            holder=ANA,
            terms=Terms(pace="instant"),
        )
        await until(lambda: table.game.over)
        assert table.stalled is None and table.game.result is not None
        stands = facts(table)
    for level, seen, seat, legal in bots.asked:
        assert seen.eyes == table.options.eyes(table.options.owners[seat])
        assert level == table.players[table.options.owners[seat]].bot
        assert list(legal) == seen.legal(seat)
    async with service(database) as tables:
        assert facts(await tables.table(table.id)) == stands


async def test_real_bots_in_real_time(tmp_path: object) -> None:
    async with Tables.open(f"sqlite:///{tmp_path}/p.db", chance=Seeded(3)) as tables:
        table = await tables.making.create(
            "lacorsa",
            {"races": 1},
            ["club", "rookie", "club", "club"],
            holder=ANA,
            terms=Terms(pace="instant"),
        )
        await until(lambda: table.game.over or table.stalled is not None)
        assert table.stalled is None


async def test_simultaneous_bots_wait_for_the_person(database: str) -> None:
    async with service(database) as tables:
        tables.start_bots()
        table = await tables.making.create(
            "lacorsa", {"races": 1}, ["club", "me", "club", "club"], holder=ANA
        )
        await until(lambda: len(table.pending) == 3)
        stands = facts(table)
        assert table.awaited() == [1] and table.reveals(1)
    async with service(database) as tables:  # their commitments are durable
        assert facts(await tables.table(table.id)) == stands


async def test_bots_go_on_after_a_restart_when_somebody_looks(database: str) -> None:
    runtime, chance = CountedRuntime(), Seeded(7)
    async with service(database, chance, runtime) as tables:
        options = {"drivers": 2, "races": 1}
        id = (
            await tables.making.create(
                "lacorsa", options, ["club"] * 2, holder=ANA, terms=Terms(pace="instant")
            )
        ).id
    while True:
        async with service(database, chance, runtime) as tables:
            tables.start_bots()
            table = await tables.table(id)
            start = table.decision
            if table.game.over:
                break
            await until(lambda table=table, start=start: table.decision > start)
    assert table.frozen is None


async def ready(tables: Tables) -> None:
    """Start the bots. Who resumes tables might find a new one, and waits after each that it finds."""
    tables.start_bots()
    assert tables.resuming
    await tables.resuming


async def test_the_pace_is_human_and_says_nothing(database: str) -> None:
    """The pauses between moves were drawn before anything was chosen."""
    runtime, bots = CountedRuntime(), Monkeys()
    async with service(database, Seeded(5), runtime, bots) as tables:
        await ready(tables)
        table = await tables.making.create(
            "lacorsa", {"drivers": 2, "races": 1}, ["club", "club"], holder=ANA
        )
        await until(lambda: table.game.over)
    slept, pauses = list(runtime.slept), list(runtime.paused)
    assert {len(legal) for *_, legal in bots.asked} >= {1, 2, 3}, "moves without a choice take their time too"
    taken = 0
    while pauses:
        # Together with the first of them, all that decide at the same time drew theirs.
        together = len(bots.asked[taken][1].deciders)
        drawn, pauses = sorted(pauses[:together]), pauses[together:]
        waits, slept = slept[:together], slept[together:]
        assert waits == pytest.approx([drawn[0], *(b - a for a, b in pairwise(drawn))])
        taken += together
    assert slept == []


async def test_thinking_is_part_of_the_pause(tmp_path: object) -> None:
    runtime = CountedRuntime()

    class Slow(Monkeys):
        async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
            runtime.time += 0.25 if len(legal) > 8 else 0.1
            return legal[0]

    async with service(f"sqlite:///{tmp_path}/p.db", Seeded(5), runtime, Slow()) as tables:
        await ready(tables)
        table = await tables.making.create("lacorsa", {"races": 1}, ["me", "club", "me", "me"], holder=ANA)
        await until(lambda: len(table.pending) == 1)
        assert runtime.time == pytest.approx(runtime.paused[0])


def test_the_real_pause_lies_between_its_bounds() -> None:
    pauses = [Runtime().pause() for _ in range(300)]
    assert min(pauses) >= SHORTEST and max(pauses) <= LONGEST and max(pauses) - min(pauses) > 0.5


async def test_instant_bots_do_not_wait(tmp_path: object) -> None:
    runtime = CountedRuntime()
    async with service(f"sqlite:///{tmp_path}/p.db", runtime=runtime) as tables:
        await ready(tables)
        table = await tables.making.create(
            "lacorsa", {"drivers": 2, "races": 1}, ["rookie"] * 2, holder=ANA, terms=Terms(pace="instant")
        )
        await until(lambda: table.game.over)
        assert runtime.time == 0 and runtime.paused == []


async def test_a_bot_that_fails_stops_the_bots_of_its_table_and_says_so(
    tmp_path: object, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Monkeys):
        fails = True

        async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
            if level == "club" and self.fails:
                raise RuntimeError("no idea")
            return await super().choose(level, seen, seat, legal, seed)

    runtime, bots = HandRuntime(), Failing()
    async with service(f"sqlite:///{tmp_path}/p.db", runtime=runtime, bots=bots) as tables:
        tables.start_bots()
        options = {"drivers": 2, "races": 1}
        bad = await tables.making.create("lacorsa", options, ["me", "club"], holder=ANA)
        async with tables.streams.watch(bad.id) as changed:
            good = await tables.making.create(
                "lacorsa", options, ["rookie"] * 2, holder=ANA, terms=Terms(pace="instant")
            )
            await until(lambda: bad.stalled is not None)
            assert await changed(PATIENCE_S), "who watches is told"
        assert "Nothing is lost" in str(bad.stalled)
        assert [r.levelno for r in caplog.records if "no idea" in str(r.exc_info)] == [logging.ERROR]
        await until(lambda: good.game.over)
        # People may still decide.
        move = dict(bad.moves(0))[0][0][1]
        assert (await tables.submit(bad.id, ANA, 0, move, bad.decision, "k")).status == "committed"
        # The bots try again by themselves after a while, as long as it takes.
        await runtime.let(tables, FAILED + 1)
        assert bad.stalled is not None
        bots.fails = False
        assert bad.awaited() == [0, 1]
        await runtime.let(tables, FAILED + 1)
        assert bad.stalled is None and bad.awaited() == [0]


async def test_an_illegal_bot_is_stopped(tmp_path: object) -> None:
    class Cheat(Monkeys):
        async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
            return next(move for move in range(50) if move not in legal)

    async with service(f"sqlite:///{tmp_path}/p.db", runtime=HandRuntime(), bots=Cheat()) as tables:
        tables.start_bots()
        table = await tables.making.create(
            "lacorsa", {"races": 1}, ["club"] * 4, holder=ANA, terms=Terms(pace="instant")
        )
        start = table.decision
        await until(lambda: table.stalled is not None)
        assert table.decision == start and table.pending == {}


async def test_a_bot_that_hangs_does_not_hold_up_other_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_TEST_HELD", str(tmp_path))
    monkeypatch.setattr(workers, "think", held_think)
    async with service(f"sqlite:///{tmp_path}/p.db", bots=BotPool(2, longest=HOUR)) as tables:
        tables.start_bots()
        hangs = await tables.making.create("rasant", {}, ["club"] * 4, holder=ANA)
        await begun(tmp_path)
        start = hangs.decision
        options = {"drivers": 2, "races": 1}
        moves = await tables.making.create("lacorsa", options, ["club"] * 2, holder=BEN)
        await until(lambda: moves.game.over)
        assert hangs.decision == start and hangs.stalled is None
        (tmp_path / "go").touch()
        await until(lambda: hangs.decision > start)


async def test_a_bot_that_hangs_again_and_again_stops_the_bots_of_its_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pool = BotPool(1, longest=0)
    async with service(f"sqlite:///{tmp_path}/p.db", runtime=HandRuntime(), bots=pool) as tables:
        tables.start_bots()
        table = await tables.making.create("lacorsa", {"drivers": 2}, ["club"] * 2, holder=ANA)
        await until(lambda: table.stalled is not None)
    late = "the bot club of lacorsa did not answer: no answer within 0 s"
    assert [r.message for r in caplog.records] == [late] * 3 + [f"the bots of table {table.id} stopped"]
