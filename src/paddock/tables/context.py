"""``Context``: what a command needs besides the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from paddock.core.game import ChanceSource
from paddock.tables.live import TablePresence
from paddock.tables.names import NameFilter


@dataclass(frozen=True)
class Context:
    """The moment at which a command is decided, and what it may use."""

    now: datetime  # UTC
    served: float  # seconds in which the server has run
    chance: ChanceSource
    names: NameFilter
    presence: TablePresence  # who is at the table

    @property
    def spent(self) -> int:
        """The milliseconds that running clocks have run since they were saved."""
        return timedelta(seconds=self.served - self.presence.saved) // timedelta(milliseconds=1)
