"""The race of the day: one deal for each title and day, the same for everybody, and what came of it.

A day has a random secret. Its hash is shown before the day begins, the secret itself after the day: then it
is told, which is stored before anybody sees it, and the day is over for good. Until then an attempt is
sealed: only its player sees its table, with their own hand, also when the race is over.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from paddock.bots import fair, usual
from paddock.core.errors import PaddockError, brief
from paddock.core.i18n import _
from paddock.core.log import Entry
from paddock.core.title import Seen, Title, titles
from paddock.core.title import title as find_title
from paddock.features.daily import days, rules
from paddock.features.daily.days import Attempt, DayResult, Phase, Streak
from paddock.features.daily.rows import DAILY, PRACTICE, RACED, AttemptRow, DayRow, DealRow, ParRow
from paddock.features.daily.store import Begun, DailyStore, DayTold, begun
from paddock.kernel.keyed import Keyed
from paddock.records import Fair
from paddock.store import Unavailable
from paddock.store.kinds import Kind
from paddock.store.terms import Terms
from paddock.tables.change import EVERYBODY, Change
from paddock.tables.context import Context
from paddock.tables.errors import Busy, Elsewhere, Forbidden, NoTable, Outdated, Stopped
from paddock.tables.live import LiveTable
from paddock.tables.make import ME
from paddock.tables.making import Sitter
from paddock.tables.registry import Also
from paddock.tables.service import Tables
from paddock.tables.table import Table
from paddock.tables.tasks import background, end
from paddock.tables.threads import off_loop
from paddock.tables.workers import Visitor, visitor
from paddock.web.caches import Recent

log = logging.getLogger("paddock.tables")
STEWARD = Visitor(browser="daily")  # whose long work the pars are
PIECE_S = 1.0  # seconds of one piece of a par, so that other work comes in between
LONGEST_S = 1800.0  # of a piece: the rules may have to be compiled
AGAIN = 5.0  # seconds before a piece is tried again
KEPT = 256  # tables whose chance stays in memory
TEND = 60.0  # seconds between looks at the days
PAST = 60  # days that are listed


@dataclass(frozen=True)
class RaceOfDay:
    """What a browser may know of a race of a day."""

    title: Title
    deal: DealRow  # without its par while that is not told
    begun: int  # attempts
    ended: int  # those that count
    mine: AttemptRow | None
    state: Attempt
    results: tuple[DayResult, ...] | None  # some of them, or all; None: this browser must race first

    @property
    def my_result(self) -> DayResult | None:
        """The result of this browser; None if it has none."""
        return next((one for one in self.results or () if one.mine), None)


@dataclass(frozen=True)
class DailyDay:
    """What a browser may know of a day."""

    day: str
    ends: datetime
    phase: Phase
    commitment: str
    secret: str | None  # None: it is not told
    next_commitment: str | None  # of the day after this one; None: this day is past and told
    races: tuple[RaceOfDay, ...]

    @property
    def over(self) -> bool:
        """Whether the day was told."""
        return self.phase == "told"


@dataclass(frozen=True)
class Glance:
    """What the home page says of today's races."""

    done: int  # by this browser
    streak: int


def _results(
    rows: Sequence[Row[Any]], pars: Mapping[str, int | None], holder: str | None
) -> dict[str, tuple[DayResult, ...]]:
    """Return the table of each race of a day by its title."""
    found: dict[str, list[DayResult]] = {}
    for row in rows:
        title, rank, name, points, place, whose = tuple(row)
        par = pars.get(title)
        over, mine = None if par is None else points - par, holder is not None and whose == holder
        found.setdefault(title, []).append(DayResult(rank, name, points, over, place, mine))
    return {title: tuple(them) for title, them in found.items()}


