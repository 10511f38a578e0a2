"""The Great Race: bots with hand-written sense. They see what their player sees."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from paddock.parts.club import Club


class Rookie(Club):
    """Plays one move in three by chance. By chance alone, hardly any crew would reach the destination."""

    thirds = 2

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Any legal move, or that of a club driver."""
        if rng.below(3) < self.thirds:
            return super().choose(seen, seat, legal, rng)
        return legal[rng.below(len(legal))]


BOTS = {"rookie": Rookie, "club": Club}
