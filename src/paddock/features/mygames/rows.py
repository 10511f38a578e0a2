"""What is stored of the finished games of browsers: how each player ended, and games from elsewhere.

A result belongs to the player of a table, like the seat: who it is, and how they are called, is in
``players`` alone. So a seat that moves to another browser takes its result along, and nobody is remembered
here after they were forgotten there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Index, Table, delete

from paddock.store.columns import columns
from paddock.store.rows import Browser
from paddock.store.schema import PURGE, metadata, table_id
from paddock.tables.played import most


@dataclass(frozen=True)
class ResultRow:
    """How a player of a finished game ended."""

    player: int
    place: int  # 0: none
    total: int  # points
    ended_at: datetime
    kept: bool | None = None  # whether a person's time never ran out; None: no person, or no clock
    judged: int | None = None  # decisions that the analysis has judged; None: there is none
    cost: float | None = None  # what they cost, in points
    account: str | None = None  # JSON: where the points came from, see ``paddock.bots.ledger``
    # What its people decided, see ``paddock.tables.played``; None: that is not counted yet
    asked: int | None = None
    made: int | None = None
    left_game: bool | None = None

    @property
    def counts(self) -> bool:
        """Whether the game counts for who played it: also while that is not known."""
        return self.asked is None or self.made is None or most(self.made, self.asked)


@dataclass(frozen=True)
class CountingRow:
    """A game that a server counts now, or whose counting has failed."""

    tries: int
    since: datetime | None = None  # when the last one began; None: it has failed


@dataclass(frozen=True)
class ArchiveRow:
    """The finished games that a browser has brought from elsewhere."""

    holder: Browser
    text: str  # a file: see ``archive.py``
    kept_at: datetime


results = Table(
    "results",
    metadata,
    table_id(),
    *columns(ResultRow, player={"primary_key": True, "autoincrement": False}),
)
_UNCOUNTED = results.c.asked.is_(None)
Index("ix_results_uncounted", results.c.table_id, sqlite_where=_UNCOUNTED, postgresql_where=_UNCOUNTED)
countings = Table("countings", metadata, table_id(), *columns(CountingRow))
archives = Table("archives", metadata, *columns(ArchiveRow, holder={"primary_key": True}))
archives.info[PURGE] = lambda connection, before: connection.execute(
    delete(archives).where(archives.c.kept_at < before)
)
