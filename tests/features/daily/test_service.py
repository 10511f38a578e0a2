"""The race of the day at tables: one attempt, the same cards, sealed until midnight, and then open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

import paddock
from features.daily.test_store import attempts
from paddock import records
from paddock.bots import fair
from paddock.core.errors import BadOption
from paddock.core.hashed import hashed
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.features.analyses.service import Analyses
from paddock.features.daily import days, rules
from paddock.features.daily.days import Streak
from paddock.features.daily.fair import race_of
from paddock.features.daily.rows import DAILY, PRACTICE, RACED, AttemptRow, daily_pars, daily_raced
from paddock.features.daily.service import Daily, Glance
from paddock.features.daily.store import DailyStore
from paddock.store.keeping import Keeping
from paddock.tables import Forbidden, NoTable, Outdated, Table, Tables, seats, talk, undo
from tables.clockwork import PATIENCE_S
from tables.harness import ANA, BEN, CountedRuntime, alter, decide, service

pytestmark = pytest.mark.anyio
TODAY, BOTS = "2026-03-01", ("Alba", "Bruno", "Carla")
HOUR = 3600.0


@pytest.fixture(autouse=True)
def no_par(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the pars unmeasured but in the test of them: that compiles *Works* in another process."""
    if "par" not in request.node.name:
        monkeypatch.setattr(Daily, "measure", lambda daily: None)


class Halted(CountedRuntime):
    """Time that only a test moves."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


def daily(tables: Tables) -> Daily:
    """Return the service."""
    return tables.service(Daily)


def stored(tables: Tables) -> DailyStore:
    """Return the stored days."""
    return tables.store.part(DailyStore)


async def begin(tables: Tables, holder: str, name: str = "rasant", called: str = "") -> Table:
    """Begin an attempt."""
    return await tables.table(await daily(tables).start(name, holder, called, BOTS, "instant"))


async def race(tables: Tables, table: Table, holder: str, pick: int = 0, most: int = 10**6) -> None:
    """Play a person's moves, each time that of this number, until the game is over or so many are made."""
    async with tables.streams.watch(table.id) as changed:
        while not table.game.over and most:
            mine = [
                seat
                for seat in table.awaited_seats()
                if table.options.owners[seat] in table.players_of(holder)
            ]
            if not mine:
                await changed(PATIENCE_S)
                continue
            legal = dict(table.moves(table.options.owners[mine[0]]))[mine[0]]
            move = legal[pick % len(legal)][1]
            await tables.submit(table.id, holder, mine[0], move, table.decision, f"k{table.decision}")
            most -= 1


async def ended(tables: Tables, holder: str, name: str = "rasant", day: str = TODAY) -> AttemptRow:
    """Wait for the result of an attempt whose race is over, and return it."""
    await asyncio.gather(*daily(tables)._tasks)
    found = await stored(tables).attempt(day, name, holder)
    assert found and found.ended
    return found


def drawn(table: Table) -> list[Entry]:
    return [entry for entry in table.game.log if entry.by == CHANCE]


async def test_the_same_choices_get_the_same_race_at_any_time(database: str) -> None:
    runtime = Halted()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        one = await begin(tables, ANA)
        await race(tables, one, ANA, most=3)
        two = await begin(tables, BEN)  # in between, and with pauses of other lengths
        await race(tables, two, BEN)
        runtime.time += HOUR
        await race(tables, one, ANA)
        assert one.game.log == two.game.log and one.game.over
        first, second = await ended(tables, ANA), await ended(tables, BEN)
        assert first.points == second.points is not None
        other = await begin(tables, "c" * 64)
        await race(tables, other, "c" * 64, pick=-1)
        assert other.game.log != one.game.log
        dealt = 13 + 4 * 6 - 3  # the line, the dealer and the first hands, whatever is played
        assert drawn(other)[:dealt] == drawn(one)[:dealt]


