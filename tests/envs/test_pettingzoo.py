"""The environment for PettingZoo passes PettingZoo's tests, and plays the games that ``Game`` plays."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from tests.envs.cases import cases
from tests.titles import RULES, random_options, shorter

import paddock
from paddock.core.errors import BadMove, PaddockError
from paddock.core.game import Game
from paddock.core.title import Title
from paddock.envs import aec, single
from paddock.envs.rewards import rewards
from paddock.kernel.source import Seeded


@cases
def test_it_passes_the_tests_of_pettingzoo(
    title: Title, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # PettingZoo warns of observations that are a Dict, but for its own environments
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        api_test(aec(title, options), num_cycles=30)
        seed_test(lambda: aec(title, options), num_cycles=20)
    assert "Passed API test" in capsys.readouterr().out


@cases
def test_it_is_the_game_of_the_same_seed(title: Title, options: dict[str, Any]) -> None:
    """The same seats are asked, and see the same; the rewards are the points over the mean."""
    choose = random.Random(title.name)
    env, total = aec(title, options), dict[str, float]()
    for seed in range(2):
        env.reset(seed=seed)
        game = Game(title, env.options, Seeded(seed))
        total = dict.fromkeys(env.agents, 0.0)
        while not game.over:
            seat = game.deciders[0]
            player = env.options.owners[seat]
            assert env.agent_selection == f"player_{player}" and env.infos[env.agent_selection] == {
                "seat": seat
            }
            observation, _reward, ended, cut, _info = env.last()
            seen = game.seen(env.options.eyes(player))
            assert np.array_equal(observation["observation"], seen.vector(seat))
            assert np.array_equal(observation["action_mask"], seen.mask(seat)) and not ended and not cut
            other = choose.choice(env.agents)
            if other != env.agent_selection:
                first = env.options.owners.index(int(other[7:]))
                view = game.seen(env.options.eyes(int(other[7:])))
                assert np.array_equal(env.observe(other)["observation"], view.vector(first))
                assert not env.observe(other)["action_mask"].any()
            move = choose.choice(game.legal(seat).ids)
            game.play(seat, move)
            env.step(move)
            for agent, reward in env.rewards.items():
                total[agent] += reward
        assert all(env.terminations.values())
        assert list(total.values()) == pytest.approx(rewards(env.options, game.rounds, 0, False))
        for agent in list(env.agents):
            assert env.agent_selection == agent
            env.step(None)
        assert not env.agents


def test_the_next_reset_plays_the_next_game_of_the_seed() -> None:
    env = aec("lacorsa", {"drivers": 4})
    env.reset(seed=3)
    env.reset()
    game = Game(env.title, env.options, Seeded(3, 1))
    assert np.array_equal(env.last()[0]["observation"], game.seen(1 << game.deciders[0]).vector())


def test_observations_are_kept_and_illegal_actions_change_nothing() -> None:
    env = aec("rasant", {"players": 3})
    env.reset(seed=1)
    first = env.last()[0]
    kept = {name: value.copy() for name, value in first.items()}
    for wrong in (int(np.flatnonzero(first["action_mask"] == 0)[0]), -1, -2, 10_000, None, "1", 1.0):
        with pytest.raises(BadMove, match=r"is not (a legal action of player_|an action: give one whole)"):
            env.step(wrong)
        assert np.array_equal(env.last()[0]["observation"], kept["observation"])
        assert np.array_equal(env.last()[0]["action_mask"], kept["action_mask"])
    env.step(int(np.flatnonzero(first["action_mask"])[0]))
    assert np.array_equal(first["observation"], kept["observation"])


def test_a_win_of_a_series_is_for_the_first_in_the_standings() -> None:
    env, choose = aec("lacorsa", {"drivers": 4, "races": 3}, reward="win"), random.Random(1)
    env.reset(seed=1)
    game = Game(env.title, env.options, Seeded(1))
    while not game.over:
        assert not any(env.rewards.values())
        seat = game.deciders[0]
        move = choose.choice(game.legal(seat).ids)
        game.play(seat, move)
        env.step(move)
    assert game.result is not None
    winners = game.result.winners
    assert [round(env.rewards[f"player_{i}"] + 1 / 4, 6) for i in range(4)] == [
        round((i in winners) / len(winners), 6) for i in range(4)
    ]


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_rewards_are_those_of_vector_play(title: Title) -> None:
    """The standings and the compiled code agree on who wins a single race."""
    choose, ended = random.Random(title.name), 0
    for seed in range(shorter(title, 60)):
        values = {**random_options(title, choose).model_dump(), title.rounds_option: 1}
        if title.name == "great_race":
            values["max_turns"] = 4
        vector = paddock.envs.vector(title, values, 1, seed, reward="win")
        env = aec(title, values, reward="win")
        env.reset(seed=seed)
        sample = vector.sampler(seed)
        for _ in range(300):
            action = int(sample(vector.batch.observations, vector.batch.masks)[0])
            env.step(action)
            vector.step([action])
            if vector.batch.dones[0]:
                break
        if vector.batch.dones[0]:
            assert list(env.rewards.values()) == pytest.approx(vector.batch.rewards[0].tolist())
            ended += 1
    assert ended > 1


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_it_draws_the_board(title: Title) -> None:
    game = paddock.start(title.name, seed=2, **{title.rounds_option: 1})
    everybody = game.seen((1 << game.options.seats) - 1)
    mine = game.seen(game.options.eyes(1))
    for seen, env in (
        (everybody, aec(title, render_mode="ansi")),
        (mine, single(title, player=1, opponents="rookie", render_mode="ansi")),
    ):
        with pytest.raises(PaddockError, match="there is no game yet: call reset"):
            env.render()
        env.reset(seed=2)
        if seen is everybody or 0 not in game.deciders:  # opponents have not moved yet
            assert env.render() == "\n".join(title.text.board(seen))
        assert env.metadata["render_modes"] == ["ansi", "svg"]
    drawn = aec(title, render_mode="svg")
    drawn.reset(seed=2)
    assert drawn.render() == everybody._repr_svg_()
    assert aec(title).render_mode is None


def test_after_the_end_and_far_numbers() -> None:
    env = aec("rasant", {"players": 2})
    with pytest.raises(PaddockError, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(BadMove, match="is not a legal action"):
        env.step(2**70)
    while env.agents:
        ended = env.terminations[env.agent_selection]
        env.step(None if ended else int(env.last()[0]["action_mask"].argmax()))
    with pytest.raises(PaddockError, match="call reset"):
        env.step(None)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"reward": "place"}, "reward='place': write points or win"),
        ({"render_mode": "human"}, "render_mode='human': write ansi or svg"),
        ({"options": {"drivers": 99}}, "drivers=99"),
        ({"options": ["drivers"]}, r"options=\['drivers'\]: give their values by their names"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PaddockError, match=sentence):
        aec("lacorsa", **arguments)


@pytest.mark.parametrize(
    ("make", "library"),
    [
        ("aec", "pettingzoo"),
        ("single", "gymnasium"),
        ("single_vector", "gymnasium"),
        ("open_spiel", "open_spiel"),
    ],
)
def test_a_missing_library_is_named_with_the_command(
    make: str, library: str, without: Callable[[str], None]
) -> None:
    without(library)
    with pytest.raises(
        PaddockError, match=rf"^paddock.envs.{make} needs the package {library}: run pip .*research"
    ):
        getattr(paddock.envs, make)("lacorsa")
