"""Vector play: n games stepped together are the games that ``Game`` plays, one by one."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest
from tests.titles import LACORSA, RASANT, RULES, random_options

import paddock
from paddock.core.errors import BadMove, BadOption, PaddockError
from paddock.core.game import Game
from paddock.core.options import Options
from paddock.core.series import standings
from paddock.core.title import Seen, Title
from paddock.envs import VectorEnv, vector
from paddock.kernel.chance import below, stream
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded
from paddock.kernel.vector import OPPONENTS
from sampling import count

titles = pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)


def short(title: Title, choose: random.Random) -> Options:
    """Random options for one game, with races of The Great Race that end soon."""
    values = {**random_options(title, choose).model_dump(), title.rounds_option: 1}
    if title.name == "great_race":
        values["max_turns"] = choose.choice([1, 2])
    return title.options.read(values)


class Twin:
    """One place of a vector environment, played by ``Game`` and the plain bots."""

    def __init__(self, title: Title, options: Options, seed: int, game: int, levels: dict[int, str]) -> None:
        self.title = title
        self.options = options
        self.seed, self.number, self.levels = seed, game, levels
        self.plain = load_kernel(title, compiled=False)
        self.begin()

    def begin(self) -> None:
        self.game = Game(self.title, self.options, Seeded(self.seed, self.number))
        self.side = [0]
        stream(self.seed ^ OPPONENTS, self.number, self.side)
        self.opponents()

    def opponents(self) -> None:
        """Let the bots move until somebody else is asked."""
        while not self.game.over:
            seat = self.game.deciders[0]
            level = self.levels.get(self.options.owners[seat])
            if level is None:
                return
            seen = self.game.seen(self.options.eyes(self.options.owners[seat]))
            legal = seen.legal(seat)
            self.game.play(seat, legal[0] if len(legal) == 1 else self.chosen(level, seen, seat, legal))

    def chosen(self, level: str, seen: Seen, seat: int, legal: list[int]) -> int:
        """Return the move of a level, of several."""
        room = [*legal, *[0] * (self.title.rules.ACTIONS + 1 - len(legal))]
        thirds = 3
        if level == "rookie":
            thirds = 2 if self.title.name == "great_race" else 0
        if thirds == 3 or (thirds and below(self.side, 3) < thirds):
            move: int = self.plain.policy(seen.state, seen.setup, seat, room, len(legal), self.side)
            return move
        return legal[below(self.side, len(legal))]

    def same(self, env: VectorEnv, i: int) -> None:
        """Check that place ``i`` asks what the game asks."""
        now, seat = env.batch, self.game.deciders[0]
        assert now.seats[i] == seat
        seen = self.game.seen(self.options.eyes(self.options.owners[seat]))
        assert np.array_equal(seen.vector(seat), now.observations[i])
        assert np.array_equal(seen.mask(seat), now.masks[i])

    def step(self, action: int, stride: int) -> list[float] | None:
        """Play an action; at the end of the game return its rewards, and begin the next one."""
        self.game.play(self.game.deciders[0], action)
        self.opponents()
        if not self.game.over:
            return None
        line = sorted(standings(self.options, self.game.rounds).players, key=lambda line: line.who)
        self.number += stride
        self.begin()
        return [one.total - sum(other.total for other in line) / len(line) for one in line]


@titles
def test_every_place_plays_the_games_that_game_plays(title: Title) -> None:
    """The same chance, opponents, observations, masks, seats, rewards and ends, over several games."""
    choose = random.Random(title.name)
    ended = decisions = 0
    steps = 30 if title.name == "great_race" else 80
    n = count(3, 6)
    for seed in range(n):
        options = short(title, choose)
        players = range(options.players)
        some = choose.sample(players, choose.choice([0, 1, options.players - 1]))
        levels = {player: choose.choice(["rookie", "club"]) for player in some}
        env = vector(title, options.model_dump(), 3, seed, opponents=levels)
        twins = [Twin(title, options, seed, i, levels) for i in range(3)]
        sample = env.sampler(seed)
        for _ in range(steps):
            for i, twin in enumerate(twins):
                twin.same(env, i)
            actions = sample(env.batch.observations, env.batch.masks).tolist()
            now = env.step(actions)
            for i, twin in enumerate(twins):
                rewards = twin.step(actions[i], 3)
                assert now.dones[i] == (rewards is not None)
                assert now.rewards[i].tolist() == pytest.approx(rewards or [0.0] * options.players)
                ended += rewards is not None
                decisions += 1
    assert ended > count(3, 15) and decisions == n * steps * 3


def test_the_first_game_is_that_of_start_with_the_same_seed() -> None:
    env = vector("lacorsa", {"drivers": 5}, 1, "a text")
    game = paddock.start("lacorsa", drivers=5, races=1, seed="a text")
    while not game.over:
        seat = int(env.batch.seats[0])
        assert np.array_equal(env.batch.observations[0], game.seen(1 << seat).vector())
        move = game.legal(seat).ids[0]
        env.step([move])
        game.play(seat, move)
    assert env.batch.dones[0]
    points = [score - (9 + 6 + 4 + 3 + 2) / 5 for score in game.rounds[0].scores]  # LC-7.2
    assert env.batch.rewards[0].tolist() == pytest.approx(points)


@titles
def test_nothing_depends_on_threads(title: Title) -> None:
    options = short(title, random.Random(5)).model_dump()
    one, three = (vector(title, options, 10, 3, opponents={0: "club"}, threads=threads) for threads in (1, 3))
    sample = one.sampler(1)
    for _ in range(60):
        for name in ("observations", "masks", "seats", "rewards", "dones"):
            assert np.array_equal(getattr(one.batch, name), getattr(three.batch, name)), name
        actions = sample(one.batch.observations, one.batch.masks)
        one.step(actions)
        three.step(actions)


def test_environments_run_in_threads_of_their_own() -> None:
    made: dict[int, Any] = {}

    def run(k: int) -> None:
        env = vector(LACORSA, {"drivers": 4}, 64, 7)
        made[k] = env.collect(env.sampler(2), 100)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run(2)
    for k in (1, 2):
        assert np.array_equal(made[0].observations, made[k].observations)
        assert np.array_equal(made[0].actions, made[k].actions)


def test_illegal_actions_are_refused_and_change_nothing() -> None:
    env = vector("rasant", {"players": 3}, 4, 1)
    now = env.batch
    legal = now.masks.argmax(axis=1)
    before = now.observations.copy(), now.masks.copy()
    wrong = legal.copy()
    wrong[2] = np.flatnonzero(~now.masks[2])[0]
    faults = (
        (wrong, f"game 2: {wrong[2]} is not a legal action of player {now.seats[2] + 1} now"),
        ([*legal[:3], env.actions], f"game 3: {env.actions} is not a legal action"),
        ([-1, *legal[1:]], "game 0: -1 is not a legal action"),
        (legal[:3], r"actions: give 4 whole numbers, one for each game, not \(3,\) of int64"),
        (legal.astype(np.float32), r"not \(4,\) of float32"),
        (legal[0], "actions: give 4 whole numbers"),
    )
    for actions, sentence in faults:
        with pytest.raises(BadMove, match=sentence):
            env.step(actions)
        assert np.array_equal(now.observations, before[0]) and np.array_equal(now.masks, before[1])
    env.step(legal.astype(np.int8))
    assert not np.array_equal(now.observations, before[0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n": 0}, "n=0: give a whole number, 1 or more"),
        ({"n": 2.5}, "n=2.5: give a whole number"),
        ({"threads": 0}, "threads=0: give a whole number"),
        ({"seed": -1}, "seed=-1"),
        ({"reward": "place"}, "reward='place': write points or win"),
        ({"features": "few"}, "features='few': write all or short"),
        ({"opponents": ["club"]}, "opponents=.*: give the level of each by the number of the player"),
        ({"opponents": {4: "club"}}, "opponents: there is no driver 4: they are 0 to 3"),
        ({"opponents": {0: "wizard"}}, "there is no bot level “wizard”"),
        ({"opponents": dict.fromkeys(range(4), "club")}, "opponents: leave at least one player to be asked"),
        ({"options": {"drivers": 99}}, "drivers=99"),
        ({"options": {"races": 7}}, "races=7: these environments step single games: leave it out, or give 1"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PaddockError, match=sentence):
        vector("lacorsa", **arguments)
    assert issubclass(BadOption, PaddockError)


def test_a_win_is_shared_by_those_who_are_first() -> None:
    """Rasant: who has the most points; the reward is over the fair share, so it adds up to 0."""
    points, wins = (vector(RASANT, {"players": 3}, 64, 9, reward=reward) for reward in ("points", "win"))
    sample, shared, ended = points.sampler(3), 0, 0
    for _ in range(300):
        actions = sample(points.batch.observations, points.batch.masks)
        a, b = points.step(actions), wins.step(actions)
        for rewards, won in zip(a.rewards[a.dones], b.rewards[b.dones], strict=True):
            first = rewards == rewards.max()
            assert won.tolist() == pytest.approx((first / first.sum() - 1 / 3).tolist())
            shared += first.sum() > 1
            ended += 1
    assert ended > 150 and shared > 0


def test_nobody_wins_a_race_in_which_nobody_arrives() -> None:
    env = vector("great_race", {"players": 3, "max_turns": 1}, 8, 2, reward="win")
    made = env.collect(env.sampler(1), 120)
    assert made.finished.sum() > 200 and not made.rewards.any()


def test_collect_gives_each_decision_the_reward_of_its_player() -> None:
    env, again = (vector(LACORSA, {"drivers": 2}, 16, 4) for _ in range(2))
    made = env.collect(env.sampler(6), 150)
    sample, owners = again.sampler(6), np.array([0, 0, 1, 1])
    final = np.full((16, 150, 2), np.nan)
    begun = np.zeros(16, int)
    for t in range(150):
        now = again.batch
        assert np.array_equal(made.observations[t], now.observations)
        assert np.array_equal(made.masks[t], now.masks)
        assert np.array_equal(made.seats[t], now.seats)
        actions = sample(now.observations, now.masks)
        assert np.array_equal(made.actions[t], actions)
        again.step(actions)
        for i in np.flatnonzero(now.dones):
            final[i, begun[i] : t + 1] = now.rewards[i]
            begun[i] = t + 1
    for i in range(16):
        assert made.finished[: begun[i], i].all() and not made.finished[begun[i] :, i].any()
        for t in range(150):
            said = final[i, t, owners[made.seats[t, i]]]
            assert made.rewards[t, i] == (0 if np.isnan(said) else np.float32(said))
    assert begun.min() > 50
    more = env.collect(env.sampler(7), 1)
    assert np.array_equal(more.observations[0], again.batch.observations)


def test_of_equal_points_the_better_place_wins() -> None:
    """LC-7.3 drivers with two cars each: 3 + 0 points and 2 + 1 are equal."""
    options = {"drivers": 2, "points": (3, 2, 1, 0)}
    points, wins = (vector(LACORSA, options, 64, 9, reward=reward) for reward in ("points", "win"))
    sample, equal = points.sampler(3), 0
    for _ in range(100):
        actions = sample(points.batch.observations, points.batch.masks)
        a, b = points.step(actions), wins.step(actions)
        for rewards, won in zip(a.rewards[a.dones], b.rewards[b.dones], strict=True):
            assert sorted(won) == [-0.5, 0.5]
            assert rewards.argmax() == won.argmax() or not rewards.any()
            equal += not rewards.any()
    assert equal > 20


def test_an_environment_closes_its_threads_and_plays_on() -> None:
    before = set(threading.enumerate())
    with vector(LACORSA, {"drivers": 4}, 6, 1, threads=3) as env:
        assert set(threading.enumerate()) - before
        sample = env.sampler(1)
        env.step(sample(env.batch.observations, env.batch.masks))
    assert not set(threading.enumerate()) - before
    env.step(sample(env.batch.observations, env.batch.masks))
    again = vector(LACORSA, {"drivers": 4}, 6, 2)
    first = again.batch.observations.copy()
    again.step(again.batch.masks.argmax(axis=1))
    assert np.array_equal(again.restart(2).observations, first)


def test_finals_are_what_was_seen_at_the_end() -> None:
    env, game = (
        vector(LACORSA, {"drivers": 4}, 1, 5, finals=True),
        paddock.start("lacorsa", drivers=4, races=1, seed=5),
    )
    while not env.batch.dones[0]:
        seat, move = int(env.batch.seats[0]), int(env.batch.masks[0].argmax())
        game.play(seat, move)
        env.step([move])
    assert game.over
    assert np.array_equal(env.batch.finals[0], game.seen(1 << seat).vector())


def test_a_sampler_takes_the_masks_that_it_is_given() -> None:
    small, large = vector("rasant", {"players": 3}, 2, 5), vector("rasant", {"players": 3}, 64, 5)
    sample = large.sampler(1)
    first, second = (sample(small.batch.observations, small.batch.masks) for _ in range(2))
    assert first.shape == second.shape == (2,) and first is not second
    assert small.batch.masks[[0, 1], first].all()
