"""Evenings of clubs: who may do what, and what happens by itself: tables are made, deals end, cards are told.

Everything that is due follows from what is stored: so a server that was stopped goes on from there, and of
several servers the first one does it.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from paddock.bots import fair, levels, usual
from paddock.bots.fair import new_secret
from paddock.core.errors import BadOption, PaddockError
from paddock.core.i18n import _, mark
from paddock.core.title import Seen, Title
from paddock.core.title import title as find_title
from paddock.core.wording import either
from paddock.features.clubs import rules, scoring
from paddock.features.clubs.rows import (
    DAYS,
    JOINING,
    LIVE,
    OPENED,
    OVER,
    PLAYED,
    ROBIN,
    RUNNING,
    SWISS,
    ClubRow,
    DealtRow,
    EntrantRow,
    EveningRow,
    OrganiserRow,
    SeatRow,
)
from paddock.features.clubs.store import ClubStore, Made, ended, made
from paddock.kernel.keyed import Keyed
from paddock.store.kinds import Kind
from paddock.store.terms import Terms
from paddock.tables.change import EVERYBODY, Change
from paddock.tables.context import Context
from paddock.tables.errors import Busy, Elsewhere, Forbidden, NoTable, Stopped
from paddock.tables.live import LiveTable
from paddock.tables.make import GUESTS, ME, clean
from paddock.tables.making import Sitter
from paddock.tables.names import same
from paddock.tables.registry import Also
from paddock.tables.service import Tables
from paddock.tables.table import Table
from paddock.tables.tasks import background, end
from paddock.tables.threads import off_loop

log = logging.getLogger("paddock.tables")
CLOCKS: Mapping[str, str] = {LIVE: "900+10", DAYS: "259200+28800"}
GRACE = 120  # seconds of absence at a live table after which a bot plays
PAUSE = 60  # seconds between two deals
MOST_MINUTES = 24 * 60
MOST_PAUSE = 3600
KEPT = 256  # tables whose chance stays in memory
TEND = 5.0  # seconds between looks at what is due
ALONE_S = 1800.0  # of a game of bots alone: the rules may have to be compiled
LONGEST_NAME = 60  # of a club or an evening
MOST_GUESTS = 4000  # characters
_LOT = re.compile(r"[0-9a-f]{1,64}")
TIME_UP = mark("The time of this deal is up: bots play it to the end.")


@dataclass(frozen=True)
class Wish:
    """What somebody wants an evening to be."""

    title: str
    options: Mapping[str, Any]
    name: str = ""
    deals: int = 4
    style: str = LIVE
    system: str = ROBIN
    level: str = ""  # empty: the usual one
    minutes: int = 0
    pause: int = PAUSE
    club: str = ""
    guests: str = ""
    planned: datetime | None = None


@dataclass(frozen=True)
class Evening:
    """An evening as somebody may see it."""

    row: EveningRow  # without its secret until it is over
    commitment: str
    club: ClubRow | None
    entrants: Sequence[EntrantRow]
    tables: Sequence[DealtRow]
    seats: Sequence[SeatRow]
    lines: Sequence[scoring.Line]
    me: EntrantRow | None  # this browser's
    organises: bool

    @property
    def names(self) -> dict[str, str]:
        """The names of entrants by what they are called in the results; one who is forgotten has none."""
        return {str(entrant.number): entrant.name or _("a player") for entrant in self.entrants}

    def open(self, deal: int) -> bool:
        """Whether everybody may see the tables of a deal."""
        return rules.opens(self.row, deal)

    def at(self, deal: int) -> list[DealtRow]:
        """Return the tables of a deal."""
        return [table for table in self.tables if table.deal == deal]

    def mine(self, deal: int) -> tuple[DealtRow, SeatRow] | None:
        """Return the table and the seat of this browser in a deal; None if it has none."""
        number = self.me.number if self.me else None
        for seat in self.seats:
            if seat.entrant == number is not None and seat.deal == deal:
                return next(t for t in self.at(deal) if t.table == seat.table), seat
        return None


class Clubs:
    """The clubs and evenings of a server. Use it in one event loop only."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(ClubStore)
        self._registry = tables.registry
        self._engine = tables.engine
        self._making = tables.making
        self._runtime = tables.runtime
        self._workers = tables.workers
        self._names = tables.names
        self._secrets = tables.secrets
        self._dealt: OrderedDict[str, tuple[Keyed, str]] = OrderedDict()  # chance and level, by table
        self._absent: dict[str, list[int]] = {}  # by table: for whom bots play
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by evening
        self._tasks: set[asyncio.Task[None]] = set()
        tables.engine.dealers |= dict.fromkeys((PLAYED, OPENED), self)
        tables.engine.endings.append(self.ending)
        tables.engine.followers.append(self)
        tables.tended.append(self)
        tables.closing.append(self.close)

    # The chance of tables

    async def _chance(self, table: Table) -> tuple[Keyed, str]:
        found = self._dealt.get(table.id)
        if found is None:
            dealt = await self._store.table_of(table.id)
            row = await self._store.evening(dealt.evening) if dealt else None
            if dealt is None or row is None:
                raise NoTable(_("there is no such evening: check that the link is complete"))
            found = rules.source(row, dealt.deal), row.level
        self._dealt[table.id] = found
        self._dealt.move_to_end(table.id)
        if len(self._dealt) > KEPT:
            self._dealt.popitem(last=False)
        return found

    async def source(self, table: Table) -> Keyed:
        """Return the chance of a table of an evening."""
        return (await self._chance(table))[0]

    async def level(self, table: Table) -> str:
        """Return the level of the bots of an evening."""
        return (await self._chance(table))[1]

    async def bot_seed(self, table: Table, seen: Seen, seat: int) -> int:
        """Return the seed for a bot's decision at such a table."""
        return fair.bot_seed(await self.source(table), seen, seat)

    # Clubs

    async def make_club(self, name: str, holder: str) -> ClubRow:
        """Make a club that this browser organises. Raises ``BadOption``."""
        row = ClubRow(secrets.token_urlsafe(9), self._named(name), self._runtime.now())
        await self._store.make_club(row, holder)
        return row

    async def club(self, id: str) -> ClubRow:
        """Return a club; raise ``NoTable``."""
        row = await self._store.club(id)
        if row is None:
            raise NoTable(_("there is no such club: check that the link is complete"))
        return row

    async def show_club(self, id: str, holder: str | None, shown: bool) -> None:
        """Choose whether search engines may list a club. Raises ``NoTable`` and ``Forbidden``."""
        await self._may(await self.club(id), holder)
        await self._store.change_club(id, {"shown": shown})

    async def evenings_of(self, club: str) -> list[EveningRow]:
        """Return the newest evenings of a club, without their secrets."""
        return [_told(row) for row in await self._store.evenings_of(club)]

    async def of(self, holder: str | None) -> tuple[list[ClubRow], list[EveningRow]]:
        """Return the clubs that a browser organises, and its evenings, the newest first."""
        if holder is None:
            return [], []
        found, evenings = await self._store.of(holder)
        return found, [_told(row) for row in evenings]

    async def season(self, club: str) -> tuple[list[scoring.Line], dict[str, str]]:
        """Return the table of all evenings of a club that are over, and the names in it."""
        rows = [row for row in await self._store.evenings_of(club) if row.phase == OVER]
        ids = [row.id for row in rows]
        tables, seats = await self._store.tables(ids), await self._store.seats(ids)
        found, names, first = list[Any](), dict[str, str](), 0
        for row in sorted(rows, key=lambda row: row.ended or row.made):
            entrants = await self._store.entrants(row.id)
            keys = {e.number: e.holder or f"{row.id} {e.number}" for e in entrants}
            names |= {keys[e.number]: e.name or _("a player") for e in entrants}
            own_tables = [table for table in tables if table.evening == row.id]
            own_seats = [seat for seat in seats if seat.evening == row.id]
            for result in rules.results(own_tables, own_seats, keys):
                found.append(replace(result, deal=first + result.deal))
            first += row.deals
        return (await off_loop(scoring.season, found) if found else []), names

    # Organisers

    async def organises(self, row: ClubRow | EveningRow, holder: str | None) -> bool:
        """Whether a browser organises a club, or an evening or its club."""
        ids = [row.id, *([row.club] if isinstance(row, EveningRow) and row.club else [])]
        return holder is not None and await self._store.organises(holder, ids)

    async def _may(self, row: ClubRow | EveningRow, holder: str | None) -> None:
        if not await self.organises(row, holder):
            raise Forbidden(_("only an organiser can do that"))

    async def token(self, row: ClubRow | EveningRow) -> str:
        """Return what makes another browser an organiser."""
        key = await self._secrets.key(f"organise {row.id} {row.key}")
        return hmac.digest(key, b"token", "sha256").hex()[:32]

    async def organise(self, row: ClubRow | EveningRow, holder: str, token: str) -> None:
        """Make a browser an organiser. Raises ``Forbidden`` if the token is not good."""
        if not hmac.compare_digest((await self.token(row)).encode(), token.encode()):
            raise Forbidden(_("this link for organisers is not good any more: ask for a new one"))
        await self._store.add_organiser(OrganiserRow(row.id, holder))

    async def new_token(self, row: ClubRow | EveningRow, holder: str | None) -> None:
        """Make the link for organisers useless that was good until now."""
        await self._may(row, holder)
        change = self._store.change_club if isinstance(row, ClubRow) else self._store.change_evening
        await change(row.id, {"key": row.key + 1})

    # Evenings

    async def make(self, wish: Wish, holder: str, pace: str) -> EveningRow:
        """Make an evening that this browser organises. Raises ``BadOption`` and ``Forbidden``."""
        title = find_title(wish.title)
        options = await self._making.options(title, wish.options)
        level = wish.level or usual(title)
        if wish.club:
            await self._may(await self.club(wish.club), holder)
        faults = [*_faults(wish, title, options.players, level)]
        if faults:
            raise BadOption(faults)
        row = EveningRow(
            id=secrets.token_urlsafe(9),
            name=self._named(wish.name or _("An evening of {title}").format(title=title.label)),
            title=title.name,
            revision=title.revision,
            options=options.text,
            level=level,
            deals=wish.deals,
            style=wish.style,
            system=wish.system,
            clock=CLOCKS[wish.style],
            minutes=wish.minutes,
            pause=wish.pause,
            pace=pace,
            secret=new_secret(),
            made=self._runtime.now(),
            club=wish.club or None,
            planned=wish.planned,
            guests="\n".join(guests_of(wish.guests)),
        )
        await self._store.make_evening(row, holder)
        return row

    def _named(self, name: str) -> str:
        """Return the name of a club or an evening; raise ``BadOption``."""
        named = " ".join(name.split())[:LONGEST_NAME]
        if not named:
            raise BadOption([_("give it a name")])
        if self._names.refuses(named):
            words = _("the name “{name}” is not allowed here: choose another one")
            raise BadOption([words.format(name=named)])
        return named

    async def row(self, id: str) -> EveningRow:
        """Return an evening without its secret; raise ``NoTable``."""
        return _told(await self._row(id))

    async def _row(self, id: str) -> EveningRow:
        row = await self._store.evening(id)
        if row is None:
            raise NoTable(_("there is no such evening: check that the link is complete"))
        return row

    async def evening(self, id: str, holder: str | None) -> Evening:
        """Return what a browser may know of an evening; raise ``NoTable``."""
        row = await self._row(id)
        entrants = await self._store.entrants(id)
        tables, seats = await self._store.tables([id]), await self._store.seats([id])
        # Points say something of the cards: they are told when everybody has played the deal.
        told = [table for table in tables if rules.opens(row, table.deal)]
        deals = {table.deal for table in told}
        shown = [seat if seat.deal in deals else replace(seat, points=None) for seat in seats]
        found = rules.results(told, shown, rules.numbers(entrants))
        return Evening(
            row=_told(row),
            commitment=fair.commitment(row.secret),
            club=await self._store.club(row.club) if row.club else None,
            entrants=entrants,
            tables=tables,
            seats=shown,
            lines=await off_loop(rules.lines, found),
            me=next((one for one in entrants if holder and one.holder == holder), None),
            organises=await self.organises(row, holder),
        )

    async def evening_of(self, table_id: str) -> str:
        """Return the id of the evening of a table; raise ``NoTable``."""
        dealt = await self._store.table_of(table_id)
        if dealt is None:
            raise NoTable(_("this table is of no evening"))
        return dealt.evening

    # Entrants

    async def join(self, id: str, holder: str, name: str, lot: str = "") -> int:
        """Let a browser play at an evening, and return its number; who plays already stays as it is.

        ``lot`` is the number of the browser, in hex. Raises ``NoTable``, ``Forbidden`` and ``BadOption``.
        """
        row, entrants = await self._row(id), await self._store.entrants(id)
        called = clean(name)
        mine = next((one for one in entrants if one.holder == holder), None)
        if row.phase == OVER or (row.phase == RUNNING and row.deal >= row.deals and mine is None):
            raise Forbidden(_("no further deal begins at this evening"))
        if mine is None:
            self._check_name(row, entrants, called)
        if lot and not _LOT.fullmatch(lot):
            raise BadOption([_("the number of a browser has 1 to 64 hexadecimal digits")])
        counts = lot if row.phase == JOINING else ""
        new = EntrantRow(id, 0, called, holder, counts, self._runtime.now())
        number = await self._store.enter(new, rules.MOST)
        if number is None:
            raise Forbidden(_("this evening is full: {n} play").format(n=rules.MOST))
        return number

    def _check_name(self, row: EveningRow, entrants: Sequence[EntrantRow], called: str) -> None:
        """Raise ``BadOption`` or ``Forbidden`` if somebody cannot play by this name."""
        if not called:
            raise BadOption([_("give your name: it is in the table of the evening")])
        if self._names.refuses(called):
            words = _("the name “{name}” is not allowed here: choose another one")
            raise BadOption([words.format(name=called)])
        if any(same(one.name, called) for one in entrants):
            words = _("somebody here already has the name “{name}”: choose another one")
            raise BadOption([words.format(name=called)])
        if row.guests and not any(same(guest, called) for guest in row.guests.splitlines()):
            raise Forbidden(_("the organiser’s list has no “{name}”").format(name=called))

    async def leave(self, id: str, holder: str | None) -> None:
        """Play no further deals of an evening; a table that runs is left there."""
        row, entrants = await self._row(id), await self._store.entrants(id)
        for one in entrants:
            if holder and one.holder == holder:
                await self._remove(row, one)

    async def remove(self, id: str, holder: str | None, number: int) -> None:
        """Let an entrant play no further deals, for organisers. Raises ``Forbidden``."""
        row = await self._row(id)
        await self._may(row, holder)
        for one in await self._store.entrants(id):
            if one.number == number:
                await self._remove(row, one)

    async def _remove(self, row: EveningRow, entrant: EntrantRow) -> None:
        if row.phase == JOINING:
            await self._store.drop_entrant(row.id, entrant.number)
        else:
            await self._store.change_entrant(row.id, entrant.number, {"gone": True})

    async def invite(self, id: str, holder: str | None, text: str) -> None:
        """Keep the list of those who may come, for organisers. Raises ``Forbidden``."""
        await self._may(await self._row(id), holder)
        await self._store.change_evening(id, {"guests": "\n".join(guests_of(text))})

    # What organisers begin and end

    async def begin(self, id: str, holder: str | None) -> None:
        """Begin an evening, or its next deal at once. Raises ``Forbidden``."""
        row = await self._row(id)
        await self._may(row, holder)
        async with self._turn(id):
            row = await self._row(id)
            if row.phase == JOINING:
                await self._begin(row)
            elif row.phase == RUNNING and row.resting:
                await self._deal(row)
        await self.advance(id)

    async def _begin(self, row: EveningRow) -> None:
        entrants = await self._store.entrants(row.id)
        if len(entrants) < rules.FEWEST:
            raise Forbidden(_("an evening needs two players: share its link first"))
        lots = rules.mix({one.number: one.lot for one in entrants})
        await self._deal(replace(row, mixed=lots, began=self._runtime.now()))

    async def time_up(self, id: str, holder: str | None) -> None:
        """Let bots play the deal to its end, for organisers. Raises ``Forbidden``."""
        row = await self._row(id)
        await self._may(row, holder)
        if row.phase == RUNNING and not row.resting:
            await self._store.change_evening(id, {"next_at": self._runtime.now()}, row.deal, RUNNING)
        await self.advance(id)

    async def _deal(self, row: EveningRow) -> None:
        """Store who plays the next deal, or with days all deals, unless another server has done that."""
        now = self._runtime.now()
        entrants = [one for one in await self._store.entrants(row.id) if not one.gone]
        if len(entrants) < rules.FEWEST:
            await self._end(row)
            return
        standing = [line.entrant for line in (await self.evening(row.id, None)).lines]
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
        await self._store.begin_deal(row, tables, seats[known:], values | {"deal": then.deal})

    # What is due by itself

    @property
    def rest(self) -> float:
        """The seconds until the evenings are looked at next."""
        return TEND

    async def tend(self) -> None:
        """Do what is due at all evenings."""
        for row in await self._store.running():
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
            while await self._advance(await self._row(id)):
                pass
        await self._open()

    async def _advance(self, row: EveningRow) -> bool:
        """Do one thing that is due at an evening; return whether there may be more."""
        if row.phase != RUNNING:
            return False
        tables = await self._store.tables([row.id])
        for table in tables:
            await self._make(row, table)
        tables = await self._store.tables([row.id])
        over = all(table.over for table in tables)
        now = self._runtime.now()
        match rules.due(row, over, now):
            case "time":
                await self._call_time(tables)
            case "rest":
                values = {"resting": True, "next_at": now + timedelta(seconds=row.pause)}
                return await self._store.change_evening(row.id, values, row.deal, RUNNING)
            case "deal":
                await self._deal(row)
                return True
            case "end":
                await self._end(row)
        return False

    async def _end(self, row: EveningRow) -> None:
        values = {"phase": OVER, "ended": self._runtime.now(), "next_at": None, "resting": False}
        await self._store.change_evening(row.id, values, row.deal, row.phase)

    async def _make(self, row: EveningRow, dealt: DealtRow) -> None:
        """Make a table that is not made yet, and play one of bots alone in the background."""
        if dealt.over:
            return
        if dealt.alone:
            self._background(self._play_alone(row, dealt), f"{row.id} {dealt.deal} {dealt.table}")
        elif dealt.made and dealt.table_id is None:
            await self._store.lose(dealt)
        elif not dealt.made:
            with suppress(Made):
                await self._seat(row, dealt)

    async def _seat(self, row: EveningRow, dealt: DealtRow) -> None:
        title, options = rules.played(row)
        entrants = {one.number: one for one in await self._store.entrants(row.id)}
        seats = [seat for seat in await self._store.seats([row.id]) if _same_table(seat, dealt)]
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
        name = rules.said(row.id, dealt.deal, row.mixed)
        task = row.title, row.revision, row.options, dealt.level, row.secret, name, dealt.table
        points, entries = await self._workers.wait(rules.play_alone, *task, longest=ALONE_S)
        await self._store.end_alone(dealt, points, entries)
        await self._try(row.id)

    async def _call_time(self, tables: Sequence[DealtRow]) -> None:
        for table in tables:
            if table.table_id and not table.over:
                with suppress(NoTable, Elsewhere):
                    await self._engine.run(table.table_id, out_of_time)

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
        if now != before:
            self._absent[table.id] = now
            self._background(self._note(table.id, now, before, len(table.game.log)), f"{table.id} {now}")

    async def _over(self, table_id: str) -> None:
        if dealt := await self._store.table_of(table_id):
            await self._try(dealt.evening)

    async def _note(self, table_id: str, now: list[int], before: list[int], entries: int) -> None:
        dealt = await self._store.table_of(table_id)
        for seat in {*now} ^ {*before} if dealt else ():
            assert dealt is not None
            await self._store.note_bot(dealt, seat, entries if seat in now else None)

    def _background(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Start work, unless work of this name runs."""
        if any(task.get_name() == name for task in self._tasks):
            work.close()
            return
        task = background(self._quiet(work), name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quiet(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except PaddockError as error:  # it is tried again when the evenings are tended next
            log.warning("an evening does not go on yet: %s", error)

    async def close(self) -> None:
        """Stop what runs in the background."""
        await end([*self._tasks])


def _nothing(_connection: Connection) -> None:
    """Store nothing."""


def _told(row: EveningRow) -> EveningRow:
    """Return an evening without its secret, unless it is over."""
    return row if row.phase == OVER else replace(row, secret="")


def _same_table(seat: SeatRow, dealt: DealtRow) -> bool:
    return (seat.deal, seat.table) == (dealt.deal, dealt.table)


def _faults(wish: Wish, title: Title, players: int, level: str) -> list[str]:
    """Return what is wrong with a wish."""
    faults = list[str]()
    for value, choices, words in (
        (wish.style, (LIVE, DAYS), _("style: choose {choices}")),
        (wish.system, (ROBIN, SWISS), _("system: choose {choices}")),
        (level, levels_of(title), _("level: choose {choices}")),
    ):
        if value not in choices:
            faults.append(words.format(choices=either(choices)))
    for number, most, words in (
        (wish.deals - 1, rules.MOST_DEALS - 1, _("deals: choose 1 to {n}").format(n=rules.MOST_DEALS)),
        (wish.minutes, MOST_MINUTES, _("minutes: choose 0 to {n}").format(n=MOST_MINUTES)),
        (wish.pause, MOST_PAUSE, _("pause: choose 0 to {n}").format(n=MOST_PAUSE)),
    ):
        if not 0 <= number <= most:
            faults.append(words)
    if wish.style == DAYS and wish.system == SWISS:
        faults.append(_("over days, all deals begin at once: choose {choices}").format(choices=ROBIN))
    if players < rules.FEWEST:
        faults.append(_("{title} needs two players at a table").format(title=title.label))
    if len(wish.guests) > MOST_GUESTS:
        faults.append(_("the list is too long: give at most {n} names").format(n=rules.MOST))
    return faults


def levels_of(title: Title) -> list[str]:
    """Return the levels of bots at an evening: those that answer at once, and always the same."""
    known = [level.name for level in levels(title)]
    return known[: known.index(usual(title)) + 1]


def guests_of(text: str) -> list[str]:
    """Return the names of a list or a CSV file: the first cell of each line, each name once."""
    cells = (line.replace(";", ",").partition(",")[0].strip().strip('"') for line in text.splitlines())
    return list(dict.fromkeys(filter(None, map(clean, cells))))


def sitters_of(
    seats: Sequence[SeatRow], entrants: Mapping[int, EntrantRow], level: str, refuses: Any
) -> list[Sitter]:
    """Return who gets which seat of a table. A bot plays for whoever was forgotten."""
    people = {seat.seat: entrants[seat.entrant] for seat in seats if seat.entrant is not None}
    taken = [one.name for one in people.values()]
    guests = iter(name for name in GUESTS if not any(same(name, other) for other in taken))
    found = list[Sitter]()
    for seat in sorted(seats, key=lambda seat: seat.seat):
        who = people.get(seat.seat)
        if who is None or who.holder is None:
            found.append(Sitter(level, next(guests, "")))
        else:
            found.append(Sitter(ME, "" if refuses(who.name) else who.name, who.holder))
    return found


# Commands


def unseal(table: Table, context: Context, kind: Kind) -> Change[None]:
    """Open a table for everybody."""
    change = Change(table, context.now, None, at_frozen=True)
    if table.kind != kind:
        change.table(kind=kind)
        change.audience = EVERYBODY
    return change


def out_of_time(table: Table, context: Context) -> Change[None]:
    """End the clocks of everybody: bots play the game to its end."""
    change = Change(table, context.now, None)
    late = [player for player in table.players if player.person and not player.late]
    if not table.running or not late:
        return change
    for player in late:
        change.player(player.index, bank_ms=0, stand_in=True, late=True)
    change.announce(TIME_UP)
    change.touch()
    return change
