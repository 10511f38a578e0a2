"""Imitation: a network learns a level's moves. The pool of a training has such networks as rivals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import paddock
from paddock.bots.champion import Champion
from paddock.bots.network import HIDDEN, Network
from paddock.core.game import ChanceSource
from paddock.core.recipe import Recipe
from paddock.core.title import Seen
from paddock.kernel.network import ILLEGAL
from paddock.lab.imitate import imitate, watch
from paddock.lab.train import LEARNER, CurvePoint, Rivals
from paddock.lab.training import train_title

LACORSA = paddock.title("lacorsa")
ROOM = LACORSA.room("short_features")
COPY = Recipe({"drivers": 3}, updates=8, games=16, imitates="club", batch=64, sharp=2.0)
CLUB = -4  # of LACORSA, as a number of ``by``


def test_a_network_learns_the_moves_of_a_level() -> None:
    points: list[CurvePoint] = []
    made = imitate(LACORSA, COPY, seed=3, progress=lambda point, network: points.append(point))
    again = imitate(LACORSA, COPY, seed=3)
    for layer, same in zip(made.layers, again.layers, strict=True):
        assert all(np.array_equal(*parts) for parts in zip(layer, same, strict=True))
    assert [point.update for point in points] == list(range(1, 9)) and made.sharp == 2.0
    assert points[-1].error < points[0].error - 0.1 and points[-1].reward > 0.4
    assert points[-1].entropy < points[0].entropy
    network = Network.new(ROOM.SHORT_FEATURES, ROOM.OUTPUTS, 1)
    inputs, offsets, chosen = watch(LACORSA, COPY, network, 4).arrays(ROOM.OUTPUTS)
    sums = made.think(inputs)[0] + offsets
    assert (sums.argmax(1) == chosen).mean() > 0.35, "also in games that it has not seen"


def test_what_is_watched_are_the_decisions_of_the_level_alone() -> None:
    network = Network.new(ROOM.SHORT_FEATURES, ROOM.OUTPUTS, 1)
    watched = watch(LACORSA, COPY, network, 1)
    inputs, offsets, chosen = watched.arrays(ROOM.OUTPUTS)
    for arrays, same in zip(
        watched.arrays(ROOM.OUTPUTS), watch(LACORSA, COPY, network, 1, 2).arrays(ROOM.OUTPUTS), strict=True
    ):
        assert np.array_equal(arrays, same), "in two processes"
    assert len(inputs) == len(offsets) == len(chosen)
    legal = (offsets == 0).sum(1)
    assert legal.min() >= 2 and set(np.unique(offsets)) == {np.float32(ILLEGAL), 0}
    assert (offsets[np.arange(len(chosen)), chosen] == 0).all()


def test_one_player_of_a_race_is_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    class Asked(Champion):
        def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
            nonlocal asked
            asked += 1
            return super().choose(seen, seat, legal, rng)

    monkeypatch.setattr("paddock.lab.imitate.Champion", Asked)
    watched = watch(LACORSA, COPY, Network.new(ROOM.SHORT_FEATURES, ROOM.OUTPUTS, 1), 1)
    assert 0 < asked < len(watched.arrays(ROOM.OUTPUTS)[0])


def test_a_level_may_play_among_another_network_than_it_is_learned_from() -> None:
    few = replace(COPY, games=2, updates=1)
    wide = imitate(LACORSA, replace(few, hidden=HIDDEN + 8), seed=3)
    assert wide.hidden == HIDDEN + 8
    begin = Network.new(ROOM.SHORT_FEATURES, ROOM.OUTPUTS, 3)
    made, same, other = (
        imitate(LACORSA, replace(few, among=among), seed=3, begin=begin) for among in ("", "", "two-3")
    )
    assert np.array_equal(made.layers[0][0], same.layers[0][0])
    assert not np.array_equal(made.layers[0][0], other.layers[0][0])


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"minutes": 1.0}, "decisions that are collected first: --updates says"),
        ({"against": "club"}, "leave out --against"),
    ],
)
@pytest.mark.parametrize("name", ["4-works", "4-tried"])
def test_a_recipe_that_collects_decisions_first_has_passes_and_no_rival(
    name: str, how: dict[str, Any], said: str
) -> None:
    with pytest.raises(paddock.PaddockError, match=said):
        train_title("lacorsa", recipe_name=name, **how)


def test_the_learner_plays_alone_among_others_that_are_alike() -> None:
    recipe = Recipe({"drivers": 4}, 1, alone=0.5, itself=0.5, rivals={"club": 1.0, "4": 1.0})
    pool = Rivals(LACORSA, recipe, 4, 1, None)
    by = pool.draw(400)
    assert len(pool.networks) == 1 and set(np.unique(by)) == {LEARNER, 1, CLUB}
    learners = (by == LEARNER).sum(1)
    assert set(learners) == {1, 4} and 150 < (learners == 1).sum() < 250
    assert all(len(set(row[row != LEARNER])) == 1 for row in by[learners == 1])


def test_a_pool_draws_earlier_selves_behind_the_networks_of_rivals() -> None:
    recipe = Recipe({"drivers": 4}, 1, itself=0.0, rivals={"4": 1.0})
    pool = Rivals(LACORSA, recipe, 4, 1, None)
    pool.earlier = 2
    by = pool.draw(400)
    assert set(np.unique(by)) == {LEARNER, 1, 2, 3} and set((by == LEARNER).sum(1)) == {1, 2, 3}
