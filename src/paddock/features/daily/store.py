"""The race of the day in the database."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, case, delete, func, insert, select, update

from paddock.features.daily.rows import (
    AttemptRow,
    DayRow,
    DealRow,
    ParRow,
    daily_attempts,
    daily_days,
    daily_deals,
    daily_pars,
    daily_raced,
)
from paddock.store.errors import StoreError, available
from paddock.store.inserting import insert_into, insert_new
from paddock.store.kinds import Kind
from paddock.store.leases import free
from paddock.store.part import StorePart
from paddock.store.schema import FORGET, PURGE, REKEY, tables

MOST_DAYS = 4000  # of one browser that are read: a streak of eleven years
PIECE = 1000  # results that are read at a time


class Begun(StoreError):
    """The browser has an attempt already, or has had one before it was forgotten."""


class DayTold(StoreError):
    """The day is over: its secret was told."""


class DailyStore(StorePart):
    """The stored days."""

    async def day(self, day: str) -> DayRow | None:
        """Return a day; None if it was never opened."""
        found = await self._read(select(daily_days).where(daily_days.c.day == day))
        return DayRow(**found[0]._mapping) if found else None

    async def secret(self, day: str) -> str | None:
        """Return the secret of a day; None if it was never made."""
        row = await self.day(day)
        return row.secret if row else None

    async def open_day(self, row: DayRow) -> str:
        """Store a day unless there is one already, of another server perhaps; return its secret."""
        c = daily_days.c

        def work(connection: Connection) -> str:
            insert_new(connection, daily_days, asdict(row))
            return str(connection.execute(select(c.secret).where(c.day == row.day)).scalar_one())

        return await self._writer.run(work)

    async def tell(self, until: str, at: datetime) -> None:
        """Note that the secrets of the days up to this one are told, once and for good.

        Whatever is not over then gets no result any more, and the marks of browsers that were forgotten go.
        """
        d, a, r, t = daily_days.c, daily_attempts.c, daily_raced.c, tables.c
        untold = select(d.day).where((d.day <= until) & d.told.is_(None))

        def work(connection: Connection) -> None:
            days = connection.execute(untold.order_by(d.day).with_for_update()).scalars().all()
            if not days:
                return
            over = select(t.id).where((t.id == a.table_id) & t.over).exists()
            connection.execute(update(daily_days).where(d.day.in_(days)).values(told=at))
            connection.execute(
                update(daily_attempts).where(a.day.in_(days) & a.ended.is_(None) & ~over).values(settled=True)
            )
            connection.execute(delete(daily_raced).where(r.day.in_(days)))

        if await self._read(untold.limit(1)):
            await self._writer.run(work)

    async def past(self, limit: int) -> list[tuple[str, int]]:
        """Return the newest days that were told, each with the number of attempts that count."""
        d, a = daily_days.c, daily_attempts.c
        ended = select(a.day, func.count().label("n")).where(a.ended.is_not(None)).group_by(a.day).subquery()
        query = (
            select(d.day, func.coalesce(ended.c.n, 0))
            .outerjoin(ended, ended.c.day == d.day)
            .where(d.told.is_not(None))
            .order_by(d.day.desc())
            .limit(limit)
        )
        return [(day, count) for day, count in await self._read(query)]

    async def deals(self, day: str) -> list[DealRow]:
        """Return what is raced on a day, by the name of the title."""
        c = daily_deals.c
        query = select(daily_deals).where(c.day == day).order_by(c.title)
        return [DealRow(**row._mapping) for row in await self._read(query)]

    async def add_deals(self, rows: Sequence[DealRow]) -> None:
        """Store races of a day, unless there are some of these titles already."""

        def work(connection: Connection) -> None:
            for row in rows:
                insert_new(connection, daily_deals, asdict(row))

        await self._writer.run(work)

    async def without_par(self, until: str) -> list[DealRow]:
        """Return the races up to this day that somebody has ended and whose par is not known."""
        c, a = daily_deals.c, daily_attempts.c
        ended = (a.day == c.day) & (a.title == c.title) & a.ended.is_not(None)
        query = select(daily_deals).where(
            c.par.is_(None) & (c.day <= until) & select(a.day).where(ended).exists()
        )
        return [DealRow(**row._mapping) for row in await self._read(query.order_by(c.day, c.title))]

    async def take_par(self, row: ParRow) -> str | None:
        """Let the server ``row.owner`` measure a par; return the log so far, if this level has played it.

        None: the par is known, or another server that runs measures it.
        """
        c, d = daily_pars.c, daily_deals.c
        deal = (d.day == row.day) & (d.title == row.title)
        kept = case((c.level == row.level, c.log), else_=row.log)
        new = {"level": row.level, "log": kept, "owner": row.owner}

        def work(connection: Connection) -> str | None:
            unknown = select(d.day).where(deal & d.par.is_(None)).with_for_update()
            if not connection.execute(unknown).first():
                return None
            statement = insert_into(connection, daily_pars).values(asdict(row))
            statement = statement.on_conflict_do_update(
                index_elements=["day", "title"], set_=new, where=free(c.owner) | (c.owner == row.owner)
            )
            found: str | None = connection.execute(statement.returning(c.log)).scalar()
            return found

        return await self._writer.run(work)

    async def note_par(self, row: ParRow) -> bool:
        """Store how far a par is; return False if its server does not measure it any more."""
        c = daily_pars.c
        mine = (c.day == row.day) & (c.title == row.title) & c.owner.is_not_distinct_from(row.owner)
        statement = update(daily_pars).where(mine).values(log=row.log)
        return await self._writer.run(lambda connection: connection.execute(statement).rowcount > 0)

    async def set_par(self, day: str, title: str, par: int, level: str) -> None:
        """Store the par of a race, which nobody measures any more."""
        c, p = daily_deals.c, daily_pars.c
        statement = update(daily_deals).where((c.day == day) & (c.title == title) & c.par.is_(None))

        def work(connection: Connection) -> None:
            connection.execute(statement.values(par=par, par_level=level))
            connection.execute(delete(daily_pars).where((p.day == day) & (p.title == title)))

        await self._writer.run(work)

    # Attempts

    async def begun_and_ended(self, day: str) -> dict[str, tuple[int, int]]:
        """Return for each title how many have begun its race of a day, and how many attempts count."""
        c = daily_attempts.c
        query = select(c.title, func.count(), func.sum(case((_has_result(), 1), else_=0)))
        rows = await self._read(query.where(c.day == day).group_by(c.title))
        return {title: (begun, ended) for title, begun, ended in rows}

    async def mine(self, day: str, holder: str) -> dict[str, AttemptRow]:
        """Return the attempts of a browser at the races of a day, by title."""
        c = daily_attempts.c
        return {row.title: row for row in await self._attempts((c.day == day) & (c.holder == holder))}

    async def results(
        self, day: str, titles: Collection[str], most: int | None, holder: str | None
    ) -> list[Row[Any]]:
        """Return the first results of these races of a day (None: all), and those of a browser.

        A row has the title, the rank, the name, the points, the place in the race itself, and the browser.
        The best come first. Equal ones share a rank, and the first to end comes first.
        """
        c = daily_attempts.c
        order = c.points.desc(), c.ended, c.begun, c.holder
        line = func.row_number().over(partition_by=c.title, order_by=order).label("line")
        rank = func.rank().over(partition_by=c.title, order_by=c.points.desc()).label("rank")
        place = func.coalesce(c.place, 0).label("place")
        every: Any = select(c.title, rank, c.name, c.points, place, c.holder, line)
        found = every.where((c.day == day) & c.title.in_(titles) & _has_result()).subquery().c
        query: Any = select(found.title, found.rank, found.name, found.points, found.place, found.holder)
        if most is not None:
            query = query.where((found.line <= most) | (found.holder == holder))
        out = list[Row[Any]]()
        with available():
            async with self._reading.connect() as connection:
                rows = await connection.stream(query.order_by(found.title, found.line))
                async for some in rows.partitions(PIECE):  # others have their turn in between
                    out += some
        return out

    async def results_of(
        self, day: str, titles: Collection[str], holders: Collection[str]
    ) -> list[tuple[str, str, int]]:
        """Return the results of these browsers in these races of a day: browser, title and points.

        The best of a race come first.
        """
        c = daily_attempts.c
        query = select(c.holder, c.title, c.points).where(
            (c.day == day) & c.title.in_(titles) & c.holder.in_(holders) & _has_result()
        )
        rows = await self._read(query.order_by(c.title, c.points.desc(), c.ended))
        return [(holder, title, points) for holder, title, points in rows]

    async def stamp(self, day: str) -> tuple[object, ...]:
        """Return what is another one when ``results`` are."""
        c = daily_attempts.c
        query = select(func.count(), func.sum(c.points), func.max(c.ended), func.sum(func.length(c.name)))
        return tuple((await self._read(query.where((c.day == day) & _has_result())))[0])

    async def attempt(self, day: str, title: str, holder: str) -> AttemptRow | None:
        """Return the attempt of a browser; None if there is none."""
        c = daily_attempts.c
        found = await self._attempts((c.day == day) & (c.title == title) & (c.holder == holder))
        return found[0] if found else None

    async def raced(self, day: DayRow, titles: Collection[str], holder: str) -> set[str]:
        """Return the titles of which this browser had an attempt on a day before it was forgotten."""
        c, marks = daily_raced.c, {mark_of(day.secret, title, holder): title for title in titles}
        query = select(c.mark).where((c.day == day.day) & c.mark.in_(marks))
        return {marks[mark] for (mark,) in await self._read(query)}

    async def sealed(self, kind: Kind) -> list[AttemptRow]:
        """Return the attempts of days that were told whose tables are still of this kind."""
        d, a, t = daily_days.c, daily_attempts.c, tables.c
        told = select(d.day).where(d.told.is_not(None))
        return await self._attempts(a.table_id.in_(select(t.id).where((t.kind == kind) & t.deal.in_(told))))

    async def _attempts(self, which: ColumnElement[bool]) -> list[AttemptRow]:
        c = daily_attempts.c
        query = select(daily_attempts).where(which).order_by(c.ended.is_(None), c.ended, c.begun, c.holder)
        return [AttemptRow(**row._mapping) for row in await self._read(query)]

    async def end(self, table_id: str, ended: datetime, points: int, place: int) -> None:
        """Store the result of an attempt, once."""
        c = daily_attempts.c
        statement = update(daily_attempts).where((c.table_id == table_id) & c.ended.is_(None) & ~c.settled)
        statement = statement.values(ended=ended, points=points, place=place)
        await self._writer.run(lambda connection: connection.execute(statement))

    async def days_of(self, holder: str) -> list[str]:
        """Return the days on which a browser has ended a race in time, the newest first."""
        c = daily_attempts.c
        query = select(c.day).distinct().where((c.holder == holder) & c.ended.is_not(None))
        return [day for (day,) in await self._read(query.order_by(c.day.desc()).limit(MOST_DAYS))]


def _has_result() -> ColumnElement[bool]:
    """The condition that an attempt has a result."""
    return daily_attempts.c.ended.is_not(None) & daily_attempts.c.points.is_not(None)


def begun(row: AttemptRow) -> Callable[[Connection], None]:
    """Return what stores an attempt, in the transaction that stores its table.

    It raises ``Begun``, and then nothing is stored, if the browser has or had one already, and ``DayTold`` if
    the day is over.
    """
    d, r = daily_days.c, daily_raced.c
    # Nobody tells the day before this transaction ends.
    day = select(d.secret, d.told).where(d.day == row.day).with_for_update(read=True)

    def work(connection: Connection) -> None:
        secret, told = connection.execute(day).one()
        if told:
            raise DayTold("the secret of this day was told")
        if not insert_new(connection, daily_attempts, asdict(row)):
            raise Begun("this browser has begun already")
        mark = mark_of(secret, row.title, row.holder)
        raced = (r.day == row.day) & (r.title == row.title) & (r.mark == mark)
        if connection.execute(select(r.mark).where(raced)).first():
            raise Begun("this browser was forgotten, and has raced")

    return work


# Browsers that are forgotten, or get another secret


def mark_of(secret: str, title: str, holder: str) -> str:
    """Return the mark of a browser that has had its attempt: it says nothing without the browser's hash."""
    said = f"paddock raced 1 {title} {holder}"
    return hmac.digest(bytes.fromhex(secret), said.encode(), "sha256").hex()


