"""How many people watch a table without playing at it.

Each server counts at the tables that it has: the browsers with an open page. Where there are several servers,
each notes its numbers for the others, for the tables that the home page lists alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from paddock.features.watching.store import WatchingStore
from paddock.tables.audience import Audience
from paddock.tables.live import LiveTable
from paddock.tables.service import Tables
from paddock.tables.table import Table
from paddock.web.caches import Once
from paddock.web.streams import News

EVERY = 10.0  # seconds between two looks
AGAIN = 30.0  # seconds after which a number is noted again, else others forget it
KEPT = timedelta(seconds=90)  # for how long a noted number counts
LOOK = 1.0  # seconds between two looks at the live tables
BOARDS = 12  # of live tables on the page «Watch»
NEWS = 16  # that pages with other boards get: most have the same ones


def watchers(live: LiveTable) -> int:
    """Return how many watch a table: browsers, and open pages of browsers without a cookie."""
    players = {player.holder for player in live.table.players}
    holders = [holder for holder in live.watchers.values() if holder not in players or holder is None]
    return len({holder for holder in holders if holder}) + holders.count(None)


class Wall:
    """Finds the live tables for the page «Watch», at most once a second for all who have it open.

    ``news`` is what they are told of their boards.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._looked: Once[list[Table]] = Once(1)
        self.news: Once[News] = Once(NEWS)

    async def live(self) -> list[Table]:
        """Return the live tables, the newest first, as they were found at most a second ago."""
        second = int(self._tables.runtime.elapsed() / LOOK)
        return live(await self._looked.get(second, self._tables.listed))


def live(listed: Sequence[Table]) -> list[Table]:
    """Return those of the listed tables that have a board on the page."""
    return [table for table in listed if table.running and not table.kind.seal][:BOARDS]


class Watching(Audience):
    """Counts those who watch."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(WatchingStore)
        self._registry = tables.registry
        self._runtime = tables.runtime
        self._noted: dict[str, int] = {}
        self._at: float | None = None  # ``Runtime.elapsed`` when everything was noted
        self.wall = Wall(tables)
        tables.audience = self
        if tables.owning.shared:
            tables.tended.append(self)

    @property
    def rest(self) -> float:
        """The seconds until ``tend`` is due."""
        return EVERY

    async def of(self, tables: Iterable[Table]) -> dict[str, int]:
        """Return how many watch each of these tables."""
        lives = {table.id: self._registry.get(table.id) for table in tables}
        found = {id: watchers(live) for id, live in lives.items() if live}
        others = [id for id, live in lives.items() if live is None]
        if others and self._registry.owning.shared:
            found |= await self._store.of(others, self._runtime.now() - KEPT)
        return found

    async def tend(self) -> None:
        """Note for other servers what has changed since the last time, or everything after ``AGAIN``."""
        now, elapsed = self._runtime.now(), self._runtime.elapsed()
        all = {
            live.table.id: count
            for live in self._registry
            if live.table.terms.listed and live.table.running and (count := watchers(live))
        }
        gone = dict.fromkeys(self._noted.keys() - all.keys(), 0)
        new = {id: count for id, count in all.items() if self._noted.get(id) != count} | gone
        if self._at is None or elapsed - self._at >= AGAIN:
            new, self._at = all | gone, elapsed
        if new:
            await self._store.note(new, now)
        self._noted = all
