"""The Great Race: bots with hand-written sense. They see what their player sees."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from paddock.games.great_race.policy import policy
from paddock.games.great_race.state import ACTIONS


class Club:
    """A club driver: ``policy`` in plain mode."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """The move of the policy; among equal ones by lot."""
        room = [*legal, *[0] * (ACTIONS + 1 - len(legal))]
        state = [1 + rng.below(2**31 - 1) << 32]
        return policy(seen.state, seen.setup, seat, room, len(legal), state)


class Rookie(Club):
    """Plays one move in three by chance. By chance alone, hardly any crew would reach the destination."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Any legal move, or that of a club driver."""
        return super().choose(seen, seat, legal, rng) if rng.below(3) else legal[rng.below(len(legal))]


BOTS = {"rookie": Rookie, "club": Club}
