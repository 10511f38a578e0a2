"""Skerries: a bot with hand-written sense. It sees what its skipper sees."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from skerries.cards import surprises
from skerries.chains import ready
from skerries.chart import LIGHT, REEF
from skerries.sailing import ANCHOR, GUST, PILOT, PLAY, ROB, STOP, YIELD, Setup, State

CARD = 2  # how much further from the light a skipper goes for a card, in wind


class Club:
    """A club player: robs whom it meets, calls at harbours beside the way, and spends gusts to get on."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """The legal move of most use; of equally good ways one by lot."""
        s: State = seen.state
        g: Setup = seen.setup
        if YIELD in legal:
            return PLAY + ANCHOR if PLAY + ANCHOR in legal else YIELD
        robberies = [move for move in legal if move >= ROB]
        if robberies:
            return max(robberies, key=lambda move: s.cards[move - ROB])
        ways = {chain.moves: _worth(s, g, _end(s, g, chain.moves)) for chain in ready(seen, seat)}
        most = max(ways.values(), default=-g.far[s.at[seat]])
        if most > -g.far[s.at[seat]]:
            best = [moves for moves, worth in ways.items() if worth == most]
            first = best[rng.below(len(best))][0]
            pilot_helps = g.land[g.beside[s.at[seat], first]] == REEF and PLAY + PILOT in legal
            return PLAY + PILOT if pilot_helps else first
        return PLAY + GUST if PLAY + GUST in legal else STOP


BOTS = {"club": Club}


def _end(s: State, g: Setup, moves: Sequence[int]) -> int:
    """The hex in which a chain of steps ends."""
    hex = s.at[s.turn]
    for move in moves:
        hex = g.beside[hex, move]
    return hex


def _worth(s: State, g: Setup, hex: int) -> int:
    """How good it is to sail to a hex: SK-5.1 near a light, or SK-3.1 into a harbour that gives a card."""
    card = g.land[hex] != LIGHT and surprises(s, g, hex)
    return CARD * int(card) - g.far[hex]
