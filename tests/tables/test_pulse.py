"""The clock of the machine is set, and the server stands still: dates follow, and nobody pays for it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from paddock.features.daily.service import Daily
from paddock.features.pairing.service import Pairing
from paddock.tables import Runtime, claims, runtime, seats
from paddock.tables import talk as talking
from paddock.tables.hosting import Abandon
from paddock.tables.pulse import ClockStep, Dates
from paddock.tables.upkeep import Retention
from store.databases import both
from tables.clockwork import HandRuntime, friends, play
from tables.harness import ANA, BEN, CountedRuntime, service

pytestmark = pytest.mark.anyio
HOUR, YEARS = timedelta(hours=1), timedelta(days=20_000)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
WEEK = Abandon(timedelta(days=7), timedelta(days=7))
RETENTION = Retention(*[timedelta(days=7)] * 3)


def test_the_date_follows_the_clock_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind: a clock that is set after the start, as by NTP, was never followed."""

    class Set(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return NOON

    real = Runtime()
    assert real.now() != NOON
    elapsed = real.elapsed()
    monkeypatch.setattr(runtime, "datetime", Set)
    assert real.now() == NOON and 0 <= real.elapsed() - elapsed < 60


def test_what_did_not_run_is_not_counted() -> None:
    """The kind: a sleep of the host was charged, a crash of the same length was not."""
    time = CountedRuntime()
    time.still = 3.0
    assert time.served() == 0
    for passed, served in ((3.0, 3.0), (3.1, 3.0), (1.0, 4.0), (8 * 3600, 4.0), (2.5, 6.5)):
        time.time += passed
        assert time.served() == pytest.approx(served)
        assert time.served() == pytest.approx(served)


def test_a_date_that_was_set_is_told_from_time_that_passed() -> None:
    dates, second = Dates(NOON, 100.0, sure=False), timedelta(seconds=1)
    assert dates.look(NOON + second, 101.0, sure=False) is None
    assert dates.look(NOON + HOUR, 3700.0, sure=False) is None, "the machine slept"
    assert dates.look(NOON + HOUR + 2 * second, 3701.0, sure=True) is None, "it is corrected a little"
    set_back = dates.look(NOON, 3702.0, sure=False)
    assert set_back == ClockStep(NOON, NOON + HOUR + 3 * second, -HOUR - 3 * second, sure=True)
    years = dates.look(NOON + YEARS, 3702.0, sure=True)
    assert years == ClockStep(NOON, NOON, YEARS, sure=False), "after it was set, nothing kept it right"


@pytest.mark.parametrize("by", [YEARS, HOUR, -HOUR, -YEARS])
async def test_a_clock_that_is_set_costs_nobody_time_and_nobody_gets_any(
    database: str, by: timedelta
) -> None:
    time = HandRuntime()
    async with service(database, runtime=time, memory=1) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="600+10", grace=60)
        await tables.timers.seen(table.id, BEN)
        await time.let(tables, 30)
        await play(tables, table, 0)
        time.set_by = by
        await tables.pulse.beat()
        await time.let(tables, 5)
        other = await friends(tables, 2)
        assert tables.registry.get(table.id) is None, "it has left memory, and comes back"
        table = await tables.table(table.id)
        assert tables.left(table) == [580_000, 565_000, 565_000, 565_000]
        assert not any(player.stand_in for player in table.players)
        # The stored date, by which others know when a clock ends, is right again.
        assert table.opened_at is not None and time.now() - table.opened_at <= timedelta(seconds=5)
        assert other.created == time.now() and tables.service(Daily).today == f"{time.now():%Y-%m-%d}"


@both
async def test_what_a_wrong_clock_dated_is_not_put_away(database: str) -> None:
    """A machine without a battery starts years ago, and gets the date from the network a little later."""
    time = HandRuntime()
    time.set_by, time.kept = -YEARS, False
    async with service(database, runtime=time) as tables:
        game, lobby = (
            await friends(tables, 2),
            await tables.making.open_lobby("lacorsa", {}, ["me"] * 4, holder=ANA),
        )
        await tables.run(game.id, talking.say, ANA, 0, "hello")
        await tables.service(Pairing).join(ANA, "lacorsa", "days")
        link = await tables.devices.make("a" * 43, "", 0)
        time.time += 30
        time.set_by, time.kept = timedelta(), True
        await tables.pulse.beat()
        time.time += 30
        await tables.pulse.beat()
        later = time.now() + timedelta(days=6)
        assert await tables.sweep(later, WEEK) == []
        assert await tables.upkeep.purge(later, RETENTION) == (0, 0)
        again = await tables.table(lobby.id)
        assert again.touched_at == NOON
        (line,) = talking.lines_for(await tables.table(game.id), None)
        assert line.at == NOON
        assert await tables.devices.find(link)
        assert await tables.service(Pairing).join(BEN, "lacorsa", "days"), "Ana still waits"
        # And they are not kept for ever.
        assert (
            len(await tables.sweep(later + timedelta(days=3), Abandon(timedelta(days=7), timedelta(days=7))))
            >= 2
        )


