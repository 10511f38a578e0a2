"""Worker processes that choose moves for bots, so that the server stays responsive."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from typing import Self

from paddock.bots.registry import bot
from paddock.core.series import RoundResult
from paddock.core.title import Seen, title
from paddock.kernel.source import Seeded

WORKERS = 2
TRIES = 3  # worker pools that may crash on one decision before it runs in this process


@dataclass(frozen=True)
class Packed:
    """A ``Seen`` as plain data, for another process. Equal if the eyes cannot tell the positions apart."""

    title: str
    options: str
    names: tuple[str, ...]
    rounds: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # scores and places
    eyes: int
    state: bytes  # hidden for ``eyes``


@dataclass(frozen=True)
class Parcel(Packed):
    """The message to a worker: a ``Seen`` and the decision, as plain data."""

    level: str
    seat: int
    legal: tuple[int, ...]
    seed: int


def packed(seen: Seen) -> Packed:
    """Pack what somebody sees."""
    return Packed(
        title=seen.title.name,
        options=seen.options.text,
        names=seen.names,
        rounds=tuple((r.scores, r.places) for r in seen.rounds),
        eyes=seen.eyes,
        state=seen.state.tobytes(),
    )


def pack(level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> Parcel:
    """Pack a decision. Parcels are equal if the seat cannot tell the positions apart."""
    return Parcel(**vars(packed(seen)), level=level, seat=seat, legal=tuple(legal), seed=seed)


def unpack(packed: Packed) -> Seen:
    """Unpack the ``Seen`` of a parcel."""
    found = title(packed.title)
    options = found.options.read_text(packed.options, revision=found.revision)
    state = found.rules.State.frombytes(packed.state)
    rounds = tuple(RoundResult(scores, places) for scores, places in packed.rounds)
    return Seen(found, options, found.setup_of(options), state, packed.eyes, rounds, packed.names)


def think(parcel: Parcel) -> int:
    """Run the bot of a parcel, and return the move that it chooses."""
    player = bot(parcel.title, parcel.level, wait=False)
    move = player.choose(unpack(parcel), parcel.seat, parcel.legal, Seeded(parcel.seed))
    if move not in parcel.legal:
        raise RuntimeError(f"the bot {parcel.level} of {parcel.title} chose {move}, which is not legal")
    return move


def start_worker(leave: Callable[[], object] = lambda: os._exit(0)) -> None:
    """Set up a new worker: ignore Ctrl-C, and ``leave`` (in a thread) when the parent process dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            leave()

    threading.Thread(target=watch, daemon=True).start()


class BotPool:
    """A pool of workers, started on first use and restarted after a crash.

    Use it in one event loop only. Close it, or use it as a context manager.
    """

    def __init__(self, workers: int = WORKERS) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, get_context("spawn"), initializer=start_worker)
        return self._pool

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        """Return the bot's move, one of ``legal``; the same arguments give the same move, except that *Works*
        plays as *Club* in workers that have not compiled its rollouts yet.

        Raises ``BadOption`` for an unknown level.
        """
        bot(seen.title, level, wait=False)
        parcel = pack(level, seen, seat, legal, seed)
        for _ in range(TRIES):
            pool = self._open()
            try:
                return await asyncio.wrap_future(pool.submit(think, parcel))
            except BrokenProcessPool:
                if self._pool is pool:  # not replaced yet by another failed decision
                    self._pool = None
                    pool.shutdown(wait=False)
        return await asyncio.to_thread(think, parcel)

    def close(self) -> None:
        """Stop the workers, and cancel decisions that have not started."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
