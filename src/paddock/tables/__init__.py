"""Tables: durable games with people and bots, each of whom sees only what they may see."""

from paddock.store import Peer, Unavailable, takes_several
from paddock.store.terms import HINTS, MOST, Terms
from paddock.tables.errors import Busy, Elsewhere, Forbidden, Frozen, NoTable, Stopped, TwoHands
from paddock.tables.runtime import Runtime
from paddock.tables.service import Tables
from paddock.tables.submission import Submitted
from paddock.tables.table import Player, Table

__all__ = [
    "HINTS",
    "MOST",
    "Busy",
    "Elsewhere",
    "Forbidden",
    "Frozen",
    "NoTable",
    "Peer",
    "Player",
    "Runtime",
    "Stopped",
    "Submitted",
    "Table",
    "Tables",
    "Terms",
    "TwoHands",
    "Unavailable",
    "takes_several",
]
