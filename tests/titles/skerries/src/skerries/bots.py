"""Skerries: a rule-based bot. It sees only what its skipper sees."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from skerries.policy import worth


class Club:
    """The level Club: it takes the shortest way to the light, visits harbours nearby, and robs."""

    thirds = 3  # compiled, all its decisions are those of policy.py

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Return the best move, a random one of several equal ones."""
        values = {move: worth(seen.state, seen.setup, seat, move) for move in legal}
        best = [move for move, value in values.items() if value == max(values.values())]
        return best[rng.below(len(best))]


BOTS = {"club": Club}
