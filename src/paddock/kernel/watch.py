"""Random play under watch: after every step the title's invariants are looked at, compiled."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from paddock.core.errors import BadOption
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.kernel.bulk import Bench, closing_soon, cores
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import seed_number

BATCH = 500  # games of one set of options


@dataclass(frozen=True)
class Watched:
    """What one set of options came to: its decisions, and what broke."""

    options: Options
    games: int
    decisions: int
    broken: str  # the invariant with the game that broke it; empty: none


def random_options(title: Title, choose: random.Random) -> Options:
    """Options drawn over everything the title allows; texts from the ``SAMPLES`` of its invariants."""
    samples = title.room("invariants").SAMPLES
    while True:
        values = {row["name"]: _value(row, samples, choose) for row in title.options.describe()}
        try:
            return title.options.read(values)
        except BadOption:
            continue  # a combination that makes no sense


def _value(row: dict[str, Any], samples: dict[str, tuple[str, ...]], choose: random.Random) -> str:
    if row["name"] in samples:
        return choose.choice(samples[row["name"]])
    if row["kind"] == "choice":
        return str(choose.choice(row["choices"]))
    if row["kind"] == "boolean":
        return choose.choice(("yes", "no"))
    if row["kind"] == "integer":
        return str(choose.randint(row["least"], row["most"]))
    return str(row["default"])


def watch(title: Title, decisions: int, seed: int, threads: int | None = None) -> Iterator[Watched]:
    """Play sets of random options until ``decisions`` are made; yields what each came to.

    Batch i takes its options and its chance from ``seed`` and i; there are as many batches at a time as
    threads (all cores if not given), so that more threads may play on a little further.
    """
    number = seed_number(seed)
    load_kernel(title, compiled=True)  # before the threads ask for it

    def run(batch: int) -> Watched:
        options = random_options(title, random.Random(f"{seed} {batch}"))
        bench, found = Bench(title, options), np.zeros(2, np.int64)
        done = bench.kernel.watched(
            bench.ss, bench.gg, number, batch * BATCH, BATCH, bench.rng, bench.out, bench.weights, found
        )
        broken = ""
        if found[1]:
            said = title.room("invariants").INVARIANTS[found[1]]
            broken = f"{said}: game {found[0]} of seed {seed} with {options.text}"
        return Watched(options, BATCH, done, broken)

    made = batch = 0
    workers = threads or cores()
    with closing_soon(ThreadPoolExecutor(workers)) as pool:
        while made < decisions:
            for result in pool.map(run, range(batch, batch + workers)):
                made += result.decisions
                yield result
            batch += workers
