"""The follower that notes who is at which table, and acts when people leave or run out of time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from paddock.store import Unavailable
from paddock.tables import clock
from paddock.tables.engine import Engine
from paddock.tables.errors import Elsewhere, Frozen, NoTable
from paddock.tables.live import LiveTable
from paddock.tables.presence import due, here, settle, timed
from paddock.tables.registry import Registry
from paddock.tables.runtime import Runtime
from paddock.tables.tasks import background, end

log = logging.getLogger("paddock.tables")
AGAIN = 5.0  # seconds before a check is retried after the database did not answer
GAP = 0.01  # seconds between two tables whose clocks are saved again
FAILED = 60.0  # seconds before a check is retried after another error


class Timers:
    """Sets a timer for each table with a clock or grace period, once ``moving`` is set."""

    def __init__(self, engine: Engine, registry: Registry, runtime: Runtime) -> None:
        self._engine = engine
        self._registry = registry
        self._runtime = runtime
        self.moving = False

    # Who is here

    @asynccontextmanager
    async def arrive(self, id: str, holder: str | None) -> AsyncIterator[None]:
        """Count the browser as present within this context, such as an open stream. Raises ``NoTable``."""
        live = await self._registry.find(id)
        if holder is None:
            yield
            return
        streams = live.presence.streams
        streams[holder] = streams.get(holder, 0) + 1
        try:
            await self._back(live, holder)
            yield
        finally:
            streams[holder] -= 1
            if not streams[holder]:
                del streams[holder]
            if live.table.players_of(holder):  # there may be any number of spectators
                live.presence.seen[holder] = self._runtime.served()
            self.set(live)

    async def seen(self, id: str, holder: str | None, *, hidden: bool = False) -> None:
        """Note that the browser made a request at the table, from a hidden tab or not. Raises ``NoTable``."""
        live = await self._registry.find(id)
        if holder is not None and live.table.players_of(holder):
            live.presence.seen[holder] = self._runtime.served()
            (live.presence.hidden.add if hidden else live.presence.hidden.discard)(holder)
            await self._back(live, holder)

    async def here(self, id: str, player: int) -> bool:
        """Whether the player is present at the table. Raises ``NoTable``."""
        live = await self._registry.find(id)
        return here(live.table, self._engine.context(live), live.table.players[player])

    async def _back(self, live: LiveTable, holder: str) -> None:
        """Take over again from the bots that stand in for this browser."""
        if any(p.stand_in and p.holder == holder for p in live.table.players):
            with suppress(Frozen):
                await self._engine.run_live(live, settle)
        else:
            self.set(live)

    # Timers

    def changed(self, live: LiveTable, audience: str) -> None:
        """Set the timer of a table again."""
        self.set(live)

    def set(self, live: LiveTable) -> None:
        """Set the timer to when the next clock runs out or the next grace period ends."""
        presence, id = live.presence, live.table.id
        if presence.timer and presence.timer is not asyncio.current_task():
            presence.timer.cancel()
        presence.timer = None
        if not self.moving or not timed(live.table):
            return
        if (seconds := due(live.table, self._engine.context(live))) is not None:
            presence.timer = background(self._look(id, seconds), f"clocks of {id}")

    def again(self) -> None:
        """Save all running clocks soon, one after the other: their ends have other dates now."""
        for n, (id, presence) in enumerate(self._registry.presence.items()):
            if self.moving and presence.timer and not presence.timer.done():
                presence.timer.cancel()
                presence.timer = background(self._look(id, n * GAP), f"clocks of {id}")

    async def _look(self, id: str, seconds: float) -> None:
        """Sleep, then settle the table, which also sets the next timer."""
        while True:
            try:
                await self._runtime.sleep(seconds)
                # Not by ``find``: a table that nobody uses must not look used.
                live = self._registry.get(id) or await self._registry.find(id)
                await self._engine.run_live(live, settle)
                if live.presence.timer is asyncio.current_task():
                    self.set(live)
                return
            except (Frozen, NoTable, Elsewhere):
                return
            except Unavailable:
                seconds = AGAIN
            except Exception:
                log.exception("the clocks of table %s failed; retrying in %s seconds", id, FAILED)
                seconds = FAILED

    async def stop(self) -> None:
        """Cancel all timers, and save the running clocks of the tables in memory."""
        self.moving = False  # before all else: a change that is being stored must not set another timer
        await end(presence.timer for presence in self._registry.presence.values())
        ticking = [live for live in self._registry if clock.charged(live.table, 0)]
        await asyncio.gather(
            *(self._engine.run_live(live, settle) for live in ticking), return_exceptions=True
        )
