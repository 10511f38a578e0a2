"""Worker processes in which bots think, so that a table's pages never wait for one."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Sequence
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
TRIES = 3  # pools that may die over one decision before this process thinks for itself


@dataclass(frozen=True)
class Parcel:
    """All that crosses to a worker: a ``Seen`` and its question as plain data."""

    title: str
    options: str
    names: tuple[str, ...]
    rounds: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # scores and places
    eyes: int
    state: bytes  # hidden for ``eyes``
    level: str
    seat: int
    legal: tuple[int, ...]
    seed: int


def pack(level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> Parcel:
    """The parcel of a decision: equal for all that is equal to these eyes."""
    return Parcel(
        title=seen.title.name,
        options=seen.options.text,
        names=seen.names,
        rounds=tuple((r.scores, r.places) for r in seen.rounds),
        eyes=seen.eyes,
        state=seen.state.tobytes(),
        level=level,
        seat=seat,
        legal=tuple(legal),
        seed=seed,
    )


def unpack(parcel: Parcel) -> Seen:
    """The ``Seen`` of a parcel."""
    found = title(parcel.title)
    options = found.options.read_text(parcel.options, revision=found.revision)
    state = found.rules.State.frombytes(parcel.state)
    rounds = tuple(RoundResult(scores, places) for scores, places in parcel.rounds)
    return Seen(found, options, found.setup_of(options), state, parcel.eyes, rounds, parcel.names)


def think(parcel: Parcel) -> int:
    """What the bot of the parcel chooses: one of its legal moves."""
    player = bot(parcel.title, parcel.level)
    move = player.choose(unpack(parcel), parcel.seat, parcel.legal, Seeded(parcel.seed))
    if move not in parcel.legal:
        raise RuntimeError(f"the bot {parcel.level} of {parcel.title} chose {move}, which is not legal")
    return move


def _begin() -> None:
    """In a new worker: Ctrl-C is its parent's business, and it never outlives its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def leave() -> None:
        if parent is not None:
            parent.join()
            os._exit(0)

    threading.Thread(target=leave, daemon=True).start()


class BotPool:
    """A few workers, started when first asked for; a dead one is replaced unnoticed.

    Belongs to one event loop. Close it, or use it as a context manager.
    """

    def __init__(self, workers: int = WORKERS) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, get_context("spawn"), initializer=_begin)
        return self._pool

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        """The bot's move, one of ``legal``; the same arguments give the same move.

        Raises ``BadOption`` for an unknown level.
        """
        bot(seen.title, level)
        parcel = pack(level, seen, seat, legal, seed)
        for _ in range(TRIES):
            pool = self._open()
            try:
                return await asyncio.wrap_future(pool.submit(think, parcel))
            except BrokenProcessPool:
                if self._pool is pool:  # not replaced yet by another decision that it was thinking about
                    self._pool = None
                    pool.shutdown(wait=False)
        return await asyncio.to_thread(think, parcel)

    def close(self) -> None:
        """Let the workers go; decisions that were not begun are cancelled."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
