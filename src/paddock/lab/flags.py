"""Which differences of a report are more than chance: probabilities, and the correction for their number."""

from __future__ import annotations

import math
from collections.abc import Sequence


def tail(t: float, freedom: int) -> float:
    """Return how probable a value as far from 0 as ``t`` of Student's distribution is, on either side.

    Wallace (1959) turns it into a normal one.
    """
    z = math.sqrt(freedom * math.log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return math.erfc(z / math.sqrt(2))


def holm(probabilities: Sequence[float], rate: float) -> list[bool]:
    """Return which findings stand if all of them together may be wrong with this probability (Holm 1979)."""
    order = sorted(range(len(probabilities)), key=lambda k: probabilities[k])
    stands = [False] * len(order)
    for rank, k in enumerate(order):
        if not probabilities[k] <= rate / (len(order) - rank):
            break
        stands[k] = True
    return stands