async def test_what_is_drawn_later_is_the_same_for_everybody_too(database: str) -> None:
    async with service(database, runtime=Halted()) as tables:
        one, two = await begin(tables, ANA), await begin(tables, BEN)
        dealt = len(drawn(one))
        for table in (one, two):
            while len(drawn(table)) < dealt + 3:
                seat = table.awaited_seats()[0]
                move = dict(table.moves(table.options.owners[seat]))[seat][0][1]
                await decide(tables, table, seat, move)
        assert drawn(one) == drawn(two)


async def test_an_attempt_goes_on_with_the_same_cards_after_a_restart(database: str) -> None:
    async with service(database, runtime=Halted()) as tables:
        tables.start_bots()
        whole = await begin(tables, BEN, "lacorsa")
        await race(tables, whole, BEN)
        table = await begin(tables, ANA, "lacorsa")
        await race(tables, table, ANA, most=4)
        id, log = whole.id, list(whole.game.log)
    async with service(database, runtime=Halted("u")) as tables:
        tables.start_bots()
        table = await begin(tables, ANA, "lacorsa")
        assert table.id != id
        await race(tables, table, ANA)
        assert list(table.game.log) == log


async def test_there_is_one_attempt_and_nobody_else_sees_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database, runtime=Halted()) as tables:
        tables.start_bots()
        first, again = await asyncio.gather(
            begin(tables, ANA, called=" Ana "), begin(tables, ANA, called="Eve")
        )
        assert first is again and first.kind == DAILY and first.deal == TODAY
        me = first.players[next(iter(first.players_of(ANA)))]
        assert me.name in ("Ana", "Eve"), "whichever was faster"
        assert [p.name for p in first.players if p.bot] == list(BOTS)
        assert first.sealed and not first.fully_visible
        await race(tables, first, ANA)
        assert first.game.over and not first.fully_visible and first.eyes(me.index) == 1 << me.index
        assert "?" in await tables.record(first.id, me.index)
        with pytest.raises(Forbidden, match="when the day is over"):
            await tables.service(Analyses).start(first.id)
        with pytest.raises(Forbidden):
            await tables.making.explore(first.id, 0, 0, ANA)
        for bad in ("Alba", "admin"):
            with pytest.raises(BadOption):
                await begin(tables, BEN, called=bad)
        with pytest.raises(NoTable, match="has no race"):
            await begin(tables, BEN, "chess")
        assert (await begin(tables, ANA)).id == first.id
        store, look = stored(tables), daily(tables)._store.attempt
        answers = iter([None])  # another process begins right after the look

        async def attempt(day: str, name: str, holder: str) -> AttemptRow | None:
            return next(answers, await look(day, name, holder))

        monkeypatch.setattr(daily(tables)._store, "attempt", attempt)
        monkeypatch.delattr(Keeping, "delete")
        assert (await begin(tables, ANA)).id == first.id and len(await attempts(store, TODAY)) == 1


async def test_moves_cannot_be_taken_back(database: str) -> None:
    async with service(database, runtime=Halted()) as tables:
        table = await begin(tables, ANA, "lacorsa")
        await race(tables, table, ANA, most=1)
        with pytest.raises(Forbidden):
            await tables.run(table.id, undo.request, ANA)


