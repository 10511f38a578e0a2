"""Training: it is repeatable, it makes a network stronger, and its gradients are right."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

import paddock
from paddock.bots.network import Network
from paddock.core.recipe import Recipe
from paddock.games.rasant.bots.features import LEAD
from paddock.games.rasant.rules import state
from paddock.lab import training
from paddock.lab.imitate import imitate
from paddock.lab.ppo import CLIP, VALUE, Decisions, Learner, log_chances, mean
from paddock.lab.train import Arena, CurvePoint, among, options_of, train
from paddock.lab.training import EarlyLadder, recipe_for, train_title

LACORSA = paddock.title("lacorsa")
SHORT = Recipe({"drivers": 3}, updates=8, games=100, batch=256, rate=2e-3)  # a second


def weights(network: Network) -> bytes:
    return b"".join(part.tobytes() for layer in network.layers for part in layer)


def test_a_few_seconds_of_training_beat_rookies_and_can_be_repeated() -> None:
    made = train(LACORSA, SHORT, seed=3)
    assert weights(made) == weights(train(LACORSA, SHORT, seed=3))
    untrained = train(LACORSA, replace(SHORT, updates=1), seed=3)
    assert weights(made) != weights(untrained)
    options = options_of(LACORSA, SHORT)
    got = among(LACORSA, options, made, 0, 600)
    assert got.points - got.points_error > 0.5 and got.wins > 1 / 3 + 0.1
    assert got.points > among(LACORSA, options, untrained, 0, 600).points + 0.5


def test_an_exploiter_learns_against_a_rival_that_stays_as_it_is() -> None:
    rival = train(LACORSA, replace(SHORT, updates=1), seed=1)
    before = weights(rival)
    made = train(LACORSA, replace(SHORT, games=200), seed=2, against=rival)
    assert weights(rival) == before
    got = among(LACORSA, options_of(LACORSA, SHORT), made, rival, 600)
    assert got.points - got.points_error > 0.3
    equal = among(LACORSA, options_of(LACORSA, SHORT), rival, rival, 600)
    assert abs(equal.points) < 2 * equal.points_error


def test_a_network_to_begin_with_learns_from_its_chances_as_they_are() -> None:
    begin = train(LACORSA, replace(SHORT, updates=1), seed=1)
    once = replace(SHORT, updates=1, games=20)
    made = (train(LACORSA, once, begin=replace(begin, sharp=sharp)) for sharp in (1.0, 4.0))
    assert len({weights(network) for network in made}) == 1


@pytest.mark.slow("two processes load the compiled rules")
def test_learners_share_what_they_learn_in_any_number_of_processes() -> None:
    recipe = replace(SHORT, updates=2, games=40, learners=3)
    points: list[CurvePoint] = []
    made = train(LACORSA, recipe, seed=3, progress=lambda point, network: points.append(point))
    assert weights(made) == weights(train(LACORSA, recipe, seed=3, processes=2))
    assert weights(made) != weights(train(LACORSA, replace(recipe, learners=1), seed=3))
    assert [point.games for point in points] == [120, 240]


def test_the_mean_of_learners_has_the_mean_of_their_weights_and_gradients() -> None:
    learners = [Learner(Network.new(6, 5, seed), seed) for seed in (1, 2)]
    joined = Learner(Network.new(6, 5, 3), 3)
    joined.go_on(mean([learner.state for learner in learners]))
    for part, one, other in zip(joined.parts, *(learner.parts for learner in learners), strict=True):
        assert np.allclose(part, (one + other) / 2)
    before = joined.state
    joined.parts[0] += 1
    assert not np.array_equal(before[0][0], joined.parts[0]), "a state is a copy"


def test_what_is_secured_is_not_expected_again() -> None:
    """The network only foresees the points to come; the advantages are of all points."""
    rasant = paddock.title("rasant")
    room = rasant.room("short_features")
    blind = Network.new(room.SHORT_FEATURES, room.OUTPUTS, 1)
    blind.layers[-1][0][:, -1] = 0  # expects nothing
    recipe = Recipe({"players": 2}, 1, points=1.0, fade=1.0)
    options = options_of(rasant, recipe)
    made, rewards = Arena(rasant, options, [blind], recipe).play(np.array([[0, -1]]), 5)
    assert np.array_equal(made.advantages, made.returns)
    sure = rewards[0, 0] - made.returns
    other = room.PRESENT_FEATURES - room.PLAYER * (state.PLAYERS - 1) + 1  # points more than the own player's
    assert np.allclose(made.inputs[:, other] * LEAD, -2 * sure)
    assert len(set(sure.tolist())) > 5 and np.abs(sure).max() < LEAD / 2


def loss(learner: Learner, made: Decisions, before: np.ndarray, curiosity: float) -> float:
    """PPO's loss, as it is written in its paper."""
    outputs = learner._forward(made.inputs)[2]
    logs = log_chances(outputs[:, :-1], made.offsets)
    ratio = np.exp(logs[np.arange(len(logs)), made.chosen] - before)
    gain = np.minimum(ratio * made.advantages, ratio.clip(1 - CLIP, 1 + CLIP) * made.advantages)
    entropy = -(np.exp(logs) * np.maximum(logs, -50)).sum(1)
    error = (outputs[:, -1] - made.returns) ** 2
    return float((-gain - curiosity * entropy + VALUE * error / 2).mean())


