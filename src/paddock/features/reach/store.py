"""How browsers are called, and the outbox: messages that wait to be sent.

A turn is written to the outbox in the transaction of the move that opened it (``calls.py``). Whoever sends
takes messages by a claim: it makes them due again a little later, so that what a server that was killed had
taken is sent by the next one. So a message may be sent twice, but is never lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from paddock.features.reach import asked
from paddock.features.reach.calls import REMINDER, Calls, put, wants
from paddock.features.reach.rows import PUSH, ChannelRow, OutboxRow, ReachRow, channels, outbox, reach, wanted
from paddock.store.errors import available
from paddock.store.inserting import insert_into, insert_new
from paddock.store.kinds import RACE
from paddock.store.leases import free
from paddock.store.part import StorePart
from paddock.store.rows import NEVER, OpenTurn, PlayerRow, TableRow
from paddock.store.schema import KEEPS, PURGE, PURGE_EACH, REKEY, own, players, tables

PIECE = 500  # browsers in one statement
MOST = 200  # running tables of one browser that are read
NOTED = timedelta(days=30)  # that a browser is used is noted at most this often
TEST, CONFIRM = "test", "confirm"  # kinds of messages about no table
_KEY = (outbox.c.channel_id, outbox.c.about, outbox.c.kind)
_CHANNEL = [channels.c[fact.name] for fact in fields(ChannelRow)]
_REACH = [reach.c[fact.name] for fact in fields(ReachRow)]


@dataclass(frozen=True)
class BrowserWishes:
    """Everything that a browser has said about how it is called."""

    reach: ReachRow | None
    channels: tuple[ChannelRow, ...]  # the oldest first
    wanted: dict[str, bool]  # by table, where it said so


@dataclass(frozen=True)
class CalledTable:
    """A table as it is stored, with its players."""

    table: TableRow
    players: tuple[PlayerRow, ...]

    def awaited(self) -> list[PlayerRow]:
        """Return the people who must decide; nobody if the game does not go on."""
        row = self.table
        if row.phase != "play" or row.over or row.abandoned or row.closed:
            return []
        numbers = {int(word) for word in (row.awaits or "").split()}
        return [p for p in self.players if p.index in numbers and p.bot is None and not p.stand_in]

    @property
    def shared(self) -> bool:
        """Whether several people play there: a game against bots alone calls nobody."""
        return len({p.holder for p in self.players if p.bot is None and p.holder}) > 1


@dataclass(frozen=True)
class DueMessage:
    """A message to send, with all that it needs."""

    row: OutboxRow
    channel: ChannelRow
    reach: ReachRow
    place: CalledTable | None  # None: it is about no table


class ReachStore(StorePart):
    """The stored wishes, and the outbox."""

    # What browsers say

    async def of(self, holder: str) -> BrowserWishes:
        """Return what a browser has said."""
        with available():
            async with self._reading.connect() as connection:
                row = (await connection.execute(select(*_REACH).where(reach.c.holder == holder))).first()
                order = channels.c.made_at, channels.c.id
                ways = await connection.execute(
                    select(*_CHANNEL).where(channels.c.holder == holder).order_by(*order)
                )
                said = select(wanted.c.table_id, wanted.c.wanted).where(wanted.c.holder == holder)
                return BrowserWishes(
                    ReachRow(*row) if row else None,
                    tuple(ChannelRow(*way) for way in ways),
                    dict(map(tuple, await connection.execute(said))),
                )

    async def keep(self, row: ReachRow, now: datetime) -> None:
        """Store what a browser says of all its tables."""

        def work(connection: Connection) -> None:
            with _grown(connection, row.holder):
                before = connection.execute(select(*_REACH).where(reach.c.holder == row.holder)).first()
                _keep(connection, row)
                if before and _decides_reminders(ReachRow(*before)) == _decides_reminders(row):
                    return
                mine = (outbox.c.holder == row.holder) & (outbox.c.kind == REMINDER)
                connection.execute(update(outbox).where(mine).values(due=now))  # it may be another time now
                _put_reminders(connection, row.holder, now)

        await self._writer.run(work)

    async def used(self, holder: str, now: datetime) -> None:
        """Note that a browser is used, if that was noted long ago."""
        old = (reach.c.holder == holder) & (reach.c.kept_at < now - NOTED)
        statement = update(reach).where(old).values(kept_at=now)
        await self._writer.run(lambda connection: connection.execute(statement))

    async def add(
        self, row: ReachRow, channel: ChannelRow, now: datetime, most: int, asks: str | None = None
    ) -> Literal["full"] | asked.Refusal | None:
        """Store a channel, or return why not. The same address replaces an older one.

        ``row`` is stored if the browser has said nothing before. ``asks`` is the hash of an e-mail address
        whose owner must agree first, and gets a question.
        """
        c = channels.c

        def work(connection: Connection) -> Literal["full"] | asked.Refusal | None:
            with _grown(connection, channel.holder):
                same = (
                    (c.holder == channel.holder) & (c.kind == channel.kind) & (c.address == channel.address)
                )
                # One browser profile has one subscription: whose cookie was deleted is another one now.
                old = same if channel.kind != PUSH else (c.kind == PUSH) & (c.address == channel.address)
                count = select(func.count()).select_from(channels).where((c.holder == channel.holder) & ~old)
                if connection.execute(count).scalar_one() >= most:
                    return "full"
                if asks is not None and (refusal := asked.ask(connection, asks, now)):
                    return refusal
                connection.execute(delete(channels).where(old))
                insert_new(connection, reach, asdict(row))
                connection.execute(insert(channels).values(asdict(channel)))
                if channel.confirmed_at is not None:
                    _put_reminders(connection, channel.holder, now)
                if asks is not None:
                    question = OutboxRow(channel.id, CONFIRM, CONFIRM, channel.holder, now, now)
                    connection.execute(insert(outbox).values(asdict(question)))
                return None

        return await self._writer.run(work)

    async def channel(self, id: str) -> ChannelRow | None:
        """Return a channel; None if there is no such channel."""
        found = await self._read(select(*_CHANNEL).where(channels.c.id == id))
        return ChannelRow(*found[0]) if found else None

    async def confirm(self, channel: ChannelRow, now: datetime) -> None:
        """Note that the owner of an address wants to be called there."""

        def work(connection: Connection) -> None:
            with _grown(connection, channel.holder):
                mine = (channels.c.id == channel.id) & channels.c.confirmed_at.is_(None)
                connection.execute(update(channels).where(mine).values(confirmed_at=now))
                _put_reminders(connection, channel.holder, now)

        await self._writer.run(work)

    async def drop(self, channel: ChannelRow) -> None:
        """Delete a channel with the messages that wait for it."""

        def work(connection: Connection) -> None:
            with _grown(connection, channel.holder):
                connection.execute(delete(channels).where(channels.c.id == channel.id))

        await self._writer.run(work)

    async def stop(self, channel: ChannelRow, asks: str, now: datetime) -> None:
        """Delete the channel of an e-mail address, by this hash, whose owner wants no messages any more."""

        def work(connection: Connection) -> None:
            with _grown(connection, channel.holder):
                connection.execute(delete(channels).where(channels.c.id == channel.id))
                asked.stop(connection, asks, now)

        await self._writer.run(work)

    async def want(self, row: ReachRow, table_id: str, wanted_: bool | None, now: datetime) -> bool:
        """Note whether a browser is called at a table (None: as at all others); return False if there is no
        such table. ``row`` is stored if the browser has said nothing before."""
        c = wanted.c

        def work(connection: Connection) -> bool:
            if not connection.execute(select(tables.c.id).where(tables.c.id == table_id)).first():
                return False
            with _grown(connection, row.holder):
                insert_new(connection, reach, asdict(row))
                mine = (c.holder == row.holder) & (c.table_id == table_id)
                connection.execute(delete(wanted).where(mine))
                if wanted_ is not None:
                    connection.execute(
                        insert(wanted).values(holder=row.holder, table_id=table_id, wanted=wanted_)
                    )
                if wanted_ is False:
                    mine = (outbox.c.holder == row.holder) & (outbox.c.table_id == table_id)
                    connection.execute(delete(outbox).where(mine))
                _put_reminders(connection, row.holder, now)
                return True

        return await self._writer.run(work)

    async def of_calendar(self, digest: str) -> str | None:
        """Return the browser whose calendar has a link with this secret; None if there is none."""
        query = select(reach.c.holder).where(reach.c.calendar == digest)
        found = await self._read(query)
        return found[0].holder if found else None

    async def places(self, holder: str) -> list[CalledTable]:
        """Return the running tables at which a browser plays with other people: of more than ``MOST``, those
        that were touched last."""
        newest = select(tables.c.id).where(_running(holder)).order_by(tables.c.touched_at.desc()).limit(MOST)
        with available():
            async with self._reading.connect() as connection:
                found = await connection.run_sync(_places, tables.c.id.in_(newest))
        return [place for place in found.values() if place.shared]

    async def stamp(self, holder: str) -> tuple[object, ...]:
        """Return what is another one when ``places`` are: whatever changes there, the version grows."""
        query = select(func.count(), func.sum(tables.c.version)).where(_running(holder))
        return tuple((await self._read(query))[0])

    async def callers(self, table_id: str) -> frozenset[str]:
        """Return the browsers at a table that want to be called there."""
        with available():
            async with self._reading.connect() as connection:
                return await connection.run_sync(Calls().callers, table_id)

    # The outbox

    async def put(self, row: OutboxRow) -> None:
        """Store a message about no table; one that waits already stays."""

        def work(connection: Connection) -> None:
            insert_new(connection, outbox, asdict(row))

        await self._writer.run(work)

    async def next_due(
        self, owner: str | None, but: Collection[str] = (), past: Collection[str] = ()
    ) -> datetime | None:
        """Return when the next message is due that this server may send; None if none waits.

        Those of the browsers ``but`` and of the channels ``past`` are left out.
        """
        query = select(func.min(outbox.c.due)).outerjoin(tables, tables.c.id == outbox.c.table_id)
        query = query.where(_mine(owner), _others(but, past))
        found: datetime | None = (await self._read(query))[0][0]
        return found

    async def claim(
        self,
        claim: str,
        now: datetime,
        until: datetime,
        limit: int,
        owner: str | None,
        but: Collection[str] = (),
        past: Collection[str] = (),
    ) -> list[DueMessage]:
        """Take messages that are due, the oldest first. Until then, nobody else takes them.

        Those of the browsers ``but`` and of the channels ``past`` are left out.
        """

        def work(connection: Connection) -> list[DueMessage]:
            query = select(outbox).outerjoin(tables, tables.c.id == outbox.c.table_id)
            query = query.where((outbox.c.due <= now) & _mine(owner) & _others(but, past))
            query = query.order_by(outbox.c.due).limit(limit)
            query = query.with_for_update(of=outbox, skip_locked=True)
            rows = [OutboxRow(**row) for row in connection.execute(query).mappings()]
            if not rows:
                return []
            keys = [(row.channel_id, row.about, row.kind) for row in rows]
            taken = update(outbox).where(tuple_(*_KEY).in_(keys))
            connection.execute(taken.values(claim=claim, due=until))
            ids = {row.channel_id for row in rows}
            ways = {
                row.id: ChannelRow(*row)
                for row in connection.execute(select(*_CHANNEL).where(channels.c.id.in_(ids)))
            }
            holders = {row.holder for row in rows}
            said = {
                row.holder: ReachRow(*row)
                for row in connection.execute(select(*_REACH).where(reach.c.holder.in_(holders)))
            }
            at = {row.table_id for row in rows if row.table_id}
            places = _places(connection, tables.c.id.in_(at)) if at else {}
            return [
                DueMessage(
                    replace(row, claim=claim),
                    ways[row.channel_id],
                    said[row.holder],
                    places.get(row.table_id or ""),
                )
                for row in rows
                if row.holder in said
            ]

        return await self._writer.run(work)

    async def done(self, row: OutboxRow, *, working: bool = False) -> None:
        """Delete a message that was sent or is not needed any more; ``working``: its channel has worked."""

        def work(connection: Connection) -> None:
            connection.execute(delete(outbox).where(_claimed(row)))
            if working:
                mine = (channels.c.id == row.channel_id) & (channels.c.fault != "")
                connection.execute(update(channels).where(mine).values(fault="", failed_at=None))

        await self._writer.run(work)

    async def later(self, row: OutboxRow, due: datetime, tries: int) -> None:
        """Let a message be due later."""
        statement = update(outbox).where(_claimed(row)).values(due=due, tries=tries, claim=None)
        await self._writer.run(lambda connection: connection.execute(statement))

    async def give_up(self, row: OutboxRow, fault: str, now: datetime) -> None:
        """Delete a message that could not be sent, and note why."""

        def work(connection: Connection) -> None:
            connection.execute(delete(outbox).where(_claimed(row)))
            mine = channels.c.id == row.channel_id
            connection.execute(update(channels).where(mine).values(fault=fault, failed_at=now))

        await self._writer.run(work)

    async def sweep(self, before: datetime, now: datetime) -> None:
        """Delete channels that nobody has confirmed since then, and what says who was asked long ago."""
        c = channels.c

        def work(connection: Connection) -> None:
            connection.execute(delete(channels).where(c.confirmed_at.is_(None) & (c.made_at < before)))
            asked.sweep(connection, now)

        await self._writer.run(work)


# What is kept no longer


def purge(connection: Connection, before: datetime) -> None:
    """Delete what browsers have said that were used last before this, and neither play nor wait."""
    r, c, p = reach.c, channels.c, players.c
    kept = [(rows.c.holder == r.holder) & rows.info[KEEPS] for rows in own() if KEEPS in rows.info]
    needed = or_(
        r.kept_at >= before - NOTED,
        select(c.id).where((c.holder == r.holder) & (c.made_at >= before)).exists(),
        select(p.table_id).where(p.holder == r.holder).exists(),
        *(select(literal(1)).where(condition).exists() for condition in kept),
    )
    old = list(connection.execute(select(r.holder).where(~needed)).scalars())
    for start in range(0, len(old), PIECE):
        some = old[start : start + PIECE]
        for rows in (outbox, wanted, channels, reach):
            connection.execute(delete(rows).where(rows.c.holder.in_(some)))


def failing(connection: Connection, before: datetime) -> list[str]:
    """Return the browsers with channels whose last message was given up before this."""
    c = channels.c
    return list(connection.execute(select(c.holder).distinct().where(c.failed_at < before)).scalars())


def drop_failing(connection: Connection, holder: str, before: datetime) -> None:
    """Delete such channels of a browser."""
    c = channels.c
    with _grown(connection, holder):
        connection.execute(delete(channels).where((c.holder == holder) & (c.failed_at < before)))


def rekey(connection: Connection, old: str, new: str) -> None:
    """Delete push channels and the link of a calendar: who has them has the browser no longer."""
    connection.execute(delete(channels).where((channels.c.holder == new) & (channels.c.kind == PUSH)))
    connection.execute(update(reach).where(reach.c.holder == new).values(calendar=None))


reach.info |= {PURGE: purge, PURGE_EACH: (failing, drop_failing), REKEY: rekey}


# Parts of statements


def _mine(owner: str | None) -> ColumnElement[bool]:
    """The condition that no other server has the table of a message: that one knows who is there."""
    return or_(outbox.c.table_id.is_(None), free(), tables.c.owner == owner)


def _others(but: Collection[str], past: Collection[str]) -> ColumnElement[bool]:
    """The condition that a message is of none of these browsers and channels."""
    return and_(outbox.c.holder.not_in(but), outbox.c.channel_id.not_in(past))


def _claimed(row: OutboxRow) -> ColumnElement[bool]:
    c = outbox.c
    key = (c.channel_id == row.channel_id) & (c.about == row.about) & (c.kind == row.kind)
    return and_(key, c.claim == row.claim)


def _running(holder: str) -> ColumnElement[bool]:
    at = select(players.c.table_id).where(players.c.holder == holder)
    return tables.c.id.in_(at) & ~tables.c.over & (tables.c.kind == RACE)


def _places(connection: Connection, which: ColumnElement[bool]) -> dict[str, CalledTable]:
    """Return tables with their players, by id."""
    rows = [TableRow.read(row) for row in connection.execute(select(tables).where(which)).mappings()]
    names = [players.c[fact.name] for fact in fields(PlayerRow)]
    query = select(players.c.table_id, *names).where(players.c.table_id.in_([row.id for row in rows]))
    found: dict[str, list[PlayerRow]] = {row.id: [] for row in rows}
    for id, *player in connection.execute(query.order_by(players.c.index)):
        found[id].append(PlayerRow(*player))
    return {row.id: CalledTable(row, tuple(found[row.id])) for row in rows}


@contextmanager
def _grown(connection: Connection, holder: str) -> Iterator[None]:
    """Let the versions of the tables grow at which what is done changes whether a browser is called.

    So servers read them again: see ``Table.callers``. Rows are locked in the same order as by ``write_all``.
    """
    query = select(tables.c.id).where(_running(holder)).order_by(tables.c.id).with_for_update()
    ids = list(connection.execute(query).scalars())
    before = _calling(connection, holder, ids)
    yield
    if changed := before ^ _calling(connection, holder, ids):
        grow = update(tables).where(tables.c.id.in_(changed)).values(version=tables.c.version + 1)
        connection.execute(grow)


def _calling(connection: Connection, holder: str, ids: Collection[str]) -> set[str]:
    """Return those of some tables at which a browser is called."""
    if not ids:
        return set()
    ways = reach.join(channels, channels.c.holder == reach.c.holder)
    query = select(tables.c.id).select_from(tables.join(ways, reach.c.holder == holder))
    return set(connection.execute(query.where(tables.c.id.in_(ids) & wants(tables.c.id))).scalars())


def _decides_reminders(row: ReachRow) -> ReachRow:
    """Return what decides when a browser is reminded, and of what."""
    return replace(row, language="", site="", calendar=None, kept_at=NEVER)


def _keep(connection: Connection, row: ReachRow) -> None:
    columns = asdict(row)
    rest = {name: value for name, value in columns.items() if name != "holder"}
    statement = insert_into(connection, reach).values(columns)
    connection.execute(statement.on_conflict_do_update(index_elements=["holder"], set_=rest))


def _put_reminders(connection: Connection, holder: str, now: datetime) -> None:
    """Write the reminders of turns that are open already."""
    for place in _places(connection, _running(holder)).values():
        row = place.table
        timed = any(p.holder == holder and p.bank_ms is not None for p in place.awaited())
        if not timed or not place.shared:
            continue
        turn = OpenTurn(holder, row.length, now, timed=True)
        query = select(channels.c.id).join(reach, reach.c.holder == channels.c.holder)
        query = query.where((reach.c.holder == holder) & (reach.c.remind > 0) & wants(row.id))
        for id in list(connection.execute(query).scalars()):
            put(connection, id, row.id, turn, REMINDER, now, now)