class Daily:
    """The days of a server. Use it in one event loop only."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(DailyStore)
        self._registry = tables.registry
        self._engine = tables.engine
        self._making = tables.making
        self._runtime = tables.runtime
        self._workers = tables.workers
        self._secrets: dict[str, str] = {}
        self._sources: Recent[str, Keyed] = Recent(KEPT)
        self._turn = asyncio.Lock()  # to open a day, and to begin an attempt
        self._opened: dict[str, frozenset[str]] = {}  # the titles of days that this process has opened
        self._tasks: set[asyncio.Task[None]] = set()
        self.measuring: asyncio.Task[None] | None = None  # the pars that are missing
        tables.engine.dealers |= dict.fromkeys((DAILY, RACED, PRACTICE), self)
        tables.engine.followers.append(self)
        tables.tended.append(self)
        tables.closing.append(self.close)

    @property
    def today(self) -> str:
        """The day that it is."""
        return rules.day_of(self._runtime.now())

    @property
    def rest(self) -> float:
        """The seconds until the days are tended next: a minute, or until a day ends or is told."""
        now = self._runtime.now()
        told = rules.end_of(rules.shifted(days.last_due(now), 1)) + days.TOLD
        left = (min(told, rules.end_of(self.today)) - now).total_seconds()
        return min(TEND, left + 1.0)

    # Secrets: nothing of them leaves this class before their day is over

    async def _secret(self, day: str) -> str:
        """Return the secret of a day; raise ``NoTable`` if there was no race on it."""
        if day not in self._secrets:
            found = await self._store.secret(day) if rules.is_day(day) else None
            if found is None:
                raise NoTable(_("there is no daily race on this day"))
            self._secrets[day] = found
        return self._secrets[day]

    async def _known(self, day: str) -> DayRow:
        """Return a day, which is told if it is due; raise ``NoTable`` if there was no race on it."""
        row, now = await self._store.day(day) if rules.is_day(day) else None, self._runtime.now()
        if row and row.told is None and day <= days.last_due(now):
            await self._store.tell(days.last_due(now), now)
            row = await self._store.day(day)
        if row is None:
            raise NoTable(_("there is no daily race on this day"))
        return row

    async def _open(self, day: str) -> str:
        """Return the secret of today or tomorrow; make it, and what is raced, unless that was done."""
        names = frozenset(titles())
        async with self._turn:
            if self._opened.get(day) != names:
                self._secrets[day] = secret = await self._store.open_day(DayRow(day, fair.new_secret()))
                known = {row.title for row in await self._store.deals(day)}
                deals = [rules.deal_of(find_title(name), day, secret) for name in sorted(names - known)]
                if deals:
                    await self._store.add_deals([DealRow(**asdict(deal)) for deal in deals])
                self._opened = {one: of for one, of in self._opened.items() if one >= self.today}
                self._opened[day] = names
        return self._secrets[day]

    async def source(self, table: Table) -> Keyed:
        """Return the chance of a table that plays the race of a day."""
        assert table.deal is not None
        chance = self._sources.get(table.id)
        if chance is None:
            secret = await self._secret(table.deal)
            chance = self._sources.keep(table.id, rules.source(table.deal, table.title.name, secret))
        return chance

    async def bot_seed(self, table: Table, seen: Seen, seat: int) -> int:
        """Return the seed for a bot's decision at such a table."""
        return fair.bot_seed(await self.source(table), seen, seat)

    async def level(self, table: Table) -> str:
        """Return the level of the bots that play for people there."""
        return usual(table.title)

    async def proof(self, table: Table) -> Fair | None:
        """Return what proves the chance of such a table; None before its day was told."""
        row, deal = await self._store.day(table.deal or ""), await self._at(table)
        if row is None or row.told is None or deal is None:
            return None
        name = rules.said(deal.day, deal.title)
        return Fair(name, fair.commitment(row.secret), row.secret, level=deal.level)

    # What a browser may know

    async def day(self, day: str, holder: str | None, most: int | None = None) -> DailyDay:
        """Return a day, today or past; raise ``NoTable`` for all others.

        Of the results of each race it has the ``most`` first, and that of the browser; None: all.
        """
        if day == (today := self.today):
            await self._open(day)
        row = await self._known(day)
        phase = days.phase(day, row.told is not None, self._runtime.now())
        if phase == "later":
            raise NoTable(_("there is no daily race on this day"))
        over = phase == "told"
        past = over and day != today
        following = None if past else fair.commitment(await self._open(rules.shifted(day, 1)))
        known, numbers = titles(), await self._store.begun_and_ended(day)
        mine = await self._store.mine(day, holder) if holder else {}
        deals = [deal for deal in await self._store.deals(day) if deal.title in known]
        deals = deals if over else [replace(deal, par=None, par_level=None) for deal in deals]
        raced = await self._store.raced(row, [deal.title for deal in deals], holder) if holder else ()
        ended = {title for title, attempt in mine.items() if attempt.ended}
        shown = {deal.title for deal in deals if over or deal.title in ended}
        rows = await self._store.results(day, shown, most, holder) if shown else []
        found = await off_loop(_results, rows, {deal.title: deal.par for deal in deals}, holder)
        races = [
            RaceOfDay(
                title=find_title(deal.title),
                deal=deal,
                begun=numbers.get(deal.title, (0, 0))[0],
                ended=numbers.get(deal.title, (0, 0))[1],
                mine=mine.get(deal.title),
                state=days.state(phase, mine.get(deal.title), deal.title in raced),
                results=found.get(deal.title, ()) if deal.title in shown else None,
            )
            for deal in deals
        ]
        return DailyDay(
            day=day,
            ends=rules.end_of(day),
            phase=phase,
            commitment=fair.commitment(row.secret),
            secret=row.secret if over else None,
            next_commitment=following,
            races=tuple(races),
        )

    async def today_of(
        self, holders: Collection[str], reader: str | None
    ) -> list[tuple[str, str, int]] | None:
        """Return what these browsers have made of today's races: browser, title and points, the best first.

        Only of races that the reader has ended: their results are in its table then. None: of no race yet.
        """
        mine = await self._store.mine(self.today, reader) if reader else {}
        shown = [title for title, attempt in mine.items() if days.has_result(attempt) and title in titles()]
        if not shown:
            return None
        return await self._store.results_of(self.today, shown, holders)

    async def stamp(self, day: str) -> tuple[object, ...]:
        """Return what is another one when the results of a day are."""
        return await self._store.stamp(day)

    async def past(self) -> list[tuple[str, int]]:
        """Return the last days that are over, the newest first, each with the number of results."""
        return await self._store.past(PAST)

    async def glance(self, holder: str | None) -> Glance:
        """Return what the home page says to a browser."""
        raced = await self._store.days_of(holder) if holder else []
        done = 0
        if holder and self.today in raced:
            mine = await self._store.mine(self.today, holder)
            done = sum(one.ended is not None for one in mine.values())
        return Glance(done, Streak.of(raced, self.today).now)

    async def streak(self, holder: str | None) -> Streak:
        """Return the streak of a browser."""
        return Streak.of(await self._store.days_of(holder) if holder else [], self.today)

    # Racing

    async def start(
        self, name: str, holder: str, called: str, bots: Sequence[str], pace: str, wanted: str | None = None
    ) -> str:
        """Begin the only attempt of a browser at today's race of a title; return the id of its table.

        ``called`` is its name in the table of the day, ``bots`` are those of the others, ``wanted`` is the
        day that the browser means (None: whatever day it is). Returns the same table again if the attempt has
        begun. Raises ``Outdated``, ``NoTable``, ``Forbidden`` and ``BadOption``.
        """
        day = self.today
        if wanted not in (None, day):
            words = _("the race of {day} is not today’s: today is {today}, and nothing has begun")
            raise Outdated(words.format(day=brief(wanted or "–"), today=day))
        deal = await self._deal(day, name)
        async with self._turn:
            known = await self._store.attempt(day, name, holder)
            if known is None:
                now = self._runtime.now()

                def also(table: Table) -> Also:
                    shown = table.players[deal.player].name
                    return begun(AttemptRow(day, name, holder, shown, now, table.id))

                try:
                    return (await self._table(deal, DAILY, holder, called, bots, pace, also)).id
                except Begun:  # another process was faster, or the browser was forgotten
                    known = await self._store.attempt(day, name, holder)
                except DayTold:
                    words = _("today’s cards have been shown already: the next race begins at midnight UTC")
                    raise Forbidden(words) from None
        if known is None or known.table_id is None:
            raise NoTable(_("you have raced here, but the table was deleted"))
        return known.table_id

    async def practise(
        self, day: str, name: str, holder: str, called: str, bots: Sequence[str], pace: str
    ) -> Table:
        """Create a table that plays the race of a day that is over. Raises ``NoTable`` and ``Forbidden``."""
        if (await self._known(day)).told is None:
            raise Forbidden(_("the race of a day can be practised when the day is over"))
        return await self._table(await self._deal(day, name), PRACTICE, holder, called, bots, pace)

    async def _deal(self, day: str, name: str) -> DealRow:
        """Return what a title races on a day; raise ``NoTable``."""
        if day == self.today:
            await self._open(day)
        found = [deal for deal in await self._store.deals(day) if deal.title == name and name in titles()]
        if not found:
            raise NoTable(_("this title has no race on this day"))
        return found[0]

    async def _table(
        self,
        row: DealRow,
        kind: Kind,
        holder: str,
        called: str,
        bots: Sequence[str],
        pace: str,
        also: Callable[[Table], Also] | None = None,
    ) -> Table:
        deal = deal_in(row)
        title, options = deal.read
        seats = [ME if player == deal.player else deal.level for player in range(options.players)]
        others = iter(bots)
        sitters = [
            Sitter(who, called, holder) if who == ME else Sitter(who, next(others, "")) for who in seats
        ]
        chance = rules.source(deal.day, deal.title, await self._secret(deal.day))
        return await self._making.deal(
            title,
            options,
            sitters,
            host=holder,
            kind=kind,
            deal=deal.day,
            chance=chance,
            terms=Terms(pace=pace),
            also=also,
        )

    # Results

    def changed(self, live: LiveTable, audience: str) -> None:
        """Keep the result of an attempt that has just ended, and note whether it counts."""
        table = live.table
        table.counts = days.counted(table, self._runtime.now())
        if table.kind == DAILY and table.game.over:
            self._background(self._end(table), f"result of {table.id}")

    def _background(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = background(work, name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _end(self, table: Table) -> None:
        try:
            await self._keep(table)
            self.measure()
        except PaddockError as error:  # it is kept when the day is settled
            log.warning("the result of table %s is not kept yet: %s", table.id, error)

    async def _keep(self, table: Table) -> None:
        """Store the result of an attempt, if its race was over before its day."""
        row = await self._at(table)
        if row and days.in_time(table):
            points = fair.points_of(table.game, row.player)
            place = fair.place_of(table.game, row.player)
            await self._store.end(table.id, table.touched_at, points, place)

    async def _at(self, table: Table) -> DealRow | None:
        deals = await self._store.deals(table.deal or "")
        return next((deal for deal in deals if deal.title == table.title.name), None)

    async def tend(self) -> None:
        """Open today and tomorrow, tell the days that are over, and measure the pars that are missing."""
        today, now = self.today, self._runtime.now()
        for day in (today, rules.shifted(today, 1)):
            await self._open(day)
        for live in self._registry:
            if days.counted(live.table, now) != live.table.counts:
                self._engine.tell(live, EVERYBODY)  # it is midnight
        await self._store.tell(days.last_due(now), now)
        for row in await self._store.sealed(DAILY):
            try:
                await self._settle(row)
            except (Elsewhere, Busy, Stopped):  # the server that has the table does it, or this one later
                continue
            except PaddockError as error:
                log.warning("table %s of the daily race is not settled: %s", row.table_id, error)
                continue
        # Not that of today: who ends a race asks for it.
        if await self._store.without_par(rules.shifted(today, -1)):
            self.measure()

    async def _settle(self, row: AttemptRow) -> None:
        """Keep the result of an attempt whose day was told, and open its table for everybody."""
        with suppress(NoTable):
            live = await self._registry.find(row.table_id or "")
            await self._keep(live.table)
            known = await self._store.attempt(row.day, row.title, row.holder)
            await self._engine.run_live(live, unseal, known is not None and days.has_result(known))

    # Par

    def measure(self) -> None:
        """Measure the pars that are missing, in the background."""
        if self.measuring is None or self.measuring.done():
            self.measuring = background(self._measure(), "pars of the daily race")

    async def _measure(self) -> None:
        visitor.set(STEWARD)
        tried = set[tuple[str, str]]()
        with suppress(Unavailable):
            while rows := [
                row
                for row in await self._store.without_par(self.today)
                if (row.day, row.title) not in tried and row.title in titles()
            ]:
                for row in rows:
                    tried.add((row.day, row.title))
                    await self._try_par(row)

    async def _try_par(self, row: DealRow) -> None:
        try:
            await self._par(row)
        except PaddockError as error:  # it is tried again when the days are tended next
            log.warning("par of %s on %s is not measured yet: %s", row.title, row.day, error)
        except Exception:
            log.exception("par of %s on %s cannot be measured", row.title, row.day)

    async def _par(self, row: DealRow) -> None:
        """Play a race on with a strong bot in the seat of the people, piece by piece; store its points.

        One server does that, and the log is stored after each piece: another one, or this one after a
        restart, goes on from there.
        """
        level, me = rules.par_level(find_title(row.title)), self._registry.owning.me
        par = ParRow(row.day, row.title, level, "[]", me.id if me else None)
        if (text := await self._store.take_par(par)) is None:
            return
        deal, secret = deal_in(row), await self._secret(row.day)
        entries = [Entry(*facts) for facts in json.loads(text)]
        while True:
            try:
                entries, points = await self._workers.wait(
                    rules.further, deal, secret, entries, level, PIECE_S, longest=LONGEST_S
                )
            except Busy:
                await self._runtime.sleep(AGAIN)
                continue
            if points is not None:
                await self._store.set_par(row.day, row.title, points, level)
                return
            if not await self._store.note_par(replace(par, log=json.dumps([*map(astuple, entries)]))):
                return  # this server was taken for dead

    async def close(self) -> None:
        """Stop what runs in the background."""
        await end([*self._tasks, self.measuring])


def deal_in(row: DealRow) -> rules.Deal:
    """Return a stored race as what follows from the secret of its day."""
    return rules.Deal(row.day, row.title, row.revision, row.options, row.player, row.level)


def unseal(table: Table, context: Context, counted: bool) -> Change[None]:
    """Open the table of an attempt for everybody: its day was told. What does not count is practice now."""
    change = Change(table, context.now, None, at_frozen=True)
    if table.kind == DAILY:
        change.table(kind=RACED if counted else PRACTICE)
        change.audience = EVERYBODY
    return change
