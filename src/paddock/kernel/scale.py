"""Scales numbers of a state for observations."""

from __future__ import annotations

from paddock.kernel.mode import rule


@rule
def share(n: int, most: int) -> float:
    """Return ``n`` as a part of ``most``, from −1 to 1."""
    return max(-1.0, min(1.0, n / most))
