"""Keeps the finished games of browsers: what is noted when they end, and what is brought from elsewhere."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from paddock.bots.analysis import Analysis
from paddock.core.errors import PaddockError
from paddock.core.i18n import language
from paddock.features.mygames.archive import MOST, GamesFile, fitting, merged, read, read_game, stored
from paddock.features.mygames.games import Finished, GamesRead, games_in
from paddock.features.mygames.played import ended as ended_of
from paddock.features.mygames.played import proved
from paddock.features.mygames.results import judged_in, played_at, results_of
from paddock.features.mygames.store import TRIES, GamesStore, Uncounted, ended, past
from paddock.store import Unavailable
from paddock.tables import replaying
from paddock.tables.errors import Busy, Stopped
from paddock.tables.played import played
from paddock.tables.registry import Also
from paddock.tables.service import Tables
from paddock.tables.table import Table
from paddock.tables.threads import off_loop

log = logging.getLogger("paddock.mygames")
V = TypeVar("V")
SUMMARY = 50_000  # bytes in memory of what a page says of all games, and of some of them
COUNTED = 10  # games that one look at the page counts, or the server at a time
REST = 5.0  # seconds between two times


class MyGames:
    """The finished games of browsers.

    Who played a game, and who left it, is counted after its end, beside the event loop: it needs the whole
    log and the rules. Until then, and if the log cannot be read any more, the game counts for all its people.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables, self._store = tables.store, tables.store.part(GamesStore)
        self._registry = tables.registry
        self._analysing = tables.analysing
        self._runtime = tables.runtime
        self._workers = tables.workers
        self._built = tables.built
        tables.tended.append(self)
        tables.engine.endings.append(self.ended)
        tables.analysing.readers.append(self.judged)

    def ended(self, table: Table, at: datetime) -> Also:
        """Return what stores how the players of a game ended, in the transaction of its last move."""
        return ended(table.id, results_of(table, at))

    @property
    def rest(self) -> float:
        """The seconds until ``tend`` is due."""
        return REST

    async def tend(self) -> None:
        """Count some games that are not counted yet: the database knows them, whichever server had them."""
        for id in await self._store.countable(self._runtime.now(), COUNTED):
            if not await self._count(id):
                break

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

    async def count(self, holder: str) -> Uncounted:
        """Count some games of a browser that are not counted yet; return the others."""
        games = await self._store.uncounted(holder, MOST)
        for id in games.waiting[:COUNTED]:
            if not await self._count(id):
                break
        return await self._store.uncounted(holder, MOST) if games.waiting else games

    async def _count(self, id: str) -> bool:
        """Count who played a game, unless that is done; return whether this server can count others now."""
        try:
            if not await self._store.claim(id, taken := self._runtime.now()):
                return True
            try:
                if await self._note(id):
                    return True
                tries, goes_on = TRIES, True
            except (Busy, Unavailable):
                tries, goes_on = 0, False
            except Stopped:  # by the game, or by the end of the server
                tries, goes_on = 1, False
            except PaddockError:
                tries, goes_on = TRIES, True
            except Exception:
                log.exception("could not count who played the game %s", id)
                tries, goes_on = 1, True
            await self._store.give_back(id, taken, tries)
        except Unavailable:
            return False
        return goes_on

    async def _note(self, id: str) -> bool:
        """Note who played a game; return False if its log does not lead to its end."""
        table = await self._registry.peek(id)
        results = results_of(table, table.touched_at)
        if not results:
            return False
        rows, sent = await self._tables.decided(id)
        part_of = played_at(
            table, await replaying.look(self._workers, len(rows), played, table.game, rows, sent)
        )
        # The oldest versions have stored no results, and have not noted when a clock ran out.
        added = await self._store.add(id, [replace(result, kept=None) for result in results])
        await self._store.count(id, part_of)
        with suppress(PaddockError):
            if added and (analysed := await self._analysing.of(table)):
                await self.judged(table, analysed.analysis)
        return True

    async def bring(self, holder: str, text: str) -> tuple[GamesFile, int, int]:
        """Add the games of a file to those of a browser; return it, how many are new, and how many left out.

        Of more games than one browser may have, or of more text than is kept, the oldest are left out. A game
        that was brought before becomes what the file says of it.
        Raises ``BadOption``.
        """
        given = await off_loop(read, text)
        return given, *await self._add(holder, given)

    async def bring_played(self, holder: str, said: str, record: str) -> int:
        """Add a game that was played on a device to those of a browser, if its record proves it.

        Return how many are new: 0 if it was brought before. Raises ``BadOption``, ``BadRecord``, ``Busy`` and
        ``Stopped``.
        """
        game = await off_loop(read_game, said)
        end = await replaying.run(self._workers, len(record) > replaying.LONG_TEXT, ended_of, record)
        game = proved(game, end, self._runtime.now())
        new, _left_out = await self._add(holder, GamesFile(games=[game]))
        return new

    async def _add(self, holder: str, given: GamesFile) -> tuple[int, int]:
        """Add games to those that a browser has brought; return how many are new, and how many left out."""
        while True:
            known = await self.read(holder)
            new, left_out, text = await off_loop(_more, known, given)
            now = self._runtime.now()
            if not text or await self._store.keep_archive(holder, known.archive, text, now):
                return new, left_out  # else others came in between


def _more(known: GamesRead, given: GamesFile) -> tuple[int, int, str]:
    """Return how many games of a file are new, how many are left out, and what is to be stored.

    The text is that of the games that a browser has brought, before or now; empty if it stays as it is.
    """
    here = {row.id for row in past(known.rows)}
    before = {game.game: game for game in (read(known.archive).games if known.archive else ())}
    brought = {game.game: game for game in given.games if game.game not in here}
    after = before | {id: merged(game, before.get(id)) for id, game in brought.items()}
    if after == before:
        return 0, 0, ""
    every = sorted(after.values(), key=lambda game: game.ended, reverse=True)
    kept = fitting(every)
    return sum(game.game not in before for game in kept), len(every) - len(kept), stored(kept)
