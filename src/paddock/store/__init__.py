"""The store: every table is its log, in SQL. SQLite by default, PostgreSQL by URL."""

from paddock.store.database import StoreError
from paddock.store.rows import AnswerRow, EventRow, PendingRow, PlayerRow, Stored, TableRow
from paddock.store.store import Store, Writing

__all__ = [
    "AnswerRow",
    "EventRow",
    "PendingRow",
    "PlayerRow",
    "Store",
    "StoreError",
    "Stored",
    "TableRow",
    "Writing",
]
