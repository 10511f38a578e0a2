"""Clubs and evenings: who makes and organises them, who plays, and what somebody may see of them."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from paddock.bots import fair, usual
from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.core.ratings import Rating
from paddock.core.title import title as find_title
from paddock.core.wording import either
from paddock.features.clubs import rules, scoring
from paddock.features.clubs.pennant import COLOURS
from paddock.features.clubs.reckoned import Reckoned
from paddock.features.clubs.results import Result
from paddock.features.clubs.rows import (
    DAYS,
    JOINING,
    LIVE,
    OVER,
    RUNNING,
    ClubRow,
    DealtRow,
    EntrantRow,
    EveningRow,
    OrganiserRow,
    RacerRow,
    SeatRow,
)
from paddock.features.clubs.running import Running
from paddock.features.clubs.store import ClubStore, Look, no_evening
from paddock.features.clubs.wishes import MOST_GUESTS, Wish, faults_of, guests_of, too_long
from paddock.records.proof import is_lot
from paddock.tables.errors import Forbidden, NoTable
from paddock.tables.make import clean
from paddock.tables.names import same
from paddock.tables.service import Tables

CLOCKS: Mapping[str, str] = {LIVE: "900+10", DAYS: "259200+28800"}
LONGEST_NAME = 60  # of a club or an evening


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
    stamp: tuple[object, ...]  # another one when something above may be
    me: EntrantRow | None = None  # this browser's
    organises: bool = False

    @property
    def names(self) -> dict[str, str]:
        """The names of entrants by what they are called in the results; one who is forgotten has none."""
        return {str(entrant.number): entrant.name or _("a player") for entrant in self.entrants}

    def open(self, deal: int) -> bool:
        """Whether everybody may see the tables of a deal."""
        return rules.opens(self.row, deal)

    def tag(self, *more: object) -> str:
        """Return a digest of all that can change here, and of what else an answer depends on."""
        return blake2b(repr((self.stamp, *more)).encode(), digest_size=12).hexdigest()

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


@dataclass(frozen=True)
class Organiser:
    """Somebody who organises a club or an evening, as other organisers see them."""

    who: str  # what names them in a form
    name: str  # by which they played last; empty if they have not played
    mine: bool


@dataclass(frozen=True)
class Season:
    """The table of the evenings of a club at which the same was played."""

    row: EveningRow  # the newest of them
    lines: Sequence[scoring.Line]
    names: Mapping[str, str]  # by what entrants are called in the lines
    ratings: Mapping[str, Rating]  # likewise: by the places in games of many


class Clubs:
    """The clubs and evenings of a server. Use it in one event loop only."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(ClubStore)
        self._running = Running(tables, self._store)
        self._making = tables.making
        self._runtime = tables.runtime
        self._names = tables.names
        self._secrets = tables.secrets
        self._lines = Reckoned(tables.workers)
        self.built = tables.built
        self._running.told = lambda id: self.evening(
            id, None
        )  # so that they are reckoned before they are asked for

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

    async def dress_club(self, id: str, holder: str | None, colours: str) -> None:
        """Choose the colours of a club. Raises ``NoTable``, ``Forbidden`` and ``BadOption``."""
        await self._may(await self.club(id), holder)
        if colours not in COLOURS:
            raise BadOption([_("colours: choose {choices}").format(choices=either(COLOURS))])
        await self._store.change_club(id, {"colours": colours})

    async def show_races(self, id: str, holder: str, shows: bool) -> None:
        """Choose whether a club sees one's races of the day. Raises ``NoTable`` and ``Forbidden``."""
        await self.club(id)
        if shows and not await self._store.plays_in(id, holder):
            raise Forbidden(_("play at an evening of this club first"))
        await self._store.change_racer(RacerRow(id, holder), shows=shows)

    async def racers(self, club: str) -> dict[str, str]:
        """Return which browsers show their races of the day to a club, with their names there."""
        return await self._store.racers(club)

    async def plays_in(self, club: str, holder: str | None) -> bool:
        """Whether a browser has played at an evening of a club, or plays there."""
        return holder is not None and await self._store.plays_in(club, holder)

    async def evenings_of(self, club: str) -> list[EveningRow]:
        """Return the newest evenings of a club, without their secrets."""
        return [_told(row) for row in await self._store.evenings_of(club)]

    async def of(self, holder: str | None) -> tuple[list[ClubRow], list[EveningRow]]:
        """Return the clubs that a browser organises, and its evenings, the newest first."""
        if holder is None:
            return [], []
        clubs, evenings = await self._store.of(holder)
        return clubs, [_told(row) for row in evenings]

    async def seasons(self, club: str) -> list[Season]:
        """Return the tables of all evenings of a club that are over, one for each game that was played."""
        rows = [row for row in await self._store.evenings_of(club) if row.phase == OVER and row.deal]
        ids = [row.id for row in rows]
        seats = await self._store.seats(ids)
        tables = rules.without_copies(await self._store.tables(ids), seats)
        games = dict[tuple[str, str], list[EveningRow]]()
        for row in rows:
            games.setdefault((row.title, row.options), []).append(row)
        return [await self._season(some, tables, seats) for some in games.values()]

    async def _season(
        self, rows: Sequence[EveningRow], tables: Sequence[DealtRow], seats: Sequence[SeatRow]
    ) -> Season:
        results, names, first = list[Result](), dict[str, str](), 0
        for row in rows:
            entrants = await self._store.entrants(row.id)
            keys = {who.number: who.holder or f"{row.id} {who.number}" for who in entrants}
            names = {keys[who.number]: who.name or _("a player") for who in entrants} | names
            own_tables = [table for table in tables if table.evening == row.id]
            own_seats = [seat for seat in seats if seat.evening == row.id]
            for result in rules.results(own_tables, own_seats, keys):
                results.append(replace(result, deal=first + result.deal))
            first += row.deals
        lines = await self._lines.of(" ".join(row.id for row in rows), rules.season, results)
        ratings = await self._lines.of(" ".join(row.id for row in rows), rules.ratings, results)
        return Season(_told(rows[0]), lines, names, ratings)

    # Organisers

    async def organises(self, row: ClubRow | EveningRow, holder: str | None) -> bool:
        """Whether a browser organises a club, or an evening or its club."""
        ids = [row.id, *([row.club] if isinstance(row, EveningRow) and row.club else [])]
        return holder is not None and await self._store.organises(holder, ids)

    async def _may(self, row: ClubRow | EveningRow, holder: str | None) -> None:
        if not await self.organises(row, holder):
            raise Forbidden(_("only an organiser can do that"))

    async def organisers(self, row: ClubRow | EveningRow, holder: str | None) -> list[Organiser]:
        """Return who organises a club or an evening, for organisers. Those of its club are not named."""
        names = await self._store.organisers(row.id)
        return [
            Organiser(_who(row.id, organiser), name, organiser == holder)
            for organiser, name in sorted(names.items())
        ]

    async def dismiss(self, row: ClubRow | EveningRow, holder: str | None, who: str) -> None:
        """Let somebody organise no more, for organisers: one remains. The link for organisers ends, too.

        Raises ``Forbidden``.
        """
        await self._may(row, holder)
        for organiser in await self._store.organisers(row.id):
            if _who(row.id, organiser) == who:
                if not await self._store.drop_organiser(OrganiserRow(row.id, organiser)):
                    raise Forbidden(_("nobody else organises it: make somebody an organiser first"))
                await self._new_token(row)

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
        await self._new_token(row)

    async def _new_token(self, row: ClubRow | EveningRow) -> None:
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
        faults = [*faults_of(wish, title, options.players, level)]
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
            secret=fair.new_secret(),
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
        return _told(await self._store.row(id))

    async def evening(self, id: str, holder: str | None) -> Evening:
        """Return what a browser may know of an evening; raise ``NoTable``.

        What all may know is read once, until something has changed.
        """
        look = await self._store.look(id, holder)
        if look is None:
            raise no_evening()
        whole = await self.built.of(
            ("evening", id), look.stamp, lambda: self._whole(look), lambda evening: evening, _size
        )
        me = next((entrant for entrant in whole.entrants if holder and entrant.holder == holder), None)
        return replace(whole, me=me, organises=look.organises)

    async def _whole(self, look: Look) -> Evening:
        """Return what everybody may know of an evening."""
        row, id = look.row, look.row.id
        entrants = await self._store.entrants(id)
        seats = await self._store.seats([id])
        tables = rules.without_copies(await self._store.tables([id]), seats)
        # Points, and how long a log is, say something of the cards: they are told when all have played.
        told = [table for table in tables if rules.opens(row, table.deal)]
        deals = {table.deal for table in told}
        shown = [seat if seat.deal in deals else _closed(seat) for seat in seats]
        results = rules.results(told, shown, rules.numbers(entrants))
        return Evening(
            row=_told(row),
            commitment=fair.commitment(row.secret),
            club=await self._store.club(row.club) if row.club else None,
            entrants=entrants,
            tables=tables,
            seats=shown,
            lines=await self._lines.of(id, rules.lines, results),
            stamp=look.stamp,
        )

    async def evening_of(self, table_id: str, holder: str | None) -> str:
        """Return the id of the evening of a table. Raises ``NoTable``, and ``Forbidden`` to strangers.

        Whoever knows the id can join: the link of a table, which opens early, is not enough for that.
        """
        dealt = await self._store.table_of(table_id)
        if dealt is None:
            raise NoTable(_("this table is of no evening"))
        row = await self._store.row(dealt.evening)
        plays = any(holder and who.holder == holder for who in await self._store.entrants(row.id))
        if row.phase != OVER and not plays and not await self.organises(row, holder):
            raise Forbidden(_("this evening is not over: its link is for those who play"))
        return row.id

    # Entrants

    async def join(self, id: str, holder: str, name: str, lot: str = "") -> int:
        """Let a browser play at an evening, and return its number; who plays already stays as it is.

        ``lot`` is the number of the browser, in hex. Raises ``NoTable``, ``Forbidden`` and ``BadOption``.
        """
        row, entrants = await self._store.row(id), await self._store.entrants(id)
        called = clean(name)
        mine = next((entrant for entrant in entrants if entrant.holder == holder), None)
        if row.phase == OVER or (row.phase == RUNNING and row.deal >= row.deals and mine is None):
            raise Forbidden(_("no further deal begins at this evening"))
        if mine is not None and mine.barred:
            raise Forbidden(_("an organiser has barred you from this evening"))
        if mine is None:
            self._check_name(row, entrants, called)
        if mine is None or mine.gone:
            _check_listed(row, mine.name if mine else called)
        if lot and not is_lot(lot):
            raise BadOption([_("the number of this browser is wrong: reload the page")])
        counts = lot if row.phase == JOINING else ""
        new = EntrantRow(id, 0, called, holder, counts, self._runtime.now())
        number = await self._store.enter(new, rules.MOST)
        if number is None:
            raise Forbidden(_("this evening is full: {n} play").format(n=rules.MOST))
        return number

    def _check_name(self, row: EveningRow, entrants: Sequence[EntrantRow], called: str) -> None:
        """Raise ``BadOption`` if somebody cannot play by this name."""
        if not called:
            raise BadOption([_("give your name: it is in the table of the evening")])
        if self._names.refuses(called):
            words = _("the name “{name}” is not allowed here: choose another one")
            raise BadOption([words.format(name=called)])
        if any(same(entrant.name, called) for entrant in entrants):
            words = _("somebody here already has the name “{name}”: choose another one")
            raise BadOption([words.format(name=called)])

    async def leave(self, id: str, holder: str | None) -> None:
        """Play no further deals of an evening; a table that runs is left there."""
        await self._store.row(id)
        for entrant in await self._store.entrants(id):
            if holder and entrant.holder == holder:
                await self._store.drop_entrant(id, entrant.number)

    async def remove(self, id: str, holder: str | None, number: int, *, barred: bool = False) -> None:
        """Let an entrant play no further deals, for organisers; one who is ``barred`` cannot come back.

        Raises ``Forbidden``.
        """
        await self._may(await self._store.row(id), holder)
        await self._store.drop_entrant(id, number, barred=barred)

    async def let_back(self, id: str, holder: str | None, number: int) -> None:
        """Let somebody come back who was barred, for organisers. Raises ``Forbidden``."""
        await self._may(await self._store.row(id), holder)
        await self._store.let_back(id, number)

    async def invite(self, id: str, holder: str | None, text: str) -> None:
        """Keep the list of those who may come, for organisers. Raises ``Forbidden`` and ``BadOption``."""
        await self._may(await self._store.row(id), holder)
        if len(text) > MOST_GUESTS:
            raise BadOption([too_long()])
        await self._store.change_evening(id, {"guests": "\n".join(guests_of(text))})

    # What organisers begin and end

    async def begin(self, id: str, holder: str | None) -> None:
        """Begin an evening, or its next deal at once. Raises ``Forbidden``."""
        await self._may(await self._store.row(id), holder)
        await self._running.begin(id)

    async def call_off(self, id: str, holder: str | None) -> None:
        """Call off an evening that has not begun, for organisers; again is no error. Raises ``Forbidden``."""
        row = await self._store.row(id)
        await self._may(row, holder)
        values = {"phase": OVER, "ended": self._runtime.now()}
        called_off = await self._store.change_evening(id, values, phase=JOINING)
        if not called_off and not (await self._store.row(id)).called_off:
            raise Forbidden(_("this evening has begun: it cannot be called off any more"))

    async def time_up(self, id: str, holder: str | None, deal: int) -> None:
        """Let bots play the deal to its end, for organisers. Raises ``Forbidden``.

        ``deal`` is the one that the organiser saw: so a late press does not end the next one, too.
        """
        row = await self._store.row(id)
        await self._may(row, holder)
        if row.phase == RUNNING and not row.resting and deal == row.deal:
            await self._store.change_evening(id, {"next_at": self._runtime.now()}, row.deal, RUNNING)
        await self._running.advance(id)

    async def advance(self, id: str) -> None:
        """Do what is due at an evening."""
        await self._running.advance(id)

    async def tend(self) -> None:
        """Do what is due at all evenings."""
        await self._running.tend()


def _check_listed(row: EveningRow, called: str) -> None:
    """Raise ``Forbidden`` if an organiser keeps a list without this name."""
    if row.guests and not any(same(guest, called) for guest in row.guests.splitlines()):
        raise Forbidden(_("the organiser’s list has no “{name}”").format(name=called))


def _closed(seat: SeatRow) -> SeatRow:
    """Return a seat without what may say something of its cards."""
    return replace(seat, points=None, bot_from=None, asked=None, own=None)


def _who(of: str, holder: str) -> str:
    """Return what names an organiser in a form, and says nothing of the browser."""
    return blake2b(f"{of} {holder}".encode(), digest_size=12).hexdigest()


def _size(evening: Evening) -> int:
    """Return about how many bytes an evening takes in memory."""
    return 500 * (1 + len(evening.entrants) + len(evening.tables) + len(evening.seats) + len(evening.lines))


def _told(row: EveningRow) -> EveningRow:
    """Return an evening without its secret, unless it is over."""
    return row if row.phase == OVER else replace(row, secret="")
