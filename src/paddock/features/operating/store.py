"""What the operator of a server asks of stored tables, and changes there.

Another process may do this while a server runs. Each change of a table makes its version grow, so that a
server that has the table in memory finds out.
"""

from __future__ import annotations

from sqlalchemy import Table, func, select, update

from paddock.store.part import StorePart
from paddock.store.schema import banned, players, tables


class OperatingStore(StorePart):
    """The stored tables, as their operator sees them besides what ``Keeping`` does."""

    async def count(self) -> int:
        """Return how many tables there are."""
        return await self._count(tables)

    async def bans(self) -> int:
        """Return how many bans of browsers from tables there are."""
        return await self._count(banned)

    async def _count(self, rows: Table) -> int:
        return int((await self._read(select(func.count()).select_from(rows)))[0][0])

    async def close(self, id: str, *, closed: bool = True) -> bool:
        """Close a table, or open it again; return False if there is no such table."""
        columns = {"closed": closed, "version": tables.c.version + 1}
        statement = update(tables).where(tables.c.id == id).values(**columns)
        return await self._writer.run(lambda connection: connection.execute(statement).rowcount > 0)

    async def holder_at(self, id: str, player: int) -> str | None:
        """Return the hash of the browser that has a seat, or had it last; None if nobody has."""
        c = players.c
        query = select(c.holder, c.last_holder).where((c.table_id == id) & (c.index == player))
        found = next(iter(await self._read(query)), None)
        return (found.holder or found.last_holder) if found else None
