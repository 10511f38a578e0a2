"""What a server deletes by itself, and how it finds out what the operator has changed beside it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from paddock.core.settings import Settings
from paddock.store import Before, Keeping, Store
from paddock.tables.engine import Engine
from paddock.tables.errors import Elsewhere, NoTable
from paddock.tables.registry import Registry

PIECE = 500  # tables that are asked for at a time


@dataclass(frozen=True)
class Retention:
    """For how long things are kept after the last activity; None: for ever."""

    lobbies: timedelta | None = None  # tables that were never started
    games: timedelta | None = None  # finished and abandoned games
    talk: timedelta | None = None  # chats

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the times in the settings, where 0 means for ever."""
        days = settings.keep_lobbies_days, settings.keep_games_days, settings.keep_talk_days
        return cls(*(timedelta(days=n) or None for n in days))

    def before(self, now: datetime) -> Before:
        """Return the times before which things are deleted."""
        return Before(
            *(None if period is None else now - period for period in (self.lobbies, self.games, self.talk))
        )


class Upkeep:
    """Deletes what is too old, and notices what another process has changed or deleted."""

    def __init__(self, store: Store, registry: Registry, engine: Engine) -> None:
        self.keeping: Keeping = store.part(Keeping)
        self._store = store
        self._registry = registry
        self._engine = engine

    async def purge(self, now: datetime, retention: Retention) -> tuple[int, int]:
        """Delete what is kept no longer; return the number of tables and of chats."""
        if retention == Retention():
            return 0, 0
        me = self._registry.owning.me
        purged = await self.keeping.purge(retention.before(now), me.id if me else None)
        await self.notice()
        return purged

    async def redate(self, begun: datetime, ended: datetime, by: timedelta) -> None:
        """Correct what this server has dated between these times, when its clock was wrong by so much."""
        me = self._registry.owning.me
        await self.keeping.redate(begun, ended, by, me.id if me else None)
        await self.notice()

    async def notice(self) -> None:
        """Forget tables in memory that were deleted, and read those again that were changed."""
        ids = [live.table.id for live in self._registry]
        for start in range(0, len(ids), PIECE):
            piece = ids[start : start + PIECE]
            # What is created or changed while the database is asked has a newer version in memory.
            known = {id: live for id in piece if (live := self._registry.get(id))}
            stored = await self._store.versions(list(known))
            for id, live in known.items():
                if id not in stored:
                    self._registry.remove(live)
                elif stored[id] > live.table.version:
                    with suppress(Elsewhere, NoTable):
                        await self._engine.refresh(live)
