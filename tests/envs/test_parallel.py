"""The parallel environment passes PettingZoo's tests, and plays the games that ``Game`` plays."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test
from tests.envs.cases import cases

import paddock
from paddock.core.errors import BadMove, PaddockError
from paddock.core.game import Game
from paddock.core.title import Title
from paddock.envs import parallel
from paddock.envs.rewards import rewards
from paddock.kernel.source import Seeded


def first_legal(observations: dict[str, Any]) -> dict[str, Any]:
    return {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}


@cases
def test_it_passes_the_tests_of_pettingzoo(
    title: Title, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel(title, options), num_cycles=30)
        parallel_seed_test(lambda: parallel(title, options), num_cycles=20)
    assert "Passed Parallel API test" in capsys.readouterr().out


@cases
def test_it_is_the_game_of_the_same_seed(title: Title, options: dict[str, Any]) -> None:
    """All who must decide see the same game, before any of them has moved; the others wait."""
    choose = random.Random(title.name)
    env = parallel(title, options, illegal="error")
    observations, infos = env.reset(seed=5)
    game, over = Game(title, env.options, Seeded(5)), False
    total, together = dict.fromkeys(env.agents, 0.0), 0
    while not over:
        owners, moves, actions = env.options.owners, dict[int, int](), dict[str, int]()
        for player, agent in enumerate(env.possible_agents):
            seats = [seat for seat in game.deciders if owners[seat] == player]
            seat = seats[0] if seats else owners.index(player)
            seen = game.seen(env.options.eyes(player))
            assert infos[agent] == {"seat": seat, "illegal": False}
            assert np.array_equal(observations[agent]["observation"], seen.vector(seat))
            assert np.array_equal(observations[agent]["action_mask"], [*seen.mask(seat), not seats])
            actions[agent] = choose.choice(seen.legal(seat)) if seats else env.wait
            if seats:
                moves[seat] = actions[agent]
        together += len(moves) > 1
        for seat in sorted(moves):
            game.play(seat, moves[seat])
        observations, paid, ends, cuts, infos = env.step(actions)
        over = all(ends.values())
        assert over == any(ends.values()) == game.over and not any(cuts.values())
        for agent, reward in paid.items():
            total[agent] += reward
    assert not env.agents and (together or title.name == "rasant")
    assert list(total.values()) == pytest.approx(rewards(env.options, game.rounds, 0, False))
    with pytest.raises(PaddockError, match="the game is over: call reset"):
        env.step({})


def test_illegal_actions_are_refused_or_replaced() -> None:
    env, strict = (parallel("lacorsa", {"drivers": 4}, illegal=illegal) for illegal in ("random", "error"))
    observations, _infos = strict.reset(seed=2)
    env.reset(seed=2)
    actions = first_legal(observations)
    for wrong in (-1, 10_000, strict.wait, 2**70):
        with pytest.raises(BadMove, match=r"is not a legal action of player_1 now"):
            strict.step({**actions, "player_1": wrong})
    for fault in ({**actions, "player_1": 1.0}, {**actions, "player_1": None}):
        with pytest.raises(BadMove, match="is not an action: give one whole number"):
            env.step(fault)
    del (missing := dict(actions))["player_3"]
    with pytest.raises(BadMove, match="player_3 has no action: every agent acts in every step"):
        env.step(missing)
    _seen, _paid, _ends, _cuts, infos = env.step({**actions, "player_1": -1})
    assert [info["illegal"] for info in infos.values()] == [False, True, False, False]
    assert not any(info["illegal"] for info in strict.step(actions)[4].values())


def test_opponents_are_no_agents() -> None:
    env = parallel("lacorsa", {"drivers": 4}, opponents={0: "club", 2: "rookie"}, features="short")
    observations, _infos = env.reset(seed=1)
    assert env.agents == env.possible_agents == ["player_1", "player_3"]
    while env.agents:
        observations, paid, _ends, _cuts, _infos = env.step(first_legal(observations))
        for seen in observations.values():
            assert seen in env.observation_space("player_1")
    assert list(paid) == ["player_1", "player_3"]


def test_the_next_reset_plays_the_next_game_of_the_seed() -> None:
    env = parallel("lacorsa", {"drivers": 4}, render_mode="ansi")
    with pytest.raises(PaddockError, match="there is no game yet"):
        env.render()
    env.reset(seed=3)
    observations, _infos = env.reset()
    game = Game(env.title, env.options, Seeded(3, 1))
    for seat in game.deciders:
        seen = observations[f"player_{seat}"]["observation"]
        assert np.array_equal(seen, game.seen(1 << seat).vector())
    assert env.render() == "\n".join(env.title.text.board(game.seen(15)))


def test_it_is_made_twice_by_its_name_in_the_package() -> None:
    """A module of the same name took the place of the function."""
    for _ in range(2):
        assert paddock.envs.parallel("rasant", {"players": 2}).possible_agents == ["player_0", "player_1"]
