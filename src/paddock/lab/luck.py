"""The luck of a game of a match: what its cards and dice were worth to the players (AIVAT).

What a state is worth is the mean of the points, less the mean of all players, with which the round ends if
*Clubs* play on from it, as in ``bots/valuing.py``. A draw changes that. On average over all draws it does
not, whoever plays, because the games that are played on from before the draw draw from the same cards. So
these changes can be taken out of the points of a bot: their mean stays, and their deviation falls. See Burch,
Schmid, Moravčík, Morrill and Bowling 2018, AIVAT: A New Variance Reduction Technique for Agent Evaluation in
Imperfect Information Games. Of its corrections, this is the one for chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paddock.bots.rollouts import play_on
from paddock.bots.worth import over_mean
from paddock.lab.figures import Floats
from paddock.lab.plan import Plan

DIGITS = 4  # after the point


class Luck:
    """Adds up the luck of the players in one game."""

    def __init__(self, plan: Plan, deal: int, rotation: int) -> None:
        self._plan = plan
        self._stream = f"{plan.seed} luck {deal} {rotation}"
        self._valued = 0
        self._total: Floats = np.zeros(len(plan.line_up))

    def drew(self, before: Any, after: Any) -> None:
        """Count the chance that led from one state to the next, without a decision between them."""
        self._total += self._worth(after) - self._worth(before)

    def _worth(self, state: Any) -> Floats:
        self._valued += 1
        return worth_of(self._plan, state, f"{self._stream} {self._valued}")

    @property
    def by_player(self) -> tuple[float, ...]:
        """The luck of every player in points, which add up to 0."""
        return tuple(round(float(points), DIGITS) for points in self._total)


def worth_of(plan: Plan, state: Any, stream: str) -> Floats:
    """Return what a state is worth to each player: the mean of ``plan.luck`` games that are played on from
    it."""
    ends = play_on(plan.title, plan.options, state, range(plan.luck), stream, 0)
    worth: Floats = over_mean(ends.scores[0], plan.options.owners).mean(0)
    return worth


def without(points: Floats, luck: Floats) -> Floats:
    """Return the points of each deal without its luck.

    The luck counts as much as narrows the interval most: less if it was measured in few games. How much that
    is, all other deals say, and not the deal itself: so the mean stays right.
    """
    n = len(points)
    if n < 3:
        return points - luck
    mean_of_others = (points.sum() - points) / (n - 1)  # the mean of the other deals
    # The sum over the other deals of (points - their mean) * luck, and of luck²
    covariance = (points @ luck - points * luck) - mean_of_others * (luck.sum() - luck)
    square = luck @ luck - luck**2
    weight = np.divide(covariance, square, out=np.ones(n), where=square > 0)
    left: Floats = points - weight * luck
    return left
