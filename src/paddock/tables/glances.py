"""Looks at tables that another server may have, for pages that list several."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from paddock.core.errors import PaddockError
from paddock.store import Store, Unavailable
from paddock.tables.errors import Busy
from paddock.tables.registry import Registry, weight
from paddock.tables.table import Table

MEMORY = 32 << 20  # bytes for tables that were looked at


class Glances:
    """Returns tables as they are stored. What was read before is read again if its version has changed."""

    def __init__(self, store: Store, registry: Registry, memory: int = MEMORY) -> None:
        self._store = store
        self._registry = registry
        self._memory = memory
        self._known: OrderedDict[str, Table] = OrderedDict()
        self._weight = 0

    async def at(self, ids: Sequence[str], *, some: bool = False) -> list[Table]:
        """Return the tables whose titles are installed; with ``some``, without those that are busy.

        If there are no other servers, they come to memory as for anybody who plays there.
        """
        shared = self._registry.owning.me is not None
        if shared:
            await self._registry.owning.sure()
        live_ids = {id for id in ids if self._registry.get(id)} if shared else set(ids)
        stored_ids = [id for id in ids if id not in live_ids]
        versions = await self._store.versions(stored_ids) if stored_ids else {}
        tables = []
        for id in ids:
            try:
                if id in live_ids and (not shared or self._registry.get(id)):
                    tables.append((await self._registry.find(id)).table)
                else:
                    tables.append(await self._stored(id, versions.get(id)))
            except PaddockError as error:
                if isinstance(error, Unavailable) or (isinstance(error, Busy) and not some):
                    raise
        return tables

    async def _stored(self, id: str, version: int | None) -> Table:
        """Return a table as it was read last, or read what is new if it has another version now."""
        table = self._known.get(id)
        if table is None or table.version != version:
            table = await self._registry.peek(id, table)
            self._keep(table)
        self._known.move_to_end(id)
        return table

    def _keep(self, table: Table) -> None:
        """Keep a table, and drop the least recently used ones while all take too much memory."""
        if old := self._known.pop(table.id, None):
            self._weight -= weight(old)
        self._known[table.id] = table
        self._weight += weight(table)
        while self._weight > self._memory and len(self._known) > 1:
            _id, old = self._known.popitem(last=False)
            self._weight -= weight(old)
