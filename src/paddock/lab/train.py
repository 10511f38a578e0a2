"""Training: a network learns by playing against itself, its earlier selves and levels of Paddock.

The games are played compiled, on one core, and the weights are changed between them by ``ppo.Learner``. A
recipe may have several learners: each plays games and learns from them, then their weights are averaged. So
they learn from more games in the same time, if each has a core. The same arguments give the same weights on
the same machine with the same libraries, in any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paddock.bots.champion import shipped
from paddock.bots.network import Network, put, stacked, thought
from paddock.bots.registry import thirds
from paddock.bots.thinking import Thinker
from paddock.core.beside import Lost
from paddock.core.errors import BadOption, PaddockError
from paddock.core.i18n import _
from paddock.core.intervals import half_width
from paddock.core.options import Options
from paddock.core.processes import Process, stop
from paddock.core.recipe import Recipe
from paddock.core.title import Title
from paddock.kernel import calls
from paddock.kernel.bulk import Bench, eyes_by_seat
from paddock.kernel.source import seed_number
from paddock.lab.ppo import Decisions, Learner, Report, State, mean

EARLIER = 10  # earlier selves in the pool
KEPT = 25  # times in a training that the present network joins them
LAST = 0.05  # the part of the rate that is left at the end
ROOM = 200_000  # decisions of an update that are learned from, at most
LEARNER = 0  # its number in the pool
Rival = Network | int  # a network, or the ``thirds`` of a level


class Arena:
    """Plays games between networks and levels, with the decisions of network 0; on one core."""

    def __init__(self, title: Title, options: Options, networks: Sequence[Network], recipe: Recipe) -> None:
        self._title, self._options, self._recipe = title, options, recipe
        self._benches: dict[str, Bench] = {}
        kernel = self._bench(options).kernel
        self._nets = stacked(networks, kernel)
        self._thought = thought(kernel, self._nets)
        self._inputs = np.zeros((ROOM, networks[LEARNER].shape[0]), np.float32)
        self._offsets = np.zeros((ROOM, kernel.OUTPUTS), np.float32)
        self._whole, self._numbers = np.zeros((2, ROOM), np.int64), np.zeros((3, ROOM), np.float32)

    def put(self, k: int, network: Network) -> None:
        """Replace a network."""
        put(self._nets, k, network)

    def play(
        self, by: NDArray[np.int64], seed: int, first: int = 0, options: Options | None = None
    ) -> tuple[Decisions, NDArray[np.float32]]:
        """Play a game for each row of ``by``; return what network 0 did, and the rewards by game and player.

        The games are those of ``seed`` from number ``first`` on, of the options of the arena or of others.
        ``by`` has a network for each player, or below 0 a level: −1 − its ``thirds``. The next call
        overwrites the arrays of the decisions.
        """
        recipe, options = self._recipe, options or self._options
        bench = self._bench(options)
        rewards, (values, gains, returns) = np.zeros(by.shape, np.float32), self._numbers
        call = calls.SelfPlay(
            bench.ss, bench.gg, by, np.array(options.owners), eyes_by_seat(options), self._nets,
            self._thought, seed, first, np.zeros((2, 1), np.int64), bench.out,
            float(recipe.wins), float(recipe.points), float(recipe.fade),
            self._inputs, self._offsets, self._whole[0], self._whole[1], values, gains, returns,
            np.zeros((2, options.seats)), rewards,
        )  # fmt: skip
        decisions = bench.kernel.self_play(call)
        inputs, offsets, chosen = (
            self._inputs[:decisions],
            self._offsets[:decisions],
            self._whole[0, :decisions],
        )
        return Decisions(inputs, offsets, chosen, gains[:decisions], returns[:decisions]), rewards

    def _bench(self, options: Options) -> Bench:
        if options.text not in self._benches:
            self._benches[options.text] = Bench(self._title, options, states=2)
        return self._benches[options.text]


@dataclass(frozen=True)
class CurvePoint:
    """A point of the curves of a training: an update."""

    update: int
    games: int  # since the start
    decisions: int  # of the learners in this update
    seconds: float  # since the start
    entropy: float
    change: float  # the divergence of the policy from before the update
    error: float  # of the value, squared
    reward: float  # the mean of the learners in games with others, as the recipe counts


class Rivals:
    """Draws who plays: the learner, its earlier selves, and the rivals of the recipe; or one fixed rival."""

    def __init__(
        self, title: Title, recipe: Recipe, players: int, seed: int | list[int], rival: int | None
    ) -> None:
        """``rival`` is the number of the one fixed rival, None for the pool.

        A number from 0 is a network; −1 − n is a level whose policy makes n of three decisions.
        """
        self._rng = np.random.default_rng(seed)
        self._recipe, self._players, self._rival = recipe, players, rival
        self.networks = []  # those of the rivals, from network 1 on
        self._numbers = []
        for name in recipe.rivals:
            network = shipped(title, name)
            if network is not None:
                self.networks.append(network)
            elif name in title.champion.RECIPES:
                raise BadOption([_("{name}: only a checkout of Paddock has this network").format(name=name)])
            self._numbers.append(len(self.networks) if network is not None else -1 - thirds(title, name))
        self._weights = np.array(list(recipe.rivals.values()))
        self.earlier = 0  # so many selves, after the networks of the rivals

    def draw(self, games: int) -> NDArray[np.int64]:
        """Return who plays, by game and player.

        Against a rival, the learner is one player. Else it is all players in a part of the games, and a
        single one among others that are alike in another part. In each of the rest it is at least one
        player; the others are drawn from the pool, and are alike in half of these games.
        """
        rng, shape, recipe = self._rng, (games, self._players), self._recipe
        if self._rival is not None:
            by = np.full(shape, self._rival)
            by[np.arange(games), rng.integers(self._players, size=games)] = LEARNER
            return by
        kind = rng.random(games)
        alone = kind < recipe.alone
        mixed = kind < 1 - recipe.itself
        rival_players = np.where(alone, self._players - 1, rng.integers(1, self._players, size=games)) * mixed
        order = rng.random(shape).argsort(1).argsort(1)
        first = 1 + len(self.networks)
        choices = np.array([*self._numbers, *range(first, first + self.earlier)])
        selves = np.full(self.earlier, 1 / max(1, self.earlier))
        chances = np.concatenate([self._weights, selves])
        drawn = rng.choice(choices, p=chances / chances.sum(), size=shape)
        alike = alone | (rng.random(games) < 0.5)
        drawn[alike] = drawn[alike, :1]
        return np.where(order < rival_players[:, None], drawn, LEARNER)


@dataclass(frozen=True)
class TrainingTask:
    """A training: what its learners need to know."""

    title: Title
    recipe: Recipe
    seed: int
    begin: Network
    against: Rival | None  # who plays at all other seats


@dataclass(frozen=True)
class UpdateLearned:
    """What a learner has learned in an update."""

    state: State
    decisions: int
    report: Report
    reward: float  # the sum over its players in games with others
    players: int  # so many


class LearnerGroup:
    """Some of the learners of a training, one after the other on one core."""

    def __init__(self, task: TrainingTask, numbers: Sequence[int]) -> None:
        title, recipe, rival = task.title, task.recipe, task.against
        self._options = [options_of(title, recipe, k) for k in numbers]
        self._recipe = recipe
        self._fixed = None if rival is None else 1 if isinstance(rival, Network) else -1 - rival
        seeds = [[task.seed, k] if k else task.seed for k in numbers]
        self._pools = [
            Rivals(title, recipe, options.players, seed, self._fixed)
            for options, seed in zip(self._options, seeds, strict=True)
        ]
        self._learners = [Learner(task.begin, seed) for seed in seeds]
        self._seeds = [seed_number(f"train {task.seed} {k}" if k else f"train {task.seed}") for k in numbers]
        self._rivals = [rival] if isinstance(rival, Network) else self._pools[0].networks
        networks = [task.begin, *self._rivals, *[task.begin] * EARLIER]
        self._arena = Arena(title, self._options[0], networks, recipe)
        self._every, self._kept = max(1, recipe.updates // KEPT), 0

    @classmethod
    @contextmanager
    def start(cls, *args: Any) -> Iterator[Callable[[int, State | None], list[UpdateLearned]]]:
        """Start a group in a process of its own: it does updates."""
        yield cls(*args).update

    def update(self, number: int, state: State | None) -> list[UpdateLearned]:
        """Make an update, from the state that all learners had after the last one; None: from the first."""
        if state is not None:
            for learner in self._learners:
                learner.go_on(state)
            self._arena.put(LEARNER, network := self._learners[0].network)
            if self._fixed is None and (number - 1) % self._every == 0:
                self._arena.put(1 + len(self._rivals) + self._kept % EARLIER, network)
                self._kept += 1
        left = 1 - (number - 1) / self._recipe.updates
        return [self._lesson(k, number, left) for k in range(len(self._learners))]

    def _lesson(self, k: int, number: int, left: float) -> UpdateLearned:
        """Let learner ``k`` play the games of update ``number``, and learn from them."""
        self._pools[k].earlier = min(self._kept, EARLIER)
        by = self._pools[k].draw(games := self._recipe.games)
        first = games * (number - 1)
        decisions, rewards = self._arena.play(by, self._seeds[k], first, self._options[k])
        report = learn(self._learners[k], decisions, self._recipe, left)
        mixed = (by == LEARNER) & (by != LEARNER).any(1)[:, None]
        return UpdateLearned(
            self._learners[k].state,
            len(decisions.chosen),
            report,
            float(rewards[mixed].sum()),
            int(mixed.sum()),
        )


@contextmanager
def steady() -> Iterator[None]:
    """Raise ``PaddockError`` if a worker process of a training dies."""
    try:
        yield
    except Lost:
        raise PaddockError(_("a worker process ended unexpectedly: start the training again")) from None


@contextmanager
def hired(task: TrainingTask, processes: int) -> Iterator[Callable[[int, State | None], list[UpdateLearned]]]:
    """Yield a function that lets all learners of a training make an update, in several processes."""
    count = task.recipe.learners
    parts = [range(k, count, processes) for k in range(min(processes, count))]
    if len(parts) == 1:
        yield LearnerGroup(task, parts[0]).update
        return
    workers: list[Process] = []

    def update(number: int, state: State | None) -> list[UpdateLearned]:
        for worker in workers:
            worker.send(number, state)
        lessons = [worker.receive() for worker in workers]
        return [lessons[k % len(parts)][k // len(parts)] for k in range(count)]

    try:
        for part in parts:
            workers.append(Process(LearnerGroup.start, task, part))
        with steady():
            yield update
    finally:
        stop(*workers)


def train(
    title: Title,
    recipe: Recipe,
    *,
    seed: int = 1,
    begin: Network | None = None,
    against: Rival | None = None,
    progress: Callable[[CurvePoint, Network], Any] | None = None,
    processes: int = 1,
) -> Network:
    """Return a network that has learned as the recipe says; ``begin`` has the weights to begin with.

    ``against`` is a rival at all other seats, which stays as it is: the learner is its exploiter. Then
    there is no pool. ``progress`` is called after every update, with the network as it is then. The
    learners of the recipe work in so many ``processes``; the result does not depend on their number.
    """
    network = beginner(title, recipe, begin, seed, recipe.prior)
    network = replace(network, sharp=1.0)  # it learns from its chances
    learner, state = Learner(network, seed), None
    began = perf_counter()
    with hired(TrainingTask(title, recipe, seed, network, against), processes) as update:
        for number in range(1, (recipe.stop or recipe.updates) + 1):
            lessons = update(number, state)
            state = mean([lesson.state for lesson in lessons])
            learner.go_on(state)
            network = learner.network
            if progress:
                progress(_point(number, recipe, lessons, perf_counter() - began), network)
    return replace(network, sharp=recipe.sharp)


def beginner(title: Title, recipe: Recipe, begin: Network | None, seed: int, prior: float = 0.0) -> Network:
    """Return the network that learns: ``begin``, as wide as the recipe says, or one of random weights."""
    room = title.short_features
    inputs = room.SHORT_FEATURES if recipe.past else room.PRESENT_FEATURES
    network = begin or Network.new(inputs, room.OUTPUTS, seed, prior, recipe.hidden)
    return network.reading(inputs).widened(recipe.hidden, seed)


def needed(network: Thinker | None, name: str) -> Network:
    """Return the network; raise ``BadOption`` with its name if there is none."""
    if network is None:
        raise BadOption([_("{begin}: there is no network to begin with").format(begin=name)])
    assert isinstance(network, Network), "the laboratory has NumPy"
    return network


def rate(recipe: Recipe, left: float) -> float:
    """Return the rate of Adam; ``left`` is the part of the training that is still to come."""
    return recipe.rate * (LAST + (1 - LAST) * left)


def learn(learner: Learner, decisions: Decisions, recipe: Recipe, left: float) -> Report:
    """Take the steps of an update; ``left`` is the part of the training that is still to come."""
    first, last = recipe.curiosity
    curiosity = last + (first - last) * left
    return learner.learn(decisions, rate(recipe, left), curiosity, recipe.epochs, recipe.batch)


def _point(update: int, recipe: Recipe, lessons: Sequence[UpdateLearned], seconds: float) -> CurvePoint:
    """Return the point of the curves for an update: means over its learners."""

    def over(name: str) -> float:
        return float(np.mean([getattr(lesson.report, name) for lesson in lessons]))

    players = sum(lesson.players for lesson in lessons)
    return CurvePoint(
        update,
        update * recipe.games * recipe.learners,
        sum(lesson.decisions for lesson in lessons),
        seconds,
        over("entropy"),
        over("change"),
        over("error"),
        sum(lesson.reward for lesson in lessons) / players if players else 0.0,
    )


def options_of(title: Title, recipe: Recipe, learner: int = 0) -> Options:
    """Return the options of the games that a learner of a recipe plays."""
    kinds = (recipe.options, *recipe.others)
    return title.options.read({**title.one_round, **kinds[learner % len(kinds)]})


@dataclass(frozen=True)
class Among:
    """What a network gets as the only one of its kind: means over games, with 95 % intervals."""

    points: float  # over the fair share
    points_error: float
    wins: float  # the part of all games; one that nobody wins counts as a fair share
    wins_error: float


def among(title: Title, options: Options, network: Network, rival: Rival, games: int, seed: int = 1) -> Among:
    """Play ``games`` games of a network, at each seat in turn, among so many of one rival."""
    by = np.full((games, options.players), 1 if isinstance(rival, Network) else -1 - rival)
    by[np.arange(games), np.arange(games) % options.players] = LEARNER
    networks = [network, rival if isinstance(rival, Network) else network]
    means, errors = [], []
    for points, wins in ((1.0, 0.0), (0.0, 1.0)):
        recipe = Recipe({}, 0, points=points, wins=wins)
        rewards = Arena(title, options, networks, recipe).play(by, seed)[1][by == LEARNER]
        means.append(float(rewards.mean()))
        errors.append(half_width(rewards))
    return Among(means[0], errors[0], means[1] + 1 / options.players, errors[1])
