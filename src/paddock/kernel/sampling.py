"""Deals again what a seat cannot know: one of the games that it may be in."""

from __future__ import annotations

from paddock.core.game import Game
from paddock.core.source import ChanceSource, source_of
from paddock.core.title import Seen
from paddock.kernel.chance import SEEDS
from paddock.kernel.source import Seeded


def sample(seen: Seen, rng: ChanceSource) -> Game:
    """Return a game as ``Seen.sample`` describes it."""
    chance = Seeded(source_of(rng).below(SEEDS))
    rules, state = seen.title.rules, seen.state.copy()
    if len(seen.rounds) < seen.options.rounds:  # nobody plays on in a finished game
        rules.redeal(state, seen.setup, seen.eyes, chance.rng, [0] * (rules.ACTIONS + 1))
    return Game.from_state(seen.title, seen.options, state, seen.rounds, chance, seen.names)
