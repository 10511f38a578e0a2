"""What is stored of the puzzles of browsers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from sqlalchemy import ForeignKeyConstraint, Index, String, Table, delete

from paddock.store.columns import columns
from paddock.store.rows import Browser, Id, Word
from paddock.store.schema import PURGE, metadata


@dataclass(frozen=True)
class PuzzleRow:
    """A puzzle of a browser: of one of its games, or of a title's set once it was answered."""

    holder: Browser
    puzzle: Annotated[str, String(64)]  # TABLE/ENTRY or TITLE:ID
    theme: Word  # empty if it has none
    due: datetime
    seen_at: datetime | None = None  # when it was last answered
    right: bool = False  # whether that answer was
    stability: float | None = None  # how well it is remembered: see ``remembering.py``
    difficulty: float | None = None
    table_id: Id | None = None  # of the game; None: of a title's set


_KEY = {"primary_key": True}
puzzles = Table(
    "puzzles",
    metadata,
    *columns(PuzzleRow, holder=_KEY, puzzle=_KEY),
    ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_puzzles_table_id", ondelete="CASCADE"),
    Index("ix_puzzles_table_id", "table_id"),
)
# Of a title's set, what nobody has answered for long; others go with their tables.
puzzles.info[PURGE] = lambda connection, before: connection.execute(
    delete(puzzles).where(puzzles.c.table_id.is_(None) & (puzzles.c.seen_at < before))
)
