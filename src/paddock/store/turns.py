"""Features hear of turns in the transaction that opens them: what they write then is never lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from paddock.store.rows import OpenTurn


class Hears(Protocol):
    """What a feature does when turns open."""

    def opened(self, connection: Connection, table_id: str, turns: Sequence[OpenTurn], at: datetime) -> None:
        """Write what is needed when these turns open at a table."""

    def callers(self, connection: Connection, table_id: str) -> frozenset[str]:
        """Return the browsers at a table that want to be called when it is their turn."""


class Turns:
    """Tells of turns: a feature adds what it does to ``hearing``."""

    def __init__(self) -> None:
        self.hearing: list[Hears] = []

    def opened(self, connection: Connection, table_id: str, turns: Sequence[OpenTurn], at: datetime) -> None:
        """Tell of turns that open at a table, if there are any."""
        for listener in self.hearing if turns else ():
            listener.opened(connection, table_id, turns, at)

    def callers(self, connection: Connection, table_id: str) -> frozenset[str]:
        """Return the browsers at a table that want to be called."""
        return frozenset[str]().union(*(listener.callers(connection, table_id) for listener in self.hearing))
