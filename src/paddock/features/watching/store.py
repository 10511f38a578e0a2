"""How many people watch tables, as the servers that have them say: other servers list them on their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from paddock.features.watching.rows import watching
from paddock.store.part import StorePart
from paddock.store.schema import tables


class WatchingStore(StorePart):
    """The stored numbers."""

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
