"""The store: tables and their logs in SQL. SQLite by default, PostgreSQL by URL."""

from paddock.store.backup import Copied, current_copy, restore_backup, write_backup
from paddock.store.calls import REMINDER, TURN
from paddock.store.devices import DeviceStore
from paddock.store.errors import KeyTaken, StoreError, Unavailable, no_answer
from paddock.store.history import HistoryStore, Past
from paddock.store.keeping import Before, Forgotten, Keeping, Kept
from paddock.store.leases import Leases, Peer
from paddock.store.measured import BOUNDS, Measured
from paddock.store.reach import CONFIRM, NOTED, TEST, Due, Mine, Place, ReachStore
from paddock.store.rows import (
    AnswerRow,
    ChannelRow,
    ClaimRow,
    EventRow,
    LinkRow,
    OrderRow,
    OutboxRow,
    PendingRow,
    PlayerRow,
    ReachRow,
    ResultRow,
    Stored,
    TableColumns,
    TableRow,
    TalkRow,
    TokenRow,
    Turn,
    UndoRow,
    Write,
)
from paddock.store.sealed import LINKS
from paddock.store.sealed import PUSH as PUSH_KEY
from paddock.store.sole import database_file, only_server, takes_several
from paddock.store.store import KEPT_TALK, Store
from paddock.store.watching import WatchingStore

__all__ = [
    "BOUNDS",
    "CONFIRM",
    "KEPT_TALK",
    "LINKS",
    "NOTED",
    "PUSH_KEY",
    "REMINDER",
    "TEST",
    "TURN",
    "AnswerRow",
    "Before",
    "ChannelRow",
    "ClaimRow",
    "Copied",
    "DeviceStore",
    "Due",
    "EventRow",
    "Forgotten",
    "HistoryStore",
    "Keeping",
    "Kept",
    "KeyTaken",
    "Leases",
    "LinkRow",
    "Measured",
    "Mine",
    "OrderRow",
    "OutboxRow",
    "Past",
    "Peer",
    "PendingRow",
    "Place",
    "PlayerRow",
    "ReachRow",
    "ReachStore",
    "ResultRow",
    "Store",
    "StoreError",
    "Stored",
    "TableColumns",
    "TableRow",
    "TalkRow",
    "TokenRow",
    "Turn",
    "Unavailable",
    "UndoRow",
    "WatchingStore",
    "Write",
    "current_copy",
    "database_file",
    "no_answer",
    "only_server",
    "restore_backup",
    "takes_several",
    "write_backup",
]
