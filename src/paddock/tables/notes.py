"""The notes on finished games, which come and go with their records."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.records import Note
from paddock.records.notes import MOST
from paddock.tables.registry import Also
from paddock.tables.table import Table

HINTS = "hints"  # the tag of the note in the record of a race with hints


def in_record(table: Table, notes: Sequence[Note]) -> Sequence[Note]:
    """Return the notes in the record of a table: a race with hints has one that says so, by its person."""
    if not (table.kind.hinted and table.fully_visible) or len(notes) >= MOST:
        return notes
    person = next((player.name for player in table.players if not player.bot), "")
    return (Note(0, person, tags=(HINTS,)), *notes) if person else notes


class Notes:
    """There are none. A feature that keeps notes takes the place of this, as ``making.notes``."""

    async def of(self, table: Table) -> Sequence[Note]:
        """Return the notes of a table, in the order of their moments; none while it is being played."""
        return ()

    async def stamp(self, table: Table) -> tuple[object, ...]:
        """Return what is another one when the notes of a table are."""
        return ()

    async def also(self, id: str, notes: Sequence[Note]) -> Also | None:
        """Return what stores the notes of an uploaded record with its new table: see ``Store.create``."""
        return None
