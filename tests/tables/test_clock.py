"""Clocks: who is charged, what happens at zero, and that downtime is not charged."""

from __future__ import annotations

import random

import pytest

from paddock.core.errors import BadOption
from paddock.kernel.source import Seeded
from paddock.tables import Terms, claims, clock, seats, timers, undo
from tables.clockwork import PEOPLE, HandRuntime, friends, play, play_on, road, said, until
from tables.harness import ANA, BEN, service

pytestmark = pytest.mark.anyio


def test_a_clock_is_read_and_written() -> None:
    assert clock.read("") is None and clock.full("") is None
    assert clock.read("600+10") == clock.Clock(600, 10) and str(clock.read("600+10")) == "600+10"
    assert clock.read("600") == clock.Clock(600, 0) and clock.full("600+10") == 600_000
    for bad in ("x", "9", "+5", "600+", "600+-1", "600 + 10", "٦٠٠", "9999999+0", "600+99999", "600+10+1"):
        with pytest.raises(BadOption, match="clock="):
            clock.read(bad)


async def test_a_table_refuses_a_clock_or_a_grace_that_is_none(tmp_path: object) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        with pytest.raises(BadOption, match="BANK"):
            await tables.making.create("lacorsa", {}, ["me"] * 4, holder=ANA, terms=Terms(clock="soon"))
        for grace in (-1, 10**9):
            with pytest.raises(BadOption, match="grace"):
                await tables.making.create("lacorsa", {}, ["me"] * 4, holder=ANA, terms=Terms(grace=grace))


async def test_who_is_awaited_is_charged_and_who_has_committed_is_not(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="600+10")

        def left() -> list[int | None]:
            return [tables.left(table)[player] for player in range(4)]

        assert left() == [600_000] * 4
        await runtime.let(tables, 5)
        assert await play(tables, table, 0) == "committed"
        assert left() == [605_000, 595_000, 595_000, 595_000]
        await runtime.let(tables, 3)
        assert left() == [605_000, 592_000, 592_000, 592_000]
        for seat in (1, 2, 3):
            await play(tables, table, seat)
        assert left() == [605_000, 602_000, 602_000, 602_000]
        await runtime.let(tables, 4)
        awaited = table.awaited()
        before = [605_000, 602_000, 602_000, 602_000]
        assert left() == [ms - 4000 * (player in awaited) for player, ms in enumerate(before)]


async def test_another_choice_costs_nothing_and_earns_nothing(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="600+10")
        moves = [notation for _id, notation, _label in dict(table.moves(0))[0]]
        for move in moves:
            assert await play(tables, table, 0, move) == "committed"
            await runtime.let(tables, 2)
        assert table.players[0].bank_ms == 610_000 == tables.left(table)[0]


async def test_two_cars_of_one_driver_are_one_decision(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 2, clock="600+10")
        await runtime.let(tables, 5)
        await play(tables, table, 0)
        await runtime.let(tables, 5)
        assert tables.left(table)[0] == 590_000
        await play(tables, table, 1)
        assert tables.left(table)[0] == 600_000
        await runtime.let(tables, 50)
        assert tables.left(table)[0] == 600_000


async def test_bots_have_no_clock_to_lose(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 2, 2, clock="10+0")
        await runtime.let(tables, 9)
        assert [p.stand_in for p in table.players] == [False] * 4
        assert clock.ticking(table, 0) and not clock.ticking(table, 2)


async def test_untimed_is_untimed(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4)
        await runtime.let(tables, 10**6)
        assert table.awaited() == [0, 1, 2, 3] and await said(tables, table) == []
        assert tables.left(table)[0] is None


async def test_who_runs_out_of_time_is_stood_in_for_and_told(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="20+0", pace="human")
        for seat in (0, 2, 3):
            await play(tables, table, seat)
        decision = table.decision
        async with tables.timers.arrive(table.id, BEN):
            await runtime.let(tables, 19.9)
            assert not table.players[1].stand_in
            await runtime.let(tables, 0.2)
            assert table.players[1].stand_in and table.players[1].bank_ms == 0
            assert await said(tables, table) == ["Driver 2 is out of time: a bot plays on."]
            assert table.decision == decision, "the bot takes its time"
            await runtime.let(tables, 2)
            assert table.decision > decision
            # Without an increment nothing is left: the bot plays on, though the browser is here.
            await tables.timers.seen(table.id, BEN)
            assert table.players[1].stand_in
        assert [p.stand_in for p in table.players] == [False, True, False, False]
        # A person may still be quicker than the bot.
        assert table.players_of(BEN) == [1]


