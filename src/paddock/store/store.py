"""Reads and writes tables. Only one transaction at a time can write to a table, over all processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Self

from sqlalchemy import ColumnElement, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from paddock.core.i18n import _
from paddock.core.options import digests
from paddock.store.data import find, keep
from paddock.store.database import StoreError, bring_up, connect, database_url
from paddock.store.rows import (
    AnswerRow,
    EventRow,
    OrderRow,
    PendingRow,
    PlayerRow,
    Stored,
    TableRow,
    TalkRow,
    TokenRow,
    UndoRow,
)
from paddock.store.schema import (
    answers,
    banned,
    events,
    orders,
    pending,
    players,
    signed,
    tables,
    talk,
    tokens,
    undo,
    unsigned,
)


class Writing:
    """A write transaction on one table, which excludes other writers.

    ``row``, ``players``, ``length`` and ``pending`` are the stored values at its start, which may be newer
    than a cache.
    """

    def __init__(
        self,
        connection: AsyncConnection,
        row: TableRow,
        who: Sequence[PlayerRow],
        pending: Sequence[PendingRow],
    ) -> None:
        self._connection = connection
        self._id = row.id
        self.row = row
        self.players = tuple(who)
        self.length = row.length
        self.pending = tuple(pending)

    async def change(self, **columns: Any) -> None:
        """Set columns of the table, named as the fields of ``TableRow``."""
        await self._connection.execute(update(tables).where(tables.c.id == self._id).values(**columns))

    async def touch(self, at: datetime) -> None:
        """Note activity at the table; it is not abandoned any more."""
        await self.change(touched_at=at, abandoned=False)

    async def player(self, index: int, **columns: Any) -> None:
        """Set columns of a player, named as the fields of ``PlayerRow``."""
        mine = (players.c.table_id == self._id) & (players.c.index == index)
        await self._connection.execute(update(players).where(mine).values(**columns))

    async def events(self, start: int) -> list[EventRow]:
        """Return the rows of the log from ``start`` on."""
        return await _events(self._connection, self._id, start)

    async def answer(self, key: str) -> AnswerRow | None:
        """Return the stored answer for a submission key; None if the key is new."""
        mine = (answers.c.table_id == self._id) & (answers.c.key == key)
        row = (await self._connection.execute(select(answers).where(mine))).mappings().first()
        return None if row is None else AnswerRow(**_without(row, "table_id"))

    async def remember(self, answer: AnswerRow) -> None:
        """Store an answer."""
        await self._connection.execute(insert(answers).values(table_id=self._id, **asdict(answer)))

    async def commit(self, row: PendingRow, at: datetime) -> None:
        """Store a commitment; it replaces an earlier one of the same seat."""
        await self.take_back(row.decision, row.seat)
        await self._connection.execute(insert(pending).values(table_id=self._id, at=at, **asdict(row)))

    async def take_back(self, decision: int, seat: int) -> None:
        """Delete a commitment, if there is one."""
        c = pending.c
        mine = (c.table_id == self._id) & (c.decision == decision) & (c.seat == seat)
        await self._connection.execute(delete(pending).where(mine))

    async def append(self, rows: Sequence[EventRow], at: datetime, over: bool) -> None:
        """Append to the log, and delete the commitments, which it now contains, and the undo request.

        ``at`` is the time at which the next decision opens.
        """
        await self._connection.execute(delete(pending).where(pending.c.table_id == self._id))
        await self.drop_undo()
        await _append(self._connection, self._id, rows, at)
        self.length += len(rows)
        await self.change(length=self.length, over=over, opened_at=at, touched_at=at, abandoned=False)

    # Friends

    async def ban(self, holder: str) -> None:
        """Ban a browser from the seats of this table; no effect if it is banned already."""
        if not await self.is_banned(holder):
            await self._connection.execute(insert(banned).values(table_id=self._id, holder=holder))

    async def is_banned(self, holder: str) -> bool:
        """Whether the browser is banned."""
        mine = (banned.c.table_id == self._id) & (banned.c.holder == holder)
        return (await self._connection.execute(select(banned).where(mine))).first() is not None

    async def say(self, at: datetime, player: int | None, channel: str, text: str) -> TalkRow:
        """Append a line of chat, and return it as stored."""
        last = select(func.max(talk.c.seq)).where(talk.c.table_id == self._id)
        before = (await self._connection.execute(last)).scalar()
        row = TalkRow(0 if before is None else before + 1, at, player, channel, text)
        await self._connection.execute(insert(talk).values(table_id=self._id, **asdict(row)))
        return row

    async def talk(self, limit: int) -> list[TalkRow]:
        """Return the last lines of the chat, in order."""
        return await _talk(self._connection, self._id, limit)

    async def order(self, row: OrderRow) -> None:
        """Store the standing orders of a seat; they replace earlier ones."""
        await self.drop_order(row.seat)
        await self._connection.execute(insert(orders).values(table_id=self._id, **asdict(row)))

    async def drop_order(self, seat: int) -> None:
        """Delete the standing orders of a seat, if there are any."""
        await self._connection.execute(
            delete(orders).where((orders.c.table_id == self._id) & (orders.c.seat == seat))
        )

    async def orders(self) -> list[OrderRow]:
        """Return the stored standing orders, by seat."""
        return await _orders(self._connection, self._id)

    async def ask_undo(self, row: UndoRow) -> None:
        """Store an undo request; it replaces an earlier one."""
        await self.drop_undo()
        words = " ".join(str(player) for player in row.consents)
        await self._connection.execute(
            insert(undo).values(table_id=self._id, rows=row.rows, player=row.player, consents=words)
        )

    async def drop_undo(self) -> None:
        """Delete the undo request, if there is one."""
        await self._connection.execute(delete(undo).where(undo.c.table_id == self._id))

    async def undo(self) -> UndoRow | None:
        """Return the open undo request, or None."""
        return await _undo(self._connection, self._id)


class Store:
    """The database. Open it with ``Store.open``."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(paddock_reading=True)
        # SQLite has one writer at a time: queue for it here, as its own waiting is not fair.
        self._turn: AbstractAsyncContextManager[Any] = nullcontext()
        if engine.dialect.name == "sqlite":
            self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, url: str | None = None) -> Self:
        """Open the database at ``url``, or a file in the user's data folder, created or migrated as needed.

        Raises ``StoreError`` with what is wrong with it.
        """
        engine = connect(database_url(url))
        try:
            await bring_up(engine)
        except (DBAPIError, OSError) as error:
            await engine.dispose()
            reason = getattr(error, "orig", None) or error
            raise StoreError(_("the database cannot be opened: {reason}").format(reason=reason)) from error
        except BaseException:
            await engine.dispose()
            raise
        return cls(engine)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    async def ping(self) -> None:
        """Run an empty query; raise the database's error if it fails."""
        async with self._reading.connect() as connection:
            await connection.execute(select(1))

    async def create(
        self,
        table: TableRow,
        who: Sequence[PlayerRow],
        log: Sequence[EventRow],
        data: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Store a new table with its players, the start of its log, and the data of its options."""
        async with self._turn, self._engine.begin() as connection:
            await keep(connection, data)
            await connection.execute(insert(tables).values(**asdict(table)))
            await connection.execute(insert(players), [{"table_id": table.id, **asdict(p)} for p in who])
            await _append(connection, table.id, log, table.created)

    async def load(self, id: str) -> Stored | None:
        """Return a consistent snapshot of a table; None if there is no such table."""
        async with self._reading.connect() as connection:
            if self._engine.dialect.name == "postgresql":
                await connection.execution_options(isolation_level="REPEATABLE READ")
            row = (await connection.execute(select(tables).where(tables.c.id == id))).mappings().first()
            if row is None:
                return None
            return Stored(
                _table(row),
                tuple(await _players(connection, id)),
                tuple(await _events(connection, id, 0)),
                tuple(await _pending(connection, id)),
                tuple(await _orders(connection, id)),
                await _undo(connection, id),
                await find(connection, digests(row["options"])),
            )

    async def keep(self, data: Mapping[str, str]) -> None:
        """Store data by digest."""
        async with self._turn, self._engine.begin() as connection:
            await keep(connection, data)

    async def data(self, digests: Sequence[str]) -> dict[str, str]:
        """Return the data of these digests; unknown digests are left out."""
        async with self._reading.connect() as connection:
            return await find(connection, digests)

    @asynccontextmanager
    async def write(self, id: str) -> AsyncIterator[Writing]:
        """Open a write transaction on a table: committed durably at the end, rolled back on an exception."""
        async with self._turn, self._engine.begin() as connection:
            query = select(tables).where(tables.c.id == id).with_for_update()
            row = _table((await connection.execute(query)).mappings().one())
            yield Writing(connection, row, await _players(connection, id), await _pending(connection, id))

    async def held(self, holder: str, limit: int) -> list[TableRow]:
        """Return the newest tables that a browser created or plays at."""
        seats = select(players.c.table_id).where(players.c.holder == holder)
        query = (
            select(tables)
            .where(or_(tables.c.maker == holder, tables.c.id.in_(seats)))
            .order_by(tables.c.created.desc(), tables.c.id)
            .limit(limit)
        )
        async with self._reading.connect() as connection:
            return [_table(row) for row in (await connection.execute(query)).mappings()]

    async def playing(self, holder: str, limit: int) -> list[tuple[str, datetime]]:
        """Return the running games in which a browser has a seat, and when the open decision of each began.

        The one that has waited longest comes first. Lessons, explored games and abandoned tables are left
        out.
        """
        c, e = tables.c, events.c
        seats = select(players.c.table_id).where(players.c.holder == holder)
        query = (
            select(c.id, e.at)
            .join(events, and_(e.table_id == c.id, e.seq == c.length - 1))
            .where(c.id.in_(seats) & (c.kind == "race") & (c.phase == "play") & ~c.over & ~c.abandoned)
            .order_by(e.at, c.id)
            .limit(limit)
        )
        async with self._reading.connect() as connection:
            return [(id, _utc(at)) for id, at in await connection.execute(query)]

    async def restless(self) -> list[str]:
        """Return the ids of running tables with a clock, grace period, bot or standing order.

        The most recently active come first; abandoned tables are left out.
        """
        c, p = tables.c, players.c
        bots = select(p.table_id).where(p.bot.is_not(None) | p.stand_in)
        due = or_(c.clock != "", c.grace > 0, c.id.in_(bots), c.id.in_(select(orders.c.table_id)))
        query = (
            select(c.id)
            .where((c.phase == "play") & ~c.over & ~c.abandoned & due)
            .order_by(c.touched_at.desc(), c.id)
        )
        async with self._reading.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def listed(self, limit: int) -> list[TableRow]:
        """Return the newest listed tables that are not over and not abandoned."""
        c = tables.c
        query = (
            select(tables)
            .where(c.listed & ~c.over & ~c.abandoned)
            .order_by(c.created.desc(), c.id)
            .limit(limit)
        )
        async with self._reading.connect() as connection:
            return [_table(row) for row in (await connection.execute(query)).mappings()]

    async def abandon(self, lobbies: datetime | None, games: datetime | None) -> list[str]:
        """Mark lobbies and running games without activity since these times as abandoned; return their ids.

        None marks no lobbies or no games.
        """
        c = tables.c
        old = [
            and_(c.phase == phase, c.touched_at < since)
            for phase, since in (("lobby", lobbies), ("play", games))
            if since is not None
        ]
        if not old:
            return []
        async with self._turn, self._engine.begin() as connection:
            query = select(c.id).where(~c.over & ~c.abandoned & or_(*old)).with_for_update()
            ids = [id for (id,) in await connection.execute(query)]
            if ids:
                await connection.execute(update(tables).where(c.id.in_(ids)).values(abandoned=True))
            return ids

    async def talk(self, id: str, limit: int) -> list[TalkRow]:
        """Return the last lines of a table's chat, in order."""
        async with self._reading.connect() as connection:
            return await _talk(connection, id, limit)

    # Personal tokens

    async def add_token(self, row: TokenRow) -> bool:
        """Store a token; return False if its holder has one with this label already."""
        c = tokens.c
        same = select(c.hash).where((c.holder == row.holder) & (c.label == row.label))
        async with self._turn, self._engine.begin() as connection:
            if (await connection.execute(same)).first():
                return False
            await connection.execute(insert(tokens).values(**asdict(row)))
            return True

    async def token(self, hash: str) -> TokenRow | None:
        """Return the token with this hash, or None."""
        found = await self._tokens(tokens.c.hash == hash)
        return found[0] if found else None

    async def tokens_of(self, holder: str) -> list[TokenRow]:
        """Return the tokens of a browser, sorted by label."""
        return await self._tokens(tokens.c.holder == holder)

    async def _tokens(self, which: ColumnElement[bool]) -> list[TokenRow]:
        async with self._reading.connect() as connection:
            found = (
                await connection.execute(select(tokens).where(which).order_by(tokens.c.label))
            ).mappings()
            return [
                TokenRow(**{**row, "made_at": _utc(row["made_at"]), "used_at": _utc(row["used_at"])})
                for row in found
            ]

    async def use_token(self, hash: str, at: datetime) -> None:
        """Note when a token was last used."""
        async with self._turn, self._engine.begin() as connection:
            await connection.execute(update(tokens).where(tokens.c.hash == hash).values(used_at=at))

    async def drop_token(self, holder: str, label: str) -> bool:
        """Delete a token; return whether there was one."""
        mine = (tokens.c.holder == holder) & (tokens.c.label == label)
        async with self._turn, self._engine.begin() as connection:
            return (await connection.execute(delete(tokens).where(mine))).rowcount > 0


async def _append(connection: AsyncConnection, id: str, rows: Sequence[EventRow], at: datetime) -> None:
    if rows:
        values = [{**asdict(row), "digest": signed(row.digest), "table_id": id, "at": at} for row in rows]
        await connection.execute(insert(events), values)


async def _events(connection: AsyncConnection, id: str, start: int) -> list[EventRow]:
    c = events.c
    query = (
        select(c.seq, c.by, c.what, c.decision, c.digest, c.linked)
        .where((c.table_id == id) & (c.seq >= start))
        .order_by(c.seq)
    )
    found = await connection.execute(query)
    return [
        EventRow(seq, by, what, decision, unsigned(bits), linked)
        for seq, by, what, decision, bits, linked in found
    ]


async def _pending(connection: AsyncConnection, id: str) -> list[PendingRow]:
    c = pending.c
    query = select(c.decision, c.seat, c.move).where(c.table_id == id).order_by(c.seat)
    return [PendingRow(*row) for row in await connection.execute(query)]


async def _players(connection: AsyncConnection, id: str) -> list[PlayerRow]:
    columns = (column.label(column.key) for column in players.c)
    query = select(*columns).where(players.c.table_id == id).order_by(players.c.index)
    return [PlayerRow(**_without(row, "table_id")) for row in (await connection.execute(query)).mappings()]


async def _orders(connection: AsyncConnection, id: str) -> list[OrderRow]:
    c = orders.c
    query = select(c.seat, c.text, c.made_at).where(c.table_id == id).order_by(c.seat)
    return [OrderRow(seat, text, _utc(at)) for seat, text, at in await connection.execute(query)]


async def _talk(connection: AsyncConnection, id: str, limit: int) -> list[TalkRow]:
    c = talk.c
    query = (
        select(c.seq, c.at, c.player, c.channel, c.text)
        .where(c.table_id == id)
        .order_by(c.seq.desc())
        .limit(limit)
    )
    found = [TalkRow(seq, _utc(at), *rest) for seq, at, *rest in await connection.execute(query)]
    return found[::-1]


async def _undo(connection: AsyncConnection, id: str) -> UndoRow | None:
    c = undo.c
    row = (await connection.execute(select(c.rows, c.player, c.consents).where(c.table_id == id))).first()
    return row and UndoRow(row[0], row[1], tuple(int(player) for player in row[2].split()))


def _table(row: Any) -> TableRow:
    moments = {name: _utc(row[name]) for name in ("created", "opened_at", "touched_at")}
    return TableRow(**{**row, **moments})


def _utc(moment: Any) -> Any:
    """Add the time zone UTC, which SQLite does not store."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _without(row: Any, name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}
