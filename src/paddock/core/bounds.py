"""The buffers that the plain rules of a title write to: there is room to see that they write too much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddock.core.errors import OutOfBounds

# How many numbers each buffer has room for, beside those that the title's bound says
SPARE = 256
FENCED = 32  # of these, as many are marked; see ``fence`` of the kernel


def filled(bound: str, most: int, write: Callable[[list[Any]], Any]) -> list[Any]:
    """Return the ``most`` numbers of a buffer after ``write`` has written to it; they begin as 0.

    Raises ``OutOfBounds`` if it has written more than these.
    """
    out = [0] * most + [None] * SPARE
    write(out)
    if out.count(None) < SPARE:
        needed = max(i for i in range(most, len(out)) if out[i] is not None) + 1
        raise OutOfBounds(bound, needed, most)
    return out[:most]
