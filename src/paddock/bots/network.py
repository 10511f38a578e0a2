"""The weights of a network that plays a title: their file, and how it thinks with NumPy alone."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.kernel import calls

Weights = NDArray[np.float32]
HIDDEN = 128  # numbers of each hidden layer: networks that meet in a game have one shape
FORM = 1  # of the file


@dataclass(frozen=True, eq=False)
class Network:
    """A policy and a value for a title and a set-up: two hidden layers, and ``prior`` for the policy's move.

    A move has the chance exp(``sharp`` · (output + prior)) in proportion to the others.
    """

    layers: tuple[tuple[Weights, Weights], ...]  # matrix and bias
    prior: float = 0.0
    sharp: float = 1.0
    facts: dict[str, Any] = field(default_factory=dict)  # how it was made

    @classmethod
    def new(cls, inputs: int, outputs: int, seed: int, prior: float = 0.0) -> Self:
        """Return a network with random weights. Its first policy is nearly uniform, but for the prior."""
        rng = np.random.default_rng(seed)
        sizes = [inputs, HIDDEN, HIDDEN, outputs + 1]
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
        """Return the outputs and the values for rows of inputs, or for one row."""
        layer = inputs
        for matrix, bias in self.layers[:-1]:
            layer = np.maximum(layer @ matrix + bias, 0)
        layer = layer @ self.layers[-1][0] + self.layers[-1][1]
        return layer[..., :-1], layer[..., -1]

    @cached_property
    def shape(self) -> tuple[int, int]:
        """The numbers of inputs and outputs."""
        return self.layers[0][0].shape[0], self.layers[-1][0].shape[1] - 1

    def save(self, path: Path) -> None:
        """Write the weights in half precision: a file of ``np.savez``, a few hundred kB at most."""
        parts: dict[str, Any] = {"form": FORM, "prior": self.prior, "sharp": self.sharp}
        for i, (matrix, bias) in enumerate(self.layers):
            parts |= {f"w{i}": np.float16(matrix), f"b{i}": np.float16(bias)}
        with path.open("wb") as file:
            np.savez_compressed(file, facts=repr(self.facts), **parts)

    @classmethod
    def load(cls, path: Any) -> Self:
        """Read a file of ``save``; raise ``PaddockError`` if it is none. Nothing in it is executed."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
                if int(data["form"]) != FORM:
                    raise ValueError
                layers = tuple(
                    (data[f"w{i}"].astype(np.float32), data[f"b{i}"].astype(np.float32)) for i in range(3)
                )
                facts = literal_eval(str(data["facts"]))
                return cls(layers, float(data["prior"]), float(data["sharp"]), facts)
        except OSError as error:
            raise PaddockError(f"{path}: {error.strerror}") from None
        except (ValueError, KeyError, SyntaxError, EOFError, BadZipFile):
            raise PaddockError(
                _("{path}: this is not a network of this version of Paddock").format(path=path)
            ) from None

    def with_sharp(self, sharp: float) -> Self:
        """Return the network with another sharpness."""
        return replace(self, sharp=sharp)


def stacked(networks: Sequence[Network], kernel: Any) -> calls.Networks:
    """Return networks of a title as its compiled kernel takes them; room for one if there is none."""
    many = networks or [Network.new(kernel.SHORT_FEATURES, kernel.OUTPUTS, 0)]

    def part(i: int, j: int) -> Weights:
        return np.ascontiguousarray(np.stack([one.layers[i][j] for one in many]))

    priors, sharps = np.array([one.prior for one in many]), np.array([one.sharp for one in many])
    return calls.Networks(
        part(0, 0), part(0, 1), part(1, 0), part(1, 1), part(2, 0), part(2, 1), priors, sharps
    )  # fmt: skip


def thought(kernel: Any) -> calls.Thought:
    """Return the buffers that networks of a title think in."""

    def room(n: int) -> Weights:
        return np.zeros(n, np.float32)

    inputs, outputs, moves = kernel.SHORT_FEATURES, kernel.OUTPUTS + 1, kernel.ACTIONS + 1
    return calls.Thought(
        room(inputs), room(HIDDEN), room(HIDDEN), room(outputs),
        np.zeros(moves), np.zeros(moves, np.int64), np.zeros(1, np.int64),
    )  # fmt: skip
