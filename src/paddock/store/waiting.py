"""Who waits to play with whoever comes next.

For each game (a title and a pace) at most one browser waits: an index says so. Who comes while somebody waits
plays with them, so two servers of one database cannot let two people wait for each other. A row that has a
table waits no longer: it says where its browser plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from paddock.store.errors import StoreError, available
from paddock.store.inserting import insert_into
from paddock.store.rows import WaitingRow
from paddock.store.schema import waiting
from paddock.store.writer import Writer


class Gone(StoreError):
    """Whoever waited is gone, or plays already."""


class WaitingStore:
    """The stored list."""

    def __init__(self, engine: AsyncEngine, writer: Writer) -> None:
        self._reading = engine.execution_options(paddock_reading=True)
        self._writer = writer

    async def of(self, holder: str) -> list[WaitingRow]:
        """Return where a browser waits, and where it waited until it got a table; the newest first."""
        return await self._rows(waiting.c.holder == holder)

    async def first(self, title: str, pace: str, since: datetime) -> WaitingRow | None:
        """Return who waits for a game and was seen after ``since``; None if nobody does."""
        return next(iter(await self._rows(_open(title, pace) & (waiting.c.seen_at > since))), None)

    async def open(self) -> list[WaitingRow]:
        """Return all who wait: at most one for each game."""
        return await self._rows(waiting.c.table_id.is_(None))

    async def _rows(self, which: ColumnElement[bool]) -> list[WaitingRow]:
        query = select(waiting).where(which).order_by(waiting.c.since.desc(), waiting.c.title)
        with available():
            async with self._reading.connect() as connection:
                return [WaitingRow(**row) for row in (await connection.execute(query)).mappings()]

    async def join(self, row: WaitingRow, since: datetime) -> bool:
        """Let a browser wait; return False if another one waits already, which was seen after ``since``."""
        late = _open(row.title, row.pace) & (waiting.c.seen_at <= since)
        mine = _open(row.title, row.pace) & (waiting.c.holder == row.holder)

        def work(connection: Connection) -> bool:
            connection.execute(delete(waiting).where(late | mine))
            statement = insert_into(connection, waiting).values(asdict(row)).on_conflict_do_nothing()
            return connection.execute(statement).rowcount > 0

        return await self._writer.run(work)

    async def seen(self, holder: str, at: datetime) -> None:
        """Note that a browser still waits."""
        mine = (waiting.c.holder == holder) & waiting.c.table_id.is_(None)
        statement = update(waiting).where(mine).values(seen_at=at)
        await self._writer.run(lambda connection: connection.execute(statement))

    async def leave(self, holder: str, title: str, pace: str) -> bool:
        """Let a browser wait no longer; return whether it did."""
        statement = delete(waiting).where(_open(title, pace) & (waiting.c.holder == holder))
        return await self._writer.run(lambda connection: connection.execute(statement).rowcount > 0)

    async def met(self, row: WaitingRow) -> None:
        """Delete a row that has got its table."""
        c = waiting.c
        same = (c.holder == row.holder) & (c.title == row.title) & (c.pace == row.pace)
        statement = delete(waiting).where(same & c.table_id.is_not(None))
        await self._writer.run(lambda connection: connection.execute(statement))

    async def purge(self, before: datetime) -> None:
        """Delete what began to wait before this time."""
        statement = delete(waiting).where(waiting.c.since < before)
        await self._writer.run(lambda connection: connection.execute(statement))


def _open(title: str, pace: str) -> ColumnElement[bool]:
    c = waiting.c
    return (c.title == title) & (c.pace == pace) & c.table_id.is_(None)


def seated(row: WaitingRow, since: datetime, table_id: str) -> Callable[[Connection], None]:
    """Return what gives a table to whoever waits, in the transaction that stores the table.

    It raises ``Gone``, and then nothing is stored, unless they still wait and were seen after ``since``.
    """
    c = waiting.c
    same = _open(row.title, row.pace) & (c.holder == row.holder) & (c.seen_at > since)
    statement = update(waiting).where(same).values(table_id=table_id)

    def work(connection: Connection) -> None:
        if not connection.execute(statement).rowcount:
            raise Gone("nobody waits any more")

    return work
