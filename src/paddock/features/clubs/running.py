"""An evening that runs: its tables are made, its deals begin and end, and its cards are told, by themselves.

Everything that is due follows from what is stored: so a server that was stopped goes on from there, and of
several servers the first one does it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from paddock.bots import fair
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.features.clubs import rules, scoring
from paddock.features.clubs.fair import said
from paddock.features.clubs.reckoned import calmly
from paddock.features.clubs.rows import (
    DAYS,
    JOINING,
    LIVE,
    OPENED,
    OVER,
    PLAYED,
    RUNNING,
    SWISS,
    DealtRow,
    EntrantRow,
    EveningRow,
    SeatRow,
)
from paddock.features.clubs.sealing import out_of_time, unseal
from paddock.features.clubs.store import ClubStore, Made, Moved, ended, made, no_evening
from paddock.kernel.keyed import Keyed
from paddock.records import Fair
from paddock.records.proof import mix
from paddock.store import Unavailable
from paddock.store.terms import Terms
from paddock.tables import replaying
from paddock.tables.errors import Busy, Elsewhere, Forbidden, Frozen, NoTable, Stopped
from paddock.tables.live import LiveTable
from paddock.tables.make import GUESTS, ME
from paddock.tables.making import Sitter
from paddock.tables.names import same
from paddock.tables.played import Played, played
from paddock.tables.registry import Also
from paddock.tables.service import Tables
from paddock.tables.table import Table
from paddock.tables.tasks import background, end
from paddock.tables.threads import off_loop
from paddock.web.caches import Recent

log = logging.getLogger("paddock.tables")
GRACE = 120  # seconds of absence at a live table after which a bot plays
KEPT = 256  # tables whose chance stays in memory
BEGUN = 5  # times that an evening tries to begin while people come and leave
BEGIN_S = 5.0  # that an organiser waits for the tables of a deal at most
TEND = 5.0  # seconds between looks at what is due
TRIES = 3  # to play such a game
ALONE_S = 1800.0  # of a game of bots alone: the rules may have to be compiled


class Running:
    """The evenings that run. Use it in one event loop only."""

    def __init__(self, tables: Tables, store: ClubStore) -> None:
        self._store = store
        self._engine = tables.engine
        self._making = tables.making
        self._runtime = tables.runtime
        self._workers = tables.workers
        self._names = tables.names
        self._registry = tables.registry
        self._stored = tables.store
        self._dealt: Recent[str, tuple[Keyed, str]] = Recent(KEPT)  # chance and level, by table
        self._absent: dict[str, list[int]] = {}  # by table: for whom bots play
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by evening
        self._alone = asyncio.Lock()  # to play a table of bots alone
        self._alone_of: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by evening
        self._failed = Counter[tuple[str, int]]()  # by deal and table: tries to play it with bots alone
        self._tasks: set[asyncio.Task[None]] = set()
        self.told: Callable[[str], Coroutine[Any, Any, object]] | None = None  # hears that results are told
        tables.engine.dealers |= dict.fromkeys((PLAYED, OPENED), self)
        tables.engine.endings.append(self.ending)
        tables.engine.followers.append(self)
        tables.tended.append(self)
        tables.closing.append(self.close)

    # The chance of tables

    async def _chance(self, table: Table) -> tuple[Keyed, str]:
        chance_and_level = self._dealt.get(table.id)
        if chance_and_level is None:
            dealt = await self._store.table_of(table.id)
            if dealt is None:
                raise no_evening()
            row = await self._store.row(dealt.evening)
            chance_and_level = rules.source(row, dealt.deal), row.level
            self._dealt.keep(table.id, chance_and_level)
        return chance_and_level

    async def source(self, table: Table) -> Keyed:
        """Return the chance of a table of an evening."""
        return (await self._chance(table))[0]

    async def level(self, table: Table) -> str:
        """Return the level of the bots of an evening."""
        return (await self._chance(table))[1]

    async def bot_seed(self, table: Table, seen: Seen, seat: int) -> int:
        """Return the seed for a bot's decision at such a table."""
        return fair.bot_seed(await self.source(table), seen, seat)

    async def proof(self, table: Table) -> Fair | None:
        """Return what proves the chance of a table; None before the last deal is over."""
        dealt = await self._store.table_of(table.id)
        row = await self._store.evening(dealt.evening) if dealt else None
        if dealt is None or row is None:
            return None
        return rules.proof(row, await self._store.entrants(row.id), dealt.deal)

    # What organisers begin and end

    async def begin(self, id: str) -> None:
        """Begin an evening, or its next deal at once. Raises ``Forbidden``."""
        async with self._turn(id):
            row = await self._store.row(id)
            if row.phase == JOINING:
                await self._begin(row)
            elif row.phase == RUNNING and row.resting:
                await self._deal(row, await self._store.entrants(row.id))
        # Hundreds of tables take longer than somebody waits: the last of them come by themselves.
        if task := self._background(self._try(id), f"begin {id}"):
            await asyncio.wait({task}, timeout=BEGIN_S)

    async def _begin(self, row: EveningRow) -> None:
        for _attempt in range(BEGUN):
            entrants = await self._store.entrants(row.id)
            if sum(not entrant.gone for entrant in entrants) < rules.FEWEST:
                raise Forbidden(_("an evening needs more players: share its link first"))
            lots = mix({entrant.number: entrant.lot for entrant in entrants})
            with suppress(Moved):
                await self._deal(replace(row, mixed=lots, began=self._runtime.now()), entrants)
                return
        raise Busy(_("somebody came or left just now: begin again"))

    async def _deal(self, row: EveningRow, everybody: Sequence[EntrantRow]) -> None:
        """Store who plays the next deal, or with days all deals, unless another server has done that."""
        now = self._runtime.now()
        entrants = [entrant for entrant in everybody if not entrant.gone]
        if len(entrants) < rules.FEWEST:
            await self._end(row)
            return
        standing = await self._standing(row) if row.system == SWISS else []
        values: dict[str, Any] = {"phase": RUNNING, "resting": False, "next_at": rules.deal_ends(row, now)}
        values |= {"mixed": row.mixed, "began": row.began}
        tables, seats, then = list[DealtRow](), await self._store.seats([row.id]), row
        known = len(seats)
        for _deal in range(row.deals - row.deal if row.style == DAYS else 1):
            groups = await off_loop(rules.next_round, then, entrants, seats, standing)
            then = replace(then, deal=then.deal + 1)
            alone = scoring.missing_tables(len(groups))
            size = rules.played(row)[1].players
            for n, group in enumerate([*groups, *[[None] * size] * alone]):
                tables.append(DealtRow(row.id, then.deal, n, row.level, alone=n >= len(groups)))
                seats += [
                    SeatRow(row.id, then.deal, n, seat, None if who is None else int(who))
                    for seat, who in enumerate(group)
                ]
        await self._store.begin_deal(row, tables, seats[known:], values | {"deal": then.deal}, everybody)

    async def _standing(self, row: EveningRow) -> list[str]:
        """Return the entrants of an evening as their numbers, the best first."""
        entrants = await self._store.entrants(row.id)
        tables, seats = await self._store.tables([row.id]), await self._store.seats([row.id])
        results = rules.results(tables, seats, rules.numbers(entrants))
        return [line.entrant for line in await off_loop(calmly, rules.lines, results)]

    # What is due by itself

    @property
    def rest(self) -> float:
        """The seconds until the evenings are looked at next."""
        return TEND

    async def tend(self) -> None:
        """Do what is due at all evenings."""
        for row in await self._store.running():
            if not self._turn(row.id).locked():  # what is done there already keeps no other evening waiting
                await self._try(row.id)
        await self._open()

    async def _try(self, id: str) -> None:
        try:
            await self.advance(id)
        except (Busy, Stopped, Elsewhere):  # it is tried again soon
            pass
        except PaddockError as error:
            log.warning("evening %s does not go on yet: %s", id, error)
        except Exception:
            log.exception("evening %s does not go on", id)

    def _turn(self, id: str) -> asyncio.Lock:
        return self._turns.setdefault(id, asyncio.Lock())

    async def advance(self, id: str) -> None:
        """Do what is due at an evening, until nothing is."""
        async with self._turn(id):
            while await self._advance(await self._store.row(id)):
                pass
        await self._open()

    async def _advance(self, row: EveningRow) -> bool:
        """Do one thing that is due at an evening; return whether there may be more."""
        if row.phase != RUNNING:
            return False
        tables = await self._store.tables([row.id])
        waits = any(not (table.made or table.alone or table.over) for table in tables)
        seats = await self._store.seats([row.id]) if waits else []
        for table in tables:
            await self._make(row, table, [seat for seat in seats if _same_table(seat, table)])
        for dealt in await self._store.uncounted(row.id):
            await self._count(dealt)
        tables = await self._store.tables([row.id])
        over = all(table.over for table in tables)
        now = self._runtime.now()
        match rules.due(row, over, now):
            case "time":
                await self._call_time(tables)
            case "rest":
                values = {"resting": True, "next_at": now + timedelta(seconds=row.pause)}
                changed = await self._store.change_evening(row.id, values, row.deal, RUNNING)
                self._tell(row.id)
                return changed
            case "deal":
                await self._deal(row, await self._store.entrants(row.id))
                return True
            case "end":
                await self._end(row)
                self._tell(row.id)
        return False

    async def _count(self, dealt: DealtRow) -> None:
        """Count what people have decided at a table that is over, where a bot has played on."""
        assert dealt.table_id is not None
        parts = [Played()] * rules.MOST  # nothing is known of them
        try:
            table = await self._registry.peek(dealt.table_id)
            rows, sent = await self._stored.decided(table.id)
            parts = await replaying.look(self._workers, len(rows), played, table.game, rows, sent)
        except (Busy, Stopped, Unavailable):
            raise
        except PaddockError as error:
            log.warning("table %s: nobody knows who decided there: %s", dealt.table_id, error)
        await self._store.count(dealt, parts)

    def _tell(self, id: str) -> None:
        if self.told:
            self._background(self.told(id), f"results of {id}")

    async def _end(self, row: EveningRow) -> None:
        values = {"phase": OVER, "ended": self._runtime.now(), "next_at": None, "resting": False}
        await self._store.change_evening(row.id, values, row.deal, row.phase)

    async def _make(self, row: EveningRow, dealt: DealtRow, seats: Sequence[SeatRow]) -> None:
        """Make a table that is not made yet, and play one of bots alone in the background."""
        if dealt.over:
            return
        if dealt.alone:
            self._background(self._play_alone(row, dealt), f"{row.id} {dealt.deal} {dealt.table}")
        elif dealt.made and dealt.table_id is None:
            await self._store.lose(dealt)
        elif not dealt.made:
            with suppress(Made):
                await self._seat(row, dealt, seats)

    async def _seat(self, row: EveningRow, dealt: DealtRow, seats: Sequence[SeatRow]) -> None:
        title, options = rules.played(row)
        entrants = {entrant.number: entrant for entrant in await self._store.entrants(row.id)}
        sitters = sitters_of(seats, entrants, dealt.level, self._names.refuses)
        await self._making.deal(
            title,
            options,
            sitters,
            host=None,
            kind=PLAYED,
            deal=f"{dealt.deal}",
            chance=rules.source(row, dealt.deal),
            terms=Terms(pace=row.pace, clock=row.clock, grace=GRACE if row.style == LIVE else 0),
            also=lambda table: made(dealt, table.id),
        )

    async def _play_alone(self, row: EveningRow, dealt: DealtRow) -> None:
        """Play a deal with bots alone: always the same, so a server that was stopped begins again."""
        assert row.mixed is not None
        name = said(row.id, dealt.deal, row.mixed)
        task = row.title, row.revision, row.options, dealt.level, row.secret, name, dealt.table
        queue = self._alone_of.setdefault(row.id, asyncio.Lock())
        # Evenings take turns, however many tables each has; visitors have their turns in between.
        async with queue, self._alone:
            try:
                points, entries = await self._workers.wait(rules.play_alone, *task, longest=ALONE_S)
            except Busy:
                raise
            except Exception as error:  # the evening must go on without it
                self._failed[name, dealt.table] += 1
                if isinstance(error, Stopped) and self._failed[name, dealt.table] < TRIES:
                    raise
                log.exception("a table of bots alone of evening %s does not count", row.id)
                await self._store.lose(dealt)
                await self._try(row.id)
                return
        await self._store.end_alone(dealt, points, entries)
        await self._try(row.id)

    async def _call_time(self, tables: Sequence[DealtRow]) -> None:
        for table in tables:
            if table.table_id and not table.over:
                try:
                    await self._engine.run(table.table_id, out_of_time)
                except Frozen:  # nobody can play it to its end
                    await self._store.lose(table)
                except (NoTable, Elsewhere):
                    pass

    async def _open(self) -> None:
        """Open the tables that everybody may see now."""
        for id in await self._store.to_open(PLAYED):
            with suppress(NoTable, Elsewhere):
                await self._engine.run(id, unseal, OPENED)

    # What happens at tables

    def ending(self, table: Table, at: datetime, /) -> Also:
        """Return what stores the result of a table of an evening, together with its last move."""
        if table.kind != PLAYED:
            return _nothing
        points = [fair.points_of(table.game, player.index) for player in table.players]
        return ended(table.id, points, len(table.game.log))

    def changed(self, live: LiveTable, audience: str) -> None:
        """Note for whom bots play, and go on when a table is over."""
        table = live.table
        if table.kind != PLAYED:
            return
        if table.game.over:
            self._absent.pop(table.id, None)
            self._background(self._over(table.id), f"end of {table.id}")
            return
        now, before = rules.absent(table), self._absent.get(table.id, [])
        self._absent[table.id] = now
        if new := sorted({*now} - {*before}):
            self._background(self._note(table.id, new, len(table.game.log)), f"{table.id} {new}")

    async def _over(self, table_id: str) -> None:
        if dealt := await self._store.table_of(table_id):
            await self._try(dealt.evening)

    async def _note(self, table_id: str, new: Sequence[int], entries: int) -> None:
        if dealt := await self._store.table_of(table_id):
            for seat in new:
                await self._store.note_bot(dealt, seat, entries)

    def _background(self, work: Coroutine[Any, Any, object], name: str) -> asyncio.Task[None] | None:
        """Start work and return it, unless work of this name runs."""
        if any(task.get_name() == name for task in self._tasks):
            work.close()
            return None
        task = background(self._quiet(work), name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _quiet(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except PaddockError as error:  # it is tried again when the evenings are tended next
            log.warning("an evening does not go on yet: %s", error)

    async def close(self) -> None:
        """Stop what runs in the background."""
        await end([*self._tasks])


def _nothing(_connection: Connection) -> None:
    """Store nothing."""


def _same_table(seat: SeatRow, dealt: DealtRow) -> bool:
    return (seat.deal, seat.table) == (dealt.deal, dealt.table)


def sitters_of(
    seats: Sequence[SeatRow], entrants: Mapping[int, EntrantRow], level: str, refuses: Callable[[str], bool]
) -> list[Sitter]:
    """Return who gets which seat of a table. A bot plays for whoever was forgotten."""
    people = {seat.seat: entrants[seat.entrant] for seat in seats if seat.entrant is not None}
    taken = [entrant.name for entrant in people.values()]
    guests = iter(name for name in GUESTS if not any(same(name, other) for other in taken))
    sitters = list[Sitter]()
    for seat in sorted(seats, key=lambda seat: seat.seat):
        who = people.get(seat.seat)
        if who is None or who.holder is None:
            sitters.append(Sitter(level, next(guests, "")))
        else:
            name, n = who.name, 2
            while any(same(name, sitter.name) for sitter in sitters):
                name, n = f"{who.name} ({n})", n + 1
            sitters.append(Sitter(ME, "" if refuses(name) else name, who.holder))
    return sitters
