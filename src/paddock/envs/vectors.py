"""Vector play: n games of one title stepped together, compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from paddock.bots.network import thought
from paddock.core.bounds import FENCED, SPARE
from paddock.core.errors import BadMove, BadOption, PaddockError, quoted, whole
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.envs.arguments import Features, Reward, read, reads_short, wins
from paddock.envs.opponents import Opponents, called_move, opponents_of
from paddock.envs.play import kit_of
from paddock.kernel import calls
from paddock.kernel.bulk import Bench
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seed, seed_number
from paddock.kernel.vector import BEGIN, CALLED, RENEW

Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], Any]  # observations and masks → actions
Index = int | slice | Sequence[int] | npt.NDArray[Any]  # of places, as NumPy takes it


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


@dataclass(frozen=True, eq=False)
class Places:
    """Games as they stand, with all their secrets: hidden cards, and the chance that is still to come.

    ``VectorEnv.save`` makes them. To search, use ``VectorEnv.fork``, which deals again what the player that
    is asked cannot know. They can be pickled and indexed: ``saved[[0, 0]]`` are two copies of the first.
    """

    title: Title
    options: Options
    games: npt.NDArray[np.void]  # ``state``, ``streams`` for chance and for the opponents, and ``number``

    def __len__(self) -> int:
        """Return how many places these are."""
        return len(self.games)

    def __getitem__(self, index: Index) -> Places:
        """Return the places of an index: a number, a slice, numbers, or a mask."""
        return replace(self, games=np.atleast_1d(self.games[index]))


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
        opponents: Opponents,
        reward: Reward,
        threads: int,
        finals: bool,
        short: bool,
    ) -> None:
        self._made: tuple[Any, ...] = title, options, n, seed, opponents, reward, threads, finals, short
        self.title, self.options = title, options
        self.games, self.players = n, options.players
        self._kit = kit = kit_of(title, options, short)
        self.actions, self.features = kit.actions, kit.features
        self._opponents, self._short, self._by_win = opponents, short, wins(reward)
        self._eyes, self._owners = kit.eyes, np.array(options.owners)
        self._rngs = np.zeros((n, 2, 1), np.int64)  # of each game: for chance, and for the opponents
        self._actions, self._turns = np.full(n, BEGIN), np.zeros(n, np.int64)
        self._rows = [self._room(n), self._room(n if finals else 0)]
        self.batch = Batch(
            self._rows[0][:, : self.features],
            np.zeros((n, self.actions), np.bool_),
            np.zeros(n, np.int64),
            np.zeros((n, self.players), np.float32),
            np.zeros(n, np.bool_),
            self._rows[1][:, : self.features],
        )
        self._size = -(-n // threads)
        self._parts = [slice(first, min(first + self._size, n)) for first in range(0, n, self._size)]
        self._benches = [Bench(title, options, part.stop - part.start + 1) for part in self._parts]
        self._kernel = self._benches[0].kernel
        self._pool = ThreadPoolExecutor(threads) if len(self._parts) > 1 else None
        self._begin(seed)

    def _room(self, n: int) -> npt.NDArray[np.float32]:
        """Return rows for observations, with FENCED numbers more, and room behind the last one.

        What a title's functions write too much is then seen.
        """
        width = self.features + FENCED
        return np.zeros(n * width + SPARE, np.float32)[: n * width].reshape(n, width)

    def restart(self, seed: Seed) -> Batch:
        """Begin the games of a seed, in all places; return what they ask first."""
        self._begin(seed)
        self._clear(slice(None))
        self._run(BEGIN)
        return self.batch

    def _begin(self, seed: Seed) -> None:
        self._seed, self._played = seed, np.arange(self.games)
        self._calls = [self._call(k, seed_number(seed), self._played) for k in range(len(self._parts))]

    def _clear(self, places: Index) -> None:
        """Forget how the last step ended."""
        self.batch.rewards[places], self.batch.dones[places] = 0, False

    def _arrays(self) -> list[npt.NDArray[Any]]:
        """Return all that changes from step to step."""
        now = [getattr(self.batch, field.name) for field in fields(self.batch)]
        states = (bench.ss for bench in self._benches)
        return [self._played, self._rngs, self._actions, self._turns, *now, *states]

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
        part, bench, now, nets = self._parts[k], self._benches[k], self.batch, self._opponents.nets
        observations, finals = (rows[part] for rows in self._rows)
        return calls.StepGames(
            bench.ss, bench.gg, self._opponents.parts, nets, thought(self._kernel, nets),
            np.zeros(1, np.int64), self._eyes, self._owners, self._by_win, self._short, seed, self.games,
            played[part], self._rngs[part], bench.out, self._actions[part], self._turns[part],
            observations, now.masks[part], now.seats[part], now.rewards[part], now.dones[part], finals,
        )  # fmt: skip

    def _run(self, actions: Any) -> None:
        """Play the actions, and what called bots choose until every game asks a seat of the outside."""
        each = self._pool.map if self._pool else map
        self._actions[:] = actions
        list(each(self._kernel.step_games, self._calls))
        while self._opponents.bots:
            called = np.flatnonzero(self._opponents.parts[self._turns] == CALLED)
            if not len(called):
                break
            self._actions[:] = RENEW
            self._actions[called] = list(each(self._called_move, called.tolist()))
            list(each(self._kernel.step_games, self._calls))

    def _called_move(self, place: int) -> int:
        """Return what the bot chooses that must decide in a place."""
        seat, bench = int(self._turns[place]), self._benches[place // self._size]
        seen = self._kit.seen(bench.ss[place % self._size], int(self._eyes[seat]))
        bot, side = self._opponents.bots[seat], self._rngs[place, 1]
        return called_move(bot, seen, seat, seen.legal(seat), side)

    def _index(self, places: Index | None) -> npt.NDArray[np.int64]:
        """Return the numbers of places; raise ``PaddockError`` if there are no such places."""
        try:
            numbers = np.arange(self.games)[slice(None) if places is None else places]
        except (IndexError, TypeError, ValueError):
            sentence = _("places={places}: give the numbers of places, from 0 to {last}")
            raise PaddockError(sentence.format(places=quoted(places), last=self.games - 1)) from None
        return np.atleast_1d(numbers)

    def save(self, places: Index | None = None) -> Places:
        """Return the games of some places, by default all, as they stand: state, chance and number.

        That is a checkpoint: it has all secrets, and the chance that is still to come. To search, ``fork``.
        """
        index, state = self._index(places), self._kernel.State.dtype
        kind = np.dtype([("state", state), ("streams", np.int64, 2), ("number", np.int64)])
        games = np.zeros(len(index), kind)
        games["state"] = np.concatenate([bench.ss[:-1] for bench in self._benches])[index]
        games["streams"], games["number"] = self._rngs[index, :, 0], self._played[index]
        return Places(self.title, self.options, games)

    def load(self, saved: Places, places: Index | None = None) -> Batch:
        """Put saved games into as many places, by default all, and return what is asked now.

        They go on as they would have gone on where they were saved, with the opponents of this environment;
        the games after them are of its own seed. Raises ``PaddockError`` if they are of another title or
        other options, or of another number than the places.
        """
        index = self._index(places)
        if not isinstance(saved, Places):
            raise PaddockError(
                _("give places that save() has returned, not {what}").format(what=quoted(saved))
            )
        if (saved.title, saved.options) != (self.title, self.options):
            raise self._refused(saved.title, saved.options)
        if len(saved) != len(index):
            sentence = _("saved games: {n}, places for them: {places}; give as many of both")
            raise PaddockError(sentence.format(n=len(saved), places=len(index)))
        self._rngs[index, :, 0], self._played[index] = saved.games["streams"], saved.games["number"]
        for part, bench in zip(self._parts, self._benches, strict=True):
            here = (index >= part.start) & (index < part.stop)
            bench.ss[index[here] - part.start] = saved.games["state"][here]
        self._clear(index)
        self._run(RENEW)
        return self.batch

    def _refused(self, title: Title, options: Options) -> PaddockError:
        sentence = _(
            "this is a game of {title} with {options}: it needs an environment with the same options"
        )
        return PaddockError(sentence.format(title=title.label, options=options.text))

    def fork(self, each: int = 1, seed: Seed = 0, places: Index | None = None) -> VectorEnv:
        """Return an environment to plan in: ``each`` games for each of the ``places``, by default all.

        Game ``i * each + j`` is one that place ``i`` may be for the player that is asked there: all that it
        cannot know is dealt again, as by ``Seen.sample``, and what comes after has chance of its own: stream
        ``i * each + j`` of ``imagined_seed(seed)``. So a search cannot see other hands, nor the next cards.
        All else is as in this environment. Raises ``PaddockError`` for wrong places or ``each``.
        """
        index, number = self._index(places), whole(each)
        if number is None or number < 1 or not len(index):
            sentence = _("each={each}: give a whole number, 1 or more, for at least one place")
            raise PaddockError(sentence.format(each=quoted(each)))
        title, options, _n, _seed, *others = self._made
        planned = VectorEnv(title, options, len(index) * number, imagined_seed(seed), *others)
        eyes = self._eyes[self.batch.seats[index]]
        planned._imagine(np.repeat(self.save(index).games["state"], number), np.repeat(eyes, number))
        return planned

    def imagine(self, seen: Seen, seed: Seed) -> Batch:
        """Make every place a game that ``seen`` may be, and return what is asked.

        ``seen`` is what somebody knows of a game, such as ``game.seen(1 << seat)``. That is ``Seen.sample``,
        compiled, for all places at once: place ``i`` has stream ``i`` of ``imagined_seed(seed)``. Raises
        ``PaddockError`` for another title or other options than those of this environment, and for a game
        that is over. Of a series it is the current game.
        """
        if not isinstance(seen, Seen):
            sentence = _("give what somebody sees, as game.seen(1 << seat) returns it, not {what}")
            raise PaddockError(sentence.format(what=quoted(seen)))
        one_game = seen.options.model_dump() | {seen.title.rounds_option: 1}
        if seen.title != self.title or seen.title.options.read(one_game) != self.options:
            raise self._refused(seen.title, seen.options)
        if not seen.deciders:
            raise PaddockError(_("nobody has anything to decide in this game"))
        self._begin(imagined_seed(seed))
        state = np.zeros(1, self._kernel.State.dtype)
        seen.state.store(state[0])
        self._imagine(np.repeat(state, self.games), np.full(self.games, seen.eyes))
        return self.batch

    def _imagine(self, states: npt.NDArray[np.void], eyes: npt.NDArray[np.int64]) -> None:
        """Put a game that each state may be for ``eyes`` into each place; its number is that of the place."""
        for part, bench in zip(self._parts, self._benches, strict=True):
            bench.ss[:-1] = states[part]
            seed = seed_number(self._seed)
            self._kernel.imagine_games(
                bench.ss, bench.gg, seed, part.start, eyes[part], self._rngs[part], bench.out
            )
        self._clear(slice(None))
        self._run(RENEW)

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
        self._clear(slice(None))
        self._run(chosen)
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
        _check_count("steps", steps)
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
        owners, games = self._owners, np.arange(self.games)
        final, ended = np.zeros((self.games, self.players), np.float32), np.zeros(self.games, np.bool_)
        for t in reversed(range(steps)):  # a decision gets what its game gave at its end, which is later
            final[dones[t]] = rewards[t][dones[t]]
            ended |= dones[t]
            rollout.rewards[t], rollout.finished[t] = final[games, owners[rollout.seats[t]]], ended
        return rollout


def imagined_seed(seed: Seed) -> str:
    """Return the seed of imagined games: with ``seed`` itself, they could be dealt as the true ones were."""
    return f"{seed_number(seed)} imagined"


def _check_count(name: str, value: Any) -> None:
    """Raise ``PaddockError`` unless the value of an argument is a whole number from 1 on."""
    if (whole(value) or 0) < 1:
        sentence = _("{name}={value}: give a whole number, 1 or more")
        raise PaddockError(sentence.format(name=name, value=quoted(value)))


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
    features: Features = "all",
) -> VectorEnv:
    """Start ``n`` games that are stepped together; ``batch`` is what they ask first.

    A game is a single race or game of the title, not a series. ``opponents`` are the players, from 0, that
    levels such as ``"club"`` play, or networks: ``"net:champion"``, ``"net:FILE"``. The reward is given to
    each player when a game ends: its points over the mean of all players; or ``reward="win"``: 1 for a win
    over the same mean. With ``finals`` a batch has what was seen at the end of games, too. With
    ``features="short"`` observations have the numbers that networks read. Raises ``PaddockError``,
    ``BadOption`` for wrong arguments.

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
        _check_count(name, value)
    players = opponents_of(found_title, chosen, {} if opponents is None else opponents)
    short = reads_short(found_title, features)
    env = VectorEnv(found_title, chosen, n, seed, players, reward, threads, finals, short)
    env.restart(seed)
    return env