async def test_a_day_tells_its_secret_and_its_tables_when_it_is_over(database: str) -> None:
    runtime = Halted()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        shown = await daily(tables).day(TODAY, BEN)
        assert shown.secret is None and not shown.over
        assert {race.title.name for race in shown.races} >= {"lacorsa", "rasant", "great_race"}
        table = await begin(tables, ANA, called="Ana")
        await race(tables, table, ANA)
        late = await begin(tables, BEN)
        await race(tables, late, BEN, most=2)
        await ended(tables, ANA)
        before = {race.title.name: race for race in (await daily(tables).day(TODAY, BEN)).races}["rasant"]
        assert (before.begun, before.ended, before.results) == (2, 1, None)
        mine = {race.title.name: race for race in (await daily(tables).day(TODAY, ANA)).races}["rasant"]
        assert mine.my_result and mine.my_result.over is None and mine.deal.par is None
        secret = await stored(tables).secret(TODAY)
        assert secret and fair.commitment(secret) == shown.commitment
        await stored(tables).set_par(TODAY, "rasant", 5, "works")
        assert (await daily(tables).day(TODAY, ANA)).races[0].deal.par is None
        with pytest.raises(Forbidden, match="when the day is over"):
            await daily(tables).practise(TODAY, "rasant", BEN, "", BOTS, "instant")

        runtime.time += 12 * HOUR
        assert daily(tables).today == "2026-03-02" and daily(tables).rest == 60
        await daily(tables).tend()
        soon = await daily(tables).day(TODAY, BEN)
        assert soon.secret is None and table.sealed, "another server may let somebody begin"
        with pytest.raises(Forbidden, match="when the day is over"):
            await daily(tables).practise(TODAY, "rasant", BEN, "", BOTS, "instant")
        runtime.time += 60
        await race(tables, late, BEN)  # too late
        await daily(tables).tend()
        over = await daily(tables).day(TODAY, BEN)
        assert (over.secret, over.commitment, over.over) == (secret, shown.commitment, True)
        assert (await daily(tables).day("2026-03-02", BEN)).commitment == shown.next_commitment
        told = {race.title.name: race for race in over.races}["rasant"]
        assert [one.name for one in told.results or ()] == ["Ana"] and told.deal.par == 5
        result = (told.results or ())[0]
        assert result.over == result.points - 5 and not result.mine
        assert (table.kind, late.kind, table.fully_visible) == (RACED, PRACTICE, True)
        assert await daily(tables).past() == [(TODAY, 1)]
        deal = rules.Deal(
            *(getattr(told.deal, name) for name in ("day", "title", "revision", "options", "player", "level"))
        )
        record = records.read(await tables.record(table.id))
        assert fair.check_race(record, race_of(deal), secret).outcomes > 30
        proof = fair.proof_in(record)
        assert proof is not None and proof.holds(shown.commitment)
        assert fair.check(record, proof)[1] == fair.check_race(record, race_of(deal), secret)
        again = await daily(tables).practise(TODAY, "rasant", BEN, "", BOTS, "instant")
        await race(tables, again, BEN)
        assert again.game.log == table.game.log and again.kind == PRACTICE and again.fully_visible
        for day in ("2026-03-03", "2026-02-28", "x"):
            with pytest.raises(NoTable):
                await daily(tables).day(day, BEN)


async def test_the_home_page_counts_the_races_that_a_browser_has_ended_today(database: str) -> None:
    async with service(database, runtime=Halted()) as tables:
        assert await daily(tables).glance(None) == await daily(tables).glance(ANA) == Glance(0, 0)
        races = (ANA, "rasant"), (BEN, "rasant"), (ANA, "lacorsa")
        begun = [await begin(tables, holder, name) for holder, name in races]
        assert await daily(tables).glance(ANA) == Glance(0, 0), "she has only begun"
        for table, done in zip(begun, ([1, 0], [1, 1], [2, 1]), strict=True):
            await stored(tables).end(table.id, tables.runtime.now(), 7, 2)
            assert [(await daily(tables).glance(holder)).done for holder in (ANA, BEN)] == done
        assert await daily(tables).glance(ANA) == Glance(2, 1)


async def test_what_was_not_kept_is_kept_when_the_day_is_settled(database: str) -> None:
    """A server that is killed right after the last move, and starts again on the next day."""
    runtime = Halted()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        tables.engine.followers.remove(daily(tables))
        table = await begin(tables, ANA)
        await race(tables, table, ANA)
    runtime.time += 24 * HOUR
    async with service(database, runtime=runtime) as tables:
        await daily(tables).tend()
        found = await stored(tables).attempt(TODAY, "rasant", ANA)
        assert found and found.ended and found.points is not None and not found.settled
        assert (await daily(tables).streak(ANA)).now == 1
        runtime.time += 24 * HOUR
        assert await daily(tables).streak(ANA) == Streak(0, 1, 1)


