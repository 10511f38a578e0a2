"""What the decisions of a game cost: the second measure of an arena, beside points.

The judgement is that of an analysis (docs/analysis.md): by what the player saw, in worlds that did not choose
the best move.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from paddock.bots.judging import decisions, judge
from paddock.core.game import Game


@dataclass(frozen=True)
class Costs:
    """The judged decisions of a game, by player: how many, and two sums over them in points of the race.

    ``costs``: how much less the moves gained than the best ones; ``gains``: how much more than those that the
    models of the analysis play there.
    """

    decisions: tuple[int, ...]
    costs: tuple[float, ...]
    gains: tuple[float, ...]


def decision_costs(game: Game, worlds: int, seed: str, left_out: Collection[int] = ()) -> Costs:
    """Judge the decisions of a game that have a choice, in up to so many ``worlds``; none if it is 0.

    The log entries ``left_out`` are not judged.
    """
    players = range(game.options.players)
    judged = [
        (game.options.owners[decision.seat], judge(decision, worlds, seed))
        for decision in (decisions(game) if worlds else ())
        if decision.entry not in left_out
    ]
    own = [[judgement for player, judgement in judged if player == p] for p in players]
    return Costs(
        tuple(map(len, own)),
        tuple(round(sum(judgement.cost for judgement in part), 4) for part in own),
        tuple(round(sum(judgement.gain for judgement in part), 4) for part in own),
    )
