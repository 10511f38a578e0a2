"""Skerries: bots with hand-written sense. They see what their skipper sees."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from skerries.policy import worth


class Club:
    """A club player: the shortest way to the light, harbours beside it, and a robbery where it can."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """The move of most worth; one of them by lot where several are equal."""
        values = {move: worth(seen.state, seen.setup, seat, move) for move in legal}
        best = [move for move, value in values.items() if value == max(values.values())]
        return best[rng.below(len(best))]


BOTS = {"club": Club}
