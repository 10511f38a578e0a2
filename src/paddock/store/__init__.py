"""The store: tables and their logs in SQL. SQLite by default, PostgreSQL by URL."""

from paddock.store.database import StoreError
from paddock.store.rows import (
    AnswerRow,
    EventRow,
    OrderRow,
    PendingRow,
    PlayerRow,
    Stored,
    TableRow,
    TalkRow,
    TokenRow,
    UndoRow,
)
from paddock.store.sole import only_server
from paddock.store.store import Store, Writing

__all__ = [
    "AnswerRow",
    "EventRow",
    "OrderRow",
    "PendingRow",
    "PlayerRow",
    "Store",
    "StoreError",
    "Stored",
    "TableRow",
    "TalkRow",
    "TokenRow",
    "UndoRow",
    "Writing",
    "only_server",
]
