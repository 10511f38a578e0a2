"""``Context``: what a command needs besides the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from paddock.core.game import ChanceSource
from paddock.tables.live import TablePresence
from paddock.tables.names import NameFilter


@dataclass(frozen=True)
class Context:
    """The moment at which a command is decided, and what it may use."""

    now: datetime  # UTC
    elapsed: float  # seconds on a monotonic clock
    chance: ChanceSource
    names: NameFilter
    presence: TablePresence  # who is at the table
