"""Who is here. A bot stands in for a person who is away or out of time, and hands back at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from paddock.core.i18n import _
from paddock.tables import clock
from paddock.tables.errors import Frozen, NoTable
from paddock.tables.table import Player

if TYPE_CHECKING:
    from paddock.tables.service import LiveTable, Tables

log = logging.getLogger("paddock.tables")
HERE = 60.0  # seconds after its last request that a browser without a stream is still here, without a grace
AGAIN = 60.0  # seconds after which a look that failed is tried again


@dataclass
class Attendance:
    """Who is at a table, and when something may be due there.

    Small: while something will be due it stays in memory, also where its table does not.
    """

    since: float  # ``World.elapsed`` from when on absence counts
    streams: dict[str, int] = field(default_factory=dict)  # open ones of each browser
    seen: dict[str, float] = field(default_factory=dict)  # when a browser was last here
    timer: asyncio.Task[None] | None = None


class Presence:
    """Which browsers are at which tables, and what follows when they go or their time runs out."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._attendances: dict[str, Attendance] = {}

    def attendance(self, id: str) -> Attendance:
        """Who is at the table; a new one counts absence from now on."""
        return self._attendances.setdefault(id, Attendance(self._tables.world.elapsed()))

    def forget(self, id: str) -> None:
        """The table leaves the memory; who was there is forgotten unless something will be due."""
        timer = self._attendances[id].timer
        if timer is None or timer.done():
            del self._attendances[id]

    # Who is here

    @asynccontextmanager
    async def arrive(self, id: str, holder: str | None) -> AsyncIterator[None]:
        """While this lasts, an open stream for one, the browser is at the table. Raises ``NoTable``."""
        live = await self._tables._find(id)
        if holder is None:
            yield
            return
        live.attendance.streams[holder] = live.attendance.streams.get(holder, 0) + 1
        try:
            await self._back(live, holder)
            yield
        finally:
            live.attendance.streams[holder] -= 1
            if not live.attendance.streams[holder]:
                del live.attendance.streams[holder]
            live.attendance.seen[holder] = self._tables.world.elapsed()
            self.poke(live)

    async def seen(self, id: str, holder: str | None) -> None:
        """A request of this browser at the table: it is here. Raises ``NoTable``."""
        live = await self._tables._find(id)
        if holder is not None and live.table.players_of(holder):
            live.attendance.seen[holder] = self._tables.world.elapsed()
            await self._back(live, holder)

    async def here(self, id: str, player: int) -> bool:
        """Whether the person who plays is at the table. Raises ``NoTable``."""
        live = await self._tables._find(id)
        return self._here(live, live.table.players[player])

    def _away(self, live: LiveTable, holder: str | None) -> float:
        """Seconds since the browser was last here; none has been away for longer than the table is known."""
        if holder is None or holder in live.attendance.streams:
            return 0.0
        return self._tables.world.elapsed() - live.attendance.seen.get(holder, live.attendance.since)

    def _here(self, live: LiveTable, who: Player) -> bool:
        """Known to be here: nobody is, after a restart, before a first request."""
        known = who.holder in live.attendance.streams or who.holder in live.attendance.seen
        return who.person and known and self._away(live, who.holder) < (live.table.grace or HERE)

    # Standing in

    async def _back(self, live: LiveTable, holder: str) -> None:
        """Give back what a bot plays for this browser."""
        if any(p.stand_in and p.holder == holder for p in live.table.players):
            with suppress(Frozen):
                await self._tables._finish(self._settle(live))
        else:
            self.poke(live)

    async def _settle(self, live: LiveTable) -> None:
        """Write the running clocks down, let bots stand in where they must and hand back where they can."""
        tables, changed = self._tables, False
        async with tables._writing(live) as (table, writing):
            if not table.running:
                return
            now = tables.world.now()
            banks = clock.charged(table, now)
            rest = {p.index: banks.get(p.index, p.bank_ms) for p in table.players}
            stand = {p.index: self._stands_in(live, p, rest[p.index]) for p in table.players}
            for p in table.players:
                if stand[p.index] == p.stand_in and p.index not in banks:
                    continue
                await writing.player(p.index, bank_ms=rest[p.index], stand_in=stand[p.index])
                if stand[p.index] != p.stand_in:
                    changed = True
                    await writing.say(now, None, "table", _sentence(p, rest[p.index]))
            if table.clock:
                await writing.change(opened_at=now)
        if table.clock:
            table.opened_at = now
        for p in table.players:
            p.bank_ms, p.stand_in = rest[p.index], stand[p.index]
        if changed:
            tables._wake(live)
        tables._poke(live)

    def _stands_in(self, live: LiveTable, who: Player, rest: int | None) -> bool:
        """Whether a bot plays for this player from now on."""
        if not who.person:
            return False
        if who.stand_in:
            return not self.returns(live, who, rest)
        if who.index not in live.table.awaited():
            return False
        return rest == 0 or bool(live.table.grace and self._away(live, who.holder) >= live.table.grace)

    def returns(self, live: LiveTable, who: Player, rest: int | None) -> bool:
        """Whether a player for whom a bot stands in takes over again: here, and with time left."""
        return self._here(live, who) and rest != 0

    # Time passes

    def poke(self, live: LiveTable) -> None:
        """Look after the table when the next clock runs out, or the next grace period ends."""
        attendance, id = live.attendance, live.table.id
        if attendance.timer and attendance.timer is not asyncio.current_task():
            attendance.timer.cancel()
        attendance.timer = None
        if self._tables._moving and (seconds := self._due(live)) is not None:
            attendance.timer = asyncio.create_task(self._look(id, seconds), name=f"clocks of {id}")

    def _due(self, live: LiveTable) -> float | None:
        """Seconds until something may be due; None where nothing will be by itself."""
        table, now = live.table, self._tables.world.now()
        if not table.running:
            return None
        due = []
        if running := clock.charged(table, now):
            assert table.opened_at is not None
            since = (now - table.opened_at) / timedelta(seconds=1)
            due += [rest / 1000 for rest in running.values()] + [clock.rhythm(table) - since]
        if table.grace:
            due += [table.grace - self._away(live, table.players[p].holder) for p in _leaving(live)]
        return max(0.0, min(due)) if due else None

    async def _look(self, id: str, seconds: float) -> None:
        """After so much time settle what is due, which also looks ahead again."""
        tables = self._tables
        while True:
            try:
                await tables.world.sleep(seconds)
                if live := tables._live.get(id):
                    await tables._finish(self._settle(live))
                else:
                    await tables._find(id)  # which looks at once at what is due
                return
            except (Frozen, NoTable):
                return
            except Exception:
                log.exception("the clocks of table %s stand still, and are looked at again", id)
                seconds = AGAIN

    async def stop(self) -> None:
        """Nothing is due any more."""
        timers = [attendance.timer for attendance in self._attendances.values() if attendance.timer]
        for timer in timers:
            timer.cancel()
        await asyncio.gather(*timers, return_exceptions=True)

    async def write_down(self, live: LiveTable) -> None:
        """The server stops: keep what is left on the clocks."""
        if clock.charged(live.table, self._tables.world.now()):
            with suppress(Frozen):
                await self._tables._finish(self._settle(live))


def _leaving(live: LiveTable) -> list[int]:
    """The awaited persons whose browser has no stream open, and whom no bot plays for yet."""
    players = live.table.players
    return [
        p
        for p in live.table.awaited()
        if players[p].person and not players[p].stand_in and players[p].holder not in live.attendance.streams
    ]


def _sentence(who: Player, rest: int | None) -> str:
    """What the table says when a bot begins (``who`` is as before) or ceases to stand in."""
    if who.stand_in:
        return _("{name} is back.").format(name=who.name)
    if rest == 0:
        return _("{name} is out of time: a bot plays on.").format(name=who.name)
    return _("{name} is away: a bot plays on until they are back.").format(name=who.name)
