"""What all environments have in common: they take whole numbers as actions, and can be copied."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddock.core.errors import BadMove
from paddock.envs import aec, open_spiel, single, single_vector, vector

GAME: tuple[str, dict[str, Any]] = ("rasant", {"players": 3})
Step = tuple[Callable[[Any], Any], Callable[[], Any], int]  # a step, what is asked now, a legal action


def of_single() -> Step:
    env = single(*GAME, opponents="rookie")
    _seen, info = env.reset(seed=3)
    return env.step, lambda: env.action_masks().tolist(), int(info["action_mask"].argmax())


def of_aec() -> Step:
    env = aec(*GAME)
    env.reset(seed=3)
    return env.step, lambda: (env.agent_selection, env.last()[0]["action_mask"].tolist()), first(env)


def first(env: Any) -> int:
    return int(env.last()[0]["action_mask"].argmax())


def of_open_spiel() -> Step:
    state = open_spiel(*GAME).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state.apply_action, lambda: str(state), state.legal_actions()[0]


@pytest.mark.parametrize("make", [of_single, of_aec, of_open_spiel])
def test_an_action_is_an_integer_of_any_type_or_the_only_one_of_an_array(make: Callable[[], Step]) -> None:
    """An array was replaced by a random move, and a number with a point was rounded: nobody noticed."""
    step, now, action = make()
    step(action)
    wanted = now()
    for same in (
        np.int8(action),
        np.array(action),
        np.array([action], np.int16),
        np.array([[action]]),
        [action],
    ):
        step, now, _action = make()
        step(same)
        assert now() == wanted
    step, now, _action = make()
    before = now()
    for wrong in (
        float(action), np.float32(action), action + 0.7, np.array([float(action)]), True, np.True_,
        str(action), None, [], [action, action], np.array([], int), {"action": action}, [[action], []],
    ):  # fmt: skip
        with pytest.raises(BadMove, match="is not an action: give one whole number"):
            step(wrong)
        assert now() == before


def test_a_child_is_made_by_a_whole_number_too() -> None:
    state = open_spiel(*GAME).new_initial_state()
    outcome = state.legal_actions()[1]
    assert str(state.child(np.array([outcome]))) == f"c:{outcome}" and str(state) == ""
    with pytest.raises(BadMove, match="give one whole number"):
        state.child(outcome + 0.5)


def test_vectors_of_actions_are_whole_numbers() -> None:
    for env in (vector(*GAME, 2, 1), single_vector(*GAME, 2)):
        if not hasattr(env, "batch"):
            env.reset(seed=1)
        for wrong in ([0.0, 0.0], [True, True], [[0, 0]], [0], 0, None, ["0", "0"]):
            with pytest.raises(BadMove, match="give 2 whole numbers"):
                env.step(wrong)


TWINS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "copy": copy.copy,
}


@pytest.mark.parametrize("how", TWINS)
@pytest.mark.parametrize("closed", [False, True])
def test_vector_play_goes_on_alike_in_a_copy(how: str, closed: bool) -> None:
    """Games, chance and opponents; and neither changes the other."""
    env = vector(*GAME, 5, 7, opponents={1: "rookie"}, reward="win", threads=2, finals=True)
    env.restart("again")
    env.collect(env.sampler(1), 45)
    if closed:
        env.close()
    twin, kept = TWINS[how](env), env.batch.observations.copy()
    assert np.array_equal(twin.batch.observations, kept) and (twin._pool is None) is closed
    theirs = twin.collect(twin.sampler(2), 60)
    assert np.array_equal(env.batch.observations, kept)
    ours = env.collect(env.sampler(2), 60)
    for name in ("observations", "masks", "actions", "seats", "rewards", "finished"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    assert ours.finished.any() and np.array_equal(env.batch.finals, twin.batch.finals)
    assert np.array_equal(env.restart(3).observations, twin.restart(3).observations)
    env.close()
    twin.close()


@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
def test_the_environments_of_libraries_go_on_alike_in_a_copy(how: str) -> None:
    """What replaces illegal actions, too."""
    many, one = single_vector(*GAME, 4, opponents="rookie", threads=2), single(*GAME, opponents="rookie")
    for env, illegal in ((many, [-1] * 4), (one, -1)):
        env.reset(seed=2)
        env.step(illegal)
        twin, over = TWINS[how](env), False
        for _ in range(60):
            if not over:
                ours, theirs = env.step(illegal), twin.step(illegal)
                assert all(np.array_equal(a, b) for a, b in zip(ours[:4], theirs[:4], strict=True))
                over = ours[2] is True
    every = aec(*GAME)
    every.reset(seed=2)
    every.step(first(every))
    twin = TWINS[how](every)
    for _ in range(30):
        assert (every.agent_selection, first(every)) == (twin.agent_selection, first(twin))
        every.step(first(every))
        twin.step(first(twin))
