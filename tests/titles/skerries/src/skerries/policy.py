"""Skerries: a hand-written bot in the kernel's subset, so that it can also run compiled.

Numbers with a point are allowed here: they never enter the state.
"""

from __future__ import annotations

from paddock.kernel import Row, below, rule
from skerries.cards import surprises
from skerries.chart import LIGHT, REEF
from skerries.sailing import ANCHOR, GUST, PILOT, PLAY, ROB, STOP, YIELD, Setup, State, takes


@rule
def worth(s: State, g: Setup, seat: int, move: int) -> float:
    """The value of a move in wind: how much nearer to a light it leads (SK-5.1), or a card."""
    if move < STOP:
        to = g.beside[s.at[seat], move]
        value = g.far[s.at[seat]] - g.far[to] - 0.1 * takes(g, to, s.piloted)
        if g.land[to] != LIGHT and surprises(s, g, to) == 1:
            value += 1.5
        return value
    if move in (STOP, YIELD):
        return 0.0
    if move == PLAY + GUST:
        return 0.5 - s.wind
    if move == PLAY + PILOT:
        for way in range(6):
            to = g.beside[s.at[seat], way]
            if to >= 0 and g.land[to] == REEF and g.far[to] < g.far[s.at[seat]]:
                return 1.5
        return -1.0
    if move == PLAY + ANCHOR:
        return 1.0
    return 2.0 + 0.1 * s.cards[move - ROB]


@rule
def policy(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """Return the best of the ``n`` legal moves in ``out``, a random one of several equal ones."""
    best = out[0]
    most = worth(s, g, seat, best)
    equal = 1
    for i in range(1, n):
        value = worth(s, g, seat, out[i])
        if value == most:
            equal += 1
        if value > most:
            equal = 1
        if value > most or (value == most and below(rng, equal) == 0):
            best = out[i]
            most = value
    return best
