"""What the operator of a server does with its tables, beside a server that runs or without one."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from paddock import records
from paddock.core.errors import PaddockError
from paddock.core.hashed import hashed
from paddock.core.i18n import _
from paddock.features.operating.store import OperatingStore
from paddock.store import Forgotten, Store
from paddock.tables.errors import NoTable
from paddock.tables.kept import KeptTables
from paddock.tables.registry import Registry
from paddock.tables.runtime import Runtime
from paddock.tables.table import Table
from paddock.tables.upkeep import Retention

_HASH, _SECRET, _SEAT = (
    re.compile(pattern) for pattern in (r"[0-9a-f]{64}", r"[\w-]{43}", r"([\w-]{1,32}):([1-9]\d?)")
)


class Operator(KeptTables):
    """The stored tables, for their operator. Open them with ``Operator.open``."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._operating = store.part(OperatingStore)
        self._registry = Registry(store, Runtime(), self.workers)

    async def table(self, id: str) -> Table:
        """Return a table as it is stored; raise ``NoTable``."""
        return await self._registry.peek(id)

    async def close(self, id: str, *, closed: bool = True) -> None:
        """Close a table, or open it again: nobody plays on at a closed one. Raises ``NoTable``."""
        if not await self._operating.close(id, closed=closed):
            raise no_table(id)

    async def delete(self, id: str) -> None:
        """Delete a table and everything that belongs to it; raise ``NoTable``."""
        if not await self.keeping.delete(id):
            raise no_table(id)

    async def record(self, id: str, *, whole: bool = False) -> str:
        """Return the record of a table. Of a running game it has what spectators know, unless ``whole``."""
        table = await self.table(id)
        players = [(player.name or "?", player.bot) for player in table.players]
        eyes = None if whole or table.fully_visible else 0
        return records.write(table.game, date=table.date, players=players, eyes=eyes)

    async def forget(self, who: str) -> Forgotten:
        """Delete everything about a browser: TABLE:PLAYER, its secret, or the SHA-256 of it.

        Raises ``PaddockError`` if that is none of these.
        """
        return await self.keeping.forget(await self._holder(who))

    async def _holder(self, who: str) -> str:
        if seat := _SEAT.fullmatch(who):
            table = await self.table(seat[1])
            holder = await self._operating.holder_at(table.id, int(seat[2]) - 1)
            if holder is None:
                raise PaddockError(_("no browser has player {n} of table {id}").format(n=seat[2], id=seat[1]))
            return holder
        if _HASH.fullmatch(who):
            return who
        if _SECRET.fullmatch(who):
            return hashed(who)
        raise PaddockError(
            _("write TABLE:PLAYER, such as abcdefgh12345678:2, or the value of the browser's cookie")
        )

    async def purge(self, retention: Retention) -> tuple[int, int]:
        """Delete what is kept no longer; return the number of tables and of chats."""
        return await self.keeping.purge(retention.before(datetime.now(UTC)))


def no_table(id: str) -> NoTable:
    """Return the error of a table that does not exist."""
    return NoTable(_("there is no table {id}: “paddock admin tables list” shows them").format(id=id[:40]))
