"""Long work, such as replaying the log of a championship.

The rules run as plain Python. A few seconds of them in the event loop would stop every request, and in a
thread they would slow all others down. So worker processes do them, at a lower priority where the system has
that. Each visitor has one long piece of work at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from paddock.core.beside import BesideLoop, Lost, TaskLate
from paddock.core.i18n import _
from paddock.core.threaded import THREADED
from paddock.tables.errors import Busy, Stopped

T = TypeVar("T")
WORKERS = 2
LONGEST_S = 120.0  # seconds of one piece of work; the largest record takes 5 on an idle machine
MOST = 16  # pieces of work that run or wait
MOST_ADDRESS = 4  # of them, from one address, which several people may share
NICE = 5  # added to the niceness of a worker, so that the server and the bots come first


@dataclass(frozen=True)
class Visitor:
    """Who asks for something. Without an address it is the server itself."""

    address: str = ""
    browser: str | None = None  # hash of the secret of a browser or token

    @property
    def key(self) -> str:
        """What all requests of this visitor have in common."""
        return self.browser or self.address


SERVER = Visitor()
visitor: ContextVar[Visitor] = ContextVar("visitor", default=SERVER)  # of the current request


class Workers:
    """The worker processes of a server, started when they are first needed. Use it in one event loop only."""

    def __init__(
        self, workers: int = WORKERS, longest: float = LONGEST_S, beside: BesideLoop = THREADED
    ) -> None:
        self._longest = longest
        self._pool = beside.pool(workers, NICE)
        self._closed = False
        self._asked: list[Visitor] = []  # for each piece of work that runs or waits
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by visitor
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes."""
        return self._pool.processes

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run a function in a worker process. It, its arguments and its answer must be picklable.

        Raises ``Busy`` until the visitor's other work is done, ``Stopped`` if a worker cannot finish, and the
        errors of the function.
        """
        if any(request.key == visitor.get().key for request in self._asked):
            raise Busy(_("the server is still working on your last request: wait until it is done"))
        return await self.wait(work, *args)

    async def wait(self, work: Callable[..., T], *args: Any, longest: float | None = None) -> T:
        """Like ``run``, but wait until the visitor's other work is done. ``longest`` replaces the limit of
        seconds.
        """
        if self._closed:
            raise Stopped(_("the server is stopping: try again in a minute"))
        who = visitor.get()
        neighbours = sum(bool(who.address) and request.address == who.address for request in self._asked)
        if len(self._asked) >= MOST or neighbours >= MOST_ADDRESS:
            raise Busy(_("the server has too much to do at the moment: try again in a minute"))
        self._asked.append(who)
        # The worker goes on even if the request is cancelled, so the visitor's turn must last as long.
        limit = self._longest if longest is None else longest
        task = asyncio.create_task(self._turn(who, limit, (work, *args)))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        answer: T = await asyncio.shield(task)
        return answer

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # otherwise asyncio logs an error that nobody has asked for

    async def _turn(self, who: Visitor, longest: float, task: tuple[Any, ...]) -> Any:
        """Do a task in a worker, after the other tasks of the same visitor, in the visitor's language."""
        try:
            async with self._turns.setdefault(who.key, asyncio.Lock()):
                return await asyncio.wrap_future(self._pool.submit(*task, seconds=longest))
        except TaskLate:
            sentence = _("this takes too long: the server stopped after {n:.0f} s")
            raise Stopped(sentence.format(n=longest)) from None
        except Lost:
            raise Stopped(_("the server could not finish this, and nothing was saved: try again")) from None
        finally:
            self._asked.remove(who)

    async def close(self) -> None:
        """Stop the workers, whatever they do."""
        self._closed = True
        self._pool.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
