"""SQLite in the thread of the event loop, which waits for it: where a process can have no threads, and so
none of the drivers of SQLAlchemy's asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable, Result, Row, StaticPool
from sqlalchemy.engine import URL

from paddock.core.one_thread import AtOnce
from paddock.store.database import sqlite
from paddock.store.driver import Driver, Transactions
from paddock.store.writer import InThread

T = TypeVar("T")


class DirectRows:
    """Rows that are read while others have their turn."""

    def __init__(self, result: Result[*tuple[Any, ...]]) -> None:
        self._result = result

    async def partitions(self, size: int, /) -> AsyncIterator[Sequence[Row[*tuple[Any, ...]]]]:
        """Return the rows in parts of this size."""
        for rows in self._result.partitions(size):
            yield rows
            await asyncio.sleep(0)


class DirectConnection:
    """A connection that answers at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def execute(self, statement: Executable, /) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement."""
        return self._connection.execute(statement)

    async def stream(self, statement: Executable, /) -> DirectRows:
        """Run a statement that returns many rows."""
        return DirectRows(self._connection.execute(statement))

    async def execution_options(self, **options: Any) -> None:
        """Change how it behaves, as long as it is lent."""
        self._connection.execution_options(**options)

    async def run_sync(self, work: Callable[..., T], /, *args: Any) -> T:
        """Call a function with the connection of SQLAlchemy's core."""
        return work(self._connection, *args)


class DirectDatabase:
    """An SQLite file; see ``Database``."""

    def __init__(self, engine: Engine) -> None:
        self.sync_engine = engine
        self.url: URL = engine.url
        self.dialect: Dialect = engine.dialect

    def execution_options(self, **options: Any) -> DirectDatabase:
        """Return the same database with other options."""
        return DirectDatabase(self.sync_engine.execution_options(**options))

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[DirectConnection]:
        """Lend a connection."""
        with self.sync_engine.connect() as connection:
            yield DirectConnection(connection)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[DirectConnection]:
        """Lend a connection, and commit in the end."""
        with self.sync_engine.begin() as connection:
            yield DirectConnection(connection)

    async def dispose(self) -> None:
        """Close all connections."""
        self.sync_engine.dispose()


def _connect(url: URL) -> DirectDatabase:
    return DirectDatabase(sqlite(url))


def _transactions(url: URL, _connected: object = None) -> Transactions:
    return InThread(sqlite(url, StaticPool), AtOnce())


DIRECT = Driver(_connect, _transactions)
