"""Bulk play: N games on all cores from one seed. The result does not depend on the number of threads."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from paddock.core.bounds import SPARE
from paddock.core.errors import OutOfBounds, PaddockError, quoted
from paddock.core.extras import command, has
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.kernel import calls
from paddock.kernel.chance import stream
from paddock.kernel.events import CODES
from paddock.kernel.loader import load_kernel
from paddock.kernel.plainly import SEEN
from paddock.kernel.source import Seed, seed_number

T = TypeVar("T")
CHUNK = 1000
LOOK = 0.5  # seconds between two looks for Ctrl-C


@dataclass(frozen=True)
class Bulk:
    """The results of N games by index: arrays of shape (N, seats), and (N,) for decisions."""

    scores: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    decisions: npt.NDArray[np.int64]


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(run: Callable[[int], T], tasks: Iterable[int], threads: int) -> Iterator[T]:
    """Yield the result of each task, in their order. Ctrl-C does not wait for what still runs."""
    pool = ThreadPoolExecutor(threads)
    try:
        futures = deque(pool.submit(run, task) for task in tasks)
        while futures:
            # In steps: a signal that comes just before a wait is noticed only after it.
            while not futures[0].done():
                wait([futures[0]], timeout=LOOK)
            yield futures.popleft().result()
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
        # What the title's functions write too much is then seen. ``pay`` works with three rows of seats.
        self.out = np.zeros(max(rules.ACTIONS, rules.OUTCOMES, 3 * rules.MAX_SEATS) + SPARE, np.int64)
        self.weights = np.zeros_like(self.out)


def play(
    title: Title,
    options: Options,
    games: int,
    seed: Seed,
    *,
    thirds: Sequence[int] = (),
    threads: int | None = None,
    progress: Callable[[int], Any] | None = None,
    compiled: bool | None = None,
) -> Bulk:
    """Play ``games`` single games (no series), compiled.

    ``thirds`` says for every player how many of three decisions the title's policy makes: 3 all of them, 0
    none. The other decisions, by default all, are uniformly random. Game i uses stream i of ``seed`` for
    chance and choices. ``threads`` defaults to the number of cores. ``progress`` is called with the number of
    games finished since the last call. ``compiled`` is by default whether Numba is installed: without it, one
    core plays the same games plainly, which takes much longer.
    """
    if compiled is None and not has("fast"):
        compiled = False
        say_plain()
    seats, by_seat = options.seats, _thirds_by_seat(options, thirds or [0] * options.players)
    bulk = Bulk(
        np.zeros((games, title.rules.MAX_SEATS), np.int64),
        np.zeros((games, title.rules.MAX_SEATS), np.int64),
        np.zeros(games, np.int64),
    )
    number = seed_number(seed)
    if compiled is False:
        for done in _play_plain(title, options, number, by_seat, bulk):
            if progress:
                progress(done)
        return _checked_results(title, bulk, seats)

    def run(first: int) -> int:
        part = slice(first, min(first + CHUNK, games))
        scores, places, decisions = bulk.scores[part], bulk.places[part], bulk.decisions[part]
        if by_seat.any():
            _contest(title, options, number, first, by_seat, scores, places, decisions)
        else:
            bench = Bench(title, options)
            bench.kernel.play_many(
                bench.ss, bench.gg, number, first, bench.rng, bench.out, scores, places, decisions
            )
        return part.stop - part.start

    for done in in_threads(run, range(0, games, CHUNK), threads or cores()):
        if progress:
            progress(done)
    return _checked_results(title, bulk, seats)


@cache
def say_plain() -> None:
    """Say once that games are played plainly, and how they are compiled."""
    sentence = _(
        "Numba is not installed, so games are not compiled, and take many times as long: run {command}"
    )
    logging.getLogger("paddock").warning(sentence.format(command=command("fast")))


def _play_plain(
    title: Title, options: Options, number: int, thirds: npt.NDArray[np.int64], bulk: Bulk
) -> Iterator[int]:
    """Play the games of ``play`` without the compiler, as ``play_many`` and ``contest`` of entries.py do, and
    yield 1 after each."""
    rules, kernel = title.rules, load_kernel(title, compiled=False)
    s, g, rng = rules.State(), title.setup_of(options), [0]
    out = [0] * (max(rules.ACTIONS, rules.OUTCOMES) + SPARE)
    share, eyes, bots = thirds.tolist(), eyes_by_seat(options).tolist(), bool(thirds.any())
    for i in range(len(bulk.decisions)):
        stream(number, i, rng)
        rules.start(s, g)
        decisions = 0
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                rules.run_chance(s, g, rng)
                continue
            seat = kernel.first_of(waiting, options.seats)
            n = kernel.listed(s, g, seat, out)
            if bots and kernel.asks_policy(share[seat], rng):
                move = out[0]
                if n > 1:
                    hidden = s.copy()
                    rules.hide(hidden, g, eyes[seat])
                    move = kernel.policy(hidden, g, seat, out, n, rng)
            else:
                move = out[kernel.below(rng, n)]
            rules.apply(s, g, seat, move)
            decisions = kernel.counted(decisions)
        bulk.scores[i], bulk.places[i] = title.results(s, g)
        bulk.decisions[i] = decisions
        yield 1


@dataclass(frozen=True)
class Contest:
    """N games between bots by index: flat records of the state in which a seat first decided and of the end,
    the places by seat, how often each event was told, by code, and the number of decisions."""

    begins: npt.NDArray[np.void]
    ends: npt.NDArray[np.void]
    places: npt.NDArray[np.int64]
    event_counts: npt.NDArray[np.int64]
    decisions: npt.NDArray[np.int64]


def contest(title: Title, options: Options, games: int, seed: Seed, thirds: Sequence[int]) -> Contest:
    """Play ``games`` single games as ``play`` does, on one core, and return more about them."""
    scores, places = (np.zeros((games, title.rules.MAX_SEATS), np.int64) for _ in range(2))
    decisions = np.zeros(games, np.int64)
    begins, ends, event_counts = _contest(
        title,
        options,
        seed_number(seed),
        0,
        _thirds_by_seat(options, thirds),
        scores,
        places,
        decisions,
        tell=True,
    )
    return Contest(begins, ends, places[:, : options.seats], event_counts, decisions)


def _thirds_by_seat(options: Options, thirds: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the ``thirds`` of every seat's player; raise ``PaddockError`` if there are not as many."""
    if len(thirds) != options.players or not set(thirds) <= {0, 1, 2, 3}:
        sentence = _("thirds={thirds}: give a number from 0 to 3 for each of {n} players")
        raise PaddockError(sentence.format(thirds=quoted(list(thirds)), n=options.players))
    return np.array([thirds[owner] for owner in options.owners])


