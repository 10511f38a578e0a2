"""Scales numbers of a state for observations."""

from __future__ import annotations

from paddock.kernel.mode import rule


@rule
def share(n: int, most: int) -> float:
    """Return ``n`` as a part of ``most``, from −1 to 1."""
    return max(-1.0, min(1.0, n / most))


@rule
def squash(n: int) -> float:
    """Return a number between −1 and 1 for any ``n``: 1/17 for 1, a half for 16, 0.89 for 127."""
    return n / (abs(n) + 16)
