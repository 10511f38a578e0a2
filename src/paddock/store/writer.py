"""The only writer of a database: it runs write transactions one after another.

Changes of tables that wait at the same time share one transaction, and so one flush of the disk. A caller
gets an answer only after the flush.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from paddock.core.i18n import _
from paddock.store.driver import Transactions
from paddock.store.errors import KeyTaken, Unavailable, available, no_answer
from paddock.store.measured import Measured
from paddock.store.rows import Write
from paddock.store.turns import Turns
from paddock.store.writing import key_taken, write_all

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

T = TypeVar("T")
MOST = 200  # changes of tables in one transaction


class InThread:
    """The transactions of SQLite: one connection in a thread of its own, if there are threads."""

    def __init__(self, engine: Engine, thread: Executor) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._thread = thread

    @property
    def engine(self) -> Engine:
        """The engine whose connection they use."""
        return self._engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[Connection], T]) -> T:
        """Do some work in a transaction of its own; after an error the connection is given up."""
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            with self._connection.begin():
                return work(self._connection)
        except BaseException:
            self._release()
            raise

    async def close(self) -> None:
        """Close the connection and stop the thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _release(self) -> None:
        """Give the connection back, which ends a transaction that a failed commit has left open."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _close(self) -> None:
        self._release()
        self._engine.dispose()


class InLoop:
    """The transactions of PostgreSQL: one connection that no reader can take."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @property
    def engine(self) -> Engine:
        """The engine whose connection they use."""
        return self._engine.sync_engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in the event loop; each statement waits without blocking it."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """Close the connection."""
        await self._engine.dispose()


class _Done(asyncio.Future[bool]):
    """Whether a change was stored. A task that is cancelled waits for it, and only then ends."""

    def cancel(self, msg: object = None) -> bool:
        """Refuse: the change is stored or not, whoever waits for it."""
        return False


@dataclass
class _Waiting:
    """A change that waits to be stored."""

    write: Write
    made: Callable[[], None]
    done: _Done
    failures: int  # of the writer, when it began to wait
    owner: str | None  # the server that must have the table; None: it does not matter

    def finish(self, *, stored: bool) -> None:
        """Make the change if it was stored, and answer the caller."""
        try:
            if stored:
                self.made()
        except Exception as error:
            self.done.set_exception(error)
        else:
            self.done.set_result(stored)


class Writer:
    """Queues write transactions, and groups changes of tables.

    When a transaction fails because the database does not answer, what waits behind it fails too: each caller
    waits no longer than one transaction can.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self.failures = 0  # how often the database did not answer
        self.turns = Turns()
        self._turn = asyncio.Lock()
        self._changes: list[_Waiting] = []
        self._flushing: asyncio.Task[None] | None = None

    def watch(self, measured: Measured) -> None:
        """Let the slow statements of this writer be noted."""
        measured.watch(self._transactions.engine)

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in a transaction of its own, and commit it durably. Raises ``Unavailable``."""
        failures = self.failures
        async with self._turn:
            self.check(failures)
            try:
                with available():
                    return await self._transactions.run(work)
            except Unavailable:
                self.failures += 1
                raise

    def check(self, failures: int) -> None:
        """Raise ``Unavailable`` if the database did not answer since ``failures`` was read."""
        if self.failures != failures:
            raise no_answer()

    async def commit(
        self,
        write: Write,
        made: Callable[[], None],
        failures: int | None = None,
        owner: str | None = None,
    ) -> bool:
        """Store a change of a table durably, call ``made``, and return True.

        Return False, and store nothing, if the table has another version or owner. A caller that is cancelled
        stays until the change is stored or not, so that a lock that it holds lasts as long.

        ``failures`` is that of the writer when the caller began to wait; None: now.

        Raises ``KeyTaken``, and stores nothing either. Raises ``Unavailable``; then the change is stored only
        if the connection broke during the commit.
        """
        done = _Done(loop=asyncio.get_running_loop())
        failures = self.failures if failures is None else failures
        self._changes.append(_Waiting(write, made, done, failures, owner))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush(), name="committing changes")
        return await done

    async def _flush(self) -> None:
        """Store what waits, and what comes meanwhile, until nothing waits."""
        while self._changes:
            group = _different(self._changes)
            await self._store(group)
        self._flushing = None

    async def _store(self, group: Sequence[_Waiting]) -> None:
        """Store a group, and answer each of its callers; raises nothing."""
        try:
            self.check(min(waiting.failures for waiting in group))
            stale = await self._stale([waiting.write for waiting in group], group[0].owner)
        except IntegrityError:  # one of them is wrong: the others must not suffer
            for waiting in group:
                await self._store([waiting])
        except Exception as error:
            for waiting in group:
                waiting.done.set_exception(error)
        else:
            for waiting in group:
                waiting.finish(stored=waiting.write.id not in stale)

    async def _stale(self, writes: Sequence[Write], owner: str | None) -> set[str]:
        """Store changes, and return the ids of the tables whose changes do not fit what is stored.

        Raises ``IntegrityError`` if that is not known, ``KeyTaken`` and ``Unavailable``.
        """
        try:
            return await self.run(lambda connection: write_all(connection, writes, self.turns, owner))
        except IntegrityError:
            if len(writes) > 1:
                raise
        if await self.run(lambda connection: key_taken(connection, writes[0])):
            raise KeyTaken(_("this key was used for another submission: send a new key"))
        return {writes[0].id}  # its rows do not fit together, which shows when it is loaded again

    async def close(self) -> None:
        """Store what waits, and close the connection."""
        if self._flushing:
            await self._flushing
        await self._transactions.close()


def _different(waiting: list[_Waiting]) -> list[_Waiting]:
    """Take the first changes from the list, at most one of each table, and all for one owner."""
    group: dict[str, _Waiting] = {}
    owner = waiting[0].owner
    while waiting and len(group) < MOST and waiting[0].owner == owner:
        if waiting[0].write.id in group:
            break
        candidate = waiting.pop(0)
        group[candidate.write.id] = candidate
    return list(group.values())
