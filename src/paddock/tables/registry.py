"""The tables in memory: found, loaded, and dropped when they take too much of it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.store import EventRow, Store, Stored
from paddock.tables.clock import charged
from paddock.tables.errors import Elsewhere, NoTable
from paddock.tables.live import LiveTable, TablePresence
from paddock.tables.make import is_id
from paddock.tables.owning import Alone, Owning
from paddock.tables.replaying import replayed
from paddock.tables.restore import restore
from paddock.tables.runtime import Runtime
from paddock.tables.table import Table
from paddock.tables.turns import begun
from paddock.tables.workers import Workers

Also = Callable[[Connection], None]
MEMORY = 256 << 20  # bytes for tables in memory; tables that are needed stay even if they take more
RESTING = MEMORY // 32  # bytes of it for tables where nothing happens any more, such as finished games
# The bytes that a table takes: by itself, for each seat, entry of its log, and line of its chat.
BASE, SEAT, ENTRY, LINE = 16_000, 1_000, 64, 500


def weight(table: Table) -> int:
    """Return about how many bytes a table takes in memory; ``scripts/memory.py`` measures them."""
    return BASE + SEAT * table.options.seats + ENTRY * len(table.game.log) + LINE * len(table.talk)


class Registry:
    """Finds tables by id, and keeps those that were used last.

    Only tables that this server has are here. ``arrived`` is called with each that comes to memory, ``left``
    with the ids of those that are dropped because all take too much.
    """

    def __init__(
        self,
        store: Store,
        runtime: Runtime,
        workers: Workers,
        memory: int = MEMORY,
        owning: Owning | None = None,
    ) -> None:
        self._store = store
        self.owning: Owning = owning or Alone()
        self._runtime = runtime
        self._workers = workers
        self._memory = memory
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._weights: dict[str, int] = {}
        self._weight = 0
        self._resting: OrderedDict[str, int] = OrderedDict()  # weights
        self.presence: dict[str, TablePresence] = {}
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._started = runtime.served()  # clocks ignore time before startup
        self.arrived: Callable[[LiveTable], None] = lambda _live: None
        self.left: Callable[[set[str]], None] = lambda _ids: None

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
        """Return a table, loaded if needed; raise ``NoTable`` and ``Elsewhere``."""
        if not self.owning.valid:
            await self.owning.sure()
        live = self._live.get(id)
        if live is None:
            async with self._turn(id):
                live = self._live.get(id) or await self._load(id)
        self._live.move_to_end(id)
        if id in self._resting:
            self._resting.move_to_end(id)
        return live

    def _turn(self, id: str) -> asyncio.Lock:
        """Return the lock of a table that comes to memory. A long log must not hold up other tables."""
        return self._loading.setdefault(id, asyncio.Lock())

    async def _load(self, id: str) -> LiveTable:
        """Take a table for this server, and bring it to memory."""
        if not is_id(id):
            raise _no_table()
        while True:
            await self.owning.sure()
            me = self.owning.me
            taken = await self.owning.take(id)
            stored = await self._read(id)
            # Clocks ignore time before it was taken, too.
            since = self._runtime.served() if taken else self._started
            table = await self._restore(stored)
            if self.owning.me is me:  # otherwise others may have changed it meanwhile
                return self._add(table, since)

    async def peek(self, id: str, known: Table | None = None) -> Table:
        """Return a table as it is stored now, whoever has it: to look at, not to change.

        Of one that is ``known`` as it was, only what is new is read and played. Raises ``NoTable``.
        """
        game = (known.game, known.rows) if known and not known.fault else None
        return await self._restore(await self._read(id, game[1] if game else 0), game)

    async def _read(self, id: str, start: int = 0) -> Stored:
        stored = await self._store.load(id, start)
        if stored is None:
            raise _no_table()
        return stored

    async def create(self, table: Table, rows: Sequence[EventRow], also: Also | None = None) -> Table:
        """Store a new table with these rows of its log, and keep it in memory.

        ``also`` is that of ``Store.create``.
        """
        async with self._turn(table.id):  # otherwise somebody might load it at the same time
            await self.owning.sure()
            me = self.owning.me
            owner = me.id if me else None
            table.callers = await self._store.create(
                table.row(), table.players, rows, table.options.data, owner, also, begun(table)
            )
            live = self._add(table, self._started) if self.owning.me is me else await self._load(table.id)
            return live.table

    async def reload(self, live: LiveTable) -> None:
        """Take over what another process has stored. Hold the lock of the table meanwhile.

        Raises ``Elsewhere`` if this server has lost the table.
        """
        table, presence = live.table, live.presence
        check(live)
        if await self.owning.take(table.id):
            presence.saved = self._runtime.served()
        check(live)
        restored = await self.peek(table.id, table)
        if restored.opened_at != table.opened_at:
            presence.saved = self._saved(restored, presence.saved)
        table.copy_from(restored)
        self.weigh(live)

    async def _restore(self, stored: Stored, known: tuple[Game, int] | None = None) -> Table:
        return restore(stored, await replayed(self._workers, stored, known))

    def _saved(self, table: Table, since: float) -> float:
        """Return when the clocks of a table were saved, by its date, in the seconds that the server has run.

        Not before ``since``: the clock of the machine may have been set, and clocks ignore time before that.
        """
        served = self._runtime.served()
        ago = (self._runtime.now() - table.opened_at).total_seconds() if table.opened_at else 0.0
        return max(since, served - max(0.0, ago))

    def _add(self, table: Table, since: float) -> LiveTable:
        """Keep a table in memory, whose clocks run since then, or since they were saved."""
        presence = self.presence.get(table.id)
        if presence is None:
            presence = TablePresence(self._runtime.served(), self._saved(table, since))
            self.presence[table.id] = presence
        me = self.owning.me
        live = self._live[table.id] = LiveTable(table, presence, me.id if me else None)
        self.weigh(live)
        self.arrived(live)
        return live

    def weigh(self, live: LiveTable) -> None:
        """Note how much memory a table takes now; drop others, the least recently used first, if all
        tables take too much, or those where nothing happens any more."""
        if live.lost:
            return
        id, weight_now = live.table.id, weight(live.table)
        self._weight += weight_now - self._weights.get(id, 0)
        self._weights[id] = weight_now
        if live.table.phase == "play" and not live.table.running:
            self._resting[id] = weight_now
            self._shrink(self._resting, lambda: sum(self._resting.values()) > RESTING, live)
        else:
            self._resting.pop(id, None)
        self._shrink(self._live, lambda: self._weight > self._memory, live)

    def _shrink(self, ids: Iterable[str], full: Callable[[], bool], live: LiveTable) -> None:
        """Drop tables but this one, in this order, as long as they take too much."""
        if not full():
            return
        dropped = set[str]()
        for id in list(ids):
            oldest = self._live[id]
            if oldest is not live and not oldest.needed:
                self.drop(id)
                dropped.add(id)
                if not full():
                    break
        if dropped:
            self.left(dropped)

    def drop(self, id: str) -> None:
        """Drop a table from memory, and the presence at it unless its timer or a clock is running."""
        table = self._live.pop(id).table
        self._weight -= self._weights.pop(id)
        self._resting.pop(id, None)
        timer = self.presence[id].timer
        if (timer is None or timer.done()) and not charged(table, 0):
            del self.presence[id]

    def remove(self, live: LiveTable) -> None:
        """Forget a table that was deleted, and wake those who watch it: nobody finds it any more."""
        id = live.table.id
        if self._live.get(id) is not live:
            return
        live.lost = True
        live.stop()
        if live.presence.timer:
            live.presence.timer.cancel()
        self.drop(id)
        self.presence.pop(id, None)
        for bell in list(live.watchers):
            bell.set()

    def forget(self) -> None:
        """Forget all tables: other servers may have them."""
        for live in self:
            live.lost = True
            live.stop()
        for presence in self.presence.values():
            if presence.timer:
                presence.timer.cancel()
        self._live.clear()
        self._weights.clear()
        self._weight = 0
        self._resting.clear()
        self.presence.clear()


def check(live: LiveTable) -> None:
    """Raise ``Elsewhere`` if this server has lost a table that it had."""
    if live.lost:
        raise Elsewhere()


def _no_table() -> NoTable:
    return NoTable(_("there is no table with this address: check that the link is complete"))
