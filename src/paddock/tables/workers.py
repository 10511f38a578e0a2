"""Worker processes for long work, such as replaying the log of a championship.

The rules run as plain Python. A few seconds of them in the event loop would stop every request, and in a
thread they would slow all others down. So they run in other processes, at a lower priority where the system
has that. Each visitor has one long piece of work at a time.
"""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from paddock.bots.workers import start_worker
from paddock.core.errors import PaddockError
from paddock.core.i18n import _, catalogues, language
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


@dataclass(frozen=True)
class _Job:
    work: Callable[..., Any]
    args: tuple[Any, ...]
    language: str
    catalogues: Path
    longest: float  # seconds


class _Worker:
    """A process that does one job after another. Its methods block, except for ``stop``."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # so that reading fails when the process has died

    def do(self, job: _Job) -> Any:
        """Return the answer of a job, or raise its error. Raises ``Stopped`` if the process cannot go on."""
        try:
            self._pipe.send(job)
            if not self._pipe.poll(job.longest):
                self.stop()
                sentence = _("this takes too long: the server stopped after {n:.0f} s")
                raise Stopped(sentence.format(n=job.longest))
            answer, error = self._pipe.recv()
        except (EOFError, OSError):
            self.stop()
            raise Stopped(_("the server could not finish this, and nothing was saved: try again")) from None
        if error is not None:
            raise error
        return answer

    @property
    def id(self) -> int:
        """The id of the process."""
        return self._process.pid or 0  # only a process that has not started has none

    @property
    def alive(self) -> bool:
        """Whether it can do more jobs."""
        return self._process.is_alive()

    def stop(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.join()


def _serve(pipe: Connection) -> None:
    """Do jobs until the server closes the pipe."""
    start_worker()
    if hasattr(os, "nice"):
        os.nice(NICE)
    with suppress(EOFError, OSError):
        while True:
            job: _Job = pipe.recv()
            language.set(job.language)
            catalogues.set(job.catalogues)
            answer: Any = None
            error: Exception | None = None
            try:
                answer = job.work(*job.args)
            except PaddockError as refusal:
                error = refusal
            except Exception:  # it may not be picklable
                error = RuntimeError(traceback.format_exc())
            pipe.send((answer, error))


class Workers:
    """The worker processes of a server, started when they are first needed. Use it in one event loop only."""

    def __init__(self, workers: int = WORKERS, longest: float = LONGEST_S) -> None:
        self._longest = longest
        self._threads = ThreadPoolExecutor(workers, "paddock-workers")  # each waits for one worker
        self._started: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._closed = False
        self._asked: list[Visitor] = []  # for each piece of work that runs or waits
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by visitor
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes."""
        return [worker.id for worker in list(self._started)]

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run a function in a worker process. It, its arguments and its answer must be picklable.

        Raises ``Busy`` until the visitor's other work is done, ``Stopped`` if a worker cannot finish, and the
        errors of the function.
        """
        if any(other.key == visitor.get().key for other in self._asked):
            raise Busy(_("the server is still working on your last request: wait until it is done"))
        return await self.wait(work, *args)

    async def wait(self, work: Callable[..., T], *args: Any, longest: float | None = None) -> T:
        """Like ``run``, but wait until the visitor's other work is done. ``longest`` replaces the limit of
        seconds.
        """
        if self._closed:
            raise Stopped(_("the server is stopping: try again in a minute"))
        who = visitor.get()
        neighbours = sum(bool(who.address) and other.address == who.address for other in self._asked)
        if len(self._asked) >= MOST or neighbours >= MOST_ADDRESS:
            raise Busy(_("the server has too much to do at the moment: try again in a minute"))
        self._asked.append(who)
        # The worker goes on even if the request is cancelled, so the visitor's turn must last as long.
        limit = self._longest if longest is None else longest
        job = _Job(work, args, language.get(), catalogues.get(), limit)
        task = asyncio.create_task(self._turn(who, job))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        answer: T = await asyncio.shield(task)
        return answer

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # otherwise asyncio logs an error that nobody has asked for

    async def _turn(self, who: Visitor, job: _Job) -> Any:
        try:
            async with self._turns.setdefault(who.key, asyncio.Lock()):
                return await asyncio.get_running_loop().run_in_executor(self._threads, self._do, job)
        finally:
            self._asked.remove(who)

    def _do(self, job: _Job) -> Any:
        """Give a job to a worker, and wait for the answer. Runs in a thread."""
        worker = next((found for found in self._take() if found.alive), None)
        if worker is None:
            self._started.add(worker := _Worker())
        try:
            if self._closed:
                worker.stop()
            return worker.do(job)
        finally:
            if worker.alive:
                self._idle.append(worker)
            else:
                self._started.discard(worker)

    def _take(self) -> Iterator[_Worker]:
        """Take idle workers, some of which may have died meanwhile."""
        with suppress(IndexError):  # another thread may have taken the last one
            while True:
                yield self._idle.pop()

    async def close(self) -> None:
        """Stop the workers, whatever they do."""
        self._closed = True
        for worker in list(self._started):
            worker.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown()
