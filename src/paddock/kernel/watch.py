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

    Texts come from ``SAMPLES`` in the title's ``invariants.py``.
    """
    samples = title.invariants.SAMPLES
    drawn = [row for row in title.options.describe() if row.name not in given]
    while True:
        try:
            return title.options.read({**given, **{row.name: _value(row, samples, choose) for row in drawn}})
        except BadOption:
            if not drawn:
                raise  # else an invalid combination: retry


def _value(row: OptionRow, samples: Mapping[str, Sequence[str]], choose: random.Random) -> str:
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
        options = random_options(title, random.Random(f"{seed} {batch}"))
        bench, found = Bench(title, options, tell=True), np.zeros(2, np.int64)
        row = np.zeros(title.rules.MAX_SEATS, np.int64)
        done = games = 0
        broken = ""

        def play(first: int, games: int) -> int:
            decisions: int = bench.kernel.watched(
                bench.ss, bench.gg, options.seats, number, first, games,
                bench.rng, bench.out, bench.weights, row, found,
            )  # fmt: skip
            return decisions

        while games < MOST_GAMES and done < MOST_DECISIONS and not broken:
            first = batch * MOST_GAMES + games
            try:
                done += play(first, CHUNK)
                if found[1]:
                    broken = title.invariants.INVARIANTS[found[1]]
            except _FAULTS as error:
                broken = str(error)
                for found[0] in range(first, first + CHUNK):  # which game?
                    try:
                        play(int(found[0]), 1)
                    except _FAULTS:
                        break
            games += CHUNK
        if broken:
            broken += f": game {found[0]} of seed {seed} with {options.text}"
        return Watched(options, games, done, broken)

    made = batch = 0
    workers = threads or cores()
    while made < decisions:
        for result in in_threads(run, range(batch, batch + workers), workers):
            made += result.decisions
            yield result
            if result.broken:
                return
        batch += workers
