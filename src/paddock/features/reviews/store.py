"""The notes on finished games, and the keys by which friends may write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from sqlalchemy import Connection, delete, func, insert, select

from paddock.features.reviews.rows import NoteRow, notes, reviews
from paddock.store.inserting import insert_new
from paddock.store.part import StorePart


class NoteStore(StorePart):
    """The stored notes."""

    async def of(self, table_id: str) -> list[NoteRow]:
        """Return the notes of a table by their moments, those of one moment in the order of writing."""
        c = notes.c
        query = select(notes).where(c.table_id == table_id).order_by(c.at, c.seq)
        return [NoteRow(**row._mapping) for row in await self._read(query)]

    async def stamp(self, table_id: str) -> tuple[object, ...]:
        """Return what is another one when the notes of a table are, whoever has them: notes are only written
        and deleted."""
        c = notes.c
        facts = func.count(), func.max(c.seq), func.max(c.made_at), func.sum(func.length(c.facts))
        query = select(*facts).where(c.table_id == table_id)
        return tuple((await self._read(query))[0])

    async def one(self, table_id: str, seq: int) -> NoteRow | None:
        """Return a note; None if there is none with this number."""
        c = notes.c
        found = await self._read(select(notes).where((c.table_id == table_id) & (c.seq == seq)))
        return NoteRow(**found[0]._mapping) if found else None

    async def mine(self, table_id: str, holder: str) -> frozenset[int]:
        """Return the numbers of the notes that a browser has written at a table."""
        c = notes.c
        query = select(c.seq).where((c.table_id == table_id) & (c.holder == holder))
        return frozenset(seq for (seq,) in await self._read(query))

    async def add(self, rows: Sequence[NoteRow], most: int) -> list[NoteRow]:
        """Store notes of one table with new numbers, and return them.

        None is stored if the table would have more than ``most``.
        """
        if not rows:
            return []
        c, id = notes.c, rows[0].table_id

        def work(connection: Connection) -> list[NoteRow]:
            there = connection.execute(
                select(func.count(), func.coalesce(func.max(c.seq), -1)).where(c.table_id == id)
            ).one()
            if there[0] + len(rows) > most:
                return []
            numbered = [replace(row, seq=there[1] + n) for n, row in enumerate(rows, 1)]
            connection.execute(insert(notes), [asdict(row) for row in numbered])
            return numbered

        return await self._writer.run(work)

    async def delete(self, table_id: str, seq: int) -> bool:
        """Delete a note; return False if there is none."""
        c = notes.c
        statement = delete(notes).where((c.table_id == table_id) & (c.seq == seq))
        return await self._writer.run(lambda connection: connection.execute(statement).rowcount > 0)

    async def key(self, table_id: str) -> str | None:
        """Return the key of a table's review; None if there is none."""
        found = await self._read(select(reviews.c.key).where(reviews.c.table_id == table_id))
        return found[0].key if found else None

    async def open(self, table_id: str, key: str) -> str:
        """Store the key of a table's review, unless it has one; return the one that it has."""

        def work(connection: Connection) -> str:
            insert_new(connection, reviews, {"table_id": table_id, "key": key})
            found: str = connection.execute(
                select(reviews.c.key).where(reviews.c.table_id == table_id)
            ).scalar_one()
            return found

        return await self._writer.run(work)


def brought(rows: Sequence[NoteRow]) -> Callable[[Connection], None]:
    """Return what stores the notes of a new table in the transaction that stores it."""

    def work(connection: Connection) -> None:
        connection.execute(insert(notes), [asdict(row) for row in rows])

    return work
