"""What is stored of reviews: notes on finished games, and the keys by which friends may write some."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, ForeignKeyConstraint, Index, String, Table

from paddock.store.columns import columns
from paddock.store.rows import Browser, Id
from paddock.store.schema import metadata, table_id


@dataclass(frozen=True)
class NoteRow:
    """A note on a moment of a finished game."""

    table_id: Id
    seq: int  # from 0
    at: int  # the number of log entries before the moment
    facts: str  # JSON: see ``paddock.records.notes``
    made_at: datetime
    holder: Browser | None = None  # the browser that wrote it; None: it came with a record


notes = Table(
    "notes",
    metadata,
    *columns(NoteRow, table_id={"primary_key": True}, seq={"primary_key": True, "autoincrement": False}),
    ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_notes_table_id", ondelete="CASCADE"),
    Index("ix_notes_holder", "holder"),
)
reviews = Table("reviews", metadata, table_id(), Column("key", String(64), nullable=False))
