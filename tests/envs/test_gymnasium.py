"""The environments for Gymnasium pass Gymnasium's checks, and play the games that ``Game`` plays."""

from __future__ import annotations

import random
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from tests.envs.cases import CASES, cases
from tests.envs.test_vector import Twin
from tests.titles import RULES

import paddock
from paddock.core.errors import BadMove, PaddockError
from paddock.core.title import Title
from paddock.envs import single, single_vector


@cases
def test_it_passes_the_check_of_gymnasium(title: Title, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"paddock.envs.gymnasium:paddock/{title.name}-v0", options=options)
        check_env(env.unwrapped)  # render modes and seeds, too: it was made by its id


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_it_is_the_game_of_the_same_seed(title: Title) -> None:
    """The opponents choose as in vector play, and the plain bots; the player sees and gets the same."""
    values = {"max_turns": 1} if title.name == "great_race" else {}
    choose = random.Random(title.name)
    env = single(title, values, player=1, opponents="club")
    levels = {player: "club" for player in range(env.options.players) if player != 1}
    for seed in range(3):
        twin = Twin(title, env.options, seed, 0, levels)
        seen, info = env.reset(seed=seed)
        paid, over = None, False
        while not over:
            seat = twin.game.deciders[0]
            view = twin.game.seen(env.options.eyes(1))
            assert info["seat"] == seat
            assert np.array_equal(seen, view.vector(seat))
            assert np.array_equal(info["action_mask"], view.mask(seat))
            assert np.array_equal(env.action_masks(), view.mask(seat))
            move = choose.choice(view.legal(seat))
            kept = seen.copy(), twin.game.log.copy()
            before, (seen, reward, over, cut, info) = seen, env.step(move)
            assert np.array_equal(before, kept[0]) and cut is False and info["illegal"] is False
            paid = twin.step(move, 1)
            assert reward == pytest.approx(paid[1] if paid else 0)
            assert over == (paid is not None)
        assert not info["action_mask"].any()
        with pytest.raises(PaddockError, match="the game is over: call reset"):
            env.step(0)


def test_an_illegal_action_is_replaced_by_a_random_legal_one() -> None:
    choose = random.Random(1)
    for wrong in (-1, -2, 10_000, np.array([10_000])):
        env, again = (single("lacorsa", {"drivers": 4}) for _ in range(2))
        _, info = env.reset(seed=5)
        again.reset(seed=5)
        mask = info["action_mask"]
        illegal = choose.choice(np.flatnonzero(mask == 0).tolist()) if wrong == -1 else wrong
        made = env.step(illegal)
        assert made[4]["illegal"]
        assert data_equivalence(made, again.step(illegal))
        others = []
        for action in np.flatnonzero(mask):
            again.reset(seed=5)
            others.append(again.step(action)[0])
        assert any(np.array_equal(made[0], other) for other in others)
    strict = single("lacorsa", {"drivers": 4}, illegal="error")
    _, info = strict.reset(seed=5)
    with pytest.raises(BadMove, match="10000 is not a legal action now"):
        strict.step(10_000)
    assert np.array_equal(strict.action_masks(), info["action_mask"])


def test_a_series_goes_on_to_its_end() -> None:
    env, choose = (
        single("lacorsa", {"drivers": 4, "races": 3}, opponents={1: "rookie", 2: "club", 3: "rookie"}),
        random.Random(3),
    )
    _, info = env.reset(seed=3)
    paid, over = [], False
    while not over:
        _, reward, over, _, info = env.step(choose.choice(np.flatnonzero(info["action_mask"]).tolist()))
        paid.append(reward)
    assert 2 <= sum(reward != 0 for reward in paid) <= 3  # points after each race: an average one is worth 0


@cases
def test_the_vector_environment_has_what_vector_play_has(title: Title, options: dict[str, Any]) -> None:
    options = {**options, title.rounds_option: 1}
    env = single_vector(title, options, 4, opponents="rookie", threads=2)
    rivals = dict.fromkeys(range(1, env._env.players), "rookie")
    twin = paddock.envs.vector(title, options, 4, 9, opponents=rivals, finals=True)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, infos = env.reset(seed=9)
    sample, ended = twin.sampler(2), 0
    for _ in range(60):
        assert seen in env.observation_space
        assert np.array_equal(seen, twin.batch.observations)
        assert np.array_equal(infos["action_mask"], twin.batch.masks) and infos["_action_mask"].all()
        assert np.array_equal(env.action_masks(), twin.batch.masks)
        actions = sample(twin.batch.observations, twin.batch.masks)
        seen, rewards, ends, cuts, infos = env.step(actions)
        twin.step(actions)
        assert np.array_equal(rewards, twin.batch.rewards[:, 0]) and np.array_equal(ends, twin.batch.dones)
        assert not cuts.any() and not infos["illegal"].any()
        for i in np.flatnonzero(ends):
            assert np.array_equal(infos["final_obs"][i], twin.batch.finals[i])
            ended += 1
        assert ("final_obs" in infos) == ends.any()
    assert ended or options in [case for _, case in CASES[2:]]
    env.close()


def test_the_wrappers_of_gymnasium_take_the_vector_environment() -> None:
    made = gymnasium.make_vec(
        "paddock.envs.gymnasium:paddock/lacorsa-v0", num_envs=8, vectorization_mode="vector_entry_point"
    )
    env = RecordEpisodeStatistics(made)
    env.action_space.seed(1)
    env.reset(seed=1)
    lengths = []
    for _ in range(100):
        _, _, ends, _, infos = env.step(env.action_space.sample())
        assert infos["illegal"].any()  # random actions, most of them illegal
        if ends.any():
            lengths += infos["episode"]["l"][ends].tolist()
    assert len(lengths) > 8 and min(lengths) > 3


def test_illegal_actions_of_the_vector_environment() -> None:
    env, again = (single_vector("rasant", {"players": 3}, 8) for _ in range(2))
    env.reset(seed=2)
    again.reset(seed=2)
    actions = np.full(8, -1)
    made = env.step(actions)
    assert made[4]["illegal"].all() and data_equivalence(made, again.step(actions))
    assert env.step(np.full(8, 2**60, np.uint64))[4]["illegal"].all()
    strict = single_vector("rasant", {"players": 3}, 8, illegal="error")
    strict.reset(seed=2)
    with pytest.raises(BadMove, match="game 0: -1 is not a legal action"):
        strict.step(actions)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"player": 4}, "player: there is no driver 4: they are 0 to 3"),
        ({"opponents": "wizard"}, "there is no bot level “wizard”"),
        (
            {"opponents": {1: "club"}},
            "opponents=.*: give a level, or the level of each of the players 1, 2, 3",
        ),
        ({"opponents": ["club"]}, "opponents=.*: give a level"),
        ({"opponents": 5}, "opponents=5: give a level"),
        ({"illegal": "lose"}, "illegal='lose': write random or error"),
        ({"reward": "place"}, "reward='place': write points or win"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], sentence: str) -> None:
    for make in (single, single_vector):
        with pytest.raises(PaddockError, match=sentence):
            make("lacorsa", **arguments)


def test_wrong_arguments_of_one_of_them() -> None:
    with pytest.raises(PaddockError, match="render_mode='human': write ansi or svg"):
        single("lacorsa", render_mode="human")  # type: ignore[arg-type]
    with pytest.raises(PaddockError, match="races=3: these environments step single games"):
        single_vector("lacorsa", {"races": 3})
    with pytest.raises(PaddockError, match="give one number for all games"):
        single_vector("lacorsa", num_envs=2).reset(seed=[1, 2])
