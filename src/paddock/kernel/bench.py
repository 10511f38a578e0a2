"""Measures how fast the rules run, as a ratio to a small fixed reference kernel timed in the same run.

A busy machine slows both equally, so the targets are ratios; rates per second are only informative.
The targets of a title are in its ``bench.py``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from types import FunctionType
from typing import Any

import numpy as np

from paddock.core.rooms.research import Case as Case
from paddock.core.title import Title, seats_of
from paddock.kernel.bulk import Bench, play, rollouts
from paddock.kernel.chance import below
from paddock.kernel.loader import load_kernel

SLICES = 15
SLICE_S = 0.1  # target duration of one slice of a measurement, in seconds
ROLLOUTS = 0.9  # bar: games from the grid in rollouts, redeal included, as a ratio to bulk play by the policy
TWO_THREADS = 1.9  # times one


@dataclass(frozen=True)
class Measure:
    """One line of the benchmark: the rate per second, and the ratio with its target (0: no target)."""

    what: str
    rate: float
    unit: str
    ratio: float
    bar: float

    @property
    def ok(self) -> bool:
        """Whether the target is reached."""
        return self.ratio >= self.bar


def reference(deck: Any, rng: Any, steps: int) -> int:
    """The reference kernel: swap two random cards of a deck of 52, count how often the first is higher."""
    higher = 0
    for _ in range(steps):
        i = below(rng, 52)
        j = below(rng, 52)
        a = deck[i]
        b = deck[j]
        deck[i] = b
        deck[j] = a
        if a > b:
            higher += 1
    return higher


def compiled_reference() -> Callable[[Any, Any, int], int]:
    """Return the reference kernel, compiled with the same settings as the rules."""
    import numba
    from numba.extending import register_jitable

    inner = register_jitable(error_model="numpy")(below)
    copied = FunctionType(reference.__code__, {**reference.__globals__, "below": inner})
    return numba.njit(nogil=True, error_model="numpy")(copied)


def _slice(
    work: Callable[[int], int], clock: Callable[[], float] = time.perf_counter
) -> Callable[[], tuple[float, float]]:
    """Return a function that times ``work(n)``, which returns a count: (count per second, n per second)."""
    n = 1
    work(n)  # compiles
    while True:  # find the n that fills a slice
        t = clock()
        work(n)
        if clock() - t > SLICE_S / 4:
            break
        n *= 2

    def timed() -> tuple[float, float]:
        t = clock()
        count = work(n)
        seconds = clock() - t
        return count / seconds, n / seconds

    return timed


def compare(
    reference: Callable[[int], int],
    work: Callable[[int], int],
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float, float]:
    """Return the best rate of ``work``, the best rate of its n, and the median ratio to the reference.

    With ``time.process_time`` as the ``clock``, rates are by processor time.
    """
    timed_reference, timed_work = _slice(reference, clock), _slice(work, clock)
    pairs = [(timed_reference()[0], timed_work()) for _ in range(SLICES)]
    return (
        max(rate for _, (rate, _) in pairs),
        max(games for _, (_, games) in pairs),
        median(rate / base for base, (rate, _) in pairs),
    )


def _compiled_work(title: Title, case: Case) -> Callable[[int], int]:
    """Return a function that plays so many compiled games, and returns the decisions in them."""
    bench = Bench(title, title.options.read(case.options))

    def work(games: int) -> int:
        scores = np.zeros((games, title.rules.MAX_SEATS), np.int64)
        decisions = np.zeros(games, np.int64)
        bench.kernel.play_many(bench.ss, bench.gg, 7, 0, bench.rng, bench.out, scores, scores, decisions)
        return int(decisions.sum())

    return work


def _policy_work(title: Title, case: Case) -> Callable[[int], int]:
    options = title.options.read(case.options)
    thirds = [3] * options.players
    return lambda games: int(play(title, options, games, 7, thirds=thirds, threads=1).decisions.sum())


def policy_games(title: Title, case: Case) -> Callable[[int], int]:
    """Return a function that plays ``n`` games by the policy in bulk, and returns ``n``."""
    work = _policy_work(title, case)

    def games(n: int) -> int:
        work(n)
        return n

    return games


def _rollout_work(title: Title, case: Case) -> Callable[[int], int]:
    """Return a function that plays ``n`` rollouts from the grid, each in a world of its own."""
    options, rules = title.options.read(case.options), title.rules
    s, g, out = rules.State(), title.setup_of(options), [0] * (rules.ACTIONS + 1)
    rules.start(s, g)
    rules.run_chance(s, g, [7])
    seat = seats_of(rules.who(s, g))[0]
    eyes = options.eyes(options.owners[seat])
    rules.hide(s, g, eyes)
    rules.legal(s, g, seat, out)
    return lambda n: len(rollouts(title, options, s, eyes, seat, out[:1], range(n), 7, limit=0).scores[0])


def _plain_work(title: Title, case: Case) -> Callable[[int], int]:
    kernel = load_kernel(title, compiled=False)
    s, g = title.rules.State(), title.setup_of(title.options.read(case.options))
    rng, out = [0], [0] * (title.rules.ACTIONS + 1)
    return lambda games: sum(kernel.play_one(s, g, 7, i, rng, out) for i in range(games))


def _pair(first: Callable[[int], int], second: Callable[[int], int]) -> Callable[[int], int]:
    """Return a function that runs both at once, each in its own thread."""

    def work(n: int) -> int:
        """Do both at the same time; return what both have done together."""
        counts = [0, 0]

        def run(i: int, half: Callable[[int], int]) -> None:
            counts[i] = half(n)

        threads = [threading.Thread(target=run, args=(i, half)) for i, half in enumerate((first, second))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(counts)

    return work


def measure(title: Title) -> list[Measure]:
    """Time every case of the title's ``bench.py`` in both modes, and the last case on two threads as well.

    Returns an empty list if the title has no ``bench.py``.
    """
    room = title.bench
    if room is None:
        return []
    deck, rng = np.arange(52), np.ones(1, np.int64)
    compiled = compiled_reference()
    listed, row = [*range(52)], [1]

    def fast(n: int) -> int:
        compiled(deck, rng, 1000 * n)
        return 1000 * n

    def slow(n: int) -> int:
        reference(listed, row, 100 * n)
        return 100 * n

    lines = [line for case in room.CASES for line in _of_case(title, case, fast, slow)]
    return [*lines, _on_two_threads(title, room.CASES[-1])]


def _of_case(
    title: Title, case: Case, fast: Callable[[int], int], slow: Callable[[int], int]
) -> list[Measure]:
    """Time a case, compiled beside the reference ``fast`` and in plain Python beside ``slow``."""
    name, games_unit = f"{title.name}, {case.name}", f"{title.rounds_option}/s"
    rate, games, ratio = compare(fast, _compiled_work(title, case))
    lines = [
        Measure(f"{name}, compiled", rate, "decisions/s", ratio, case.compiled),
        Measure(f"{name}, compiled", games, games_unit, ratio, 0),
    ]
    if case.policy is not None:
        rate, games, ratio = compare(fast, _policy_work(title, case))
        lines.append(Measure(f"{name}, policy", rate, "decisions/s", ratio, case.policy))
        lines.append(Measure(f"{name}, policy", games, games_unit, ratio, 0))
        _, games, ratio = compare(policy_games(title, case), _rollout_work(title, case))
        lines.append(Measure(f"{name}, rollouts, to policy", games, games_unit, ratio, ROLLOUTS))
    rate, _, ratio = compare(slow, _plain_work(title, case))
    return [*lines, Measure(f"{name}, plain", rate, "decisions/s", ratio, case.plain)]


def _on_two_threads(title: Title, case: Case) -> Measure:
    """Time a case on two threads beside the same on one.

    Other processes on the second core can only slow a pair down: the best slices are compared.
    """
    work = _compiled_work(title, case)
    slice_alone, slice_of_two = _slice(work), _slice(_pair(work, _compiled_work(title, case)))
    pairs = [(slice_alone()[0], slice_of_two()[0]) for _ in range(SLICES)]
    best = max(rate for _, rate in pairs)
    ratio = best / max(rate for rate, _ in pairs)
    return Measure(f"{title.name}, {case.name}, two threads", best, "decisions/s", ratio, TWO_THREADS)
