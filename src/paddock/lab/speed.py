"""Measures how fast matches between levels are played, as a ratio to bulk play timed in the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice

from paddock.core.title import Title
from paddock.kernel.bench import Case, Measure, compare, policy_games
from paddock.lab.compiled import Compiled, parts_of
from paddock.lab.plan import make_plan

BAR = 0.5  # games of a match, as a ratio to games in bulk: a match also deals, seats and ranks the bots


def measure(title: Title) -> Iterator[Measure]:
    """Time the cases of the title's ``bench.py`` that time its policy: one core, *Club* for every player."""
    for case in title.bench.CASES if title.bench else ():
        if case.policy is not None:
            rate, _, ratio = compare(policy_games(title, case), _match(title, case))
            case_words, unit = f"{title.name}, {case.name}, match, to policy", f"{title.rounds_option}/s"
            yield Measure(case_words, rate, unit, ratio, BAR)


def _match(title: Title, case: Case) -> Callable[[int], int]:
    """Return a function that plays ``n`` deals, and returns the number of games."""
    plan = make_plan(title, ["club"] * title.options.read(case.options).players, 7, case.options, 1)
    compiled, deals = Compiled(plan, parts_of(plan) or []), count()
    return lambda n: sum(len(compiled.play(deal)) for deal in islice(deals, n))
