"""Vector play: n games of one title stepped together, compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from paddock.core.bounds import SPARE
from paddock.core.errors import BadMove, BadOption, PaddockError, quoted, whole
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.envs.arguments import Reward, read, thirds, wins
from paddock.kernel import calls
from paddock.kernel.bulk import Bench, eyes_by_seat
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seed, seed_number
from paddock.kernel.vector import BEGIN

Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], Any]  # observations and masks → actions


@dataclass(frozen=True)
class Batch:
    """What ``n`` games ask now, and how the last step ended; arrays whose first index is the game.

    The arrays belong to the environment: do not write to them. The next step overwrites them.
    """

    observations: npt.NDArray[np.float32]  # (n, FEATURES): of the seat that is asked
    masks: npt.NDArray[np.bool_]  # (n, ACTIONS): its legal moves
    seats: npt.NDArray[np.int64]  # (n,): the seat that is asked
    rewards: npt.NDArray[np.float32]  # (n, players): of a game that has ended in this step; else 0
    dones: npt.NDArray[np.bool_]  # (n,): whether a game has ended in this step, and a new one has begun
    # (n, FEATURES) if the environment was made with ``finals``, else (0, FEATURES): where a game has ended in
    # this step, what the seat that was asked last saw at the end
    finals: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Rollout:
    """The decisions of some steps in ``n`` games: arrays of shape (steps, n), with more for the first two."""

    observations: npt.NDArray[np.float32]  # (steps, n, FEATURES)
    masks: npt.NDArray[np.bool_]  # (steps, n, ACTIONS)
    actions: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]
    rewards: npt.NDArray[np.float32]  # of the seat's player at the end of the game; 0 if it has not ended yet
    finished: npt.NDArray[np.bool_]  # whether the game has ended within the rollout


class VectorEnv:
    """Games of one title that are stepped together. ``vector`` makes one.

    Place ``i`` of ``n`` plays the games ``i``, ``i + n``, ``i + 2n``, … of the seed, one after another. Game
    ``k`` takes its chance from stream ``k`` of the seed: ``Game(title, options, Seeded(seed, k))`` with the
    same moves is the same game. Nothing depends on the number of threads. ``close`` ends the threads. It can
    be pickled and copied.
    """

    def __init__(
        self,
        title: Title,
        options: Options,
        n: int,
        seed: Seed,
        opponents: Mapping[int, str],
        reward: Reward,
        threads: int,
        finals: bool,
    ) -> None:
        self._made = title, options, n, seed, opponents, reward, threads, finals
        self.title, self.options = title, options
        self.games, self.players = n, options.players
        self.actions, self.features = title.rules.ACTIONS, title.features.FEATURES
        by_seat, owners = thirds(title, options, opponents), np.array(options.owners)
        self._by_win = wins(reward)
        self._rngs = np.zeros((n, 2, 1), np.int64)  # of each game: for chance, and for the opponents
        self._actions = np.full(n, BEGIN)
        self.batch = Batch(
            np.zeros((n, self.features), np.float32),
            np.zeros((n, self.actions), np.bool_),
            np.zeros(n, np.int64),
            np.zeros((n, self.players), np.float32),
            np.zeros(n, np.bool_),
            np.zeros((n if finals else 0, self.features), np.float32),
        )
        size = -(-n // threads)
        self._parts = [slice(first, min(first + size, n)) for first in range(0, n, size)]
        self._benches = [Bench(title, options, part.stop - part.start + 1) for part in self._parts]
        self._kernel = self._benches[0].kernel
        self._seats = by_seat, eyes_by_seat(options), owners
        self._pool = ThreadPoolExecutor(threads) if len(self._parts) > 1 else None
        self.restart(seed)

    def restart(self, seed: Seed) -> Batch:
        """Begin the games of a seed, in all places; return what they ask first."""
        self._begin(seed)
        self._actions[:] = BEGIN
        self._run()
        return self.batch

    def _begin(self, seed: Seed) -> None:
        self._seed, self._played = seed, np.arange(self.games)
        self._calls = [self._call(k, seed_number(seed), self._played) for k in range(len(self._parts))]

    def _arrays(self) -> list[npt.NDArray[Any]]:
        """Return all that changes from step to step."""
        now = [getattr(self.batch, field.name) for field in fields(self.batch)]
        return [self._played, self._rngs, self._actions, *now, *(bench.ss for bench in self._benches)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy an environment: its twin goes on alike, with threads of its own."""
        return _copied_environment, (self._made, self._seed, self._pool is None, self._arrays())

    def close(self) -> None:
        """End the threads, as ``with vector(…) as env`` does. A closed environment steps in one thread."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, k: int, seed: int, played: npt.NDArray[np.int64]) -> calls.StepGames:
        """Return what the thread ``k`` steps; ``played`` are the numbers of the games."""
        part, bench, now = self._parts[k], self._benches[k], self.batch
        sight = np.zeros(self.features + SPARE, np.float32)
        return calls.StepGames(
            bench.ss, bench.gg, *self._seats, self._by_win, seed, self.games, played[part],
            self._rngs[part], bench.out, sight, self._actions[part], now.observations[part], now.masks[part],
            now.seats[part], now.rewards[part], now.dones[part], now.finals[part],
        )  # fmt: skip

    def _run(self) -> None:
        list((self._pool.map if self._pool else map)(self._kernel.step_games, self._calls))

    def step(self, actions: npt.ArrayLike) -> Batch:
        """Play one action, a move id, in every game; return what is asked next.

        Simultaneous decisions are asked one after another, in the order of the seats. A game that ends is
        followed by a new one at once. Raises ``BadMove``, and then changes nothing, if an action is not in
        the mask, or if there is not one whole number for each game.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.games,) or chosen.dtype.kind not in "iu":
            raise BadMove(
                _("actions: give {n} whole numbers, one for each game, not {shape} of {kind}").format(
                    n=self.games, shape=chosen.shape, kind=chosen.dtype
                )
            )
        wrong = self._kernel.refused_action(self.batch.masks, chosen)
        if wrong >= 0:
            raise BadMove(
                _("game {game}: {action} is not a legal action of {seat} {number} now").format(
                    game=wrong,
                    action=chosen[wrong],
                    seat=_(self.title.seat_name),
                    number=self.batch.seats[wrong] + 1,
                )
            )
        self._actions[:] = chosen
        self._run()
        return self.batch

    def sampler(self, seed: Seed) -> Policy:
        """Return a policy that chooses a legal action uniformly at random; ``seed`` makes it repeatable."""
        rng = np.zeros(1, np.int64)
        self._kernel.one_stream(seed_number(seed), 0, rng)
        return _Sampler(self.title, rng)

    def collect(self, policy: Policy, steps: int) -> Rollout:
        """Play ``steps`` decisions in every game by ``policy(observations, masks)``; return them for
        training.

        A second call goes on where the first one ended. The rewards of a game that has not ended by then are
        unknown: ``finished`` says which are known.
        """
        shape, now = (steps, self.games), self.batch
        rollout = Rollout(
            np.zeros((*shape, self.features), np.float32),
            np.zeros((*shape, self.actions), np.bool_),
            np.zeros(shape, np.int64),
            np.zeros(shape, np.int64),
            np.zeros(shape, np.float32),
            np.zeros(shape, np.bool_),
        )
        rewards, dones = np.zeros((*shape, self.players), np.float32), np.zeros(shape, np.bool_)
        for t in range(steps):
            rollout.observations[t], rollout.masks[t], rollout.seats[t] = (
                now.observations,
                now.masks,
                now.seats,
            )
            actions = policy(now.observations, now.masks)
            self.step(actions)
            rollout.actions[t], rewards[t], dones[t] = actions, now.rewards, now.dones
        owners, games = self._seats[2], np.arange(self.games)
        final, ended = np.zeros((self.games, self.players), np.float32), np.zeros(self.games, np.bool_)
        for t in reversed(range(steps)):  # a decision gets what its game gave at its end, which is later
            final[dones[t]] = rewards[t][dones[t]]
            ended |= dones[t]
            rollout.rewards[t], rollout.finished[t] = final[games, owners[rollout.seats[t]]], ended
        return rollout


