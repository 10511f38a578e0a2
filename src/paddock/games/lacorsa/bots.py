"""LACORSA: a bot with hand-written sense. It sees what its driver sees."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from paddock.games.lacorsa.policy import policy
from paddock.games.lacorsa.rules import ACTIONS
from paddock.kernel.source import Seeded


class Club:
    """The bot of the level *Club*: ``policy`` in plain mode."""

    thirds = 3

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Return the move of the policy; a random one of several equal ones."""
        room = [*legal, *[0] * (ACTIONS + 1 - len(legal))]
        return policy(seen.state, seen.setup, seat, room, len(legal), Seeded(rng.below(2**31 - 1)).rng)


BOTS = {"club": Club}
