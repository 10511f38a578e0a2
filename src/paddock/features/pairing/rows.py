"""What is stored of those who wait for somebody to play with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from sqlalchemy import ForeignKeyConstraint, Index, String, Table

from paddock.store.columns import columns
from paddock.store.rows import Browser, Id, Name, Word
from paddock.store.schema import DATED, KEEPS, metadata


@dataclass(frozen=True)
class WaitingRow:
    """A browser that waits for somebody to play with, or has got a table."""

    holder: Browser
    title: Annotated[str, String(64)]
    pace: Word
    name: Name
    number: int  # the seat that it likes, from 1; 0: any
    since: datetime
    seen_at: datetime
    table_id: Id | None = None
    led_at: datetime | None = None  # when it was led to the table: a second click leads there, too


_KEY = {"primary_key": True}
waiting = Table(
    "waiting",
    metadata,
    *columns(WaitingRow, holder=_KEY, title=_KEY, pace=_KEY),
    ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_waiting_table_id", ondelete="CASCADE"),
    Index("ix_waiting_table_id", "table_id"),
)
_WAITS = waiting.c.table_id.is_(None)
waiting.info.update({KEEPS: _WAITS, DATED: (waiting.c.since, waiting.c.seen_at)})
Index(
    "ix_waiting_game",
    waiting.c.title,
    waiting.c.pace,
    unique=True,
    sqlite_where=_WAITS,
    postgresql_where=_WAITS,
)
