"""Counts the moments of finished games, and reads those of a browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from paddock.bots.analysis import Analysis
from paddock.core.errors import PaddockError
from paddock.core.title import titles
from paddock.features.situations.moments import costs_in, counted
from paddock.features.situations.store import SituationStore, Sums
from paddock.features.situations.strong import asked
from paddock.tables import Table, Tables
from paddock.tables.errors import Busy, Stopped
from paddock.tables.replaying import look


class PlayerMoments:
    """The moments of browsers that come again and again. A command counts them: it asks a strong bot."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._store = tables.store, tables.store.part(SituationStore)
        self._registry, self._workers = tables.registry, tables.workers
        self._analysing = tables.analysing
        tables.analysing.readers.append(self.judged)

    async def of(self, holder: str, title: str | None = None) -> Sequence[Sums]:
        """Return the moments of a browser, added up, of all titles or of one."""
        return await self._store.of(holder, title)

    async def uncounted(self, titles: Sequence[str]) -> Sequence[str]:
        """Return the finished races of people, of these titles, whose moments are not counted."""
        return await self._store.uncounted(titles)

    async def count(self, id: str) -> int:
        """Count the moments of a finished game; return how many there are.

        Raises ``PaddockError`` if its log cannot be read, or the strong bot cannot play here.
        """
        table = await self._registry.peek(id)
        rows, sent = await self._tables.decided(id)
        work = counted, table.game, rows, sent, people_of(table), asked
        moments, added = await self._workers.wait(*work)
        await self._store.add(id, added)
        try:
            analysed = await self._analysing.of(table)
        except PaddockError:
            analysed = None
        if analysed:
            await self.judged(table, analysed.analysis)
        return moments

    async def count_new(self) -> None:
        """Count the moments of all games that are not counted; leave out those that cannot be."""
        for id in await self.uncounted([name for name, title in titles().items() if title.situations]):
            with suppress(PaddockError):
                await self.count(id)

    async def judged(self, table: Table, analysis: Analysis) -> None:
        """Note what decisions in moments of a game cost, unless that is noted, or they are not counted."""
        if not await self._store.unjudged(table.id):
            return
        rows, sent = await self._tables.decided(table.id)
        cost_of = {judgement.entry: judgement.cost for judgement in analysis.judgements}
        with suppress(Busy, Stopped):  # then they are noted when somebody looks at the analysis again
            costs = await look(self._workers, len(rows), costs_in, table.game, rows, sent, cost_of)
            await self._store.judge(table.id, costs)


def people_of(table: Table) -> set[int]:
    """Return the players of a table that people are; a browser with several is its own opponent there."""
    people = [player for player in table.players if player.holder and not player.bot]
    seats = Counter(player.holder for player in people)
    return {player.index for player in people if seats[player.holder] == 1}
