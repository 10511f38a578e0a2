"""Workers on a Ray cluster that play deals. The result is the same as on this machine.

Each of them is an actor with a worker process of farm.py: bots are stopped with it, however the actor ends.
"""

from __future__ import annotations

import logging
import multiprocessing.process
import os
import pickle
import socket
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from time import monotonic
from typing import Any

from paddock.core.beside import Lost
from paddock.core.errors import PaddockError, brief
from paddock.core.extras import DISTRIBUTION, need
from paddock.core.i18n import _
from paddock.core.processes import PATIENCE, Process, stop
from paddock.core.title import Title
from paddock.kernel.closure import digest
from paddock.kernel.loader import ENTRIES, LOOPS, own_modules
from paddock.lab.farm import TRIES, Worker, hire, share
from paddock.lab.plan import Plan
from paddock.lab.players import Failed, make_player
from paddock.lab.rows import GameRow

ANSWER = 5.0  # seconds in which a cluster must accept a connection
JOINS = 3  # tries to connect to a cluster that answers
LOOK = 5.0  # seconds after which the size of the cluster is looked up again
CLIENT = "ray://"
PLAYS = (__name__, LOOPS, *ENTRIES)  # and what these import, such as the bots


def check_cluster() -> None:
    """Raise ``PaddockError`` if this Python has no Ray."""
    need("cluster", _("a cluster"))


def play_deals_on(
    address: str, plan: Plan, deals: range, processes: int | None
) -> Generator[list[GameRow], None, None]:
    """Play the deals as ``farm.play_deals``, but on a Ray cluster, with ``processes`` workers or one a CPU.

    Raises ``PaddockError`` if there is no cluster, a node cannot play the match, or several workers die with
    the same deal.
    """
    if not deals:
        return
    with _connected(address) as ray:
        yield from share(deals, _Cluster(ray, plan, processes))


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """Connect this process to a cluster, and return the module ``ray``. A connection of the user is kept."""
    check_cluster()
    import ray
    from ray._private import worker

    if ray.is_initialized():
        yield ray
        return
    shown, printed = brief(address), worker.print_to_stdstream
    try:
        _reach(address)
        # Ray would print to standard output that a node has died, with a page of its log.
        worker.print_to_stdstream = lambda *_, **__: None
        _join(ray, address)
    except Exception as error:
        worker.print_to_stdstream = printed
        sentence = _("cannot connect to the Ray cluster “{address}”: {reason}")
        raise PaddockError(sentence.format(address=shown, reason=brief(str(error), 300))) from None
    try:
        yield ray
    finally:
        ray.shutdown()
        worker.print_to_stdstream = printed


def _join(ray: Any, address: str) -> None:
    """Connect this process. Ray starts a server for each ``ray://``; if one does not start, the next may."""
    for tries in range(JOINS, 0, -1):
        try:
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
            return
        except ConnectionAbortedError:
            if tries == 1:
                raise


def _reach(address: str) -> None:
    """Raise ``OSError`` or ``ValueError`` if nobody answers there: Ray itself would try for minutes."""
    from ray._private.services import canonicalize_bootstrap_address

    # Where several clusters run, Ray would print a page of advice: docs/match.md says which one «auto» finds.
    logging.getLogger("ray").setLevel(logging.ERROR)  # as ``ray.init`` does
    reached: str | None
    if address.startswith(CLIENT):
        reached = address.removeprefix(CLIENT)
    else:
        reached = canonicalize_bootstrap_address(address)
        if reached is None:
            raise ValueError(_("no cluster runs on this machine"))
    host, _colon, port = reached.rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(_("write HOST:PORT, ray://HOST:PORT or auto"))
    socket.create_connection((host.strip("[]"), int(port)), ANSWER).close()


def code_digest(modules: Sequence[str], packages: Sequence[str]) -> str:
    """Return a short hash of the code that plays a match: two nodes with the same play the same games."""
    return digest((*PLAYS, *modules), "", packages)


