"""Plays random games in compiled mode, and checks the title's invariants after every entry.

It also checks the bounds that the title declares, that every number fits into its field, and that no row is
written or read beyond its end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from paddock.core.errors import BadOption, OutOfBounds
from paddock.core.options import OptionRow, Options
from paddock.core.title import Title
from paddock.kernel.bulk import Bench, cores, in_threads
from paddock.kernel.source import seed_number

# A batch of games with the same options ends after so many games or decisions.
MOST_GAMES = 500
MOST_DECISIONS = 30_000  # checked after every CHUNK games
CHUNK = 10


@dataclass(frozen=True)
class Watched:
    """The result for one set of options: the number of decisions, and the invariant that broke."""

    options: Options
    games: int
    decisions: int
    broken: str  # the broken invariant and its game; empty if none broke


def random_options(
    title: Title, choose: random.Random, given: Mapping[str, Any] = MappingProxyType({})
) -> Options:
    """Return random valid options, with those that are given.

    Texts come from ``SAMPLES`` in the title's ``invariants.py``. In half of them all numbers of the rules are
    the rulebook's.
    """
    samples = title.invariants.SAMPLES
    as_written = choose.random() < 0.5
    drawn = [
        row for row in title.options.describe() if row.name not in given and not (row.rulebook and as_written)
    ]
    while True:
        try:
            return title.options.read({**given, **{row.name: _value(row, samples, choose) for row in drawn}})
        except BadOption:
            if not drawn:
                raise  # else an invalid combination: retry


def _value(row: OptionRow, samples: Mapping[str, Sequence[str]], choose: random.Random) -> str:
    """Return a random value of an option: one of its samples, else one that it allows, else its default."""
    if row.name in samples:
        return choose.choice(samples[row.name])
    if row.kind == "choice":
        return str(choose.choice(row.choices))
    if row.kind == "boolean":
        return choose.choice(("yes", "no"))
    if row.kind == "integer":
        return str(choose.choice(row.numbers))
    return row.default


_FAULTS = (OutOfBounds, OverflowError, IndexError)  # that compiled code finds


def watch(title: Title, decisions: int, seed: int, threads: int | None = None) -> Iterator[Watched]:
    """Play batches with random options until ``decisions`` are made, or something breaks; yield the results.

    The options and chance of batch i depend on ``seed`` and i only. Batches run in groups of ``threads``
    (default: the number of cores), so more threads may play a few more batches.
    """
    number = seed_number(seed)

    def run(batch: int) -> Watched:
        """Play the games of one batch, all with the same random options, until something is broken."""
        options = random_options(title, random.Random(f"{seed} {batch}"))
        bench, result = Bench(title, options, tell=True), np.zeros(2, np.int64)
        row = np.zeros(title.rules.MAX_SEATS, np.int64)
        done = games = 0
        broken = ""

        def play(first: int, games: int) -> int:
            """Play so many games from number ``first`` on; return the decisions in them."""
            decisions: int = bench.kernel.watched(
                bench.ss, bench.gg, options.seats, number, first, games,
                bench.rng, bench.out, bench.weights, row, result,
            )  # fmt: skip
            return decisions

        while games < MOST_GAMES and done < MOST_DECISIONS and not broken:
            first = batch * MOST_GAMES + games
            try:
                done += play(first, CHUNK)
                if result[1]:
                    broken = title.invariants.INVARIANTS[result[1]]
            except _FAULTS as error:
                broken = str(error)
                for result[0] in range(
                    first, first + CHUNK
                ):  # one by one, to find the number of the broken game
                    try:
                        play(int(result[0]), 1)
                    except _FAULTS:
                        break
            games += CHUNK
        if broken:
            broken += f": game {result[0]} of seed {seed} with {options.text}"
        return Watched(options, games, done, broken)

    made_decisions = batch = 0
    workers = threads or cores()
    while made_decisions < decisions:
        for result in in_threads(run, range(batch, batch + workers), workers):
            made_decisions += result.decisions
            yield result
            if result.broken:
                return
        batch += workers