def _contest(
    title: Title,
    options: Options,
    number: int,
    first: int,
    thirds: npt.NDArray[np.int64],
    scores: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    decisions: npt.NDArray[np.int64],
    tell: bool = False,
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void], npt.NDArray[np.int64]]:
    """Play the games from ``first`` on into the three arrays; return the other three fields of a contest."""
    games = len(decisions)
    bench = Bench(title, options, states=games + 2, tell=tell)
    begins, event_counts = np.zeros(games, bench.kernel.State.dtype), np.zeros((games, CODES), np.int64)
    call = calls.ContestCall(
        bench.ss, bench.gg, thirds, eyes_by_seat(options), number, first, bench.rng, bench.out,
        begins=begins, scores=scores, places=places, event_counts=event_counts, made=decisions,
    )  # fmt: skip
    bench.kernel.contest(call)
    return begins, bench.ss[2:], event_counts


def _empty(*shape: int) -> npt.NDArray[np.float32]:
    return np.zeros(shape, np.float32)


# The policy plays on, without random moves of its own: no network thinks
POLICY = calls.PlaysOn(
    calls.Networks(
        _empty(1, 1, 1), _empty(1, 1), _empty(1, 1, 1), _empty(1, 1), _empty(1, 1, 1), _empty(1, 1),
        np.zeros(1), np.zeros(1), np.zeros(1, np.int64), np.zeros(1, np.int64),
    ),
    calls.Thought(
        _empty(1), _empty(1), _empty(1), _empty(1),
        np.zeros(1), np.zeros(1, np.int64), np.zeros(1, np.int64),
    ),
    -1,
    0,
)  # fmt: skip


@dataclass(frozen=True)
class Ends:
    """The ends of rollouts by move and world: arrays of shape (moves, worlds, seats).

    A rollout that was cut off has estimated scores, and no places.
    """

    scores: npt.NDArray[np.float64]
    places: npt.NDArray[np.float64]  # 0: none
    decisions: int  # in all rollouts together


def rollouts(
    title: Title,
    options: Options,
    hidden: Any,
    eyes: int,
    seat: int,
    moves: Sequence[int],
    worlds: range,
    seed: Seed,
    by: calls.PlaysOn = POLICY,
    limit: int | None = None,
) -> Ends:
    """Play the game on after each of the legal ``moves`` of ``seat``, in each world, on one core.

    A world is one of the games that the plain state ``hidden``, as ``eyes`` see it, may be: the hidden cards
    are dealt again as chance deals them. Then ``by`` makes all decisions, those that were committed in
    secret, too; but one in twenty of the policy's moves that ``eyes`` cannot see is random. World w uses
    stream w of ``seed``: it is the same for all moves, and in every range that includes it. A rollout is cut
    off after ``limit`` decisions (0: never; None: the title's ``HORIZON``).
    """
    bench = Bench(title, options, states=4)
    hidden.store(bench.ss[SEEN])
    limit = bench.kernel.HORIZON if limit is None else limit
    shape = (len(moves), len(worlds), title.rules.MAX_SEATS)
    scores, places = np.zeros(shape), np.zeros(shape)
    call = calls.Rollouts(
        bench.ss, bench.gg, eyes, seat, np.array(moves, np.int64), eyes_by_seat(options), by,
        seed_number(seed), worlds.start, len(worlds), limit, bench.rng, bench.out, np.zeros(shape[2] + SPARE),
        scores=scores, places=places,
    )  # fmt: skip
    decisions = bench.kernel.rollouts(call)
    return Ends(scores[:, :, : options.seats], places[:, :, : options.seats], decisions)


def eyes_by_seat(options: Options) -> npt.NDArray[np.int64]:
    """Return for every seat the bitmask of all seats that its player owns."""
    return np.array([options.eyes(owner) for owner in options.owners])


def _checked_results(title: Title, given_bulk: Bulk, seats: int) -> Bulk:
    """Return the results of the seats, after a check against the scores that the title declares."""
    rules = title.rules
    bulk = Bulk(given_bulk.scores[:, :seats], given_bulk.places[:, :seats], given_bulk.decisions)
    if bulk.scores.size:
        least, most = bulk.scores.min(), bulk.scores.max()
        if least < rules.MIN_SCORE:
            raise OutOfBounds("MIN_SCORE", least, rules.MAX_SCORE, rules.MIN_SCORE)
        if most > rules.MAX_SCORE:
            raise OutOfBounds("MAX_SCORE", most, rules.MAX_SCORE, rules.MIN_SCORE)
    return bulk


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
