"""Defaults for the optional functions of a title's kernel: those of a title without secrets or chains.

``derived.py`` has the defaults that follow from the title's own functions.
"""

from __future__ import annotations

from typing import Any

from paddock.kernel.chance import below
from paddock.kernel.mode import rule
from paddock.kernel.record import Floats, Row

MAX_EVENTS = 16  # of one entry, if the title does not say how many
HORIZON = 0  # decisions after which a rollout is cut off; 0: never
SHORT_FEATURES = 1  # of a title without ``short_features.py``, for which there are no networks
OUTPUTS = 1


@rule
def hide(s: Any, g: Any, eyes: int) -> None:
    """Do nothing: without secrets, everybody sees the whole state."""


@rule
def redeal(s: Any, g: Any, eyes: int, rng: Row, out: Row) -> None:
    """Do nothing: without secrets, there is nothing to deal again."""


@rule
def drawing(s: Any, g: Any) -> int:
    """Return −1: everybody sees the outcome of chance that is due."""
    return -1


@rule
def foreseen(s: Any, g: Any, seat: int, move: int) -> int:
    """Return 0: without chains, no move can follow in the same submission."""
    return 0


@rule
def undecide(s: Any, g: Any) -> None:
    """Do nothing: without simultaneous decisions, no commitment is hidden."""


@rule
def estimate(s: Any, g: Any, out: Floats) -> None:
    """Expect nothing: every score stays 0."""


@rule
def policy(s: Any, g: Any, seat: int, out: Row, n: int, rng: Row) -> int:
    """Choose one of the ``n`` legal moves in ``out`` uniformly at random."""
    return out[below(rng, n)]


@rule
def standing(s: Any, g: Any, out: Row) -> int:
    """Return -1: the scores say how far ahead every seat is."""
    return -1


@rule
def holdings(s: Any, g: Any, seat: int, out: Row) -> None:
    """Write nothing: chance gives no items to a seat."""


@rule
def give(s: Any, g: Any, rng: Row) -> None:
    """Do nothing: what chance gives is in the rules."""


@rule
def observe_short(s: Any, g: Any, seat: int, out: Floats) -> None:
    """Write nothing."""


@rule
def secured(s: Any, g: Any, seat: int) -> float:
    """Return 0: the points are only counted at the end."""
    return 0.0


@rule
def output(s: Any, g: Any, seat: int, move: int) -> int:
    """Return 0: all moves are the same to a network that sees nothing."""
    return 0
