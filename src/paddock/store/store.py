"""Reading and writing tables. A table is written to in one transaction at a time, whoever writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from paddock.core.i18n import _
from paddock.store.database import StoreError, bring_up, connect, database_url
from paddock.store.rows import AnswerRow, EventRow, PendingRow, PlayerRow, Stored, TableRow
from paddock.store.schema import answers, events, pending, players, signed, tables, unsigned


class Writing:
    """A write transaction on one table: nobody else writes to it meanwhile.

    ``length`` and ``pending`` are what is stored, whatever a cache believes.
    """

    def __init__(
        self, connection: AsyncConnection, id: str, length: int, pending: Sequence[PendingRow]
    ) -> None:
        self._connection = connection
        self._id = id
        self.length = length
        self.pending = tuple(pending)

    async def events(self, start: int) -> list[EventRow]:
        """The log from entry ``start``."""
        return await _events(self._connection, self._id, start)

    async def answer(self, key: str) -> AnswerRow | None:
        """What the submission with this client key was answered; None when it is new."""
        mine = (answers.c.table_id == self._id) & (answers.c.key == key)
        row = (await self._connection.execute(select(answers).where(mine))).mappings().first()
        return None if row is None else AnswerRow(**_without(row, "table_id"))

    async def remember(self, answer: AnswerRow) -> None:
        """Keep an answer."""
        await self._connection.execute(insert(answers).values(table_id=self._id, **asdict(answer)))

    async def commit(self, row: PendingRow, at: datetime) -> None:
        """Keep a commitment, instead of an earlier one of the same seat."""
        await self.take_back(row.decision, row.seat)
        await self._connection.execute(insert(pending).values(table_id=self._id, at=at, **asdict(row)))

    async def take_back(self, decision: int, seat: int) -> None:
        """Forget a commitment, if there is one."""
        c = pending.c
        mine = (c.table_id == self._id) & (c.decision == decision) & (c.seat == seat)
        await self._connection.execute(delete(pending).where(mine))

    async def append(self, rows: Sequence[EventRow], at: datetime, over: bool) -> None:
        """Append to the log; the commitments go, for they are in it now."""
        await self._connection.execute(delete(pending).where(pending.c.table_id == self._id))
        await _append(self._connection, self._id, rows, at)
        self.length += len(rows)
        await self._connection.execute(
            update(tables).where(tables.c.id == self._id).values(length=self.length, over=over)
        )


class Store:
    """The database. Open it with ``Store.open``."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(paddock_reading=True)
        # SQLite has one writer at a time: queue here, fairly, not in its busy loop.
        self._turn: AbstractAsyncContextManager[Any] = nullcontext()
        if engine.dialect.name == "sqlite":
            self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, url: str | None = None) -> Self:
        """The database at ``url``, ``$PADDOCK_DATABASE_URL`` or the user's data folder, made or brought up.

        Raises ``StoreError`` saying what is wrong with it.
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
        """Ask the database for nothing; raises what goes wrong."""
        async with self._reading.connect() as connection:
            await connection.execute(select(1))

    async def create(self, table: TableRow, who: Sequence[PlayerRow], log: Sequence[EventRow]) -> None:
        """A new table with its players and the beginning of its log."""
        async with self._turn, self._engine.begin() as connection:
            await connection.execute(insert(tables).values(**asdict(table)))
            await connection.execute(insert(players), [{"table_id": table.id, **asdict(p)} for p in who])
            await _append(connection, table.id, log, table.created)

    async def load(self, id: str) -> Stored | None:
        """All that is stored of a table, at one moment; None where there is no such table."""
        async with self._reading.connect() as connection:
            if self._engine.dialect.name == "postgresql":
                await connection.execution_options(isolation_level="REPEATABLE READ")
            row = (await connection.execute(select(tables).where(tables.c.id == id))).mappings().first()
            if row is None:
                return None
            query = select(players).where(players.c.table_id == id).order_by(players.c.index)
            who = (await connection.execute(query)).mappings()
            return Stored(
                _table(row),
                tuple(PlayerRow(**_without(player, "table_id")) for player in who),
                tuple(await _events(connection, id, 0)),
                tuple(await _pending(connection, id)),
            )

    @asynccontextmanager
    async def write(self, id: str) -> AsyncIterator[Writing]:
        """A transaction on one table, durable when it is left; an exception undoes it all."""
        async with self._turn, self._engine.begin() as connection:
            query = select(tables.c.length).where(tables.c.id == id).with_for_update()
            length = (await connection.execute(query)).scalar_one()
            yield Writing(connection, id, length, await _pending(connection, id))

    async def held(self, holder: str, limit: int) -> list[TableRow]:
        """The newest tables that a browser made or sits at."""
        seats = select(players.c.table_id).where(players.c.holder == holder)
        query = (
            select(tables)
            .where(or_(tables.c.maker == holder, tables.c.id.in_(seats)))
            .order_by(tables.c.created.desc(), tables.c.id)
            .limit(limit)
        )
        async with self._reading.connect() as connection:
            return [_table(row) for row in (await connection.execute(query)).mappings()]


async def _append(connection: AsyncConnection, id: str, rows: Sequence[EventRow], at: datetime) -> None:
    if rows:
        values = [{**asdict(row), "digest": signed(row.digest), "table_id": id, "at": at} for row in rows]
        await connection.execute(insert(events), values)


async def _events(connection: AsyncConnection, id: str, start: int) -> list[EventRow]:
    c = events.c
    query = (
        select(c.seq, c.by, c.what, c.decision, c.digest)
        .where((c.table_id == id) & (c.seq >= start))
        .order_by(c.seq)
    )
    found = await connection.execute(query)
    return [EventRow(seq, by, what, decision, unsigned(bits)) for seq, by, what, decision, bits in found]


async def _pending(connection: AsyncConnection, id: str) -> list[PendingRow]:
    c = pending.c
    query = select(c.decision, c.seat, c.move).where(c.table_id == id).order_by(c.seat)
    return [PendingRow(*row) for row in await connection.execute(query)]


def _table(row: Any) -> TableRow:
    created = row["created"]
    return TableRow(**{**row, "created": created if created.tzinfo else created.replace(tzinfo=UTC)})


def _without(row: Any, name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}
