"""Random play with invariants: they hold, and a broken one is reported with its game."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.titles import TITLES

import paddock
from paddock.kernel import watch as module
from paddock.kernel.bulk import Bench
from paddock.kernel.loader import load_kernel
from paddock.kernel.watch import random_options, watch
from sampling import SEED, count, seeds


@pytest.mark.parametrize("name", TITLES)
def test_a_slice_of_a_hundred_million_decisions_breaks_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole command ``paddock invariants NAME`` does this."""
    title, decisions = paddock.title(name), count(500_000, 1_000_000)
    monkeypatch.setattr(module, "MOST_DECISIONS", decisions // 25)  # then options of many kinds come up
    watched = list(watch(title, decisions, seed=SEED + 11))
    assert not [w.broken for w in watched if w.broken]
    assert sum(w.decisions for w in watched) >= decisions
    assert len({w.options.text for w in watched}) > 10
    assert max(w.options.seats for w in watched) == title.rules.MAX_SEATS


@pytest.mark.parametrize("name", TITLES)
def test_a_broken_state_is_found(name: str) -> None:
    """An extra card breaks «every card is somewhere»; a normal game breaks nothing."""
    title = paddock.title(name)
    kernel = load_kernel(title, compiled=False)
    s, g = title.rules.State(), title.setup_of(title.options.read({}))
    kernel.start(s, g)
    assert kernel.broken(s, g) == 0
    s.deck[5] += 1
    assert kernel.broken(s, g) == 1
    compiled = load_kernel(title, compiled=True, tell=True)
    bench, found = Bench(title, title.options.read({}), tell=True), np.zeros(2, np.int64)
    seats, row = title.options.read({}).seats, np.zeros(title.rules.MAX_SEATS, np.int64)
    done = compiled.watched(
        bench.ss, bench.gg, seats, 1, 0, 3, bench.rng, bench.out, bench.weights, row, found
    )
    assert done > 0
    assert not found.any()


@pytest.mark.parametrize("name", TITLES)
def test_random_options_reach_every_choice(name: str) -> None:
    title = paddock.title(name)
    drawn = [random_options(title, random.Random(i)) for i in seeds(60, 400)]
    for row in title.options.describe():
        values = {str(getattr(options, row.name)) for options in drawn}
        assert len(values) > 1, row.name
        assert set(row.choices) <= values
