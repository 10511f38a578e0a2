"""The puzzles of browsers: which they have, and when each comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, func, select

from paddock.features.puzzles.rows import PuzzleRow, puzzles
from paddock.store.inserting import insert_into, insert_new
from paddock.store.part import StorePart

MOST = 2000  # puzzles of one browser that are read


class PuzzleStore(StorePart):
    """The stored puzzles."""

    async def of(self, holder: str) -> list[PuzzleRow]:
        """Return the puzzles of a browser, the one that is due first first."""
        return await self._rows(puzzles.c.holder == holder)

    async def one(self, holder: str, puzzle: str) -> PuzzleRow | None:
        """Return a puzzle of a browser; None if it does not have it."""
        c = puzzles.c
        return next(iter(await self._rows((c.holder == holder) & (c.puzzle == puzzle))), None)

    async def _rows(self, which: ColumnElement[bool]) -> list[PuzzleRow]:
        c = puzzles.c
        query = select(puzzles).where(which).order_by(c.due, c.puzzle).limit(MOST)
        return [PuzzleRow(**row._mapping) for row in await self._read(query)]

    async def due(self, holder: str, now: datetime) -> int:
        """Return how many puzzles of a browser's own games are due."""
        c = puzzles.c
        mine = (c.holder == holder) & c.table_id.is_not(None) & (c.due <= now)
        return int((await self._read(select(func.count()).select_from(puzzles).where(mine)))[0][0])

    async def found(self, table_id: str, rows: Sequence[PuzzleRow]) -> None:
        """Store the puzzles of a game. Its browsers keep what is stored of those that they have already, and
        lose all others of this game."""
        c = puzzles.c
        others = (c.table_id == table_id) & c.puzzle.not_in([row.puzzle for row in rows])

        def work(connection: Connection) -> None:
            connection.execute(delete(puzzles).where(others))
            for row in rows:
                insert_new(connection, puzzles, asdict(row))

        await self._writer.run(work)

    async def keep(self, row: PuzzleRow) -> None:
        """Store a puzzle in place of what is stored of it."""
        key = ["holder", "puzzle"]
        columns = asdict(row)
        rest = {name: value for name, value in columns.items() if name not in key}

        def work(connection: Connection) -> None:
            statement = insert_into(connection, puzzles).values(columns)
            connection.execute(statement.on_conflict_do_update(index_elements=key, set_=rest))

        await self._writer.run(work)
