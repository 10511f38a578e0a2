"""Pig race: the level Club."""

from paddock.kernel import Row, rule
from pigrace.rules import HOLD, ROLL, Setup, State


@rule
def policy(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """Hold 20 steps or more."""
    return HOLD if s.steps >= 20 else ROLL
