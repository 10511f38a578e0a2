"""The Great Race: the score that each player can expect, for rollouts that are cut off."""

from __future__ import annotations

import math

from paddock.games.great_race.bots.outlook import NEVER, find_ways
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import Floats, rule

HORIZON = 150  # decisions after which a rollout is cut off

# How much one more of each adds to the logarithm of the chance to win, at the end of the way; before that,
# less. Fitted to 1,100 positions of Clubs on five maps, each played on twelve times.
PETROL = 0.24
WAY = 0.032  # of a tenth of a level that the way costs
ENGINE = 0.6
CHASSIS = 0.45
FRANC = 0.017
ARRIVED = 4.0
NEAR = 150  # cost of a way, in tenths of a level, at which everything counts half
POINTS = 12.0  # of a winner


@rule
def estimate(s: State, g: Setup, out: Floats) -> None:
    """Write the points of a winner, times the chance to win, for every seat. ``s.scratch`` is a buffer."""
    shortest = float(NEVER)
    for seat in range(g.players):
        out[seat] = 0.0
        if s.place[seat] == 0:
            find_ways(s, g, seat, s.scratch, 0)
            out[seat] = s.scratch[s.at[seat]]
        shortest = min(shortest, out[seat])
    total = 0.0
    for seat in range(g.players):
        merit = PETROL * s.petrol[seat] + ENGINE * s.engine[seat] + CHASSIS * s.chassis[seat]
        merit += FRANC * min(s.money[seat], 300) - WAY * out[seat]
        merit /= 1 + shortest / NEAR
        if s.place[seat] > 0:
            merit += ARRIVED
        out[seat] = math.exp(merit)
        total += out[seat]
    for seat in range(g.players):
        out[seat] *= POINTS / total