def test_the_gradients_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    learner = Learner(Network.new(6, 5, 1), 1)
    learner.parts = [np.float64(part) + 0.05 * rng.normal(size=part.shape) for part in learner.parts]
    offsets = np.where(rng.random((40, 5)) < 0.3, -1e9, 0.0)
    offsets[:, 2] = 0
    made = Decisions(
        rng.normal(size=(40, 6)), offsets, np.full(40, 2), rng.normal(size=40), rng.normal(size=40)
    )
    before = learner._chances_before(made, 0, 40) + 0.3 * rng.normal(size=40)
    found: list[np.ndarray] = []
    learner._descend = lambda gradients, rate: found.extend(gradients)  # type: ignore[method-assign]
    learner._step(made, before, 0.0, 0.1)
    for part, slopes in zip(learner.parts, found, strict=True):
        for at in zip(*(rng.integers(n, size=6) for n in part.shape), strict=True):
            was, step = part[at], 1e-6
            part[at] = was + step
            above = loss(learner, made, before, 0.1)
            part[at] = was - step
            below = loss(learner, made, before, 0.1)
            part[at] = was
            assert slopes[at] == pytest.approx((above - below) / (2 * step), abs=1e-6)


def test_a_title_is_trained_with_checkpoints_curves_and_early_ladders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[object] = []
    recipe = replace(recipe_for(paddock.title("rasant"), {"players": 2}), games=40, learners=1, batch=256)
    monkeypatch.setattr(training, "recipe_for", lambda *_: recipe)
    monkeypatch.setattr(training, "GAMES", 100)
    to, curves = tmp_path / "net.npz", tmp_path / "curves.jsonl"
    made = train_title("rasant", {"players": 2}, updates=2, to=to, curves=curves, begin="", say=said.append)
    lines = [json.loads(line) for line in curves.read_text("utf-8").splitlines()]
    assert [line["kind"] for line in lines] == ["update", "ladder"] * 2
    assert [isinstance(one, EarlyLadder) for one in said] == [False, True] * 2
    assert 0 < lines[-1]["result"]["wins"] < 1 and lines[-1]["rival"] == "club"
    read = Network.load(to)
    assert read.facts == made.facts and read.facts["updates"] == 2
    assert "players=2" in read.facts["options"] and read.facts["begin"] == recipe.begin


def test_learners_may_play_games_of_other_options_in_any_number_of_processes() -> None:
    recipe = replace(SHORT, updates=2, games=40, learners=3, others=({"drivers": 4},))
    assert [options_of(LACORSA, recipe, k).players for k in range(3)] == [3, 4, 3]
    made = weights(train(LACORSA, recipe, seed=3))
    assert made == weights(train(LACORSA, recipe, seed=3, processes=2))
    assert made != weights(train(LACORSA, replace(recipe, others=()), seed=3))


def test_a_recipe_is_of_the_options_that_were_asked_for() -> None:
    options = {"drivers": 4, "races": 3}
    assert recipe_for(paddock.title("lacorsa"), options).options == options
    mixed = recipe_for(paddock.title("great_race"), {}, "full")
    asked = recipe_for(paddock.title("great_race"), {"map": "usa"})
    assert mixed.others and asked == replace(mixed, options={"map": "usa"}, others=())


def test_an_exploiter_learns_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = replace(SHORT, games=30, learners=16, others=({"drivers": 5},))
    monkeypatch.setattr(training, "recipe_for", lambda *_: recipe)
    monkeypatch.setattr(training, "GAMES", 100)
    said: list[object] = []
    made = train_title("lacorsa", {"drivers": 3}, updates=1, against="club", say=said.append)
    assert isinstance(said[0], CurvePoint) and said[0].games == 30
    assert "drivers=3" in made.facts["options"] and "drivers=5" not in made.facts["options"]


