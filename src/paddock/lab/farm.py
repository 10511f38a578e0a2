"""Worker processes that play deals. The result does not depend on their number."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator
from dataclasses import dataclass
from multiprocessing.connection import wait
from time import monotonic
from typing import Any, Protocol, TypeVar

from paddock.core.beside import Lost
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.processes import Make, Process, stop
from paddock.lab.plan import Plan
from paddock.lab.play import BotTeam

TRIES = 3  # workers that may die with one deal
CHUNK_SECONDS = 0.1  # about how long a worker plays the deals that it gets at once
LARGEST_CHUNK = 256  # the most deals that it gets at once
AHEAD = 4 * LARGEST_CHUNK  # deals for each worker that may be finished before the oldest open one


@dataclass(eq=False, kw_only=True)
class Worker:
    """Plays a chunk of deals at a time."""

    deals: range = range(0)  # that it plays
    since: float = 0.0  # when it got them
    busy: bool = False  # an answer is due


W = TypeVar("W", bound=Worker)
Games = list[Any]  # of one deal: a ``GameRow`` each, or what another team makes of a game


class Crew(Protocol[W]):
    """Workers on this machine, or elsewhere."""

    def size(self) -> int:
        """Return how many workers there should be now."""

    def hire(self) -> W:
        """Return a new worker."""

    def send(self, worker: W) -> None:
        """Let a worker play its deals."""

    def wait(self, busy: list[W]) -> list[W]:
        """Wait for some of the workers to answer or die, and return them. After a while, return none."""

    def receive(self, worker: W) -> list[Games]:
        """Return the games of each deal; raise ``Lost`` if the worker died."""

    def dismiss(self, workers: list[W]) -> None:
        """Stop workers and their bots."""


def play_deals(
    plan: Plan, deals: range, processes: int, team: Make = BotTeam
) -> Generator[Games, None, None]:
    """Play the deals, and yield the games of each, in the order of ``deals``. Close the iterator to stop.

    Each process makes a ``team`` of its own.

    Raises ``PaddockError`` if several workers die with the same deal.
    """
    return share(deals, _Processes(plan, processes, team))


def share(deals: range, crew: Crew[W]) -> Generator[Games, None, None]:
    """Let a crew play the deals, as ``play_deals`` does."""
    finished, deaths, to_repeat = dict[int, Games](), Counter[int](), deque[int]()
    workers, fresh, size = list[W](), deals.start, 1
    try:
        for deal in deals:
            while deal not in finished:
                while len(workers) < min(crew.size(), len(deals)):
                    workers.append(crew.hire())
                for worker in workers:
                    if worker.busy:
                        continue
                    if to_repeat:
                        worker.deals = range(to_repeat[0], to_repeat.popleft() + 1)
                    elif fresh < (end := min(deals.stop, deal + AHEAD * len(workers))):
                        worker.deals = range(fresh, min(fresh + size, end))
                        fresh = worker.deals.stop
                    else:
                        continue
                    worker.since, worker.busy = monotonic(), True
                    crew.send(worker)
                for worker in crew.wait([worker for worker in workers if worker.busy]):
                    played, worker.deals, worker.busy = worker.deals, range(0), False
                    try:
                        finished.update(zip(played, crew.receive(worker), strict=True))
                        if played:
                            size = _next_size(size, monotonic() - worker.since)
                    except Lost:
                        deaths.update(played)
                        if played and deaths[played[0]] == TRIES:
                            raise PaddockError(_died(played[0])) from None
                        to_repeat.extend(played)  # one by one, so that the guilty deal is found
                        workers.remove(worker)
                        crew.dismiss([worker])
            yield finished.pop(deal)
    finally:
        crew.dismiss(workers)


def _next_size(size: int, seconds: float) -> int:
    """Return the number of deals for the next chunk, if one of ``size`` took so long."""
    if seconds < CHUNK_SECONDS:
        return min(2 * size, LARGEST_CHUNK)
    return max(1, size // 2) if seconds > 4 * CHUNK_SECONDS else size


def _died(deal: int) -> str:
    sentence = _("{n} worker processes ended unexpectedly while they played deal {deal}")
    return sentence.format(n=TRIES, deal=deal)


def hire(plan: Plan, team: Make = BotTeam) -> Process:
    """Start a worker process. It is stopped with its bots when this process ends, even by a kill."""
    return Process(team, plan, parent=not all(entrant.level for entrant in plan.entrants))


@dataclass(eq=False)
class _Local(Worker):
    process: Process


@dataclass
class _Processes:
    """The crew of this machine."""

    plan: Plan
    processes: int
    team: Make

    def size(self) -> int:
        return self.processes

    def hire(self) -> _Local:
        return _Local(hire(self.plan, self.team))

    def send(self, worker: _Local) -> None:
        worker.process.send(worker.deals)

    def wait(self, busy: list[_Local]) -> list[_Local]:
        ready = wait([worker.process.pipe for worker in busy])
        return [worker for worker in busy if worker.process.pipe in ready]

    def receive(self, worker: _Local) -> list[Games]:
        rows: list[Games] = worker.process.receive()
        return rows

    def dismiss(self, workers: list[_Local]) -> None:
        stop(*(worker.process for worker in workers))