@both
async def test_the_date_of_the_database_is_known_where_that_may_be_another_machine(database: str) -> None:
    async with service(database) as tables:
        there = await tables.upkeep.keeping.clock()
        assert (there is None) == database.startswith("sqlite")
        assert there is None or abs(there - datetime.now(UTC)) < timedelta(minutes=2)


async def test_dates_that_something_kept_right_stay(database: str) -> None:
    """A virtual machine that was paused did not have a wrong date before."""
    time = HandRuntime()
    async with service(database, runtime=time) as tables:
        table = await friends(tables, 2)
        touched = table.touched_at
        time.set_by = YEARS
        await tables.pulse.beat()
        assert (await tables.store.load(table.id)).table.touched_at == touched  # type: ignore[union-attr]


async def test_old_tables_are_looked_for_when_the_date_is_believed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from paddock.server import app

    time, swept, slept = CountedRuntime(), list[float](), list[float]()
    async with service(database, runtime=time) as tables:

        async def sweep(*_given: object) -> list[str]:
            swept.append(time.time)
            if len(swept) == 2:
                raise asyncio.CancelledError
            return []

        async def sleep(seconds: float) -> None:
            slept.append(seconds)
            time.time += seconds
            if len(slept) == 1:
                tables.pulse.set_at = time.time - 100  # the clock was set meanwhile

        monkeypatch.setattr(tables, "sweep", sweep)
        monkeypatch.setattr(app.asyncio, "sleep", sleep)
        with pytest.raises(asyncio.CancelledError):
            await app._sweep(tables, Abandon(), Retention())
        assert swept == [2 * app.SETTLED - 100, 2 * app.SETTLED - 100 + app.SWEEP]


async def test_a_clock_set_back_silences_nobody(database: str) -> None:
    """The kind: a limit that compares dates held for as long as the clock was set back."""
    time = HandRuntime()
    async with service(database, runtime=time) as tables:
        table = await friends(tables, 3)
        for n in range(talking.FLOOD):
            await tables.run(table.id, talking.say, ANA, 0, f"line {n}")
        for n in range(claims.MOST):
            await tables.run(table.id, seats.leave, BEN, 1) if n == 0 else None
            await tables.run(table.id, seats.claim, "e" * 64, 1, "Eva")
            await tables.run(table.id, claims.decline, "e" * 64, table.claims[0].number)
        time.set_by = -HOUR
        await tables.run(table.id, talking.say, ANA, 0, f"line {talking.FLOOD - 1}")
        assert [line.text for line in talking.lines_for(table, 0)][-1] == f"line {talking.FLOOD - 1}"
        assert await tables.run(table.id, seats.claim, "e" * 64, 1, "Eva") == "asked"


# The server stands still


def stand_still(time: HandRuntime, seconds: float) -> None:
    """Let time pass in which nothing runs, as while a laptop is closed."""
    time.served()
    time.still = runtime.STILL
    time.time += seconds


@pytest.mark.parametrize("first", ["beat", "timer", "request"])
async def test_a_standstill_is_charged_to_nobody(database: str, first: str) -> None:
    """Whatever runs first after it: the heartbeat, a timer that is due, or a request of a player."""
    time = HandRuntime()
    async with service(database, runtime=time) as tables:
        tables.start_bots()
        table = await friends(tables, 4, clock="20+0", grace=60, pace="human")
        await time.let(tables, 2)
        stand_still(time, 8 * 3600)
        if first == "timer":
            await time.let(tables, 0)
        elif first == "request":
            await play(tables, table, 0)
        await tables.pulse.beat()
        await time.let(tables, 1)
        assert not any(player.stand_in for player in table.players)
        assert tables.left(table)[1] == 17_000
        assert table.opened_at is not None and time.now() - table.opened_at <= timedelta(seconds=1)
        time.still = float("inf")
        await time.let(tables, 16.5)
        assert not any(player.stand_in for player in table.players)
        await time.let(tables, 0.6)
        assert table.players[1].stand_in, "then it is charged as before"


async def test_who_is_away_is_not_away_longer_for_a_standstill(database: str) -> None:
    time = HandRuntime()
    async with service(database, runtime=time) as tables:
        tables.start_bots()
        table = await friends(tables, 2, grace=60, pace="human")
        await time.let(tables, 50)
        stand_still(time, 8 * 3600)
        await time.let(tables, 0)
        time.still = float("inf")
        await time.let(tables, 9)
        assert not any(player.stand_in for player in table.players)
        await time.let(tables, 2)
        assert all(player.stand_in for player in table.players)
