"""Work beside the event loop where a process has neither threads nor other processes: the loop does it.

Short work is done at once. Tasks are done in slices, between which the loop turns: a request waits for a
slice and not for a task. Its steps divide a task; a function without steps is done in one slice.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from paddock.core.beside import Lost, Steps, TaskLate, steps_of

P = ParamSpec("P")
T = TypeVar("T")
SLICE = 0.01  # seconds that a task works before the loop turns; its last step may take longer
TURNS = 10  # of the loop between two slices: a request takes a few


class OneThread:
    """The thread of the event loop does everything."""

    def executor(self, threads: int, name: str) -> Executor:
        """Return what does work at once."""
        return AtOnce()

    def pool(self, workers: int, nice: int = 0) -> Sliced:
        """Return what does one task after another in slices."""
        return Sliced()


class AtOnce(Executor):
    """Does work when it is submitted."""

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do it, and return its answer or its error."""
        future = Future[T]()
        try:
            future.set_result(work(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@dataclass
class _Task:
    """A task that waits or is being done."""

    future: Future[Any]
    steps: Steps[Any]
    context: Context  # of who asks
    seconds: float | None


class Sliced:
    """Does one task after another in the running event loop, in slices. Close it."""

    def __init__(self) -> None:
        self._waiting = deque[_Task]()
        self._working: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def processes(self) -> list[int]:
        """It has none."""
        return []

    def submit(self, work: Callable[..., T], *args: Any, seconds: float | None = None) -> Future[T]:
        """Do a task after those that wait; see ``TaskPool``. Whether it is late is seen after each slice."""
        if self._closed:
            raise Lost("the pool is closed")
        future = Future[T]()
        self._waiting.append(_Task(future, steps_of(work)(*args), copy_context(), seconds))
        if self._working is None:
            self._working = asyncio.create_task(self._work(), name="tasks in slices")
        return future

    async def _work(self) -> None:
        """Do what waits, and what comes meanwhile."""
        while self._waiting:
            task = self._waiting.popleft()
            if not task.future.set_running_or_notify_cancel():
                continue
            try:
                task.future.set_result(await _answer(task))
            except asyncio.CancelledError:
                task.future.set_exception(Lost("the pool was closed"))
                raise
            except Exception as error:
                task.future.set_exception(error)
        self._working = None

    def close(self) -> None:
        """Stop after this slice."""
        self._closed = True
        while self._waiting:
            self._waiting.popleft().future.set_exception(Lost("the pool was closed"))
        if self._working:
            self._working.cancel()


async def _answer(task: _Task) -> Any:
    """Do a task in slices, and return its answer. Raises ``TaskLate``, and its own errors."""
    worked = 0.0
    while True:
        for _turn in range(TURNS):
            await asyncio.sleep(0)
        begun = now = time.monotonic()
        try:
            while now - begun < SLICE:
                task.context.run(next, task.steps)
                now = time.monotonic()
        except StopIteration as ready:
            return ready.value
        worked += now - begun
        if task.seconds is not None and worked > task.seconds:
            raise TaskLate(f"no answer within {task.seconds:g} s")
