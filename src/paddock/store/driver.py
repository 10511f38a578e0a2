"""What the store needs of a database: SQLAlchemy's asyncio fits (``database.py``), and, where there are no
threads, its ordinary engine in the thread of the event loop (``one_thread.py``)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable, Row
from sqlalchemy.engine import URL
from sqlalchemy.sql.selectable import TypedReturnsRows

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Streamed(Protocol):
    """Rows that are read while others have their turn."""

    def partitions(self, size: int, /) -> AsyncIterator[Sequence[Row[*tuple[Any, ...]]]]:
        """Return the rows in parts of this size."""


class Connected(Protocol):
    """A connection that reads."""

    @overload
    async def execute(self, statement: TypedReturnsRows[*Ts], /) -> CursorResult[*Ts]: ...

    @overload
    async def execute(self, statement: Executable, /) -> CursorResult[*tuple[Any, ...]]: ...

    def stream(self, statement: Executable, /) -> Awaitable[Streamed]:
        """Run a statement that returns many rows."""

    async def execution_options(self, **options: Any) -> Any:
        """Change how it behaves, as long as it is lent."""

    async def run_sync(self, work: Callable[..., T], /, *args: Any) -> T:
        """Call a function with the connection of SQLAlchemy's core."""


class Database(Protocol):
    """A database, and how its connections behave."""

    @property
    def url(self) -> URL:
        """Where it is."""

    @property
    def dialect(self) -> Dialect:
        """What kind of database it is."""

    @property
    def sync_engine(self) -> Engine:
        """The engine of SQLAlchemy's core."""

    def execution_options(self, **options: Any) -> Self:
        """Return the same database with other options."""

    def connect(self) -> AbstractAsyncContextManager[Connected]:
        """Lend a connection."""

    def begin(self) -> AbstractAsyncContextManager[Connected]:
        """Lend a connection, and commit in the end."""

    async def dispose(self) -> None:
        """Close all connections."""


class Transactions(Protocol):
    """Runs functions in write transactions."""

    @property
    def engine(self) -> Engine:
        """The engine whose connection they use."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in a transaction of its own, and commit it durably."""

    async def close(self) -> None:
        """Close the connection."""


@dataclass(frozen=True)
class Driver:
    """How a database is read and written."""

    connect: Callable[[URL], Database]
    transactions: Callable[[URL, Callable[[Any, Any], None] | None], Transactions]
