"""Bulk play: N games on all cores from one seed. The result does not depend on the number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from paddock.core.options import Options
from paddock.core.title import Title
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seed, seed_number

CHUNK = 1000
CODES = 64  # of events, at most, in a contest


@dataclass(frozen=True)
class Bulk:
    """The results of N games by index: arrays of shape (N, seats), and (N,) for decisions."""

    scores: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    decisions: npt.NDArray[np.int64]


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def closing_soon(pool: ThreadPoolExecutor) -> Iterator[ThreadPoolExecutor]:
    """Yield the pool, and shut it down without waiting for running games, for example after Ctrl-C."""
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class Bench:
    """The buffers of one thread in compiled mode: states, setup, random stream and legal moves, as arrays."""

    def __init__(self, title: Title, options: Options, states: int = 1, tell: bool = False) -> None:
        self.kernel = load_kernel(title, compiled=True, tell=tell)
        rules = title.rules
        self.ss = np.zeros(states, self.kernel.State.dtype)
        self.gg = np.zeros(1, rules.Setup.dtype)
        title.setup_of(options).store(self.gg[0])
        self.rng = np.zeros(1, np.int64)
        self.out = np.zeros(max(rules.ACTIONS, rules.OUTCOMES) + 1, np.int64)
        self.weights = np.zeros_like(self.out)


def play(
    title: Title,
    options: Options,
    games: int,
    seed: Seed,
    *,
    threads: int | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Bulk:
    """Play ``games`` single games (no series) uniformly at random, compiled.

    Game i uses stream i of ``seed`` for chance and choices. ``threads`` defaults to the number of cores.
    ``progress`` is called with the number of games finished since the last call.
    """
    seats = options.seats
    bulk = Bulk(
        np.zeros((games, title.rules.MAX_SEATS), np.int64),
        np.zeros((games, title.rules.MAX_SEATS), np.int64),
        np.zeros(games, np.int64),
    )
    load_kernel(title, compiled=True)  # once, before the threads start
    number = seed_number(seed)

    def run(first: int) -> int:
        bench = Bench(title, options)
        part = slice(first, min(first + CHUNK, games))
        bench.kernel.play_many(
            bench.ss, bench.gg, number, first, bench.rng, bench.out,
            bulk.scores[part], bulk.places[part], bulk.decisions[part],
        )  # fmt: skip
        return part.stop - part.start

    with closing_soon(ThreadPoolExecutor(threads or cores())) as pool:
        for done in pool.map(run, range(0, games, CHUNK)):
            if progress:
                progress(done)
    result = Bulk(bulk.scores[:, :seats], bulk.places[:, :seats], bulk.decisions)
    _check(title, result)
    return result


@dataclass(frozen=True)
class Contest:
    """N games between bots by index: flat records of the state in which a seat first decided and of the end,
    the places by seat, how often each event was told, by code, and the number of decisions."""

    begins: npt.NDArray[np.void]
    ends: npt.NDArray[np.void]
    places: npt.NDArray[np.int64]
    told: npt.NDArray[np.int64]
    decisions: npt.NDArray[np.int64]


def contest(title: Title, options: Options, games: int, seed: Seed, bots: int) -> Contest:
    """Play ``games`` single games compiled, on one core: the seats in the bitmask ``bots`` by the title's
    policy, the others at random. Game i uses stream i of ``seed``."""
    bench = Bench(title, options, states=games + 2, tell=True)
    begins, decisions = np.zeros(games, bench.kernel.State.dtype), np.zeros(games, np.int64)
    places = np.zeros((games, title.rules.MAX_SEATS), np.int64)
    told = np.zeros((games, CODES), np.int64)
    bench.kernel.contest(
        bench.ss, bench.gg, bots, seed_number(seed), 0, bench.rng, bench.out, begins, places, told, decisions
    )
    return Contest(begins, bench.ss[2:], places[:, : options.seats], told, decisions)


def _check(title: Title, bulk: Bulk) -> None:
    """Check the results against the bounds that the title declares."""
    rules = title.rules
    if len(bulk.decisions):
        assert bulk.decisions.max() <= rules.MAX_DECISIONS
        assert bulk.scores.min() >= rules.MIN_SCORE
        assert bulk.scores.max() <= rules.MAX_SCORE


def secrecy_checks(title: Title, options: Options, seed: int, games: int) -> int:
    """Play random games, and check at every decision that no secret leaks into views, moves or previews.

    Returns the number of checks, or −1 − the index of a game that breaks the theorem in entries.py.
    """
    bench = Bench(title, options, states=9)
    raw = bench.ss.view(np.uint8).reshape(len(bench.ss), -1)
    side, lists = np.zeros(1, np.int64), np.zeros((3, len(bench.out)), np.int64)
    done: int = bench.kernel.secrecy(
        bench.ss, raw, bench.gg, options.seats, seed, 0, games, bench.rng, side, lists
    )
    return done