def test_the_time_of_an_update_is_measured_in_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = replace(SHORT, games=20, stop=7)
    monkeypatch.setattr(training, "recipe_for", lambda *_: recipe)
    monkeypatch.setattr(training, "GAMES", 100)
    updates: list[int] = []

    def counted(*args: Any, progress: Callable[[CurvePoint, Network], None], **how: Any) -> Network:
        def note(point: CurvePoint, network: Network) -> None:
            updates.append(point.update)
            progress(point, network)

        return train(*args, progress=note, **how)

    monkeypatch.setattr(training, "train", counted)
    train_title("lacorsa", {"drivers": 3}, minutes=1e-9)
    assert updates == [*range(1, 2 + training.TRIES), 1]


def test_a_worth_of_points_and_of_wins_add_up() -> None:
    """Nothing is divided by a worth that is 0."""
    options = options_of(LACORSA, SHORT)
    blind = train(LACORSA, replace(SHORT, updates=1, games=10))
    by = np.array([[0, -1, -1], [-1, 0, -1], [-4, -4, 0]] * 10)

    def rewards(points: float, wins: float) -> np.ndarray:
        recipe = replace(SHORT, points=points, wins=wins)
        return Arena(LACORSA, options, [blind], recipe).play(by, 5)[1]

    apart = rewards(0.25, 0), rewards(0, 2)
    assert np.allclose(rewards(0.25, 2), sum(apart), atol=1e-5)
    assert all(np.abs(one).max() > 0.5 for one in apart) and not rewards(0, 0).any()
    assert np.allclose(apart[1].sum(1), 0, atol=1e-5)


@pytest.mark.slow("two processes load the compiled rules")
def test_a_worker_that_dies_ends_the_training_with_a_sentence() -> None:
    others = psutil.Process().children()

    def kill(point: CurvePoint, network: Network) -> None:
        for child in psutil.Process().children():
            if child not in others:
                child.kill()

    recipe = replace(SHORT, games=10, learners=2)
    with pytest.raises(paddock.PaddockError, match="ended unexpectedly: start the training again"):
        train(LACORSA, recipe, progress=kill, processes=2)


def test_weights_that_are_missing_are_not_replaced_by_random_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "recipe_for", lambda *_: replace(SHORT, begin="lost"))
    with pytest.raises(paddock.PaddockError, match="lost: there is no network to begin with"):
        train_title("lacorsa", {"drivers": 3}, updates=1)
    recipe = replace(SHORT, imitates="club", among="lost")
    with pytest.raises(paddock.PaddockError, match="lost: there is no network to begin with"):
        imitate(LACORSA, recipe)


@pytest.mark.parametrize(
    ("title", "options", "how", "said"),
    [
        ("lacorsa", {}, {"against": "works"}, "“works” is too slow to train against"),
        ("lacorsa", {}, {"against": "king"}, "there is no bot level “king”"),
        ("lacorsa", {}, {"recipe_name": "9"}, "there is no recipe “9” of LACORSA: choose 4-start, "),
        ("lacorsa", {}, {"begin": "club"}, "there is no network to begin with"),
        ("lacorsa", {"drivers": 3, "large_grid": True}, {"against": "champion"}, "has no networks for these"),
        ("lacorsa", {"drivers": 3, "large_grid": True}, {"against": "net:champion"}, "has no networks for"),
        ("lacorsa", {"drivers": 4, "pairs": True}, {}, "has no networks for these options"),
    ],
)
def test_what_cannot_be_trained_is_refused(
    title: str, options: dict[str, int], how: dict[str, str], said: str
) -> None:
    with pytest.raises(paddock.PaddockError, match=said):
        train_title(title, options, updates=1, **how)


def test_a_title_without_recipes_cannot_be_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(LACORSA), "has_room", lambda _title, name: name != "champion")
    with pytest.raises(paddock.PaddockError, match="LACORSA cannot be trained: it has no champion"):
        train_title("lacorsa", updates=1)


def test_options_take_the_recipe_of_their_network() -> None:
    assert recipe_for(LACORSA, {"drivers": 4}).updates == recipe_for(LACORSA, {}).updates
    assert recipe_for(LACORSA, {"drivers": 5}).options == {"drivers": 5}
