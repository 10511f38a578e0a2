"""The stored tables of a database, beside a server that runs or without one: a list, and a replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

from paddock.core.errors import PaddockError
from paddock.core.i18n import _, pgettext, pmark
from paddock.store import Keeping, KeptTable, Store, current_copy
from paddock.tables.replaying import replayed
from paddock.tables.restore import CLOSED, restore
from paddock.tables.workers import Workers

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


class KeptTables:
    """The stored tables. Open them with ``KeptTables.open``."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.keeping = store.part(Keeping)
        self.workers = Workers()

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str | None = None) -> AsyncIterator[Self]:
        """Open the database at ``url`` (None: the default one), which is not created or migrated.

        Raises ``StoreError`` if there is none with the current schema.
        """
        store = await Store.open(url, migrate=False)
        tables = cls(store)
        try:
            yield tables
        finally:
            await tables.workers.close()
            await store.close()

    @classmethod
    @asynccontextmanager
    async def of_backup(cls, file: Path) -> AsyncIterator[Self]:
        """Open a copy of a backup with the current schema; it is thrown away in the end."""
        async with current_copy(file) as copy, cls.open(f"sqlite:///{copy}") as tables:
            yield tables

    async def all(self) -> list[KeptTable]:
        """Return all tables, the one that was touched last first."""
        return await self.keeping.all()

    async def clock(self) -> datetime | None:
        """Return the date that the database has; None if it has no clock of its own."""
        return await self.keeping.clock()

    async def replay(self) -> AsyncIterator[Again]:
        """Replay the stored log of every table, and compare each position with the one that was stored."""
        for kept in await self.all():
            stored = await self.store.load(kept.row.id)
            if stored is None:  # deleted meanwhile
                continue
            try:
                found = await replayed(self.workers, stored)
                table = restore(stored, found)
            except PaddockError as error:  # such as a title that is not installed
                yield Again(kept, REFUSED, str(error))
                continue
            if table.fault is None or table.fault is CLOSED:
                yield Again(kept, SAME)
            else:
                other = not found.fault and kept.row.revision != table.title.revision
                yield Again(kept, CHANGED if found.changed or other else REFUSED, str(table.fault))


def counted(verdicts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each kind of thing that was replayed, and one for all: (kind, verdict) → counts."""
    every = [(kind, verdict) for kind, verdict in verdicts]
    found = Counter(every) + Counter((pgettext("kept games", "all"), verdict) for _kind, verdict in every)
    words = _("{kind}: {same} same, {changed} changed, {refused} refused")
    for kind in [*sorted({kind for kind, _verdict in every}), pgettext("kept games", "all")]:
        same, changed, refused = (found[kind, verdict] for verdict in (SAME, CHANGED, REFUSED))
        yield words.format(kind=kind, same=same, changed=changed, refused=refused)
