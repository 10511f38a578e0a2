"""The tables in memory: found, loaded, and dropped when they take too much of it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from weakref import WeakValueDictionary

from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.store import EventRow, Store, Stored
from paddock.tables.errors import NoTable
from paddock.tables.live import LiveTable, TablePresence
from paddock.tables.make import is_id
from paddock.tables.replaying import replayed
from paddock.tables.restore import restore
from paddock.tables.runtime import Runtime
from paddock.tables.table import Table
from paddock.tables.workers import Workers

MEMORY = 256 << 20  # bytes for tables in memory; tables that are needed stay even if they take more
# The bytes that a table takes: by itself, for each seat, entry of its log, and line of its chat.
BASE, SEAT, ENTRY, LINE = 16_000, 1_000, 64, 500


def weight(table: Table) -> int:
    """Return about how many bytes a table takes in memory; ``scripts/memory.py`` measures them."""
    return BASE + SEAT * table.options.seats + ENTRY * len(table.game.log) + LINE * len(table.talk)


class Registry:
    """Finds tables by id, and keeps those that were used last.

    ``arrived`` is called with each table that comes to memory.
    """

    def __init__(self, store: Store, runtime: Runtime, workers: Workers, memory: int = MEMORY) -> None:
        self._store = store
        self._runtime = runtime
        self._workers = workers
        self._memory = memory
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._weights: dict[str, int] = {}
        self._weight = 0
        self.presence: dict[str, TablePresence] = {}
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.started = runtime.now()  # clocks ignore time before startup
        self.arrived: Callable[[LiveTable], None] = lambda _live: None

    def __iter__(self) -> Iterator[LiveTable]:
        """Iterate over the tables in memory."""
        return iter(list(self._live.values()))

    def get(self, id: str) -> LiveTable | None:
        """Return a table if it is in memory."""
        return self._live.get(id)

    @property
    def loading(self) -> bool:
        """Whether a table is being loaded or created."""
        return bool(self._loading)

    async def find(self, id: str) -> LiveTable:
        """Return a table, loaded if needed; raise ``NoTable``."""
        live = self._live.get(id)
        if live is None:
            async with self._turn(id):
                live = self._live.get(id) or await self._load(id)
        self._live.move_to_end(id)
        return live

    def _turn(self, id: str) -> asyncio.Lock:
        """Return the lock of a table that comes to memory. A long log must not hold up other tables."""
        return self._loading.setdefault(id, asyncio.Lock())

    async def _load(self, id: str) -> LiveTable:
        stored = _exists(await self._store.load(id) if is_id(id) else None)
        return self._add(await self._restore(stored))

    async def create(self, table: Table, rows: Sequence[EventRow]) -> Table:
        """Store a new table with these rows of its log, and keep it in memory."""
        async with self._turn(table.id):  # otherwise somebody might load it at the same time
            await self._store.create(table.row(), table.players, rows, table.options.data)
            return self._add(table).table

    async def reload(self, live: LiveTable) -> None:
        """Take over what another process has stored. Hold the lock of the table meanwhile."""
        table = live.table
        known = None if table.fault else (table.game, table.rows)
        stored = _exists(await self._store.load(table.id, known[1] if known else 0))
        table.copy_from(await self._restore(stored, known))
        self.weigh(live)

    async def _restore(self, stored: Stored, known: tuple[Game, int] | None = None) -> Table:
        return restore(stored, self.started, await replayed(self._workers, stored, known))

    def _add(self, table: Table) -> LiveTable:
        presence = self.presence.setdefault(table.id, TablePresence(self._runtime.elapsed()))
        live = self._live[table.id] = LiveTable(table, presence)
        self.weigh(live)
        self.arrived(live)
        return live

    def weigh(self, live: LiveTable) -> None:
        """Note how much memory a table takes now; drop others, the least recently used first, if all
        tables take too much."""
        id, now = live.table.id, weight(live.table)
        self._weight += now - self._weights.get(id, 0)
        self._weights[id] = now
        if self._weight > self._memory:
            for other in self:
                if self._weight <= self._memory:
                    break
                if other is not live and not other.needed:
                    self.drop(other.table.id)

    def drop(self, id: str) -> None:
        """Drop a table from memory, and the presence at it unless its timer is running."""
        del self._live[id]
        self._weight -= self._weights.pop(id)
        timer = self.presence[id].timer
        if timer is None or timer.done():
            del self.presence[id]


def _exists(stored: Stored | None) -> Stored:
    if stored is None:
        raise NoTable(_("there is no table with this address: check that the link is complete"))
    return stored
