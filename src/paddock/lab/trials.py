"""Trials: every move of a decision is tried in worlds that networks play on, and a network learns the result.

Self-play shows nothing of moves that a network does not play any more. Here they are tried as often as the
others. The network learns the chances p · exp(Q/h): p is the chance of a move by the outputs of the network
before, without ``sharp`` and ``prior``, Q what it led to on average, h the ``heat`` of the recipe. Q is not
exact, but the network learns what many decisions have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from paddock.bots.champion import Champion, shipped
from paddock.bots.network import Network
from paddock.bots.registry import CLUB, bot
from paddock.bots.search import SearchMeans, look_ahead
from paddock.core.game import Game
from paddock.core.recipe import Recipe, Search
from paddock.core.title import Seen, Title
from paddock.kernel.source import Seeded, seed_number
from paddock.lab.imitate import TESTED, Examples, in_pieces, joined
from paddock.lab.ppo import Floats, Learner, log_chances, one_core
from paddock.lab.train import CurvePoint, beginner, options_of, rate

MOST = 1000  # decisions of a game, for the numbers of their worlds


@dataclass
class TriedDecisions(Examples):
    """Decisions of a network, with what each legal move is worth."""

    worths: list[Floats] = field(default_factory=list)

    def add(self, seen: Seen, seat: int, legal: Sequence[int], worths: Floats) -> None:
        """Add a decision."""
        self.see(seen, seat, legal)
        self.worths.append(worths.astype(np.float32))

    def arrays(self, outputs: int) -> tuple[Floats, Floats, Floats]:
        """Return the inputs, the offsets of the outputs, and what they are worth, by decision."""
        offsets = self.offsets(outputs)
        worths = np.zeros_like(offsets)
        for row, (legal, values) in enumerate(zip(self.legal, self.worths, strict=True)):
            worths[row, legal] = values
        return np.array(self.inputs), offsets, worths


def try_moves(
    title: Title, recipe: Recipe, network: Network, seed: int, processes: int = 1
) -> TriedDecisions:
    """Play the games of a recipe, and try the moves of one player in each.

    The others are alike: the network, or one of the rivals of the recipe that are networks, in turn. They
    also play on in the worlds. The result does not depend on the number of processes.
    """
    return joined(in_pieces(recipe.games, processes, _try_moves, title, recipe, network, seed))


def _try_moves(
    title: Title, recipe: Recipe, network: Network, seed: int, numbers: Sequence[int]
) -> TriedDecisions:
    """Play these games, and look ahead from each decision of one player; return what was found."""
    options, spare, tried = options_of(title, recipe), bot(title, CLUB), TriedDecisions()
    files = {name: shipped(title, name) for name in recipe.rivals}
    rivals = {"": network, **{name: rival for name, rival in files.items() if rival is not None}}
    worlds = seed_number(f"trials {seed} worlds")
    for number in numbers:
        turn, k = divmod(number, len(rivals))
        name = list(rivals)[k]
        means = SearchMeans(Search(0, recipe.heat, (name,)), recipe, {"": network, name: rivals[name]})
        champion, rival_champion = Champion(spare, network), Champion(spare, rivals[name])
        game = Game(title, options, Seeded(f"trials {seed} {number}"))
        lots, first = Seeded(f"trials {seed} {number} bots"), number * MOST * recipe.worlds
        while not game.over:
            seat = game.deciders[0]
            player = options.owners[seat]
            seen = game.seen(options.eyes(player))
            legal = list(seen.legal(seat))
            own_turn = player == turn % options.players
            if own_turn and len(legal) > 1:
                tries = range(first, first + recipe.worlds)
                tried.add(seen, seat, legal, look_ahead(seen, seat, legal, tries, means, worlds).mean(1))
                first = tries.stop
            game.play(seat, (champion if own_turn else rival_champion).choose(seen, seat, legal, lots))
    return tried


def learn_from_trials(
    title: Title,
    recipe: Recipe,
    *,
    seed: int = 1,
    begin: Network | None = None,
    progress: Callable[[CurvePoint, Network], Any] | None = None,
    processes: int = 1,
) -> Network:
    """Return a network that has learned what moves lead to, in games of ``begin`` or of random weights.

    An update is a pass over the decisions. ``progress`` is called as by ``train``, with figures of decisions
    that were not learned: the change is the divergence from the chances to be learned, and the reward what
    the moves of the network are worth over those of the network before.
    """
    room = title.short_features
    network = beginner(title, recipe, begin, seed)
    began = perf_counter()
    inputs, offsets, worths = try_moves(title, recipe, network, seed, processes).arrays(room.OUTPUTS)
    inputs = inputs[:, : network.shape[0]]
    before = log_chances(network.think(inputs)[0], offsets)
    aims = np.exp(log_chances(before + worths / recipe.heat, offsets))
    count = len(inputs)
    learned = count - int(TESTED * count)
    learner = Learner(network, seed)
    for update in range(1, recipe.updates + 1):
        left = 1 - (update - 1) / recipe.updates
        with one_core():
            learner.approach(
                inputs[:learned], offsets[:learned], aims[:learned], rate(recipe, left), recipe.batch
            )
        if progress:
            logs = log_chances(learner.network.think(inputs[learned:])[0], offsets[learned:])
            aim, chances = aims[learned:], np.exp(logs)
            differences = aim * (np.log(np.maximum(aim, 1e-30)) - np.maximum(logs, -50))
            gain = ((chances - np.exp(before[learned:])) * worths[learned:]).sum(1).mean()
            entropy = -(chances * np.maximum(logs, -50)).sum(1).mean()
            numbers = float(entropy), float(differences.sum(1).mean()), 0.0, float(gain)
            progress(
                CurvePoint(update, recipe.games, count, perf_counter() - began, *numbers), learner.network
            )
    return replace(learner.network, sharp=recipe.sharp)
