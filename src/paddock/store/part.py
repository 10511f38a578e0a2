"""A part of the store: what one feature stores. ``Store.part`` returns it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from paddock.store.writer import Writer

PARTS: list[type[Part]] = []  # all that are loaded


class Part:
    """Reads by ``_reading``, and writes by ``_writer``, which runs one transaction after another.

    Rows with the hash of a browser go or move with it by themselves. A part says here what else becomes of
    its rows when an operator, or time, deletes something.
    """

    def __init__(self, engine: AsyncEngine, writer: Writer) -> None:
        self._reading = engine.execution_options(paddock_reading=True)
        self._writer = writer

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        PARTS.append(cls)

    @staticmethod
    def drop_old(connection: Connection, before: datetime) -> None:
        """Delete what is older than games are kept."""

    @staticmethod
    def outdated(connection: Connection, before: datetime) -> Sequence[str]:
        """Return the browsers with rows that are so old, and whose deletion locks the browser's tables."""
        return ()

    @staticmethod
    def drop_outdated(connection: Connection, holder: str, before: datetime) -> None:
        """Delete these rows of a browser, in a transaction of their own."""

    @staticmethod
    def rekey(connection: Connection, old: str, new: str) -> None:
        """Delete what must not move with a browser that gets another secret."""
