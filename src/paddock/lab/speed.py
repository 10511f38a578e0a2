"""Measures how fast matches between levels are played, as a ratio to bulk play timed in the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from statistics import median
from time import perf_counter

from paddock.core.title import Title
from paddock.kernel.bench import Case, Measure
from paddock.kernel.bulk import play
from paddock.lab.compiled import Compiled, policy_parts
from paddock.lab.plan import make_plan

BAR = 0.5  # games of a match, as a ratio to games in bulk: a match also deals, seats and ranks the bots
SLICES = 15
SLICE_S = 0.1


def measure(title: Title) -> Iterator[Measure]:
    """Time the cases of the title's ``bench.py`` that time its policy: one core, *Club* for every player."""
    room = title.room("bench")
    for case in room.CASES if room else ():
        if case.policy is not None:
            match, bulk = _match(title, case), _bulk(title, case)
            match()  # compiles
            bulk()
            pairs = [(_rate(match), _rate(bulk)) for _ in range(SLICES)]
            rate, ratio = max(ours for ours, _ in pairs), median(ours / theirs for ours, theirs in pairs)
            what, unit = f"{title.name}, {case.name}, match, to policy", f"{title.rounds_option}/s"
            yield Measure(what, rate, unit, ratio, BAR)


def _match(title: Title, case: Case) -> Callable[[], int]:
    """Return a function that plays a deal, and returns its number of games."""
    plan = make_plan(title, ["club"] * title.options.read(case.options).players, 7, case.options, 1)
    compiled, deals = Compiled(plan, policy_parts(plan) or []), count()
    return lambda: len(compiled.play(next(deals)))


def _bulk(title: Title, case: Case) -> Callable[[], int]:
    """Return a function that plays games in bulk, and returns their number."""
    options = title.options.read(case.options)
    return lambda: len(play(title, options, 100, 7, thirds=[3] * options.players, threads=1).decisions)


def _rate(work: Callable[[], int]) -> float:
    """Return the games per second of a slice."""
    games, began = 0, perf_counter()
    while (seconds := perf_counter() - began) < SLICE_S:
        games += work()
    return games / seconds
