"""The store: tables and their logs in SQL. SQLite by default, PostgreSQL by URL."""

from paddock.store.errors import KeyTaken, StoreError, Unavailable, no_answer
from paddock.store.leases import Leases, Peer
from paddock.store.rows import (
    AnswerRow,
    ClaimRow,
    EventRow,
    OrderRow,
    PendingRow,
    PlayerRow,
    Stored,
    TableColumns,
    TableRow,
    TalkRow,
    TokenRow,
    UndoRow,
    Write,
)
from paddock.store.sole import only_server, takes_several
from paddock.store.store import KEPT_TALK, Store

__all__ = [
    "KEPT_TALK",
    "AnswerRow",
    "ClaimRow",
    "EventRow",
    "KeyTaken",
    "Leases",
    "OrderRow",
    "Peer",
    "PendingRow",
    "PlayerRow",
    "Store",
    "StoreError",
    "Stored",
    "TableColumns",
    "TableRow",
    "TalkRow",
    "TokenRow",
    "Unavailable",
    "UndoRow",
    "Write",
    "no_answer",
    "only_server",
    "takes_several",
]
