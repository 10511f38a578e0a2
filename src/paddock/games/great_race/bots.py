"""The Great Race: bots with hand-written sense. They see what their player sees."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from paddock.games.great_race.policy import policy
from paddock.games.great_race.state import ACTIONS
from paddock.kernel.source import Seeded


class Club:
    """A club driver: ``policy`` in plain mode."""

    thirds = 3

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """The move of the policy; among equal ones by lot."""
        room = [*legal, *[0] * (ACTIONS + 1 - len(legal))]
        return policy(seen.state, seen.setup, seat, room, len(legal), Seeded(rng.below(2**31 - 1)).rng)


class Rookie(Club):
    """Plays one move in three by chance. By chance alone, hardly any crew would reach the destination."""

    thirds = 2

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Any legal move, or that of a club driver."""
        if rng.below(3) < self.thirds:
            return super().choose(seen, seat, legal, rng)
        return legal[rng.below(len(legal))]


BOTS = {"rookie": Rookie, "club": Club}
