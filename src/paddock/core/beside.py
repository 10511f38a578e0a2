"""What is done beside the event loop: in threads and worker processes (``threaded.py``), or, where a process
can have neither, in the loop itself (``one_thread.py``).

Whoever puts an application together chooses a ``BesideLoop``. Nobody else knows which one it is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Steps = Generator[None, None, T]  # yields where other work may come in between, and returns the answer


class Lost(Exception):
    """A task has no answer: its process died, or the pool was closed."""


class TaskLate(Lost):
    """A task took too long."""


class TaskPool(Protocol):
    """Does tasks that take long. Close it."""

    @property
    def processes(self) -> list[int]:
        """The ids of its processes, if it has any."""

    def submit(self, work: Callable[..., T], *args: Any, seconds: float | None = None) -> Future[T]:
        """Call a function as soon as there is time for it, in the language of who asks; until then it can be
        cancelled. It may take so many seconds.

        The future raises the errors of the function, ``TaskLate`` and ``Lost``. Raises ``Lost`` if the pool
        is closed.
        """

    def close(self) -> None:
        """Stop. Tasks that run or wait are lost."""


class BesideLoop(Protocol):
    """Makes what works beside the event loop."""

    def executor(self, threads: int, name: str) -> Executor:
        """Return what does short work, in at most so many threads; the ``name`` is for logs."""

    def pool(self, workers: int, nice: int = 0) -> TaskPool:
        """Return what does tasks, so many at the same time."""


def in_steps(work: Callable[P, Steps[T]]) -> Callable[P, T]:
    """Let a function that is written in steps be called like any other: then it does all of them at once."""

    @wraps(work)
    def at_once(*args: P.args, **kwargs: P.kwargs) -> T:
        steps = work(*args, **kwargs)
        while True:
            try:
                next(steps)
            except StopIteration as ready:
                answer: T = ready.value
                return answer

    at_once.steps = work  # type: ignore[attr-defined]  # what ``steps_of`` finds
    return at_once


def steps_of(work: Callable[..., T]) -> Callable[..., Steps[T]]:
    """Return a function in its steps; any other function is a single one."""

    def single(*args: Any) -> Steps[T]:
        yield
        return work(*args)

    steps: Callable[..., Steps[T]] = getattr(work, "steps", single)
    return steps
