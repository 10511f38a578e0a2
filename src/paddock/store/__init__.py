"""The store: tables and their logs in SQL. SQLite by default, PostgreSQL by URL."""

from paddock.store.backup import Copied, current_copy, restore_backup, write_backup
from paddock.store.devices import DeviceStore
from paddock.store.errors import KeyTaken, StoreError, Unavailable, no_answer
from paddock.store.keeping import Before, Forgotten, Keeping, KeptTable
from paddock.store.leases import Leases, Peer
from paddock.store.measured import BOUNDS, Measured
from paddock.store.rows import (
    AnswerRow,
    ClaimRow,
    EventRow,
    LinkRow,
    OpenTurn,
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
from paddock.store.sole import database_file, only_server, takes_several
from paddock.store.store import KEPT_TALK, Store

__all__ = [
    "BOUNDS",
    "KEPT_TALK",
    "AnswerRow",
    "Before",
    "ClaimRow",
    "Copied",
    "DeviceStore",
    "EventRow",
    "Forgotten",
    "Keeping",
    "KeptTable",
    "KeyTaken",
    "Leases",
    "LinkRow",
    "Measured",
    "OpenTurn",
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
    "current_copy",
    "database_file",
    "no_answer",
    "only_server",
    "restore_backup",
    "takes_several",
    "write_backup",
]