def forget(connection: Connection, holder: str) -> None:
    """Keep marks of the attempts of a browser that is forgotten, as long as their days are not told."""
    d, a = daily_days.c, daily_attempts.c
    mine = (a.day == d.day) & (a.holder == holder) & d.told.is_(None)
    query = select(d.day, a.title, d.secret).where(mine).with_for_update(read=True, of=daily_days)
    for day, title, secret in connection.execute(query).all():
        row = {"day": day, "title": title, "mark": mark_of(secret, title, holder)}
        insert_new(connection, daily_raced, row)


def rekey(connection: Connection, old: str, new: str) -> None:
    """Give the marks of a browser to another secret of it."""
    d, r = daily_days.c, daily_raced.c
    query = select(r.day, r.title, r.mark, d.secret).where((r.day == d.day) & d.told.is_(None))
    for day, title, mark, secret in connection.execute(query).all():
        if mark == mark_of(secret, title, old):
            row = {"day": day, "title": title, "mark": mark_of(secret, title, new)}
            connection.execute(insert(daily_raced).values(row))


def purge(connection: Connection, before: datetime) -> None:
    """Delete attempts of days that were told which began before this: nobody gets a second one.

    The days stay: they say nothing of anybody.
    """
    d, a = daily_days.c, daily_attempts.c
    told = select(d.day).where(d.told.is_not(None))
    connection.execute(delete(daily_attempts).where((a.begun < before) & a.day.in_(told)))


daily_raced.info |= {FORGET: forget, REKEY: rekey}
daily_attempts.info[PURGE] = purge
