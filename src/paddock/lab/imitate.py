"""Imitation: a network learns the moves of a level that is too slow to be trained against.

It stands in for the level among the rivals of a training. It knows less than the level, so it is weaker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paddock.bots.champion import FEATURES, Champion
from paddock.bots.network import Network
from paddock.bots.registry import CLUB, bot
from paddock.core.game import Game
from paddock.core.recipe import Recipe
from paddock.core.title import Seen, Title
from paddock.kernel.network import ILLEGAL
from paddock.kernel.source import Seeded
from paddock.lab.ppo import Floats, Learner, one_core
from paddock.lab.train import LAST, Point, options_of

TESTED = 0.1  # the part of the decisions that shows how well it imitates


class Watched:
    """The decisions of a level: what it saw, the outputs of its legal moves, and that of its own."""

    def __init__(self, title: Title) -> None:
        self._room = title.room(FEATURES)
        self._inputs: list[Floats] = []
        self._legal: list[list[int]] = []
        self._chosen: list[int] = []

    def add(self, seen: Seen, seat: int, legal: list[int], move: int) -> None:
        """Add a decision between several moves."""
        row = [0.0] * self._room.SHORT_FEATURES
        self._room.observe_short(seen.state, seen.setup, seat, row)
        self._inputs.append(np.array(row, np.float32))
        self._legal.append([self._room.output(seen.state, seen.setup, seat, one) for one in legal])
        self._chosen.append(self._room.output(seen.state, seen.setup, seat, move))

    def arrays(self) -> tuple[Floats, Floats, NDArray[np.int64]]:
        """Return the inputs, the offsets of the outputs, and which were chosen, by decision."""
        offsets = np.full((len(self._chosen), self._room.OUTPUTS), ILLEGAL, np.float32)
        for row, legal in enumerate(self._legal):
            offsets[row, legal] = 0
        return np.array(self._inputs), offsets, np.array(self._chosen)


def watch(title: Title, recipe: Recipe, network: Network, seed: int) -> Watched:
    """Play the games of a recipe, one player a network and all others the level that is imitated."""
    options = options_of(title, recipe)
    level, club = bot(title, recipe.imitates), bot(title, CLUB)
    other, watched = Champion(club, network), Watched(title)
    for number in range(recipe.games):
        game = Game(title, options, Seeded(f"imitate {seed} {number}"))
        lots = Seeded(f"imitate {seed} {number} bots")
        while not game.over:
            seat = game.deciders[0]
            player = options.owners[seat]
            seen = game.seen(options.eyes(player))
            legal = list(seen.legal(seat))
            if player == number % options.players:
                move = other.choose(seen, seat, legal, lots)
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
    progress: Callable[[Point, Network], Any] | None = None,
) -> Network:
    """Return a network that has learned to play as the level that the recipe imitates.

    The level plays among the network ``begin``, or one that plays at random. An update is a pass over its
    decisions. ``progress`` is called as by ``train``: the error is the mean of −log of the chance of the
    level's move in decisions that were not learned, and the reward is how often it is the likeliest move.
    """
    room = title.room(FEATURES)
    network = begin or Network.new(room.SHORT_FEATURES, room.OUTPUTS, seed)
    began = perf_counter()
    inputs, offsets, chosen = watch(title, recipe, network, seed).arrays()
    count = len(chosen)
    learned = count - int(TESTED * count)
    learner = Learner(network, seed)
    for update in range(1, recipe.updates + 1):
        left = 1 - (update - 1) / recipe.updates
        rate = recipe.rate * (LAST + (1 - LAST) * left)
        with one_core():
            learner.imitate(inputs[:learned], offsets[:learned], chosen[:learned], rate, recipe.batch)
        if progress:
            error, right, entropy = learner.likeness(inputs[learned:], offsets[learned:], chosen[learned:])
            seconds = perf_counter() - began
            point = Point(update, recipe.games, count, seconds, entropy, 0.0, error, right)
            progress(point, learner.network)
    return replace(learner.network, sharp=recipe.sharp)
