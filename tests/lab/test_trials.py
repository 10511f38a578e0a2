"""Trials: a network learns what its moves lead to, also those that it would not play any more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import paddock
from paddock.bots.champion import shipped
from paddock.bots.network import Network
from paddock.core.recipe import Recipe
from paddock.lab.ppo import Floats, Learner, log_chances
from paddock.lab.train import CurvePoint
from paddock.lab.training import train_title
from paddock.lab.trials import _try_moves, learn_from_trials, try_moves

LACORSA = paddock.title("lacorsa")
ROOM = LACORSA.room("short_features")
TRIALS = Recipe({"drivers": 4}, updates=3, games=2, worlds=6, heat=0.05, batch=16, rivals={"4-works": 1.0})


def own() -> Network:
    found = shipped(LACORSA, "4-start")
    assert found is not None
    return found


def arrays(recipe: Recipe, seed: int) -> tuple[Floats, Floats, Floats]:
    return try_moves(LACORSA, recipe, own(), seed).arrays(ROOM.OUTPUTS)


def test_all_moves_of_one_player_are_tried_in_some_worlds() -> None:
    inputs, offsets, worths = arrays(TRIALS, 1)
    assert len(inputs) == len(offsets) == len(worths) > 15
    legal = offsets == 0
    assert legal.sum(1).min() > 1 and not worths[~legal].any()
    points = [0.25 * (points - 5.5) for points in (9, 6, 4, 3)]
    assert min(points) <= worths.min() < worths.max() <= max(points)
    steps = worths[legal] * TRIALS.worlds * 8  # the mean of six worlds, each in eighths
    assert np.allclose(steps, steps.round(), atol=1e-3)
    for array, same in zip((inputs, offsets, worths), arrays(replace(TRIALS, updates=1), 1), strict=True):
        assert np.array_equal(array, same)
    assert not np.array_equal(worths, arrays(replace(TRIALS, rivals={}), 1)[2]), "other rivals"


def test_each_game_can_be_played_alone_as_processes_do() -> None:
    whole = try_moves(LACORSA, TRIALS, own(), 4)
    pieces = [_try_moves(LACORSA, TRIALS, own(), 4, [number]) for number in (0, 1)]
    assert min(len(piece.inputs) for piece in pieces) > 5
    for name in ("inputs", "worths"):
        alone = [row for piece in pieces for row in getattr(piece, name)]
        assert all(np.array_equal(*rows) for rows in zip(alone, getattr(whole, name), strict=True))


def test_a_network_learns_what_moves_lead_to() -> None:
    """Of decisions that it has seen: with so few, no more can be expected."""
    points: list[CurvePoint] = []
    recipe = replace(TRIALS, updates=30, rate=1e-3, sharp=2.0)
    made = learn_from_trials(
        LACORSA, recipe, seed=1, begin=own(), progress=lambda point, network: points.append(point)
    )
    assert [point.update for point in points] == list(range(1, 31)) and made.sharp == 2.0
    inputs, offsets, worths = arrays(recipe, 1)

    def worth(network: Network) -> float:
        chances = np.exp(log_chances(network.think(inputs)[0], offsets))
        return float((chances * worths).sum(1).mean())

    assert worth(made) > worth(own()) + 0.02


def test_chances_are_approached() -> None:
    rng = np.random.default_rng(1)
    learner = Learner(Network.new(6, 5, 1), 1)
    inputs = rng.normal(size=(50, 6)).astype(np.float32)
    offsets = np.where(rng.random((50, 5)) < 0.3, -1e9, 0.0).astype(np.float32)
    offsets[:, 2] = 0
    aims = np.exp(log_chances(inputs[:, :5], offsets))
    for _ in range(200):
        learner.approach(inputs, offsets, aims, 3e-3, 25)
    found = np.exp(log_chances(learner.network.think(inputs)[0], offsets))
    assert np.abs(found - aims).mean() < 0.02


def test_a_recipe_may_have_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    room = LACORSA.room("champion")
    monkeypatch.setitem(room.RECIPES, "4-tried", replace(TRIALS, begin="4-start"))
    made = train_title("lacorsa", recipe_name="4-tried", updates=1, processes=1)
    assert made.facts["updates"] == 1 and made.shape == own().shape
    assert not np.array_equal(made.layers[0][0], own().layers[0][0])
