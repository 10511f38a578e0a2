"""Absence: a bot stands in after the grace period, visibly, and stops when the person is back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from paddock.core.title import Seen
from paddock.kernel.source import Seeded
from paddock.tables import NoTable
from tables.clockwork import CAT, PATIENCE_S, HandRuntime, friends, play, play_on, quiet, road, said
from tables.harness import ANA, BEN, Monkeys, service

pytestmark = pytest.mark.anyio


async def test_a_bot_stands_in_after_the_grace_period_and_hands_back(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 3, grace=60, pace="human", drivers=3)
        async with tables.timers.arrive(table.id, ANA), tables.streams.watch(table.id) as changed:
            await tables.timers.seen(table.id, BEN)
            await runtime.let(tables, 59)
            assert not any(p.stand_in for p in table.players) and not await changed(0.01)
            await tables.timers.seen(table.id, BEN)  # a page without a stream is looked at again
            await runtime.let(tables, 1.1)
            assert [p.stand_in for p in table.players] == [False, False, True]
            assert await said(tables, table) == ["Driver 3 is away: a bot plays until they are back."]
            assert await changed(PATIENCE_S) and not {4, 5} & set(table.pending), "at the pace of a bot"
            await runtime.let(tables, 4)
            assert {4, 5} <= set(table.pending)
            assert await tables.timers.here(table.id, 0) and not await tables.timers.here(table.id, 2)
            # Any request brings it back; what the bot has committed may still be changed.
            await tables.preview(table.id, CAT, 4, [])
            assert not table.players[2].stand_in and await changed(PATIENCE_S)
            assert (await said(tables, table))[-1] == "Driver 3 is back."
            mine = [n for n in table.seen(2).legal(4) if n != table.pending[4]]
            assert mine == [] or await play(
                tables, table, 4, str(table.title.text.move(table.game.setup, mine[0]))
            ) == ("committed")


async def test_an_open_stream_is_presence_until_it_closes(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 2, grace=30)
        async with tables.timers.arrive(table.id, ANA):
            async with tables.timers.arrive(table.id, BEN), tables.timers.arrive(table.id, BEN):
                await runtime.let(tables, 1000)
                assert not any(p.stand_in for p in table.players)
            await runtime.let(tables, 29)
            assert not table.players[1].stand_in
            await runtime.let(tables, 1.5)
            assert table.players[1].stand_in and not table.players[0].stand_in
            async with tables.timers.arrive(table.id, BEN):
                assert not table.players[1].stand_in


async def test_without_a_grace_period_nobody_stands_in(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4)
        await runtime.let(tables, 10**7)
        assert not any(p.stand_in for p in table.players) and table.pending == {}


async def test_only_who_is_awaited_is_replaced(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, grace=30, pace="human")
        await play_on(tables, table, lambda: road(table))
        (driver,) = table.awaited()
        await runtime.let(tables, 30)
        assert [p.stand_in for p in table.players] == [p == driver for p in range(4)]


async def test_who_has_long_been_away_is_replaced_at_once(database: str) -> None:
    """The grace period is for the whole absence, not for each decision."""
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, grace=30, pace="human")
        async with (
            tables.timers.arrive(table.id, ANA),
            tables.timers.arrive(table.id, BEN),
            tables.timers.arrive(table.id, CAT),
        ):
            await runtime.let(tables, 40)
            decision = table.decision
            for seat in (0, 1, 2):
                await play(tables, table, seat)
            await runtime.let(tables, 3)
            assert table.decision > decision and table.players[3].stand_in


async def test_who_stands_in_is_durable(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, grace=30, pace="human")
        async with tables.timers.arrive(table.id, ANA):
            await runtime.let(tables, 30.1)
    async with service(database, Seeded(7), runtime) as tables:
        again = await tables.table(table.id)
        assert [p.stand_in for p in again.players] == [False, True, True, True]
        await tables.timers.seen(table.id, BEN)
        assert [p.stand_in for p in again.players] == [False, False, True, True]


async def test_who_comes_back_while_the_bot_thinks_decides(database: str) -> None:
    runtime = HandRuntime()
    asked = []

    class Thinking(Monkeys):
        async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
            asked.append(level)
            return legal[0]

    async with service(database, runtime=runtime, bots=Thinking()) as tables:
        tables.start_bots()
        table = await friends(tables, 4, grace=30, pace="human")
        async with tables.timers.arrive(table.id, ANA):
            await runtime.let(tables, 30)
            assert table.players[1].stand_in and set(asked) == {"club"}
            for player in (1, 2, 3):
                await tables.timers.seen(table.id, table.players[player].holder)
            await runtime.let(tables, 10)
            assert table.pending == {} and table.awaited() == [0, 1, 2, 3]


async def test_a_whole_game_goes_on_without_anybody(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 2, grace=30)
        await runtime.let(tables, 31)
        await quiet(tables)
        for _ in range(400):
            if table.game.over:
                break
            await runtime.let(tables, 31)
        assert table.game.over and table.stalled is None
        lines = await said(tables, table)
        assert len(lines) == 2 and all("is away" in line for line in lines)


async def test_a_stranger_is_nobody(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 2, grace=30)
        await tables.timers.seen(table.id, "e" * 64)
        await tables.timers.seen(table.id, None)
        async with tables.timers.arrive(table.id, None), tables.timers.arrive(table.id, "e" * 64):
            pass
        assert "e" * 64 not in tables.registry.presence[table.id].seen  # or strangers would fill the memory
        for call in (tables.timers.seen("nothing", ANA), tables.timers.here("nothing", 0)):
            with pytest.raises(NoTable):
                await call
