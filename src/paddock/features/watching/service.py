"""How many people watch a table without playing at it, and which public games have a board.

Each server counts at the tables that it has: the browsers with an open page. Where there are several servers,
each notes its numbers for the others, for the tables that the home page lists alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

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
CALM = timedelta(minutes=1)  # without a move until a game gives its board to another one
DRAWN = 4 * BOARDS  # boards that are kept, as they were drawn in several languages
NEWS = 16  # that pages with other boards get: most have the same ones


def watchers(live: LiveTable) -> int:
    """Return how many watch a table: browsers, and open pages of browsers without a cookie."""
    players = {player.holder for player in live.table.players}
    holders = [holder for holder in live.watchers.values() if holder not in players or holder is None]
    return len({holder for holder in holders if holder}) + holders.count(None)


class Wall:
    """Finds the live tables for the page «Watch», at most once a second for all who have it open.

    ``boards`` are what is drawn of them, and ``news`` what pages are told of their boards.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store.part(WatchingStore)
        self._looked: Once[list[Table]] = Once(1)
        self._shown: list[str] = []  # ids of the tables with a board
        self._touched: Mapping[str, datetime] = {}  # all public games that go on
        # When those were touched that cannot be shown: until then they do not take the place of others
        self._unfit: dict[str, datetime | None] = {}
        self.boards: Once[Any] = Once(DRAWN)
        self.news: Once[News] = Once(NEWS)

    async def live(self) -> list[Table]:
        """Return the live tables with a board, as they were found at most a second ago."""
        second = int(self._tables.runtime.elapsed() / LOOK)
        return await self._looked.get(second, self._look)

    async def _look(self) -> list[Table]:
        """Find them. Only they are loaded."""
        self._touched = touched = await self._store.live()
        self._unfit = {id: at for id, at in self._unfit.items() if id in touched and touched[id] == at}
        fit = {id: at for id, at in touched.items() if id not in self._unfit}
        ids = chosen(self._shown, fit, self._tables.runtime.now())
        loaded = await self._tables.glances.at(ids, some=True)  # without those that are busy just now
        for table in loaded:
            if not fits(table):
                self.leave_out(table.id)
        tables = [table for table in loaded if fits(table)]
        self._shown = [table.id for table in tables]
        return tables

    def leave_out(self, id: str) -> None:
        """Give a table no board until something happens at it: its board cannot be made."""
        self._unfit[id] = self._touched.get(id)

    async def over(self, ids: Collection[str]) -> list[str]:
        """Return which of these tables, that had a board, are over."""
        return await self._store.over(sorted(ids)) if ids else []


def fits(table: Table) -> bool:
    """Whether a table has something to show to everybody."""
    return table.running and not table.kind.seal


def chosen(shown: Sequence[str], touched: Mapping[str, datetime], now: datetime) -> list[str]:
    """Return which of the live games, the newest moves first, have a board now.

    A game keeps its board while it is played, else games would take each other's places every second. The new
    ones come first.
    """
    kept = [id for id in shown if id in touched and now - touched[id] < CALM]
    free = BOARDS - len(kept)
    others = [id for id in touched if id not in kept][: max(0, free)]
    stay = {*kept, *others}
    return [id for id in others if id not in shown] + [id for id in shown if id in stay]


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
