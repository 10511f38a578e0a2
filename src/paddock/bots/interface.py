"""The bot interface: a bot gets what its seat knows and its legal moves, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from paddock.core.game import ChanceSource
from paddock.core.title import Seen

__all__ = ["Bot"]


class Bot(Protocol):
    """A bot. It has no memory between two decisions.

    If the title's ``policy`` makes ``thirds`` of three of its decisions (3: all of them), and the others are
    uniformly random, its class states this number. Then bulk play can do the same, compiled.
    """

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Choose one of the ``legal`` moves of ``seat``, and return its id.

        ``rng`` is the only source of chance: the same arguments give the same move.
        """
