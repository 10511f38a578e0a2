"""Tables: durable games with people and bots, each of whom sees only what they may see."""

from paddock.store import (
    BOUNDS,
    Copied,
    Forgotten,
    KeptTable,
    Peer,
    Unavailable,
    database_file,
    restore_backup,
    takes_several,
    write_backup,
)
from paddock.store.kinds import LESSON, Kind
from paddock.store.terms import HINTS, MOST, TERM_WORDS, Terms, TermWords
from paddock.tables.errors import Busy, Elsewhere, Forbidden, Frozen, NoTable, Outdated, Stopped, TwoHands
from paddock.tables.runtime import Runtime
from paddock.tables.service import Tables
from paddock.tables.submission import Submission
from paddock.tables.table import Player, Table

__all__ = [
    "BOUNDS",
    "HINTS",
    "LESSON",
    "MOST",
    "TERM_WORDS",
    "Busy",
    "Copied",
    "Elsewhere",
    "Forbidden",
    "Forgotten",
    "Frozen",
    "KeptTable",
    "Kind",
    "NoTable",
    "Outdated",
    "Peer",
    "Player",
    "Runtime",
    "Stopped",
    "Submission",
    "Table",
    "Tables",
    "TermWords",
    "Terms",
    "TwoHands",
    "Unavailable",
    "database_file",
    "restore_backup",
    "takes_several",
    "write_backup",
]
