"""Compares methods of training at equal processor time: each begins with random weights, on one core.

    python scripts/bakeoff.py lacorsa --minutes 2

The games, the network, the pool of opponents and Adam are the same for all methods; only what is learned
from a game differs. At the end, each network plays alone among Clubs, Champions and each of the others.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

import paddock
from paddock.bots.champion import shipped
from paddock.bots.network import Network
from paddock.bots.registry import thirds
from paddock.core.recipe import Recipe
from paddock.kernel.source import seed_number
from paddock.lab.ppo import CLIP, VALUE, Decisions, Learner, log_chances
from paddock.lab.train import EARLIER, KEPT, LEARNER, Arena, Rivals, among, options_of, rate

GAMES = 4000  # of each match in the end


class Method(Learner):
    """What is learned from the games of an update."""

    fade = 0.9  # λ
    sharp = 1.0, 1.0  # how likely the best move is while it learns, at the beginning and the end
    other: Network | None = None  # who plays in place of its earlier selves, and at all its seats but one

    def step(self, made: Decisions, left: float, recipe: Recipe) -> None:
        """Change the weights; ``left`` is the part of the time that is still to come."""
        raise NotImplementedError

    @property
    def result(self) -> Network:
        """What it has learned."""
        return replace(self.network, sharp=self.sharp[1])


class Monte(Method):
    """Deep Monte Carlo (Zha and others 2021): the output of a move foresees the reward.

    A move is drawn by exp(output · ``sharp``), so the best one is likely.
    """

    fade, sharp = 1.0, (10.0, 60.0)

    def step(self, made: Decisions, left: float, recipe: Recipe) -> None:
        """Bring the outputs of the moves that were made closer to what came of them."""
        for batch in batches(len(made.chosen), recipe, self._rng, epochs=1):
            part = made.part(batch)
            rows = np.arange(len(batch))
            first, second, outputs = self._forward(part.inputs)
            back = np.zeros_like(outputs)
            back[rows, part.chosen] = outputs[rows, part.chosen] - part.returns
            back /= len(rows)
            self._descend(self._gradients(part.inputs, first, second, back), rate(recipe, left))


class Fictitious(Monte):
    """Neural fictitious self-play, or NFSP (Heinrich and Silver 2016), with Monte Carlo for Q-learning.

    One player of each game learns a best response. A second network learns what that player did in all
    games so far, and plays for the others: it is what has been learned in the end.
    """

    most, lessons = 200_000, 16_384  # moves of the player that are kept; of these, learned in an update

    def __init__(self, network: Network, seed: int) -> None:
        super().__init__(network, seed)
        self._average = Learner(network, seed)
        self.other = network
        self._made: list[np.ndarray] = []  # inputs, offsets and choices of the moves that are kept
        self._count = 0  # of all moves

    def step(self, made: Decisions, left: float, recipe: Recipe) -> None:
        """Learn the best response, and the mean of all so far."""
        super().step(made, left, recipe)
        self._keep(made.inputs, made.offsets, made.chosen)
        inputs, offsets, chosen = self._made
        some = self._rng.integers(min(self._count, self.most), size=self.lessons)
        self._average.imitate(inputs[some], offsets[some], chosen[some], rate(recipe, left), recipe.batch)
        self.other = self._average.network

    def _keep(self, *made: np.ndarray) -> None:
        """Keep moves, each of all so far with the same chance: reservoir sampling."""
        if not self._made:
            self._made = [np.zeros((self.most, *part.shape[1:]), part.dtype) for part in made]
        numbers = self._count + np.arange(len(made[0]))
        self._count += len(numbers)
        places = np.where(numbers < self.most, numbers, self._rng.integers(numbers + 1))
        kept = np.flatnonzero(places < self.most)
        for all_, part in zip(self._made, made, strict=True):
            all_[places[kept]] = part[kept]

    @property
    def result(self) -> Network:
        """The mean of all best responses."""
        return self._average.network


class Proximal(Method):
    """PPO, as ``paddock train``."""

    def step(self, made: Decisions, left: float, recipe: Recipe) -> None:
        """Three epochs with the clipped objective."""
        first, last = recipe.curiosity
        self._learn(made, rate(recipe, left), last + (first - last) * left, recipe.epochs, recipe.batch)


class Regularised(Method):
    """PPO that pays for leaving a reference policy, in place of entropy: it follows the present policy in
    steps, as in R-NaD (Perolat and others 2022). The weight does not fall."""

    weight, every = 0.02, 25  # of the divergence; updates between two references
    updates = 0
    reference: Learner | None = None

    def step(self, made: Decisions, left: float, recipe: Recipe) -> None:
        """Three epochs with the clipped objective, and the divergence from the reference."""
        if self.updates % self.every == 0:
            self.reference = Learner(self.network, 0)
        self.updates += 1
        assert self.reference is not None
        count, size = len(made.chosen), recipe.batch
        before = np.concatenate([self._old(made, i, i + size) for i in range(0, count, size)])
        gains = (made.advantages - made.advantages.mean()) / (made.advantages.std() + 1e-6)
        made = replace(made, advantages=gains)
        for batch in batches(count, recipe, self._rng, recipe.epochs):
            part = made.part(batch)
            rows = np.arange(len(batch))
            first, second, outputs = self._forward(part.inputs)
            logs = log_chances(outputs[:, :-1], part.offsets)
            aim = log_chances(self.reference._forward(part.inputs)[2][:, :-1], part.offsets)
            chances = np.exp(logs)
            apart = np.clip(logs, -50, 0) - np.clip(aim, -50, 0)
            divergence = (chances * apart).sum(1)
            ratio = np.exp(logs[rows, part.chosen] - before[batch])
            held = np.where(part.advantages > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
            push = np.where(held, 0, ratio * part.advantages)
            slopes = chances * (push - self.weight * divergence)[:, None] + self.weight * chances * apart
            slopes[rows, part.chosen] -= push
            error = outputs[:, -1] - part.returns
            back = np.concatenate([slopes, VALUE * error[:, None]], 1).astype(np.float32)
            back /= len(rows)
            self._descend(self._gradients(part.inputs, first, second, back), rate(recipe, left))


METHODS: dict[str, type[Method]] = {
    "PPO": Proximal,
    "PPO to a reference": Regularised,
    "deep Monte Carlo": Monte,
    "NFSP": Fictitious,
}


def batches(count: int, recipe: Recipe, rng: np.random.Generator, epochs: int) -> Iterator[np.ndarray]:
    """Yield the decisions of each batch."""
    for _ in range(epochs):
        yield from np.array_split(rng.permutation(count), max(1, count // recipe.batch))


def alone(by: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return who plays if the learner has one of its seats in each game, and network 1 the others."""
    mine = by == LEARNER
    first = np.where(mine, rng.random(by.shape), -1).argmax(1)[:, None] == np.arange(by.shape[1])
    return np.where(mine & ~first, 1, by)


