"""What the operator of a running server sees of its tables, and changes there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paddock.core.i18n import _
from paddock.features.operating.store import OperatingStore
from paddock.store import Measured
from paddock.tables import KeptTable, NoTable, Tables

LISTED = 200  # tables on the page


@dataclass(frozen=True)
class StoredTables:
    """What is stored: the tables that were touched last, and the numbers of all tables and bans."""

    newest: Sequence[KeptTable]
    count: int
    bans: int


class Operating:
    """The tables of a server, for its operator."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._stored = tables.store.part(OperatingStore)

    @property
    def measured(self) -> Measured:
        """What the store has noted about itself."""
        return self._tables.store.measured

    async def stored(self) -> StoredTables:
        """Return what is stored."""
        newest = await self._tables.upkeep.keeping.all(LISTED)
        return StoredTables(newest, await self._stored.count(), await self._stored.bans())

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield the tables in memory that are frozen, or whose bots have stopped: the id, and the reason."""
        for live in self._tables.registry:
            table = live.table
            if words := table.frozen or (_(table.stalled) if table.stalled else ""):
                yield table.id, words

    async def close(self, id: str, *, closed: bool) -> None:
        """Close a table, or open it again; raise ``NoTable``."""
        await self._notice(await self._stored.close(id, closed=closed))

    async def delete(self, id: str) -> None:
        """Delete a table with everything that belongs to it; raise ``NoTable``."""
        await self._notice(await self._tables.upkeep.keeping.delete(id))

    async def _notice(self, done: bool) -> None:
        if not done:
            raise NoTable(_("there is no table with this address: check that the link is complete"))
        await self._tables.upkeep.notice()
