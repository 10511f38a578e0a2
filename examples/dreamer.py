"""A bot that tries each of its moves in fifty games that may be the real one, for every title of Paddock.

python dreamer.py
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import paddock
from paddock.bots.rollouts import tries


class Dreamer:
    """Takes the move that ends best on average, if Clubs play on at all seats."""

    def choose(self, seen: paddock.Seen, seat: int, legal: Sequence[int], rng: Any) -> int:
        """Return one of the legal moves."""
        ends = tries(seen, seat, legal, range(50), seed=rng.below(1 << 31))  # an array: moves × games
        return legal[int(ends.mean(axis=1).argmax())]


if __name__ == "__main__":  # the first decision may have to compile the rules: give it time
    print(paddock.match("lacorsa", [Dreamer(), "club", "club", "club"], games=40, seed=7, seconds=300))
