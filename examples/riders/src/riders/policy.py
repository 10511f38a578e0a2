"""Riders: the level Club."""

from paddock.kernel import Row, below, rule
from riders.rules import Setup, State


@rule
def policy(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """Play any card, high ones more often: what others can foresee, they can block."""
    total = 0
    for i in range(n):
        total += out[i] + 1
    x = below(rng, total)
    i = 0
    while x > out[i]:
        x -= out[i] + 1
        i += 1
    return out[i]