async def test_a_browser_is_forgotten_and_the_day_stays(database: str) -> None:
    runtime = Halted()
    async with service(database, runtime=runtime) as tables:
        await begin(tables, ANA)
        await begin(tables, BEN)
        await tables.upkeep.keeping.forget(ANA)
        assert [one.holder for one in await attempts(stored(tables), TODAY)] == [BEN]
        await tables.upkeep.keeping.delete((await begin(tables, BEN)).id)
        await tables.upkeep.notice()
        with pytest.raises(NoTable, match="deleted"):
            await begin(tables, BEN)
        assert (await daily(tables).day(TODAY, BEN)).races


async def test_a_day_that_was_told_stays_told_when_the_clock_goes_back(database: str) -> None:
    """A restart with the clock a day ahead tells today's secret: nobody may race those cards any more.

    The kind: that something was told is a stored fact, and never follows from the clock.
    """
    runtime = Halted()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        before = await daily(tables).day(TODAY, ANA)
        running = await begin(tables, ANA)
        await race(tables, running, ANA, most=2)
    runtime.time += 24 * HOUR
    async with service(database, runtime=runtime) as tables:
        shown = await daily(tables).day(TODAY, BEN)
        assert shown.secret and fair.commitment(shown.secret) == before.commitment
    runtime.time -= 24 * HOUR
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        day = await daily(tables).day(TODAY, BEN)
        assert (day.phase, day.secret) == ("told", shown.secret)
        assert day.next_commitment == before.next_commitment, "what was shown of tomorrow holds"
        with pytest.raises(Forbidden, match="shown already"):
            await begin(tables, BEN)
        assert await attempts(stored(tables), TODAY) == [
            replace((await attempts(stored(tables), TODAY))[0], holder=ANA, ended=None)
        ]
        running = await begin(tables, ANA)
        await race(tables, running, ANA)  # who had begun may look at the cards, too
        await asyncio.gather(*daily(tables)._tasks)
        await daily(tables).tend()
        state = {one.title.name: one.state for one in (await daily(tables).day(TODAY, ANA)).races}["rasant"]
        assert (running.kind, state) == (PRACTICE, "late")
        assert (await daily(tables).practise(TODAY, "rasant", BEN, "", BOTS, "instant")).deal == TODAY
        runtime.time += 12 * HOUR
        tomorrow = await daily(tables).day("2026-03-02", BEN)
        assert (tomorrow.phase, tomorrow.commitment) == ("open", before.next_commitment)
        await begin(tables, BEN)


async def test_of_several_servers_the_first_that_tells_decides(database: str) -> None:
    """Their clocks differ. The kind: see above."""
    ahead, behind = Halted("a"), Halted("b")
    ahead.time = 12 * HOUR + 61
    async with service(database, runtime=behind) as late, service(database, runtime=ahead) as early:
        late.start_bots()
        running = await begin(late, ANA)
        await race(late, running, ANA, most=2)
        over = await begin(late, BEN)
        late.engine.followers.remove(daily(late))  # the server keeps no result of its own
        await race(late, over, BEN)
        await stored(early).tell(TODAY, ahead.now())  # as ``tend``, before it opens any table
        with pytest.raises(Forbidden, match="shown already"):
            await begin(late, "c" * 64)
        await race(late, running, ANA)
        await daily(late).tend()
        kept = {row.holder: row.ended is not None for row in await attempts(stored(late), TODAY)}
        assert kept == {ANA: False, BEN: True}, "what was over when the secret was told counts"
        assert (running.kind, over.kind) == (PRACTICE, RACED)
        assert (await daily(late).day(TODAY, ANA)).secret == (await daily(early).day(TODAY, ANA)).secret


