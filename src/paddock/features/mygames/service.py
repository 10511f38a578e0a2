"""Keeps the finished games of browsers: what is noted when they end, and what is brought from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from paddock.bots.analysis import Analysis
from paddock.core.errors import PaddockError
from paddock.core.i18n import language
from paddock.features.mygames.archive import MOST, GamesFile, fitting, read, stored
from paddock.features.mygames.games import Finished, GamesRead, games_in
from paddock.features.mygames.results import judged_in, results_of
from paddock.features.mygames.store import GamesStore, ended
from paddock.tables.errors import Busy, Stopped
from paddock.tables.registry import Also
from paddock.tables.service import Tables
from paddock.tables.table import Table
from paddock.tables.threads import off_loop

V = TypeVar("V")
SUMMARY = 50_000  # bytes in memory of what a page says of all games, and of some of them
COUNTED = 10  # games of older versions that one look at the page counts
ASKED = 50  # of which so many are asked for, as some may be unreadable


class MyGames:
    """The finished games of browsers."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(GamesStore)
        self._registry = tables.registry
        self._analysing = tables.analysing
        self._runtime = tables.runtime
        self._built = tables.built
        self._unreadable: set[str] = set()  # games that cannot be counted
        tables.engine.endings.append(self.ended)
        tables.analysing.readers.append(self.judged)

    def ended(self, table: Table, at: datetime) -> Also:
        """Return what stores how the players of a game ended, in the transaction of its last move."""
        return ended(table.id, results_of(table, at))

    async def judged(self, table: Table, analysis: Analysis) -> None:
        """Note what an analysis says of the players of a game."""
        await self._store.judge(table.id, await off_loop(judged_in, table, analysis))

    async def stamp(self, holder: str) -> tuple[object, ...]:
        """Return what is another one when the finished games of a browser are."""
        return await self._store.stamp(holder)

    async def read(self, holder: str) -> GamesRead:
        """Read the finished games of a browser: ``games_in`` makes sense of them."""
        return GamesRead(holder, await self._store.read(holder, MOST), await self._store.archive(holder))

    async def of(self, holder: str | None) -> list[Finished]:
        """Return the finished games of a browser, the newest first."""
        return await off_loop(games_in, await self.read(holder)) if holder else []

    async def made(
        self,
        holder: str,
        key: Hashable,
        make: Callable[[list[Finished]], V],
        size: Callable[[V], int] = lambda _made: SUMMARY,
    ) -> V:
        """Return what ``make`` makes of the finished games of a browser, as ``Built.of`` does."""
        return await self._built.of(
            ("games", holder, key, language.get()),
            await self.stamp(holder),
            lambda: self.read(holder),
            lambda rows: make(games_in(rows)),
            size,
        )

    async def count(self, holder: str) -> int:
        """Count some games of older versions, which have stored no results; return how many are left."""
        ids = [id for id in await self._store.uncounted(holder, ASKED) if id not in self._unreadable]
        for id in ids[:COUNTED]:
            try:
                table = await self._registry.peek(id)
                results = results_of(table, table.touched_at)
            except (Busy, Stopped):  # another time
                break
            except PaddockError:
                results = []
            if not results:
                self._unreadable.add(id)
                continue
            # when a clock ran out was not noted then
            await self._store.add(id, [replace(result, kept=None) for result in results])
            with suppress(PaddockError):
                if analysed := await self._analysing.of(table):
                    await self.judged(table, analysed.analysis)
        return max(0, len(ids) - COUNTED)

    async def bring(self, holder: str, text: str) -> tuple[GamesFile, int, int]:
        """Add the games of a file to those of a browser; return it, how many are new, and how many left out.

        Of more games than one browser may have, or of more text than is kept, the oldest are left out.
        Raises ``BadOption``.
        """
        given = await off_loop(read, text)
        new, left_out, text = await off_loop(_more, await self.read(holder), given)
        if text:
            await self._store.keep_archive(holder, text, self._runtime.now())
        return given, new, left_out


def _more(known: GamesRead, given: GamesFile) -> tuple[int, int, str]:
    """Return how many games of a file are new, how many are left out, and what is to be stored.

    The text is that of the games that a browser has brought, before or now; empty if nothing is new.
    """
    ids = {game.id for game in games_in(known)}
    before = read(known.archive).games if known.archive else []
    new = {game.game: game for game in given.games if game.game not in ids}
    if not new:
        return 0, 0, ""
    every = sorted([*before, *new.values()], key=lambda game: game.ended, reverse=True)
    kept = fitting(every)
    return sum(game.game in new for game in kept), len(every) - len(kept), stored(kept)
