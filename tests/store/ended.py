"""A database with one race, which Ana and Ben have ended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from paddock.store import PlayerRow, Store, TableRow
from paddock.store.kinds import RACE
from paddock.store.terms import Terms

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ANA, BEN = "a" * 64, "b" * 64
TABLE = TableRow(
    id="t1", title="lacorsa", revision=2, options="drivers=4", kind=RACE, terms=Terms(), created=NOW,
    date="2026-03-01", length=0, over=True, touched_at=NOW,
)  # fmt: skip
WHO = [PlayerRow(0, "Ana", None, ANA), PlayerRow(1, "Ben", None, BEN)]


async def stored(database: str) -> Store:
    """Return the store, with the race in it."""
    store = await Store.open(database)
    await store.create(TABLE, WHO, [])
    return store
