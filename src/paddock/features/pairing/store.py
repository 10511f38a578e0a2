"""Who waits to play with whoever comes next.

For each game (a title and a pace) at most one browser waits: an index says so. Who comes while somebody waits
plays with them, so two servers of one database cannot let two people wait for each other. A row that has a
table waits no longer: it says where its browser plays. Both people have such a row, and a browser has one row
for each game: so a double click makes no second table, whichever servers it reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, select, update

from paddock.features.pairing.rows import WaitingRow, waiting
from paddock.store.errors import StoreError
from paddock.store.inserting import insert_new
from paddock.store.part import StorePart


class Gone(StoreError):
    """Whoever waited is gone, or plays already."""


class WaitingStore(StorePart):
    """The stored list."""

    async def of(self, holder: str) -> list[WaitingRow]:
        """Return where a browser waits, and the tables to which it was not led yet; the newest first."""
        return await self._rows((waiting.c.holder == holder) & waiting.c.led_at.is_(None))

    async def got(self, holder: str, title: str, pace: str) -> WaitingRow | None:
        """Return the row of a browser that has got a table for a game, led to it or not; else None."""
        c = waiting.c
        mine = _game(title, pace) & (c.holder == holder) & c.table_id.is_not(None)
        return next(iter(await self._rows(mine)), None)

    async def first(self, title: str, pace: str, seen_since: datetime) -> WaitingRow | None:
        """Return who waits for a game and was seen after ``seen_since``; None if nobody does."""
        return next(iter(await self._rows(_open(title, pace) & (waiting.c.seen_at > seen_since))), None)

    async def open(self) -> list[WaitingRow]:
        """Return all who wait: at most one for each game."""
        return await self._rows(waiting.c.table_id.is_(None))

    async def _rows(self, which: ColumnElement[bool]) -> list[WaitingRow]:
        query = select(waiting).where(which).order_by(waiting.c.since.desc(), waiting.c.title)
        return [WaitingRow(**row._mapping) for row in await self._read(query)]

    async def join(self, row: WaitingRow, seen_since: datetime) -> bool:
        """Let a browser wait; return False if another one waits already, which was seen after ``seen_since``.

        The same if the browser has got a table for this game.
        """
        late = _open(row.title, row.pace) & (waiting.c.seen_at <= seen_since)
        mine = _open(row.title, row.pace) & (waiting.c.holder == row.holder)

        def work(connection: Connection) -> bool:
            connection.execute(delete(waiting).where(late | mine))
            return insert_new(connection, waiting, asdict(row))

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

    async def met(self, row: WaitingRow, at: datetime) -> None:
        """Note that a browser is led to its table now."""
        statement = update(waiting).where(_at_table(row) & waiting.c.led_at.is_(None)).values(led_at=at)
        await self._writer.run(lambda connection: connection.execute(statement))

    async def drop(self, row: WaitingRow) -> None:
        """Delete the row of a table at which nobody plays any more."""
        statement = delete(waiting).where(_at_table(row))
        await self._writer.run(lambda connection: connection.execute(statement))

    async def purge(self, before: datetime, led: datetime) -> None:
        """Delete what began to wait before this time, and whoever was led to a table until ``led``."""
        statement = delete(waiting).where((waiting.c.since < before) | (waiting.c.led_at <= led))
        await self._writer.run(lambda connection: connection.execute(statement))


def _game(title: str, pace: str) -> ColumnElement[bool]:
    return (waiting.c.title == title) & (waiting.c.pace == pace)


def _open(title: str, pace: str) -> ColumnElement[bool]:
    return _game(title, pace) & waiting.c.table_id.is_(None)


def _at_table(row: WaitingRow) -> ColumnElement[bool]:
    c = waiting.c
    return _game(row.title, row.pace) & (c.holder == row.holder) & (c.table_id == row.table_id)


def seated(
    row: WaitingRow, me: WaitingRow, seen_since: datetime, table_id: str
) -> Callable[[Connection], None]:
    """Return what gives a table to whoever waits and to ``me``, who came, in the transaction that stores it.

    It raises ``Gone``, and then nothing is stored, unless the first still waits and was seen after
    ``seen_since``, and the second has no table for this game yet.
    """
    c = waiting.c
    same = _open(row.title, row.pace) & (c.holder == row.holder) & (c.seen_at > seen_since)
    statement = update(waiting).where(same).values(table_id=table_id)
    mine = asdict(replace(me, table_id=table_id, led_at=me.since))

    def work(connection: Connection) -> None:
        if not connection.execute(statement).rowcount:
            raise Gone("nobody waits any more")
        if not insert_new(connection, waiting, mine):
            raise Gone("this was the second click")

    return work
