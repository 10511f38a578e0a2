"""Work in other processes: bots, what takes a server long, analyses, matches, and the bots of users.

A ``Process`` does one task after another; a ``Pool`` shares tasks among several. Each kind of work has a pool
of its own, with its niceness, so a bot never waits for an analysis.

No library does this. ``concurrent.futures`` and loky have no deadlines, and one process that dies breaks the
pool. pebble 5.2 has deadlines, but an idle process that dies breaks its pool, too, and none can keep a state.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, TypeVar

from paddock.core.beside import Lost, TaskLate
from paddock.core.errors import PaddockError
from paddock.core.i18n import _, catalogues, language, mark, spoken

T = TypeVar("T")
Make = Callable[..., AbstractContextManager[Callable[..., Any]]]
NAME = "paddock worker"
UNGUARDED = 78  # exit status of a worker that would start workers while it imports the script
PATIENCE = 5.0  # seconds in which a process must end when it is asked to, or has closed its pipe


_GUARD = mark(
    "the worker processes import this script, and would start workers themselves: put its lines that do "
    "something below {guard}"
)


def _calls() -> AbstractContextManager[Callable[..., Any]]:
    """Let tasks be functions and their arguments."""
    return nullcontext(lambda work, *args: work(*args))


class Process:
    """A process that does one task after another. ``stop`` it in the end.

    It also ends when this process does, even by a kill. Ctrl-C does not reach it. It calls ``make(*args)``,
    whose result does the tasks; by default, a task is a function and its arguments. A ``parent`` may start
    processes, and has some time to close what ``make`` opened. Others are killed with their children.
    Everything must be picklable.
    """

    def __init__(self, make: Make = _calls, *args: Any, nice: int = 0, parent: bool = False) -> None:
        if current_process().name == NAME and getattr(current_process(), "_inheriting", False):
            os._exit(UNGUARDED)  # this is a worker, and still imports the script that started it: see receive
        context = get_context("spawn")
        self.parent = parent
        self.pipe, child_pipe = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(child_pipe, nice, parent, make, *args), name=NAME, daemon=not parent
        )
        with _no_interrupt():
            self.process.start()
        child_pipe.close()  # so that reading fails when the process has died

    def send(self, *task: Any) -> None:
        """Give it a task. ``receive`` tells if the process has died."""
        with suppress(OSError):
            self.pipe.send_bytes(pickle.dumps(task))

    def receive(self, seconds: float | None = None) -> Any:
        """Return the answer to its task, or raise its error: a ``PaddockError``, or a ``RuntimeError`` with
        the traceback of any other.

        Raises ``TaskLate`` after so many seconds, and ``Lost`` if the process died: then it does nothing
        more. A script without a main guard is a ``PaddockError``, too: each worker would do again what it
        does.
        """
        try:
            if not self.pipe.poll(seconds):
                raise TaskLate(f"no answer within {seconds:g} s")
            answer, error = pickle.loads(self.pipe.recv_bytes())
        except (EOFError, OSError):
            self.process.join(PATIENCE)
            if self.process.exitcode == UNGUARDED:
                raise PaddockError(_(_GUARD).format(guard='if __name__ == "__main__":')) from None
            raise Lost(f"exit status {self.process.exitcode}") from None
        if error is not None:
            raise error
        return answer

    def do(self, *task: Any, seconds: float | None = None) -> Any:
        """Send a task, and receive its answer."""
        self.send(*task)
        return self.receive(seconds)

    def kill(self) -> None:
        """Kill the process and its children. Another thread may wait for its answer meanwhile."""
        kill_group(self.process.pid)
        self.process.kill()


def stop(*processes: Process) -> None:
    """Stop processes, and wait until they have ended."""
    for process in processes:
        if process.parent:
            process.process.terminate()
    for process in processes:
        process.process.join(PATIENCE if process.parent else 0)
        process.kill()  # compiled code may not let it end earlier
        process.process.join()
        process.pipe.close()


def kill_group(leader: int | None) -> None:
    """Kill a process that leads a session, and its children, even if it has ended itself."""
    if os.name == "posix" and leader:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Delay Ctrl-C, so that a process that starts here never gets it: it inherits the mask."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, nice: int, parent: bool, make: Make, *args: Any) -> None:
    """Run in the process: do tasks until the pipe is closed."""
    if os.name == "posix":
        os.setsid()  # it can be killed with its children, and Ctrl-C does not reach them
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    Thread(target=_end_with_parent, args=(parent,), daemon=True).start()
    with make(*args) as do, suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_answer(do, pipe.recv_bytes()))


def _end_with_parent(parent: bool) -> None:
    """Run in a thread of the process: end it when the process that started it has died."""
    if (starter := parent_process()) is not None:
        starter.join()
    if parent:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)
    kill_group(os.getpid())
    os._exit(1)


def _answer(do: Callable[..., Any], task: bytes) -> bytes:
    """Do a task, and return its answer and its error."""
    try:
        return pickle.dumps((do(*pickle.loads(task)), None))
    except PaddockError as error:
        return pickle.dumps((None, error))
    except Exception:  # it may not be picklable
        return pickle.dumps((None, RuntimeError(traceback.format_exc())))


class Pool:
    """Workers that are started when they are first needed, and replaced if they die or are late. Close it."""

    def __init__(self, workers: int, nice: int = 0) -> None:
        self._nice = nice
        self._threads = ThreadPoolExecutor(workers, "paddock-pool")  # each waits for one worker
        self._started: set[Process] = set()
        self._idle: list[Process] = []
        self._closed = False

    @property
    def processes(self) -> list[int]:
        """The ids of its processes."""
        return [worker.process.pid or 0 for worker in list(self._started)]

    def submit(self, work: Callable[..., T], *args: Any, seconds: float | None = None) -> Future[T]:
        """Call a function in a worker, as soon as one is free; see ``TaskPool``. The future raises what
        ``Process.receive`` does.
        """
        self._check()
        task = spoken, language.get(), catalogues.get(), work, *args
        return self._threads.submit(self._do, task, seconds)

    def _check(self) -> None:
        if self._closed:
            raise Lost("the pool is closed")

    def _do(self, task: tuple[Any, ...], seconds: float | None) -> Any:
        """Give a task to a worker, and wait for the answer. Runs in a thread."""
        worker = self._take()
        try:
            if self._closed:
                worker.kill()  # ``close`` may not have seen it
            return worker.do(*task, seconds=seconds)
        except Lost:
            stop(worker)
            raise
        finally:
            if worker.process.is_alive():
                self._idle.append(worker)
            else:
                self._started.discard(worker)

    def _take(self) -> Process:
        """Return an idle worker, or a new one. Idle ones may have died meanwhile."""
        self._check()
        with suppress(IndexError):  # another thread may have taken the last one
            while True:
                if (worker := self._idle.pop()).process.is_alive():
                    return worker
                stop(worker)
                self._started.discard(worker)
        self._started.add(worker := Process(nice=self._nice))
        return worker

    def close(self) -> None:
        """Kill the workers, whatever they do. Tasks that run or wait are lost."""
        self._closed = True
        for worker in list(self._started):
            worker.kill()
        self._threads.shutdown()
        stop(*self._started)
