"""The weights of a network that plays a title, and how it thinks with NumPy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from paddock.bots.network_file import FORM, StoredNetwork, read
from paddock.bots.thinking import Thinker
from paddock.core.bounds import SPARE
from paddock.kernel import calls

Weights = NDArray[np.float32]
HIDDEN = 128  # numbers of each hidden layer, if a recipe does not say more


@dataclass(frozen=True, eq=False)
class Network:
    """A policy and a value for a title and a set-up: two hidden layers, and ``prior`` for the policy's move.

    It reads the title's short features, all or only the first ones, as many as it has inputs. A move has the
    chance exp(``sharp`` · (output + prior)) in proportion to the others.
    """

    layers: tuple[tuple[Weights, Weights], ...]  # matrix and bias
    prior: float = 0.0
    sharp: float = 1.0
    facts: dict[str, Any] = field(default_factory=dict)  # how it was made

    @classmethod
    def new(cls, inputs: int, outputs: int, seed: int, prior: float = 0.0, hidden: int = HIDDEN) -> Self:
        """Return a network with random weights. Its first policy is nearly uniform, but for the prior."""
        rng = np.random.default_rng(seed)
        sizes = [inputs, hidden, hidden, outputs + 1]
        scales = [2**0.5, 2**0.5, 0.01]
        return cls(
            tuple(
                (
                    (scale * rng.normal(size=pair) / pair[0] ** 0.5).astype(np.float32),
                    np.zeros(pair[1], np.float32),
                )
                for scale, pair in zip(scales, pairwise(sizes), strict=True)
            ),
            prior,
        )

    def think(self, inputs: Weights) -> tuple[Weights, Weights]:
        """Return the outputs and the values for rows of short features, or for one row."""
        layer = inputs[..., : self.shape[0]]
        for matrix, bias in self.layers[:-1]:
            layer = np.maximum(layer @ matrix + bias, 0)
        layer = layer @ self.layers[-1][0] + self.layers[-1][1]
        return layer[..., :-1], layer[..., -1]

    def exact(self) -> Self:
        """Return the network as it thinks in double precision.

        Machines add the products of a layer in different orders. In single precision this changes a move in
        some games of ten thousand, in double precision in none that anybody will play.
        """
        wide: Any = tuple((np.float64(matrix), np.float64(bias)) for matrix, bias in self.layers)
        return replace(self, layers=wide)

    def outputs(self, inputs: Sequence[float], wanted: Sequence[int]) -> list[float]:
        """Return the ``wanted`` outputs for one row of short features."""
        numbers: list[float] = self.think(np.array(inputs, np.float32))[0].take(wanted).tolist()
        return numbers

    @cached_property
    def shape(self) -> tuple[int, int]:
        """The numbers of inputs and outputs."""
        return self.layers[0][0].shape[0], self.layers[-1][0].shape[1] - 1

    @property
    def hidden(self) -> int:
        """The numbers of each hidden layer."""
        return len(self.layers[0][1])

    def widened(self, hidden: int, seed: int) -> Self:
        """Return a network with more hidden numbers that thinks the same: the new ones count for nothing yet.

        They listen with random weights, so that it can learn to use them.
        """
        old = self.hidden
        if hidden <= old:
            return self
        (w1, b1), (w2, b2), (w3, b3) = Network.new(*self.shape, seed, hidden=hidden).layers
        w2[old:, :old] = w3[old:] = 0
        for wider, part in zip((w1, b1, w2, b2, w3, b3), chain(*self.layers), strict=True):
            wider[tuple(map(slice, part.shape))] = part
        return replace(self, layers=((w1, b1), (w2, b2), (w3, b3)))

    def reading(self, inputs: int) -> Self:
        """Return a network with so many inputs that thinks the same: the new ones count for nothing yet."""
        (w1, b1), *layers = self.layers
        more = np.zeros((max(0, inputs - len(w1)), self.hidden), np.float32)
        return replace(self, layers=((np.concatenate([w1, more]), b1), *layers))

    def save(self, path: Path) -> None:
        """Write the weights in half precision: a file of ``np.savez``, a few hundred kB at most."""
        parts: dict[str, Any] = {"form": FORM, "prior": self.prior, "sharp": self.sharp}
        for i, (matrix, bias) in enumerate(self.layers):
            parts |= {f"w{i}": np.float16(matrix), f"b{i}": np.float16(bias)}
        with path.open("wb") as file:
            np.savez_compressed(file, facts=repr(self.facts), **parts)

    @classmethod
    def of(cls, stored: StoredNetwork) -> Self:
        """Return the network of a file."""
        layers = tuple(
            (np.array(matrix, np.float32), np.array(bias, np.float32)) for matrix, bias in stored.layers
        )
        return cls(layers, stored.prior, stored.sharp, stored.facts)

    @classmethod
    def load(cls, path: Any, shapes: Collection[tuple[int, int]] = ()) -> Self:
        """Read a file of ``save`` as ``network_file.read`` does."""
        return cls.of(read(path, shapes))


def stacked(networks: Sequence[Thinker], kernel: Any) -> calls.Networks:
    """Return networks of a title as its compiled kernel takes them; room for one if there is none.

    There is room for the most inputs and hidden numbers.
    """
    used: Sequence[Thinker] = networks or [Network.new(1, kernel.OUTPUTS, 0)]
    count, hidden, outputs = len(used), max(network.hidden for network in used), used[0].shape[1]
    inputs = max(network.shape[0] for network in used)

    def room(*shape: int) -> Weights:
        return np.zeros((count, *shape), np.float32)

    stack = calls.Networks(
        room(inputs, hidden), room(hidden), room(hidden, hidden), room(hidden),
        room(hidden, outputs + 1), room(outputs + 1), np.zeros(count), np.zeros(count),
        np.zeros(count, np.int64), np.zeros(count, np.int64),
    )  # fmt: skip
    for k, network in enumerate(used):
        put(stack, k, network)
    return stack


def put(nets: calls.Networks, k: int, network: Thinker) -> None:
    """Replace network ``k``; there must be room for its inputs and hidden numbers."""
    for row, numbers in zip(nets[:6], chain(*network.layers), strict=True):
        part = np.asarray(numbers)
        row[k][tuple(map(slice, part.shape))] = part
    nets.prior[k], nets.sharp[k] = network.prior, network.sharp
    nets.inputs[k], nets.hidden[k] = network.shape[0], network.hidden


def thought(kernel: Any, nets: calls.Networks) -> calls.Thought:
    """Return the buffers that these networks of a title think in."""

    def room(n: int) -> Weights:
        return np.zeros(n, np.float32)

    inputs, outputs, moves = kernel.SHORT_FEATURES, kernel.OUTPUTS + 1, kernel.ACTIONS + SPARE
    hidden = nets.b1.shape[1]
    return calls.Thought(
        room(inputs + SPARE), room(hidden), room(hidden), room(outputs),
        np.zeros(moves), np.zeros(moves, np.int64), np.zeros(1, np.int64),
    )  # fmt: skip
