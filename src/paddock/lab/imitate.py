"""Imitation: a network learns the moves of a level that is too slow to be trained against.

It stands in for the level among the rivals of a training. It knows less than the level, so it is weaker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from paddock.bots.champion import Champion, network_inputs, shipped
from paddock.bots.network import Network
from paddock.bots.registry import CLUB, bot
from paddock.core.game import Game
from paddock.core.processes import Pool
from paddock.core.recipe import Recipe
from paddock.core.title import Seen, Title
from paddock.kernel.network import ILLEGAL
from paddock.kernel.source import Seeded
from paddock.lab.ppo import Floats, Learner, one_core
from paddock.lab.train import CurvePoint, beginner, needed, options_of, rate, steady

T = TypeVar("T")
TESTED = 0.1  # the part of the decisions that shows how well it imitates
PIECES = 8  # parts of the games that each process plays, one after the other


@dataclass
class Examples:
    """Decisions between several moves: what was seen, and the outputs of the legal moves."""

    inputs: list[Floats] = field(default_factory=list)
    legal: list[list[int]] = field(default_factory=list)

    def see(self, seen: Seen, seat: int, legal: Sequence[int]) -> None:
        """Add what was seen, and could be done."""
        room = seen.title.short_features
        s, g = seen.state, seen.setup
        self.inputs.append(np.array(network_inputs(seen, seat), np.float32))
        self.legal.append([room.output(s, g, seat, move) for move in legal])

    def offsets(self, outputs: int) -> Floats:
        """Return the offsets of the outputs, by decision."""
        offsets = np.full((len(self.legal), outputs), ILLEGAL, np.float32)
        for row, legal in enumerate(self.legal):
            offsets[row, legal] = 0
        return offsets


A = TypeVar("A", bound=Examples)


def joined(parts: Sequence[A]) -> A:
    """Return the decisions of several parts as one."""
    names = [fact.name for fact in fields(parts[0])]
    return type(parts[0])(*([number for part in parts for number in getattr(part, name)] for name in names))


@dataclass
class Imitated(Examples):
    """The decisions of a level, with the output of the move that it made."""

    chosen: list[int] = field(default_factory=list)

    def add(self, seen: Seen, seat: int, legal: list[int], move: int) -> None:
        """Add a decision between several moves."""
        self.see(seen, seat, legal)
        self.chosen.append(self.legal[-1][legal.index(move)])

    def arrays(self, outputs: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
        """Return the inputs, the offsets of the outputs, and which were chosen, by decision."""
        return np.array(self.inputs), self.offsets(outputs), np.array(self.chosen)


def watch(title: Title, recipe: Recipe, network: Network, seed: int, processes: int = 1) -> Imitated:
    """Play the games of a recipe, one player a network and all others the level that is imitated.

    The result does not depend on the number of processes.
    """
    return joined(in_pieces(recipe.games, processes, _watch, title, recipe, network, seed))


def in_pieces(games: int, processes: int, play: Callable[..., T], *args: Any) -> list[T]:
    """Return what ``play`` returns for these arguments and the numbers of some games, piece by piece."""
    numbers = range(games)
    if processes == 1:
        return [play(*args, numbers)]
    pool, size = Pool(processes), -(-games // (PIECES * processes))
    try:
        tasks = [pool.submit(play, *args, numbers[at : at + size]) for at in range(0, games, size)]
        with steady():
            return [task.result() for task in tasks]
    finally:
        pool.close()


def _watch(title: Title, recipe: Recipe, network: Network, seed: int, numbers: Sequence[int]) -> Imitated:
    """Play these games, one player by the network and the others by the level; return what the level did."""
    options = options_of(title, recipe)
    level, club = bot(title, recipe.imitates), bot(title, CLUB)
    watched_champion, watched = Champion(club, network), Imitated()
    for number in numbers:
        game = Game(title, options, Seeded(f"imitate {seed} {number}"))
        lots = Seeded(f"imitate {seed} {number} bots")
        while not game.over:
            seat = game.deciders[0]
            player = options.owners[seat]
            seen = game.seen(options.eyes(player))
            legal = list(seen.legal(seat))
            if player == number % options.players:
                move = watched_champion.choose(seen, seat, legal, lots)
            else:
                move = level.choose(seen, seat, legal, lots)
                if len(legal) > 1:
                    watched.add(seen, seat, legal, move)
            game.play(seat, move)
    return watched


def imitate(
    title: Title,
    recipe: Recipe,
    *,
    seed: int = 1,
    begin: Network | None = None,
    progress: Callable[[CurvePoint, Network], Any] | None = None,
    processes: int = 1,
) -> Network:
    """Return a network that has learned to play as the level that the recipe imitates.

    The level plays among the network that the recipe names, or ``begin``, or one that plays at random. An
    update is a pass over its decisions. ``progress`` is called as by ``train``: the error is the mean of −log
    of the chance of the level's move in decisions that were not learned, and the reward is how often it is
    the likeliest move.
    """
    room = title.short_features
    network = replace(beginner(title, recipe, begin, seed), prior=0.0)  # it learns every move from the level
    began = perf_counter()
    others = replace(begin, prior=0.0) if begin else network
    among_network = needed(shipped(title, recipe.among), recipe.among) if recipe.among else others
    watched = watch(title, recipe, among_network, seed, processes)
    inputs, offsets, chosen = watched.arrays(room.OUTPUTS)
    count = len(chosen)
    learned = count - int(TESTED * count)
    inputs = inputs[:, : network.shape[0]]
    learner = Learner(network, seed)
    for update in range(1, recipe.updates + 1):
        left = 1 - (update - 1) / recipe.updates
        with one_core():
            learner.imitate(
                inputs[:learned], offsets[:learned], chosen[:learned], rate(recipe, left), recipe.batch
            )
        if progress:
            error, right, entropy = learner.likeness(inputs[learned:], offsets[learned:], chosen[learned:])
            seconds = perf_counter() - began
            point = CurvePoint(update, recipe.games, count, seconds, entropy, 0.0, error, right)
            progress(point, learner.network)
    return replace(learner.network, sharp=recipe.sharp)