def _code(title: Title) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the arguments of ``code_digest`` for the matches of a title."""
    rooms = [f"{title.package}.{room}" for room in ("rulebook", "setup", "view", "text", "bots")]
    return (*own_modules(title), *rooms), ("paddock", title.package.partition(".")[0])


@dataclass(frozen=True)
class MatchTask:
    """What a node is told about the match. The plan is pickled: other code might not be able to read it."""

    modules: tuple[str, ...]
    packages: tuple[str, ...]
    digest: str
    version: str  # of Paddock
    folder: str  # in which programs are started
    path: tuple[str, ...]  # where to look for the classes of bots, after the node's own path
    plan: bytes


def make_task(plan: Plan) -> MatchTask:
    """Return what nodes need to play the deals of a plan."""
    modules, packages = _code(plan.title)
    return MatchTask(
        modules,
        packages,
        code_digest(modules, packages),
        version(DISTRIBUTION),
        os.getcwd() if any(entrant.command for entrant in plan.entrants) else "",
        tuple(os.path.abspath(folder) for folder in sys.path),
        pickle.dumps(plan),
    )


class Host:
    """The actor: it keeps a worker process on its node. ``stop`` may be called while ``play`` runs."""

    def __init__(self) -> None:
        self._worker: Process | None = None

    def start(self, task: MatchTask) -> str:
        """Start the worker; return why it cannot play on this node, or nothing."""
        if reason := self._start(task):
            return _("{node}: {reason}").format(node=socket.gethostname(), reason=reason)
        return ""

    def _start(self, task: MatchTask) -> str:
        """Start a worker for the task; return why that is not possible, empty if it is."""
        if code_digest(task.modules, task.packages) != task.digest:
            sentence = _("its code differs; it has Paddock {other}, and needs {version}")
            return sentence.format(other=version(DISTRIBUTION), version=task.version)
        if task.folder:
            try:
                os.chdir(task.folder)
            except OSError:
                return _("there is no folder {folder}").format(folder=task.folder)
            vars(multiprocessing.process)["ORIGINAL_DIR"] = task.folder  # in which the worker starts
        # Worker processes would import Ray's main script, and with it all of Ray.
        vars(sys.modules["__main__"]).pop("__file__", None)
        sys.path += [folder for folder in task.path if folder not in sys.path]
        plan: Plan = pickle.loads(task.plan)
        for entrant in plan.entrants:
            try:
                if not entrant.level:
                    make_player(plan, entrant).close()
            except Failed as failed:
                sentence = _("the bot {bot} does not start: {reason}")
                return sentence.format(bot=entrant.label, reason=failed.reason)
        self._worker = hire(plan)
        return ""

    def play(self, deals: range) -> list[list[GameRow]] | None:
        """Return the games of each deal, or None if the worker died."""
        assert self._worker
        try:
            rows: list[list[GameRow]] = self._worker.do(deals)
        except Lost:
            return None
        return rows

    def stop(self) -> None:
        """Stop the worker and its bots."""
        if self._worker:
            stop(self._worker)


@dataclass(eq=False)
class _Member(Worker):
    actor: Any
    reply: Any  # a reference to the answer that is due
    started: bool = False


class _Cluster:
    """The crew of a cluster. It follows the number of CPUs while nodes come and go."""

    def __init__(self, ray: Any, plan: Plan, processes: int | None) -> None:
        self._ray, self._processes, self._failures = ray, processes, 0
        self._size, self._looked = 0, monotonic() - LOOK
        self._task = make_task(plan)
        # A CPU for each actor, two threads for ``stop``, and deals are repeated here, not by Ray.
        self._host = ray.remote(num_cpus=1, max_concurrency=2, max_restarts=0, max_task_retries=0)(Host)

    def size(self) -> int:
        if not self._processes and monotonic() >= self._looked + LOOK:
            self._size, self._looked = int(self._ray.cluster_resources().get("CPU", 0)), monotonic()
        return self._processes or max(1, self._size)

    def hire(self) -> _Member:
        """Ask for an actor. Ray starts it when a CPU is free; then it answers for the first time."""
        actor = self._host.remote()
        return _Member(actor, actor.start.remote(self._task), busy=True)

    def send(self, worker: _Member) -> None:
        worker.reply = worker.actor.play.remote(worker.deals)

    def wait(self, busy: list[_Member]) -> list[_Member]:
        ready, _rest = self._ray.wait([worker.reply for worker in busy], timeout=LOOK)
        return [worker for worker in busy if worker.reply in ready]

    def receive(self, worker: _Member) -> list[list[GameRow]]:
        """Return the rows of a worker's deals; none for a worker that has just started. Raises ``Lost``."""
        try:
            answer = self._ray.get(worker.reply)
        except self._ray.exceptions.RayError as error:
            if not worker.started:
                self._failed(error)
            raise Lost from None
        if not worker.started:
            if answer:
                raise PaddockError(_refused(answer))
            worker.started, self._failures = True, 0
            return []
        if answer is None:
            raise Lost
        rows: list[list[GameRow]] = answer
        return rows

    def _failed(self, error: Exception) -> None:
        """Count actors that did not start; raise ``PaddockError`` after several in a row."""
        self._failures += 1
        if self._failures == TRIES:
            raise PaddockError(_refused(brief(str(error), 300)))

    def dismiss(self, workers: list[_Member]) -> None:
        """Stop these workers, and free their CPUs."""
        started = [worker.actor.stop.remote() for worker in workers if worker.started]
        if started:
            self._ray.wait(started, num_returns=len(started), timeout=2 * PATIENCE)
        for worker in workers:
            self._ray.kill(worker.actor)


def _refused(reason: str) -> str:
    return _("a node of the cluster cannot play the match: {reason}").format(reason=reason)
