"""What a bot is: it gets what its eyes know and a legal list, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from paddock.core.game import ChanceSource
from paddock.core.title import Seen

__all__ = ["Bot"]


class Bot(Protocol):
    """Who plays without hands. A bot keeps nothing between two decisions."""

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """The id of one of the ``legal`` moves of ``seat``, one of the eyes of ``seen``.

        All chance comes from ``rng``: the same arguments give the same move.
        """