async def test_a_race_that_ends_after_midnight_does_not_count(database: str) -> None:
    """The kind: what a page says of an attempt follows from whether it counts."""
    runtime = Halted()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table, other = await begin(tables, ANA), await begin(tables, BEN)
        await race(tables, table, ANA, most=2)
        await race(tables, other, BEN)
        await ended(tables, BEN)
        assert [days.standing(one, runtime.now()) for one in (table, other)] == ["open", "counted"]
        assert table.counts is None and other.counts is True
        runtime.time = 12 * HOUR - 1
        assert daily(tables).rest == 2, "it looks again when the day ends"
        runtime.time += 2
        changes = table.stamp
        await daily(tables).tend()
        assert table.counts is False and table.stamp > changes, "who looks at it is told"
        assert days.standing(table, runtime.now()) == "late"
        assert (await daily(tables).day(TODAY, ANA)).phase == "ended"
        runtime.time += 22
        await race(tables, table, ANA)
        await asyncio.gather(*daily(tables)._tasks)
        found = {one.title.name: one for one in (await daily(tables).day(TODAY, ANA)).races}["rasant"]
        assert (found.state, found.results) == ("late", None)
        assert days.standing(table, runtime.now()) == "late" and table.counts is False
        await tables.run(other.id, talk.say, BEN, other.players_of(BEN)[0], "Well!")
        assert days.standing(other, runtime.now()) == "counted", "talk after midnight takes nothing away"
        runtime.time += 60
        await daily(tables).tend()
        stands = [(days.standing(one, runtime.now()), one.counts) for one in (table, other)]
        assert stands == [("practice", False), ("counted", True)]


async def test_who_is_forgotten_has_still_raced(database: str) -> None:
    """«Forget me», then the same cookie: the name and the result go, and there is no second attempt.

    The kind: forgetting must not give anything back that can be had once.
    """
    runtime = Halted()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        await race(tables, await begin(tables, ANA, called="Ana"), ANA)
        await ended(tables, ANA)
        await begin(tables, ANA, "lacorsa")
        await begin(tables, BEN)
        assert (await tables.forget(ANA)).tables
        assert [row.holder for row in await attempts(stored(tables), TODAY)] == [BEN]
        state = {one.title.name: one.state for one in (await daily(tables).day(TODAY, ANA)).races}
        assert (state["rasant"], state["lacorsa"], state["great_race"]) == ("gone", "gone", "none")
        for name in ("rasant", "lacorsa"):
            with pytest.raises(NoTable, match="you have raced here"):
                await begin(tables, ANA, name)
        await begin(tables, ANA, "great_race")
        await tables.forget(ANA)  # again: what was kept before stays
        await tables.rekey(ANA, "d" * 64)
        for name in ("rasant", "great_race"):
            with pytest.raises(NoTable, match="you have raced here"):
                await begin(tables, "d" * 64, name)
        kept = await marks(tables)
        assert len(kept) == 6 and not any(holder in str(kept) for holder in (ANA, "d" * 64))
        runtime.time += 12 * HOUR + 60
        await daily(tables).tend()
        assert await marks(tables) == [], "the day is over"


async def marks(tables: Tables) -> list[Any]:
    """What is stored of browsers that were forgotten and have raced."""
    async with tables.store._reading.connect() as connection:
        return list(await connection.execute(select(daily_raced)))


async def test_an_attempt_stays_with_its_browser(database: str) -> None:
    """A recovery link would give one browser a finished attempt, and a new one of its own."""
    runtime = Halted()
    async with service(database, runtime=runtime) as tables:
        table = await begin(tables, ANA)
        me = table.players_of(ANA)[0]
        with pytest.raises(Forbidden, match="stays with its browser"):
            await tables.recovery(table.id, ANA, me)
        await tables.run(table.id, alter, {me: {"recovery": hashed("old")}})  # of an older version
        with pytest.raises(Forbidden, match="stays with its browser"):
            await tables.run(table.id, seats.recover, "old", BEN)
        runtime.time += 12 * HOUR + 60
        await daily(tables).tend()
        assert await tables.run(table.id, seats.recover, await tables.recovery(table.id, ANA, me), BEN) == me


