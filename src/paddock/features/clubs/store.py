"""Clubs and evenings in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from paddock.core.i18n import _
from paddock.features.clubs.rows import (
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
    club_organisers,
    club_racers,
    clubs,
    evening_entrants,
    evening_seats,
    evening_tables,
    evenings,
)
from paddock.store.errors import StoreError
from paddock.store.inserting import insert_new
from paddock.store.kinds import Kind
from paddock.store.part import StorePart
from paddock.store.schema import FORGET, PURGE, tables
from paddock.tables.errors import NoTable
from paddock.tables.played import Played

LISTED = 50  # evenings of a club, or clubs and evenings of a browser
_C, _E, _P, _T, _S = clubs.c, evenings.c, evening_entrants.c, evening_tables.c, evening_seats.c
_O = club_organisers.c


def _look() -> Any:
    """Return the query of ``look``: it is made once, which takes longer than it takes the database."""
    id: ColumnElement[str] = bindparam("id")
    here, dealt = _P.evening == id, _T.evening == id
    mine = (_O.holder == bindparam("holder")) & ((_O.of == _E.id) | (_O.of == _E.club))
    listed = select(_C.shown).where(_C.id == _E.club).scalar_subquery()
    counted = (
        select(func.count(), func.max(_P.number), func.max(_P.came), func.count(_P.holder)).where(here),
        select(func.count()).where(here & _P.gone),
        select(func.count()).where(here & _P.barred),
        select(func.count(), func.count(_T.table_id)).where(dealt),
        select(func.count()).where(dealt & _T.over),
    )
    parts = [each.subquery() for each in counted]
    joined: FromClause = evenings
    for part in parts:
        joined = joined.join(part, true())
    query = select(evenings, exists().where(mine), listed, *(column for part in parts for column in part.c))
    return query.select_from(joined).where(_E.id == id)


_LOOK = _look()


@dataclass(frozen=True)
class Look:
    """An evening, and whether anything has changed there."""

    row: EveningRow
    organises: bool  # whether the browser that looks does
    stamp: tuple[object, ...]  # another one when somebody came or left, or a table began, ended or is gone


class ClubStore(StorePart):
    """The stored clubs and evenings."""

    # Clubs

    async def club(self, id: str) -> ClubRow | None:
        """Return a club; None if there is none."""
        rows = await self._read(select(clubs).where(_C.id == id))
        return ClubRow(**rows[0]._mapping) if rows else None

    async def make_club(self, row: ClubRow, holder: str) -> None:
        """Store a club that this browser organises."""

        def work(connection: Connection) -> None:
            connection.execute(insert(clubs).values(asdict(row)))
            connection.execute(insert(club_organisers).values(of=row.id, holder=holder))

        await self._writer.run(work)

    async def change_club(self, id: str, values: Mapping[str, Any]) -> None:
        """Change a club."""
        await self._run(update(clubs).where(_C.id == id).values(dict(values)))

    async def change_racer(self, row: RacerRow, *, shows: bool) -> None:
        """Note that a browser shows its races of the day to a club, or does not any more."""
        which = (club_racers.c.club == row.club) & (club_racers.c.holder == row.holder)

        def work(connection: Connection) -> None:
            connection.execute(delete(club_racers).where(which))
            if shows:
                connection.execute(insert(club_racers).values(asdict(row)))

        await self._writer.run(work)

    async def racers(self, club: str) -> dict[str, str]:
        """Return who shows their races of the day to a club where they play, with their names there."""
        c = club_racers.c
        query = select(c.holder, _P.name).join(evening_entrants, _P.holder == c.holder)
        query = query.join(evenings, (_E.id == _P.evening) & (_E.club == c.club)).where(c.club == club)
        return dict(await self._read(query.order_by(_P.came, _P.evening)))

    async def plays_in(self, club: str, holder: str) -> bool:
        """Whether a browser has played at an evening of a club, or plays there."""
        query = select(_P.number).join(evenings, _E.id == _P.evening)
        return bool(await self._read(query.where((_E.club == club) & (_P.holder == holder)).limit(1)))

    async def organises(self, holder: str, ids: Collection[str]) -> bool:
        """Whether a browser organises one of these clubs and evenings."""
        query = select(_O.of).where((_O.holder == holder) & _O.of.in_(ids))
        return bool(await self._read(query.limit(1)))

    async def add_organiser(self, row: OrganiserRow) -> None:
        """Let a browser organise a club or an evening, too."""
        await self._writer.run(lambda connection: insert_new(connection, club_organisers, asdict(row)))

    async def organisers(self, of: str) -> dict[str, str]:
        """Return who organises a club or an evening, with the names by which they played there last."""
        here = (_P.holder == _O.holder) & _P.evening.in_(select(_E.id).where((_E.id == of) | (_E.club == of)))
        query = select(_O.holder, func.coalesce(_P.name, ""))
        query = query.select_from(club_organisers.outerjoin(evening_entrants, here))
        return dict(await self._read(query.where(_O.of == of).order_by(_P.came)))

    async def drop_organiser(self, row: OrganiserRow) -> bool:
        """Let a browser organise no more; return False if nobody else does."""
        other = club_organisers.alias()
        more = exists().where((other.c.of == row.of) & (other.c.holder != row.holder))

        def work(connection: Connection) -> bool:
            _lock(connection, row.of)
            which = (_O.of == row.of) & (_O.holder == row.holder)
            return connection.execute(delete(club_organisers).where(which & more)).rowcount > 0

        return await self._writer.run(work)

    async def of(self, holder: str) -> tuple[list[ClubRow], list[EveningRow]]:
        """Return the clubs that a browser organises, and the evenings where it does, or plays."""
        mine = select(_O.of).where(_O.holder == holder)
        plays = select(_P.evening).where(_P.holder == holder)
        own = select(clubs).where(_C.id.in_(mine)).order_by(_C.name, _C.id).limit(LISTED)
        query = select(evenings).where(_E.id.in_(mine) | _E.id.in_(plays)).order_by(_E.made.desc(), _E.id)
        club_rows = [ClubRow(**row._mapping) for row in await self._read(own)]
        return club_rows, [EveningRow(**row._mapping) for row in await self._read(query.limit(LISTED))]

    # Evenings

    async def evening(self, id: str) -> EveningRow | None:
        """Return an evening; None if there is none."""
        rows = await self._read(select(evenings).where(_E.id == id))
        return EveningRow(**rows[0]._mapping) if rows else None

    async def row(self, id: str) -> EveningRow:
        """Return an evening; raise ``NoTable``."""
        row = await self.evening(id)
        if row is None:
            raise no_evening()
        return row

    async def look(self, id: str, holder: str | None) -> Look | None:
        """Return what a look at an evening needs, by one cheap query; None if there is no such evening."""
        rows = await self._read(_LOOK.params(id=id, holder=holder or ""))
        if not rows:
            return None
        values = tuple(rows[0])
        size = len(evenings.c)
        row = EveningRow(*values[:size])
        return Look(row, bool(values[size]), (row, *values[size + 1 :]))

    async def evenings_of(self, club: str) -> list[EveningRow]:
        """Return the newest evenings of a club."""
        query = select(evenings).where(_E.club == club).order_by(_E.made.desc(), _E.id).limit(LISTED)
        return [EveningRow(**row._mapping) for row in await self._read(query)]

    async def running(self) -> list[EveningRow]:
        """Return the evenings that run."""
        query = select(evenings).where(_E.phase == RUNNING).order_by(_E.began, _E.id)
        return [EveningRow(**row._mapping) for row in await self._read(query)]

    async def make_evening(self, row: EveningRow, holder: str) -> None:
        """Store an evening that this browser organises."""

        def work(connection: Connection) -> None:
            connection.execute(insert(evenings).values(asdict(row)))
            connection.execute(insert(club_organisers).values(of=row.id, holder=holder))

        await self._writer.run(work)

    async def change_evening(
        self, id: str, values: Mapping[str, Any], deal: int | None = None, phase: str | None = None
    ) -> bool:
        """Change an evening, if it is at this deal and in this phase; return whether it was."""
        which = _E.id == id
        which = which if deal is None else which & (_E.deal == deal)
        which = which if phase is None else which & (_E.phase == phase)
        return await self._run(update(evenings).where(which).values(dict(values))) > 0

    # Entrants

    async def entrants(self, evening: str) -> list[EntrantRow]:
        """Return who plays at an evening, in the order in which they came."""
        query = select(evening_entrants).where(_P.evening == evening).order_by(_P.number)
        return [EntrantRow(**row._mapping) for row in await self._read(query)]

    async def enter(self, row: EntrantRow, most: int) -> int | None:
        """Store an entrant with the next number, and return that; one of the same browser stays as it is.

        None: so many are there already. The number of a browser that comes after the start is not kept.
        """
        there = _P.evening == row.evening

        def work(connection: Connection) -> int | None:
            lot = row.lot if _locked(connection, row.evening) == JOINING else ""
            known = select(_P.number).where(there & (_P.holder == row.holder))
            if (number := connection.execute(known).scalar()) is not None:
                back = update(evening_entrants).where(there & (_P.number == number) & ~_P.barred)
                connection.execute(back.values(gone=False))
                return int(number)
            last, count = connection.execute(
                select(func.coalesce(func.max(_P.number), 0), func.count()).where(there)
            ).one()
            if count >= most:
                return None
            connection.execute(
                insert(evening_entrants).values(asdict(replace(row, number=last + 1, lot=lot)))
            )
            return int(last) + 1

        return await self._writer.run(work)

    async def drop_entrant(self, evening: str, number: int, *, barred: bool = False) -> None:
        """Delete an entrant of an evening that has not begun; in another, they play no further deals.

        Who is barred stays known: they cannot come back.
        """
        which = (_P.evening == evening) & (_P.number == number)

        def work(connection: Connection) -> None:
            if barred:
                connection.execute(update(evening_entrants).where(which).values(gone=True, barred=True))
            elif _locked(connection, evening) == JOINING:
                connection.execute(delete(evening_entrants).where(which))
            else:
                connection.execute(update(evening_entrants).where(which).values(gone=True))

        await self._writer.run(work)

    async def let_back(self, evening: str, number: int) -> None:
        """Let somebody come back who was barred."""
        which = (_P.evening == evening) & (_P.number == number)
        await self._run(update(evening_entrants).where(which).values(barred=False))

    # Deals

    async def begin_deal(
        self,
        evening: EveningRow,
        dealt: Sequence[DealtRow],
        seats: Sequence[SeatRow],
        values: Mapping[str, Any],
        entrants: Sequence[EntrantRow],
    ) -> bool:
        """Store who plays the next deals of an evening; return False if another server was faster.

        Raises ``Moved`` if the evening begins, and not just these ``entrants`` are there any more.
        """
        begun = update(evenings).where(
            (_E.id == evening.id) & (_E.deal == evening.deal) & (_E.phase == evening.phase)
        )

        def work(connection: Connection) -> bool:
            if not connection.execute(begun.values(dict(values))).rowcount:
                return False
            here = select(_P.number, _P.lot).where(_P.evening == evening.id)
            there = {(entrant.number, entrant.lot) for entrant in entrants}
            if evening.phase == JOINING and set(map(tuple, connection.execute(here))) != there:
                raise Moved("somebody came or left just now")
            connection.execute(insert(evening_tables), [asdict(row) for row in dealt])
            connection.execute(insert(evening_seats), [asdict(row) for row in seats])
            return True

        return await self._writer.run(work)

    async def tables(self, evenings: Collection[str]) -> list[DealtRow]:
        """Return the tables of evenings, in the order of their deals."""
        query = select(evening_tables).where(_T.evening.in_(evenings))
        query = query.order_by(_T.evening, _T.deal, _T.table)
        return [DealtRow(**row._mapping) for row in await self._read(query)]

    async def table_of(self, table_id: str) -> DealtRow | None:
        """Return what a table plays; None if it is of no evening."""
        rows = await self._read(select(evening_tables).where(_T.table_id == table_id))
        return DealtRow(**rows[0]._mapping) if rows else None

    async def to_open(self, kind: Kind) -> list[str]:
        """Return the tables of this kind that everybody may see: see ``rules.opens``."""
        live = (_E.phase == RUNNING) & (_E.style == LIVE)
        played = (_T.deal < _E.deal) | ((_T.deal == _E.deal) & _E.resting)
        query = (
            select(_T.table_id)
            .join(tables, tables.c.id == _T.table_id)
            .join(evenings, _E.id == _T.evening)
            .where((tables.c.kind == kind) & ((_E.phase == OVER) | (live & played)))
        )
        return [id for (id,) in await self._read(query.order_by(_T.table_id))]

    async def seats(self, evenings: Collection[str]) -> list[SeatRow]:
        """Return the seats of evenings."""
        query = select(evening_seats).where(_S.evening.in_(evenings))
        query = query.order_by(_S.evening, _S.deal, _S.table, _S.seat)
        return [SeatRow(**row._mapping) for row in await self._read(query)]

    async def uncounted(self, evening: str) -> list[DealtRow]:
        """Return the tables that are over, where a bot has played on and decisions are not counted."""
        seats = (_S.evening == _T.evening) & (_S.deal == _T.deal) & (_S.table == _T.table)
        left = exists().where(seats & _S.bot_from.is_not(None) & _S.asked.is_(None))
        here = (_T.evening == evening) & _T.over & _T.table_id.is_not(None)
        rows = await self._read(select(evening_tables).where(here & left).order_by(_T.deal, _T.table))
        return [DealtRow(**row._mapping) for row in rows]

    async def count(self, row: DealtRow, parts: Sequence[Played]) -> None:
        """Note what the people of each player have decided, where a bot has played on."""

        def work(connection: Connection) -> None:
            for seat, part in enumerate(parts):
                which = _at(_S, row) & (_S.seat == seat) & _S.bot_from.is_not(None)
                values = {"asked": part.asked, "own": part.made}
                connection.execute(update(evening_seats).where(which).values(values))

        await self._writer.run(work)

    async def note_bot(self, row: DealtRow, seat: int, since: int) -> None:
        """Note after how many entries a bot first played on in a seat."""
        which = _at(_S, row) & (_S.seat == seat) & _S.points.is_(None) & _S.entrant.is_not(None)
        which &= _S.bot_from.is_(None)
        await self._run(update(evening_seats).where(which).values(bot_from=since))

    async def end_alone(self, row: DealtRow, points: Sequence[int], entries: int) -> None:
        """Store what came of a table at which only bots played."""
        await self._writer.run(lambda connection: end(connection, row, points, entries))

    async def lose(self, row: DealtRow) -> None:
        """Note that the game of a table cannot be played to its end: its deal counts for nobody there."""
        await self._run(update(evening_tables).where(_at(_T, row)).values(over=True))

    async def _run(self, statement: Any) -> int:
        return await self._writer.run(lambda connection: int(connection.execute(statement).rowcount))


def _at(columns: Any, row: DealtRow) -> ColumnElement[bool]:
    """The condition that a row belongs to a table of an evening."""
    here: ColumnElement[bool] = (
        (columns.evening == row.evening) & (columns.deal == row.deal) & (columns.table == row.table)
    )
    return here


def made(row: DealtRow, table_id: str) -> Callable[[Connection], None]:
    """Return what notes that a table was made, in the transaction that stores it; it raises ``Made`` if
    another server has made it."""

    def work(connection: Connection) -> None:
        statement = update(evening_tables).where(_at(_T, row) & ~_T.made)
        if not connection.execute(statement.values(made=True, table_id=table_id)).rowcount:
            raise Made("another server has made this table")

    return work


class Made(StoreError):
    """A table of an evening was made already."""


class Moved(StoreError):
    """Somebody came or left while an evening began."""


def _lock(connection: Connection, id: str) -> None:
    """Let nobody else change the organisers of a club or an evening until this transaction ends."""
    for rows in (clubs, evenings):
        connection.execute(select(rows.c.id).where(rows.c.id == id).with_for_update())


def _locked(connection: Connection, evening: str) -> str | None:
    """Return the phase of an evening, which nobody changes until this transaction ends."""
    return connection.execute(select(_E.phase).where(_E.id == evening).with_for_update()).scalar()


def ended(table_id: str, points: Sequence[int], entries: int) -> Callable[[Connection], None]:
    """Return what stores the points of a table of an evening, in the transaction of its last move."""

    def work(connection: Connection) -> None:
        rows = connection.execute(select(evening_tables).where(_T.table_id == table_id)).all()
        for row in rows:
            end(connection, DealtRow(**row._mapping), points, entries)

    return work


def end(connection: Connection, row: DealtRow, points: Sequence[int], entries: int) -> None:
    """Store what came of a table, once."""
    over = update(evening_tables).where(_at(_T, row) & ~_T.over).values(over=True, entries=entries)
    if connection.execute(over).rowcount:
        for seat, count in enumerate(points):
            one = update(evening_seats).where(_at(_S, row) & (_S.seat == seat))
            connection.execute(one.values(points=count))


# Browsers that are forgotten, and what is old


def forget(connection: Connection, holder: str) -> None:
    """Let the results of a browser stay without its name, where others have played with it."""
    own = select(_P.evening).where(_P.holder == holder)
    connection.execute(select(_E.id).where(_E.id.in_(own)).order_by(_E.id).with_for_update())
    begun = select(_E.id).where(_E.phase != JOINING)
    mine = (_P.holder == holder) & _P.evening.in_(begun)
    connection.execute(update(evening_entrants).where(mine).values(name="", holder=None, gone=True))


def purge(connection: Connection, before: datetime) -> None:
    """Delete evenings that ended, or were made and never begun, before this; and clubs without any."""
    old = ((_E.phase == OVER) & (_E.ended < before)) | ((_E.phase == JOINING) & (_E.made < before))
    connection.execute(delete(evenings).where(old))
    empty = ~select(_E.id).where(_E.club == _C.id).exists()
    connection.execute(delete(clubs).where((_C.made < before) & empty))
    known = or_(_O.of.in_(select(_C.id)), _O.of.in_(select(_E.id)))
    connection.execute(delete(club_organisers).where(~known))


evening_entrants.info[FORGET] = forget
evenings.info[PURGE] = purge


def no_evening() -> NoTable:
    """Return the error for an evening that does not exist."""
    return NoTable(_("there is no such evening: check that the link is complete"))
