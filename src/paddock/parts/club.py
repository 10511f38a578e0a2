"""The level *Club* of titles with a ``policy.py``: it sees what its player sees."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.source import ChanceSource
from paddock.core.title import Seen
from paddock.kernel.chance import SEEDS
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded


class Club:
    """Every decision is that of the title's ``policy``, in plain mode."""

    thirds = 3

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Return the move of the policy; a random one of several equal ones."""
        room = [*legal, *[0] * (seen.title.rules.ACTIONS + 1 - len(legal))]
        policy = load_kernel(seen.title, compiled=False).policy
        move: int = policy(seen.state, seen.setup, seat, room, len(legal), Seeded(rng.below(SEEDS)).rng)
        return move
