"""A table in memory with what the server keeps beside it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from paddock.kernel.keyed import Keyed
from paddock.tables.table import Table


@dataclass
class TablePresence:
    """Who is at a table, and the timer for its clocks and grace periods.

    It stays in memory while the timer or a clock is running, even if its table does not.
    """

    since: float  # ``Runtime.served`` from which absence is counted
    saved: float = 0.0  # the same, when its running clocks were saved
    streams: dict[str, int] = field(default_factory=dict)  # number of open streams by browser
    seen: dict[str, float] = field(default_factory=dict)  # when each browser was last here
    hidden: set[str] = field(default_factory=set)  # browsers that have looked from a hidden tab since
    timer: asyncio.Task[None] | None = None

    def stays(self, holder: str, served: float, patience: float) -> float:
        """Return for how many seconds a browser still counts as somebody who sees the table.

        A hidden tab looks now and then, for its title only: nobody sees that.
        """
        if holder in self.streams:
            return patience
        if holder in self.hidden or holder not in self.seen:
            return 0.0
        return max(0.0, patience - (served - self.seen[holder]))

    def away(self, holder: str | None, served: float) -> float:
        """Return the seconds since the browser was last here, or since the table was loaded."""
        if holder is None or holder in self.streams:
            return 0.0
        return served - self.seen.get(holder, self.since)

    def knows(self, holder: str | None) -> bool:
        """Whether the browser was here since the server started."""
        return holder in self.streams or holder in self.seen


@dataclass
class LiveTable:
    """A table in memory with its lock, watchers, presence and bot task."""

    table: Table
    presence: TablePresence
    owner: str | None = None  # the id of this server when it took the table; None: there are no others
    lost: bool = False  # whether other servers may have it
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    commands: int = 0  # that run or wait for the lock
    watchers: dict[asyncio.Event, str | None] = field(default_factory=dict)  # event -> browser
    bots: asyncio.Task[None] | None = None  # see ``autoplay.py``
    cards: Keyed | None = None  # its chance, if they are fair and the game has begun
    doubt: asyncio.Task[None] | None = None  # looks whether a change was stored, see ``engine.py``

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What was started for the table."""
        return [task for task in (self.bots, self.doubt) if task]

    @property
    def needed(self) -> bool:
        """Whether the table must stay in memory."""
        busy = not all(task.done() for task in self.tasks)
        return bool(self.watchers or self.presence.streams or busy or self.commands)

    def stop(self) -> None:
        """Cancel the tasks of the table."""
        for task in self.tasks:
            task.cancel()

    def turn(self) -> TableLock:
        """Hold the lock of the table, and keep it in memory meanwhile."""
        return TableLock(self)


class TableLock:
    """Holds the lock of a table."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live

    async def __aenter__(self) -> None:
        self._live.commands += 1
        try:
            await self._live.lock.acquire()
        except BaseException:
            self._live.commands -= 1
            raise

    async def __aexit__(self, *_error: object) -> None:
        self._live.lock.release()
        self._live.commands -= 1