def train(
    name: str,
    method: str,
    seconds: float,
    recipe: Recipe,
    watch: Callable[[float, int, Network], None] | None = None,
) -> tuple[str, Network, int]:
    """Return what a method has learned in so many seconds of processor time, and from how many games.

    ``watch`` gets the seconds, the games and the network after each update; its own time does not count.
    """
    title, kind = paddock.title(name), METHODS[method]
    recipe = replace(recipe, fade=kind.fade)
    options, room = options_of(title, recipe), title.room("short_features")
    learner = kind(Network.new(room.SHORT_FEATURES, room.OUTPUTS, 1), 1)
    pool = Rivals(title, recipe, options.players, 1, None)
    arena = Arena(title, options, [learner.network] * (1 + EARLIER), recipe)
    arena.play(pool.draw(1), 1)  # compiles
    rng = np.random.default_rng(1)
    played, kept, began = 0, 0, process_time()
    with threadpool_limits(limits=1):
        while (left := 1 - (process_time() - began) / seconds) > 0:
            sharp = kind.sharp[0] + (kind.sharp[1] - kind.sharp[0]) * (1 - left)
            network = replace(learner.network, sharp=sharp)
            arena.put(LEARNER, network)
            if learner.other:
                arena.put(1, learner.other)
                pool.earlier = 1
            elif kept < (1 - left) * KEPT:
                arena.put(1 + kept % EARLIER, network)
                kept += 1
                pool.earlier = min(kept, EARLIER)
            by = pool.draw(recipe.games)
            made, _ = arena.play(alone(by, rng) if learner.other else by, seed_number("bake-off"), played)
            played += recipe.games
            learner.step(made, left, recipe)
            if watch:
                paused = process_time()
                watch(paused - began, played, learner.result)
                began += process_time() - paused
    return method, learner.result, played


def main() -> None:
    """Train in a process for each method, then print what they get."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("title")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--players", type=int, default=4)
    asked = parser.parse_args()
    title = paddock.title(asked.title)
    recipe = Recipe({title.players_option: asked.players}, 0, games=1200, itself=0.5, batch=2048)
    options = options_of(title, recipe)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        tasks = [pool.submit(train, title.name, name, 60 * asked.minutes, recipe) for name in METHODS]
        made = [task.result() for task in tasks]
    champion = shipped(title, title.room("champion").network(title.setup_of(options)))
    rivals = {"Clubs": thirds(title, "club"), "Champions": champion, **{name: net for name, net, _ in made}}
    print(f"{asked.minutes:g} min on a core each; points over the fair share, one among so many of:")
    for name, net, games in made:
        print(f"{name} ({games:,} games)")
        for other, rival in rivals.items():
            if rival is not None and other != name:
                got = among(title, options, net, rival, GAMES)
                print(f"    {other}: {got.points:+.3f} ± {got.points_error:.3f}, wins {got.wins:.1%}")


if __name__ == "__main__":
    main()
