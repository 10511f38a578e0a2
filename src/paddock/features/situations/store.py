"""The stored moments of finished games."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, and_, func, select, update

from paddock.features.situations.rows import NO_MOMENTS, SituationRow, situations
from paddock.store.inserting import insert_new
from paddock.store.kinds import RACE
from paddock.store.part import StorePart
from paddock.store.schema import players, tables


@dataclass(frozen=True)
class Sums:
    """All moments of one kind that a browser was in, added up."""

    title: str
    kind: str
    level: str  # the bot that was asked about the same moments
    moments: int
    chosen: int
    expected: float
    judged: int
    cost: float


class SituationStore(StorePart):
    """The stored moments."""

    async def uncounted(self, titles: Collection[str]) -> list[str]:
        """Return the finished races of people, of these titles, that were not counted."""
        c, p = tables.c, players.c
        stored = select(situations.c.player).where(situations.c.table_id == c.id).exists()
        people = select(p.index).where((p.table_id == c.id) & p.holder.is_not(None) & p.bot.is_(None))
        query = (
            select(c.id)
            .where(c.over & (c.kind == RACE) & c.title.in_(titles) & people.exists() & ~stored)
            .order_by(c.created, c.id)
        )
        return [id for (id,) in await self._read(query)]

    async def unjudged(self, id: str) -> bool:
        """Return whether moments of a game are stored whose costs are not."""
        c = situations.c
        query = select(func.sum(c.moments), func.sum(c.judged)).where(c.table_id == id)
        moments, judged = (await self._read(query))[0]
        return bool(moments) and not judged

    async def add(self, id: str, rows: Sequence[SituationRow]) -> None:
        """Store the moments of a game, or that it has none, unless that is stored already."""

        def work(connection: Connection) -> None:
            for row in rows or [NO_MOMENTS]:
                insert_new(connection, situations, {"table_id": id, **asdict(row)})

        await self._writer.run(work)

    async def judge(self, id: str, costs: Mapping[tuple[int, str], tuple[int, float]]) -> None:
        """Store what decisions in the moments of a game cost: by player and kind."""
        c = situations.c

        def work(connection: Connection) -> None:
            for (player, kind), (judged, cost) in costs.items():
                which = (c.table_id == id) & (c.player == player) & (c.kind == kind)
                connection.execute(update(situations).where(which).values(judged=judged, cost=cost))

        await self._writer.run(work)

    async def of(self, holder: str, title: str | None = None) -> list[Sums]:
        """Return the moments of a browser, added up, of all titles or of one."""
        c, p = situations.c, players.c
        kinds = tables.c.title, c.kind, c.level
        figures = c.moments, c.chosen, c.expected, c.judged, c.cost
        query = (
            select(*kinds, *map(func.sum, figures))
            .join(players, and_(p.table_id == c.table_id, p.index == c.player))
            .join(tables, tables.c.id == c.table_id)
            .where(p.holder == holder)
            .group_by(*kinds)
            .order_by(*kinds)
        )
        if title is not None:
            query = query.where(tables.c.title == title)
        return [Sums(*row) for row in await self._read(query)]
