"""What plays needs of a network. Two classes are one: see ``networks.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self


class Thinker(Protocol):
    """A network that plays a title. ``network.Network`` says what its numbers are."""

    def __hash__(self) -> int:
        """Networks are kept by what they are, not by their numbers."""

    @property
    def layers(self) -> tuple[tuple[Any, Any], ...]:
        """The rows of the matrix of each layer, and its bias."""

    @property
    def prior(self) -> float:
        """What the policy's move has more."""

    @property
    def sharp(self) -> float:
        """What the outputs are multiplied by."""

    @property
    def facts(self) -> dict[str, Any]:
        """How it was made."""

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of inputs and outputs."""

    @property
    def hidden(self) -> int:
        """The numbers of each hidden layer."""

    def exact(self) -> Self:
        """Return the network as it thinks in double precision."""

    def outputs(self, inputs: Sequence[float], wanted: Sequence[int]) -> list[float]:
        """Return the ``wanted`` outputs for one row of short features."""
