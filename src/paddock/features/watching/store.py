"""The public games that go on, and how many watch them as the servers that have them say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from paddock.features.watching.rows import watching
from paddock.store.part import StorePart
from paddock.store.schema import tables

MOST = 500  # public games among which those with a board are chosen: the newest ones


class WatchingStore(StorePart):
    """The stored games, and numbers."""

    async def live(self) -> dict[str, datetime]:
        """Return the public games that go on, the newest moves first, and when something happened in each."""
        c = tables.c
        query = (
            select(c.id, c.touched_at)
            .where(c.listed & ~c.over & ~c.abandoned & ~c.closed & (c.phase == "play"))
            .order_by(c.created.desc())
            .limit(MOST)
        )
        rows = await self._read(query)
        return {row.id: row.touched_at for row in sorted(rows, key=lambda row: row.touched_at, reverse=True)}

    async def over(self, ids: Sequence[str]) -> list[str]:
        """Return which of these tables are public games that are over."""
        c = tables.c
        query = select(c.id).where(c.id.in_(ids) & c.listed & c.over & ~c.closed).order_by(c.id)
        return [row.id for row in await self._read(query)]

    async def of(self, ids: Sequence[str], since: datetime) -> dict[str, int]:
        """Return how many watch these tables, where that was noted after ``since``."""
        c = watching.c
        query = select(c.table_id, c.people).where(c.table_id.in_(ids) & (c.at > since))
        return {row.table_id: row.people for row in await self._read(query)}

    async def note(self, people: Mapping[str, int], at: datetime) -> None:
        """Note how many watch these tables now; those that are deleted are left out."""
        ids = sorted(people)

        def work(connection: Connection) -> None:
            connection.execute(delete(watching).where(watching.c.table_id.in_(ids)))
            there = set(connection.execute(select(tables.c.id).where(tables.c.id.in_(ids))).scalars())
            rows = [
                {"table_id": id, "people": people[id], "at": at} for id in ids if people[id] and id in there
            ]
            if rows:
                connection.execute(insert(watching), rows)

        await self._writer.run(work)
