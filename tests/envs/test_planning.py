"""States to plan from: places of vector play are saved, loaded, forked and imagined."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from tests.envs.test_vector import short, titles
from tests.titles import GREAT_RACE, LACORSA, RASANT

import paddock
from paddock.core.errors import PaddockError
from paddock.core.title import Title
from paddock.envs import VectorEnv, vector
from paddock.envs.vectors import imagined_seed
from paddock.kernel.bulk import Bench
from paddock.kernel.source import Seeded

ARRAYS = ("observations", "masks", "seats", "rewards", "dones")
GAME = ("rasant", {"players": 3})


def played(title: Title | str, options: dict[str, object], n: int, steps: int, seed: int = 3) -> VectorEnv:
    """Return an environment after some random steps."""
    env = vector(title, options, n, seed, opponents={0: "club"})
    env.collect(env.sampler(1), steps)
    return env


def same(one: VectorEnv, other: VectorEnv, steps: int) -> None:
    """Check that two environments ask the same, and go on alike."""
    sample = one.sampler(5)
    for _ in range(steps):
        for name in ("observations", "masks", "seats"):
            assert np.array_equal(getattr(one.batch, name), getattr(other.batch, name)), name
        actions = sample(one.batch.observations, one.batch.masks)
        one.step(actions)
        other.step(actions)
        assert np.array_equal(one.batch.rewards, other.batch.rewards)
        assert np.array_equal(one.batch.dones, other.batch.dones)


@titles
def test_a_loaded_place_goes_on_as_it_would_have_gone_on(title: Title) -> None:
    """In the same environment, and in another one with the same seed, after a pickle: the next games, too."""
    env = played(title, short(title, random.Random(3)).model_dump(), 5, 30)
    saved = pickle.loads(pickle.dumps(env.save()))
    first = env.collect(env.sampler(2), 60)
    env.load(saved)
    again = env.collect(env.sampler(2), 60)
    for name in ("observations", "masks", "actions", "seats", "rewards", "finished"):
        assert np.array_equal(getattr(first, name), getattr(again, name)), name
    other = vector(title, env.options.model_dump(), 5, 3, opponents={0: "club"}, threads=2)
    env.load(saved)
    assert np.array_equal(other.load(saved).observations, env.batch.observations)
    same(env, other, 60)
    other.close()


def test_places_are_loaded_where_one_wants_them_and_the_others_stay() -> None:
    env = played(*GAME, 4, 7)
    before = {name: getattr(env.batch, name).copy() for name in ARRAYS}
    now = env.load(env.save([2, 0])[[0, 0, 1]], slice(0, 3))
    for place, source in enumerate((2, 2, 0, 3)):
        for name in ("observations", "masks", "seats"):
            assert np.array_equal(getattr(now, name)[place], before[name][source]), name
    assert len(env.save(1)) == 1 and len(env.save()[1:]) == 3
    assert len(env.save(np.array([True, False, False, True]))) == 2


def test_what_does_not_fit_is_refused() -> None:
    env = played(*GAME, 3, 5)
    saved, kept = env.save(), env.batch.observations.copy()
    with pytest.raises(PaddockError, match=r"a game of Rasant with players=3.*with the same options"):
        vector("rasant", {"players": 4}, 3).load(saved)
    with pytest.raises(PaddockError, match="a game of Rasant"):
        vector("lacorsa", n=3).load(saved)
    with pytest.raises(PaddockError, match="saved games: 3, places for them: 1; give as many of both"):
        env.load(saved, [1])
    for wrong in ([3], 7, "x", [0.5]):
        with pytest.raises(PaddockError, match=r"places=.*: give the numbers of places, from 0 to 2"):
            env.save(wrong)  # type: ignore[arg-type]
    for each in (0, 1.5):
        with pytest.raises(PaddockError, match=r"each=.*: give a whole number, 1 or more"):
            env.fork(each)  # type: ignore[arg-type]
    with pytest.raises(PaddockError, match=r"give places that save\(\) has returned, not 7"):
        env.load(7)  # type: ignore[arg-type]
    with pytest.raises(PaddockError, match="steps=0: give a whole number, 1 or more"):
        env.collect(env.sampler(1), 0)
    with pytest.raises(PaddockError, match="for at least one place"):
        env.fork(1, places=[])
    assert np.array_equal(env.batch.observations, kept)


@titles
def test_a_fork_asks_the_same_and_knows_no_secret(title: Title) -> None:
    """It is the same from a true game and from one that only looks like it to the player that is asked."""
    env = played(title, short(title, random.Random(4)).model_dump(), 6, 25)
    kept = env.save().games.copy()
    fork = env.fork(3, seed=8)
    for name in ("observations", "masks", "seats"):
        assert np.array_equal(getattr(fork.batch, name), np.repeat(getattr(env.batch, name), 3, axis=0)), name
    assert not fork.batch.dones.any() and not fork.batch.rewards.any()
    alike = env.fork(seed=1)  # other hands, the same for who is asked
    assert not np.array_equal(alike.save().games["state"], kept["state"])
    twin = alike.fork(3, seed=8)
    assert np.array_equal(twin.save().games, fork.save().games)
    same(fork, twin, 25)
    assert np.array_equal(env.save().games, kept)  # and planning changes nothing
    worlds = env.fork(8, seed=2, places=[0, 2])
    assert worlds.games == 16 and len({row.tobytes() for row in worlds.save().games["state"]}) > 2


def test_a_fork_with_the_seed_of_the_games_deals_no_hand_as_it_was_dealt() -> None:
    """The chance that dealt the hands must not deal what a planner imagines, or it sees some of them."""
    env = vector("lacorsa", {"drivers": 4}, 256, 0)
    env.collect(env.sampler(1), 3)
    hands = env.save().games["state"]["hand"]
    own, other = (
        (env.fork(seed=seed).save().games["state"]["hand"] != hands).sum() / env.games for seed in (0, 99)
    )
    assert abs(own - other) < 1  # of about 25 kinds of cards


@titles
def test_imagined_places_are_dealt_as_the_plain_rules_deal_them(title: Title) -> None:
    """Hidden cards and hidden commitments, as ``Seen.sample`` does; also in the middle of a series."""
    choose = random.Random(title.name)
    options = short(title, choose).model_dump()
    env = vector(title, options, 4, 1)
    game = paddock.start(title.name, seed=2, **{**options, title.rounds_option: 2})
    bench, rules = Bench(title, env.options), title.rules
    for _ in range(12):
        for _move in range(5):
            game.play(seat := choose.choice(game.deciders), choose.choice(game.legal(seat).ids))
        seen = game.seen(env.options.eyes(env.options.owners[game.deciders[0]]))
        now = env.imagine(seen, seed=9)
        for i in range(4):
            state = seen.state.copy()
            rng = Seeded(imagined_seed(9), i).rng
            rules.redeal(state, seen.setup, seen.eyes, rng, [0] * (rules.ACTIONS + 1))
            state.store(bench.ss[0])
            assert env.save(i).games["state"].tobytes() == bench.ss[:1].tobytes()
        seat = int(now.seats[0])
        assert (now.seats == seat).all() and seat == game.deciders[0]
        for observed, mask in zip(now.observations, now.masks, strict=True):
            assert np.array_equal(observed, seen.vector(seat)) and np.array_equal(mask, seen.mask(seat))
    assert env.step(now.masks.argmax(axis=1)).masks.any()


def test_only_a_game_that_fits_and_goes_on_is_imagined() -> None:
    env = vector("rasant", {"players": 3}, 2)
    with pytest.raises(PaddockError, match=r"as game\.seen\(1 << seat\) returns it, not None"):
        env.imagine(None, 1)  # type: ignore[arg-type]
    with pytest.raises(PaddockError, match="a game of Rasant with players=4"):
        env.imagine(paddock.start("rasant", players=4, seed=1).seen(1), 1)
    with pytest.raises(PaddockError, match="a game of LACORSA"):
        env.imagine(paddock.start("lacorsa", drivers=3, seed=1).seen(1), 1)
    game = paddock.start("rasant", players=3, seed=1)
    while not game.over:
        game.play(game.deciders[0], game.legal(game.deciders[0]).ids[0])
    with pytest.raises(PaddockError, match="nobody has anything to decide"):
        env.imagine(game.seen(1), 1)


@pytest.mark.parametrize("title", [LACORSA, RASANT, GREAT_RACE], ids=lambda title: title.name)
def test_short_observations_are_what_networks_read(title: Title) -> None:
    options = short(title, random.Random(6)).model_dump()
    env = vector(title, options, 1, 4, features="short")
    game = paddock.start(title.name, seed=4, **options)
    room = title.short_features
    assert env.features == room.SHORT_FEATURES == env.batch.observations.shape[1]
    for _ in range(40):
        seat, row = game.deciders[0], [0.0] * room.SHORT_FEATURES
        seen = game.seen(game.options.eyes(game.options.owners[seat]))
        room.observe_short(seen.state, seen.setup, seat, row)
        assert np.array_equal(env.batch.observations[0], np.array(row, np.float32))
        move = int(env.batch.masks[0].argmax())
        game.play(seat, move)
        if env.step([move]).dones[0]:
            return
