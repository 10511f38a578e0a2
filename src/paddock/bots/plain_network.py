"""How a network thinks in plain Python: about a millisecond for a decision of LACORSA."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul
from typing import Self

from paddock.bots.network_file import StoredNetwork

Numbers = Sequence[float]


class PlainNetwork:
    """What ``network.Network`` is, for one decision at a time and without NumPy."""

    def __init__(self, stored: StoredNetwork) -> None:
        # Lists: a third faster than arrays, which make a new object of each number that is read
        self.layers = tuple(([row.tolist() for row in matrix], bias) for matrix, bias in stored.layers)
        self.prior, self.sharp, self.facts = stored.prior, stored.sharp, stored.facts
        matrix, self._last_bias = self.layers[-1]
        # Only the outputs of legal moves are wanted, so the last layer is kept output by output
        self._by_output = [*zip(*matrix, strict=True)]

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of inputs and outputs."""
        return len(self.layers[0][0]), len(self._last_bias) - 1

    @property
    def hidden(self) -> int:
        """The numbers of each hidden layer."""
        return len(self.layers[0][1])

    def exact(self) -> Self:
        """Return itself: Python's numbers have double precision."""
        return self

    def outputs(self, inputs: Numbers, wanted: Sequence[int]) -> list[float]:
        """Return the ``wanted`` outputs for one row of short features."""
        layer: Numbers = inputs[: self.shape[0]]
        for matrix, bias in self.layers[:-1]:
            layer = [x if x > 0 else 0.0 for x in _added(bias, layer, matrix)]
        return [sum(map(mul, layer, self._by_output[i]), self._last_bias[i]) for i in wanted]


def _added(bias: Numbers, layer: Numbers, matrix: Iterable[Numbers]) -> Numbers:
    """Return a bias and the rows of a matrix, each times its number of a layer. Many of these are 0."""
    out = bias
    for x, row in zip(layer, matrix, strict=True):
        if x:
            out = [a + x * b for a, b in zip(out, row, strict=True)]
    return out
