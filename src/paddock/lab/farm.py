"""Worker processes that play deals. The result does not depend on their number."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from paddock.bots.workers import start_worker
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.lab.plan import Plan
from paddock.lab.play import Row, Team, play_deal

TRIES = 3  # workers that may die with one deal
PATIENCE = 5.0  # seconds that a worker has to stop its bots
AHEAD = 64  # deals for each worker that may be finished before the oldest open one


@dataclass(eq=False)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    deal: int | None = None  # that it plays


def play_deals(plan: Plan, deals: range, processes: int) -> Generator[list[Row], None, None]:
    """Play the deals, and yield the games of each, in the order of ``deals``. Close the iterator to stop.

    Raises ``PaddockError`` if several workers die with the same deal.
    """
    todo, finished, deaths = deque(deals), dict[int, list[Row]](), dict[int, int]()
    workers = list[_Worker]()
    try:
        workers += [_hire(plan) for _ in range(min(processes, len(deals)))]
        for deal in deals:
            while deal not in finished:
                for worker in workers:
                    if worker.deal is None and todo and todo[0] < deal + AHEAD * processes:
                        worker.deal = todo.popleft()
                        with suppress(OSError):  # it has died, as ``wait`` says next
                            worker.pipe.send(worker.deal)
                ready = wait([worker.pipe for worker in workers if worker.deal is not None])
                for i, worker in enumerate(workers):
                    busy = worker.deal
                    if busy is None or worker.pipe not in ready:
                        continue
                    worker.deal = None
                    try:
                        finished[busy] = worker.pipe.recv()
                    except (EOFError, OSError):
                        deaths[busy] = deaths.get(busy, 0) + 1
                        if deaths[busy] == TRIES:
                            raise PaddockError(_died(busy)) from None
                        todo.appendleft(busy)
                        _dismiss([worker])
                        workers[i] = _hire(plan)
            yield finished.pop(deal)
    finally:
        _dismiss(workers)


def _died(deal: int) -> str:
    sentence = _("{n} worker processes ended unexpectedly while they played deal {deal}")
    return sentence.format(n=TRIES, deal=deal)


def _hire(plan: Plan) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, plan))
    with _no_interrupt():
        process.start()
    theirs.close()
    return _Worker(process, ours)


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


def _dismiss(workers: list[_Worker]) -> None:
    """Stop the workers and their bots."""
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(PATIENCE)
        worker.process.kill()  # compiled code may not let it end earlier
        worker.process.join()
        worker.pipe.close()


def _work(pipe: Connection, plan: Plan) -> None:
    """Run in a worker: play the deals that the pipe names, until it is closed or the worker is terminated."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that the bots are stopped, too
    start_worker(lambda: os.kill(os.getpid(), signal.SIGTERM))
    with Team(plan) as team:
        while True:
            try:
                deal = pipe.recv()
            except (EOFError, OSError):
                return
            rows = play_deal(plan, deal, team)
            try:
                pipe.send(rows)
            except OSError:  # the match has ended
                return