async def test_a_race_that_was_meant_for_another_day_is_not_begun(database: str) -> None:
    async with service(database, runtime=Halted()) as tables:
        for day in ("2026-02-28", "2026-03-02", "", "x" * 99):
            with pytest.raises(Outdated, match="today is 2026-03-01"):
                await daily(tables).start("rasant", ANA, "", BOTS, "instant", day)
        assert await attempts(stored(tables), TODAY) == []
        assert await daily(tables).start("rasant", ANA, "", BOTS, "instant", TODAY)


async def test_par_is_measured_in_the_background(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(work: Callable[..., Any], *args: Any, longest: float) -> Any:
        await asyncio.sleep(0)
        return work(*args)

    monkeypatch.setattr(rules, "par_level", lambda title: "club")
    async with service(database, runtime=Halted()) as tables:
        monkeypatch.setattr(tables.workers, "wait", wait)
        tables.start_bots()
        table = await begin(tables, ANA)
        await race(tables, table, ANA)
        await ended(tables, ANA)
        while daily(tables).measuring is None:  # noqa: ASYNC110 # nothing tells of it
            await asyncio.sleep(0)
        await daily(tables).measuring
        found = {deal.title: deal for deal in await stored(tables).deals(TODAY)}
        assert found["rasant"].par_level == "club" and found["rasant"].par is not None
        assert found["lacorsa"].par is None, "nobody has tried it"
        secret = await stored(tables).secret(TODAY) or ""
        deal = rules.deal_of(paddock.title("rasant"), TODAY, secret)
        assert rules.further(deal, secret, (), "club", 99)[1] == found["rasant"].par


async def test_a_par_goes_on_after_a_restart(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []  # the entries with which each piece begins
    monkeypatch.setattr(rules, "par_level", lambda title: "club")

    async def whole(work: Callable[..., Any], deal: Any, secret: str, log: list[Entry], *rest: Any) -> Any:
        begun.append(len(log))
        return work(deal, secret, log, "club", 99)

    async def half(*args: Any, longest: float) -> Any:
        if begun:
            await asyncio.Event().wait()  # the server is stopped meanwhile
        log, _points = await whole(*args)
        return log[: len(log) // 2], None

    async def rest(*args: Any, longest: float) -> Any:
        return await whole(*args)

    async with service(database, runtime=Halted()) as tables:
        monkeypatch.setattr(tables.workers, "wait", half)
        tables.start_bots()
        await race(tables, await begin(tables, ANA), ANA)
        await ended(tables, ANA)
        while not (log := await entries(tables)):  # noqa: ASYNC110 # nothing tells of it
            await asyncio.sleep(0.01)
    async with service(database, runtime=Halted()) as tables:
        monkeypatch.setattr(tables.workers, "wait", rest)
        daily(tables).measure()
        assert daily(tables).measuring
        await daily(tables).measuring
        assert begun == [0, log]
        found = {deal.title: deal for deal in await stored(tables).deals(TODAY)}
        secret = await stored(tables).secret(TODAY) or ""
        deal = rules.deal_of(paddock.title("rasant"), TODAY, secret)
        assert rules.further(deal, secret, (), "club", 99)[1] == found["rasant"].par
        assert await entries(tables) == 0


async def entries(tables: Tables) -> int:
    """The number of entries that are stored of pars that are being measured."""
    async with tables.store._reading.connect() as connection:
        return sum(
            len(json.loads(log)) for log in (await connection.execute(select(daily_pars.c.log))).scalars()
        )


def test_a_streak_lasts_until_the_end_of_the_next_day() -> None:
    days = ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-04"]
    assert Streak.of(days, "2026-03-01") == Streak(3, 3, 4)
    assert Streak.of(days, "2026-03-05") == Streak(1, 3, 4)
    assert Streak.of(days, "2026-03-03") == Streak(0, 3, 4)
    assert Streak.of([], "2026-03-03") == Streak(0, 0, 0)
