"""A bot that plays with the network that train.py has saved, and a match against three Rookies.

python trained.py
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import paddock


class Driver:
    """A bot: it takes the legal move that the network likes best. It needs NumPy and no training library."""

    def __init__(self, file: str = "driver.npz") -> None:
        with np.load(file) as saved:
            arrays = list(saved.values())
        self.layers = list(zip(arrays[::2], arrays[1::2], strict=True))

    def choose(self, seen: paddock.Seen, seat: int, legal: Sequence[int], rng: Any) -> int:
        """Return one of the legal moves."""
        layer = seen.vector(seat)
        for matrix, bias in self.layers[:-1]:
            layer = np.maximum(layer @ matrix + bias, 0)
        matrix, bias = self.layers[-1]
        values = layer @ matrix + bias
        return max(legal, key=lambda move: values[move])


if __name__ == "__main__":  # worker processes import this file again
    print(paddock.match("lacorsa", [Driver(), "rookie", "rookie", "rookie"], games=400, seed=7))
