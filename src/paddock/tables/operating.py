"""What the operator of a server does with its tables, beside a server that runs or without one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from paddock import records
from paddock.core.errors import PaddockError
from paddock.core.hashed import hashed
from paddock.core.i18n import _, pgettext, pmark
from paddock.store import Forgotten, Keeping, KeptTable, Store, current_copy
from paddock.tables.errors import NoTable
from paddock.tables.registry import Registry
from paddock.tables.replaying import replayed
from paddock.tables.restore import CLOSED, restore
from paddock.tables.runtime import Runtime
from paddock.tables.table import Table
from paddock.tables.upkeep import Retention
from paddock.tables.workers import Workers

_HASH, _SECRET, _SEAT = (
    re.compile(one) for one in (r"[0-9a-f]{64}", r"[\w-]{43}", r"([\w-]{1,32}):([1-9]\d?)")
)


STATUSES = {  # words for how far a table is
    "lobby": pmark("status of a table", "in the lobby"),
    "running": pmark("status of a table", "running"),
    "finished": pmark("status of a table", "finished"),
    "abandoned": pmark("status of a table", "abandoned"),
    "closed": pmark("status of a table", "closed"),
    "frozen": pmark("status of a table", "frozen"),
}
SAME, CHANGED, REFUSED = (
    pmark("a kept game", "same"),
    pmark("a kept game", "changed"),
    pmark("a kept game", "refused"),
)


@dataclass(frozen=True)
class Again:
    """What became of a table when it was replayed by the rules of this version."""

    kept: KeptTable
    verdict: str  # SAME, CHANGED (the rules lead elsewhere now) or REFUSED (it cannot be read); to translate
    reason: str = ""


class Operator:
    """The stored tables, for their operator. Open them with ``Operator.open``."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.keeping = store.part(Keeping)
        self._workers = Workers()
        self._registry = Registry(store, Runtime(), self._workers)

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str | None = None) -> AsyncIterator[Self]:
        """Open the database at ``url`` (None: the default one), which is not created or migrated.

        Raises ``StoreError`` if there is none with the current schema.
        """
        store = await Store.open(url, migrate=False)
        operator = cls(store)
        try:
            yield operator
        finally:
            await operator._workers.close()
            await store.close()

    @classmethod
    @asynccontextmanager
    async def of_backup(cls, file: Path) -> AsyncIterator[Self]:
        """Open a copy of a backup with the current schema; it is thrown away in the end."""
        async with current_copy(file) as copy, cls.open(f"sqlite:///{copy}") as operator:
            yield operator

    async def all(self) -> list[KeptTable]:
        """Return all tables, the one that was touched last first."""
        return await self.keeping.all()

    async def clock(self) -> datetime | None:
        """Return the date that the database has; None if it has no clock of its own."""
        return await self.keeping.clock()

    async def table(self, id: str) -> Table:
        """Return a table as it is stored; raise ``NoTable``."""
        return await self._registry.peek(id)

    async def replay(self) -> AsyncIterator[Again]:
        """Replay the stored log of every table, and compare each position with the one that was stored."""
        for kept in await self.all():
            stored = await self._store.load(kept.row.id)
            if stored is None:  # deleted meanwhile
                continue
            try:
                found = await replayed(self._workers, stored)
                table = restore(stored, found)
            except PaddockError as error:  # such as a title that is not installed
                yield Again(kept, REFUSED, str(error))
                continue
            if table.fault is None or table.fault is CLOSED:
                yield Again(kept, SAME)
            else:
                other = not found.fault and kept.row.revision != table.title.revision
                yield Again(kept, CHANGED if found.changed or other else REFUSED, str(table.fault))

    async def close(self, id: str, *, closed: bool = True) -> None:
        """Close a table, or open it again: nobody plays on at a closed one. Raises ``NoTable``."""
        if not await self.keeping.close(id, closed=closed):
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
            holder = await self.keeping.holder_at(table.id, int(seat[2]) - 1)
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


def counted(verdicts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each kind of thing that was replayed, and one for all: (kind, verdict) → counts."""
    every = [(kind, verdict) for kind, verdict in verdicts]
    found = Counter(every) + Counter((pgettext("kept games", "all"), verdict) for _kind, verdict in every)
    words = _("{kind}: {same} same, {changed} changed, {refused} refused")
    for kind in [*sorted({kind for kind, _verdict in every}), pgettext("kept games", "all")]:
        same, changed, refused = (found[kind, verdict] for verdict in (SAME, CHANGED, REFUSED))
        yield words.format(kind=kind, same=same, changed=changed, refused=refused)


def no_table(id: str) -> NoTable:
    """Return the error of a table that does not exist."""
    return NoTable(_("there is no table {id}: “paddock admin tables list” shows them").format(id=id[:40]))
