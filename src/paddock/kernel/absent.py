"""What stands in for the functions that a title's kernel need not have."""

from __future__ import annotations

from typing import Any

from paddock.kernel.chance import below
from paddock.kernel.mode import rule
from paddock.kernel.record import Row


@rule
def foreseen(s: Any, g: Any, seat: int, move: int) -> int:
    """A title without chains: nothing follows in the same submission."""
    return 0


@rule
def policy(s: Any, g: Any, seat: int, out: Row, n: int, rng: Row) -> int:
    """A title without hand-written bots in its kernel: any of the ``n`` legal moves in ``out``."""
    return out[below(rng, n)]