def _copied_environment(
    arguments: tuple[Any, ...], seed: Seed, closed: bool, arrays: list[npt.NDArray[Any]]
) -> VectorEnv:
    """Return an environment that was pickled or copied."""
    env = VectorEnv(*arguments)
    if closed:
        env.close()
    env._begin(seed)
    for array, kept_array in zip(env._arrays(), arrays, strict=True):
        array[...] = kept_array
    return env


@dataclass(frozen=True)
class _Sampler:
    """A policy that chooses uniformly at random; a copy goes on alike."""

    title: Title
    rng: npt.NDArray[np.int64]

    def __call__(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> Any:
        chosen = np.zeros(len(masks), np.int64)
        load_kernel(self.title, compiled=True).sample_actions(masks, self.rng, chosen)
        return chosen


def vector(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    n: int = 256,
    seed: Seed = 0,
    *,
    opponents: Mapping[int, str] | None = None,
    reward: Reward = "points",
    threads: int = 1,
    finals: bool = False,
) -> VectorEnv:
    """Start ``n`` games that are stepped together; ``batch`` is what they ask first.

    A game is a single race or game of the title, not a series. ``opponents`` are the players, from 0, that
    levels such as ``"club"`` play. The reward is given to each player when a game ends: its points over the
    mean of all players; or ``reward="win"``: 1 for a win over the same mean. With ``finals`` a batch has
    what was seen at the end of games, too. Raises ``PaddockError``, ``BadOption`` for wrong arguments.

        >>> import paddock
        >>> env = paddock.envs.vector("rasant", n=4, seed=1)
        >>> env.batch.observations.shape, env.batch.seats
        ((4, 273), array([3, 1, 1, 3]))
        >>> batch = env.step(env.batch.masks.argmax(axis=1))  # the first legal move in every game
        >>> batch.dones
        array([False, False, False, False])
        >>> env.close()
    """
    found_title, chosen = read(title, options)
    if chosen.rounds != 1:
        sentence = _("{option}={n}: these environments step single games: leave it out, or give 1")
        raise BadOption([sentence.format(option=found_title.rounds_option, n=chosen.rounds)])
    for name, value in (("n", n), ("threads", threads)):
        number = whole(value)
        if number is None or number < 1:
            raise PaddockError(
                _("{name}={value}: give a whole number, 1 or more").format(name=name, value=quoted(value))
            )
    return VectorEnv(found_title, chosen, n, seed, opponents or {}, reward, threads, finals)
