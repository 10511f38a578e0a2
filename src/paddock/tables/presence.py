"""Presence: a bot stands in for a person who is away or out of time, until they return."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from paddock.core.i18n import Sentence
from paddock.tables import clock
from paddock.tables.errors import Frozen, NoTable
from paddock.tables.live import LiveTable, TablePresence
from paddock.tables.table import Player
from paddock.tables.talk import announce
from paddock.tables.tasks import background

if TYPE_CHECKING:
    from paddock.tables.service import Tables

log = logging.getLogger("paddock.tables")
HERE = 60.0  # seconds; presence timeout when no grace is set
AGAIN = 60.0  # seconds before a failed check is retried


class Presence:
    """Tracks which browsers are at which tables, and acts when people leave or run out of time."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._at: dict[str, TablePresence] = {}

    def of(self, id: str) -> TablePresence:
        """Return who is at a table; create an empty entry if there is none."""
        return self._at.setdefault(id, TablePresence(self._tables.runtime.elapsed()))

    def forget(self, id: str) -> None:
        """Drop the entry of a table that leaves memory, unless its timer is running."""
        timer = self._at[id].timer
        if timer is None or timer.done():
            del self._at[id]

    # Who is here

    @asynccontextmanager
    async def arrive(self, id: str, holder: str | None) -> AsyncIterator[None]:
        """Count the browser as present within this context, such as an open stream. Raises ``NoTable``."""
        live = await self._tables._find(id)
        if holder is None:
            yield
            return
        live.presence.streams[holder] = live.presence.streams.get(holder, 0) + 1
        try:
            await self._back(live, holder)
            yield
        finally:
            live.presence.streams[holder] -= 1
            if not live.presence.streams[holder]:
                del live.presence.streams[holder]
            live.presence.seen[holder] = self._tables.runtime.elapsed()
            self.poke(live)

    async def seen(self, id: str, holder: str | None) -> None:
        """Note that the browser made a request at the table. Raises ``NoTable``."""
        live = await self._tables._find(id)
        if holder is not None and live.table.players_of(holder):
            live.presence.seen[holder] = self._tables.runtime.elapsed()
            await self._back(live, holder)

    async def here(self, id: str, player: int) -> bool:
        """Whether the player is present at the table. Raises ``NoTable``."""
        live = await self._tables._find(id)
        return self._here(live, live.table.players[player])

    def _away(self, live: LiveTable, holder: str | None) -> float:
        """Return the seconds since the browser was last here, or since the table was loaded."""
        if holder is None or holder in live.presence.streams:
            return 0.0
        return self._tables.runtime.elapsed() - live.presence.seen.get(holder, live.presence.since)

    def _here(self, live: LiveTable, who: Player) -> bool:
        """Whether the player is present. After a restart nobody is until their first request."""
        known = who.holder in live.presence.streams or who.holder in live.presence.seen
        return who.person and known and self._away(live, who.holder) < (live.table.grace or HERE)

    # Standing in

    async def _back(self, live: LiveTable, holder: str) -> None:
        """Take over again from the bots that stand in for this browser."""
        if any(p.stand_in and p.holder == holder for p in live.table.players):
            with suppress(Frozen):
                await self._tables._finish(self._settle(live))
        else:
            self.poke(live)

    async def _settle(self, live: LiveTable) -> None:
        """Save the running clocks, and decide for each player whether a bot stands in."""
        tables, changed = self._tables, False
        async with tables._writing(live) as (table, writing):
            if not table.running:
                return
            now = tables.runtime.now()
            banks = clock.charged(table, now)
            rest = {p.index: banks.get(p.index, p.bank_ms) for p in table.players}
            stand = {p.index: self._stands_in(live, p, rest[p.index]) for p in table.players}
            for p in table.players:
                if stand[p.index] == p.stand_in and p.index not in banks:
                    continue
                await writing.player(p.index, bank_ms=rest[p.index], stand_in=stand[p.index])
                if stand[p.index] != p.stand_in:
                    changed = True
                    await announce(writing, now, _sentence(p, rest[p.index]))
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
        """Whether a bot must stand in for the player now."""
        if not who.person:
            return False
        if who.stand_in:
            return not self.returns(live, who, rest)
        if who.index not in live.table.awaited():
            return False
        return rest == 0 or bool(live.table.grace and self._away(live, who.holder) >= live.table.grace)

    def returns(self, live: LiveTable, who: Player, rest: int | None) -> bool:
        """Whether a player takes over from the bot: present, and with time left."""
        return self._here(live, who) and rest != 0

    # Timers

    def poke(self, live: LiveTable) -> None:
        """Set the timer to when the next clock runs out or the next grace period ends."""
        presence, id = live.presence, live.table.id
        if presence.timer and presence.timer is not asyncio.current_task():
            presence.timer.cancel()
        presence.timer = None
        if self._tables._moving and (seconds := self._due(live)) is not None:
            presence.timer = background(self._look(id, seconds), f"clocks of {id}")

    def _due(self, live: LiveTable) -> float | None:
        """Return the seconds until the next timeout; None if there is none."""
        table, now = live.table, self._tables.runtime.now()
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
        """Sleep, then settle the table, which also sets the next timer."""
        tables = self._tables
        while True:
            try:
                await tables.runtime.sleep(seconds)
                if live := tables._live.get(id):
                    await tables._finish(self._settle(live))
                else:
                    await tables._find(id)  # loading a table settles what is due
                return
            except (Frozen, NoTable):
                return
            except Exception:
                log.exception("the clocks of table %s failed; retrying in %s seconds", id, AGAIN)
                seconds = AGAIN

    async def stop(self) -> None:
        """Cancel all timers."""
        timers = [presence.timer for presence in self._at.values() if presence.timer]
        for timer in timers:
            timer.cancel()
        await asyncio.gather(*timers, return_exceptions=True)

    async def write_down(self, live: LiveTable) -> None:
        """Save the running clocks before the server stops."""
        if clock.charged(live.table, self._tables.runtime.now()):
            with suppress(Frozen):
                await self._tables._finish(self._settle(live))


def _leaving(live: LiveTable) -> list[int]:
    """Return the people who must decide, have no stream open, and have no bot standing in."""
    players = live.table.players
    return [
        p
        for p in live.table.awaited()
        if players[p].person and not players[p].stand_in and players[p].holder not in live.presence.streams
    ]


def _sentence(who: Player, rest: int | None) -> Sentence:
    """Return the table's line for a bot that starts or stops standing in; ``who`` is not updated yet."""
    if who.stand_in:
        return Sentence("{name} is back.", name=who.name)
    if rest == 0:
        return Sentence("{name} is out of time: a bot plays on.", name=who.name)
    return Sentence("{name} is away: a bot plays until they are back.", name=who.name)