async def test_an_increment_gives_the_seat_back_to_who_is_here(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="20+5", pace="human")
        for seat in (0, 3):
            await play(tables, table, seat)
        async with tables.timers.arrive(table.id, BEN):
            decision = table.decision
            while table.decision == decision:
                await runtime.let(tables, 0.5)
            assert 20 < runtime.time < 25
            # Ben, here, gets it back with his increment; the third driver has gone, and does not.
            assert not table.players[1].stand_in and table.players[2].stand_in
            assert table.players[1].bank_ms is not None and 0 < table.players[1].bank_ms <= 5000
        await tables.timers.seen(table.id, table.players[2].holder)
        assert not table.players[2].stand_in


async def test_a_restart_costs_nobody_time(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        tables.start_bots()
        id = (await friends(tables, 4, clock="600+10")).id
        await runtime.let(tables, 33)
        await play(tables, await tables.table(id), 0)
        await runtime.let(tables, 4)
    runtime.time += 10_000  # the server is down
    async with service(database, Seeded(7), runtime) as tables:
        table = await tables.table(id)
        left = [tables.left(table)[player] for player in range(4)]
        assert left == [577_000, 563_000, 563_000, 563_000]
        tables.start_bots()
        await runtime.let(tables, 2)
        assert tables.left(table)[1] == 561_000


async def test_a_killed_server_costs_at_most_the_rhythm(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="600+10")
        await runtime.let(tables, 57)
        # Another server sees what a killed one has left behind.
        runtime.time += 10_000
        async with service(database, Seeded(7), runtime) as other:
            found = await other.table(table.id)
            left = other.left(found)[1]
            assert left is not None and 543_000 <= left <= 543_000 + 1000 * clock.rhythm(table)
        runtime.time -= 10_000


async def test_clocks_stop_at_the_end(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 2, clock="20+1")
        await play_on(tables, table, lambda: table.game.over)
        await runtime.let(tables, 1000)
        assert not any(p.stand_in for p in table.players)
        kept = await tables.registry.find(table.id)
        assert (timer := kept.presence.timer) is None or timer.done()


async def test_clocks_that_fail_are_noted_and_looked_at_again(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_given: object) -> None:
        raise LookupError("a fault of the program")

    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 2, clock="20+0", pace="human")
        with monkeypatch.context() as patch:
            patch.setattr(timers, "settle", fail)
            await runtime.let(tables, 10)
        assert f"the clocks of table {table.id} failed" in caplog.text
        await runtime.let(tables, timers.FAILED - 1)
        assert not any(player.stand_in for player in table.players)
        await runtime.let(tables, 1)
        assert all(player.stand_in for player in table.players)


async def test_taking_back_gives_no_time_back(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="600+10")
        choose = random.Random(2)
        while True:
            seat, lonely = choose.choice(table.awaited_seats()), road(table)
            await play(tables, table, seat)
            if lonely and table.game.log[-1].by == seat:
                break
        awaited = table.awaited()
        before = tables.left(table)
        await runtime.let(tables, 7)
        await tables.run(table.id, undo.request, table.players[seat].holder)
        for player in table.players:
            if player.index != seat:
                await tables.run(table.id, undo.agree, player.holder)
        assert table.awaited() == [seat]
        expected = [ms and ms - 7000 * (player in awaited) for player, ms in enumerate(before)]
        assert tables.left(table) == expected
        await runtime.let(tables, 2)
        assert tables.left(table)[seat] == (expected[seat] or 0) - 2000


async def test_an_empty_place_has_all_the_time(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="20+5")
        await runtime.let(tables, 5)
        await tables.run(table.id, seats.leave, BEN, 1)
        assert not clock.ticking(table, 1) and tables.left(table)[1] == 15_000
        await until(lambda: 1 in table.pending)  # a bot plays
        await runtime.let(tables, 5)
        assert tables.left(table)[1] == 20_000 and not table.players[1].stand_in
        await tables.run(table.id, seats.claim, "e" * 64, 1, "Eva")
        for holder in (ANA, *PEOPLE[2:]):
            await tables.run(table.id, claims.agree, holder, table.claims[0].number)
        assert table.players[1].name == "Eva" and tables.left(table)[1] == 20_000
        await play_on(tables, table, lambda: 1 in table.awaited())
        await runtime.let(tables, 5)
        assert tables.left(table)[1] == table.players[1].bank_ms - 5_000
