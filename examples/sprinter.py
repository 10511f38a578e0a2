"""A bot for LACORSA, and two matches.

python sprinter.py
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import paddock


class Sprinter:
    """Spends its best cards in challenges, and moves forward whenever it can."""

    def choose(self, seen: paddock.Seen, seat: int, legal: Sequence[int], rng: Any) -> int:
        """Return one of the legal moves."""

        def liking(id: int) -> int:
            move = seen.title.text.move(seen.setup, id)
            if move.action == "commit":
                return move.card + 2 * move.redline
            return 1 if move.action == "extend" else -move.card

        return max(legal, key=liking)


if __name__ == "__main__":  # a match starts worker processes, which import this file again
    print(paddock.match("lacorsa", [Sprinter(), "rookie", "rookie", "rookie"], games=100, seed=7))
    print(paddock.match("lacorsa", [Sprinter(), "club", "club", "club"], games=100, seed=7))
