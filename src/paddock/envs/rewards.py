"""The reward of every player for the rounds of a series."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.options import Options
from paddock.core.series import RoundResult, standings


def rewards(options: Options, results: Sequence[RoundResult], since: int, by_win: bool) -> list[float]:
    """Return by player what the rounds from ``since`` on are worth, over the mean of all players.

    That is their points; or ``by_win``, once the series is over, 1 for the first in the standings, in equal
    parts if several are first. All are 0 if nobody is, and as long as the series goes on.
    """
    worth = [0.0] * options.players
    if not by_win:
        for result in results[since:]:
            for seat, owner in enumerate(options.owners):
                worth[owner] += result.scores[seat]
    elif len(results) == options.rounds:
        first = [line.who for line in standings(options, results).players if line.rank == 1]
        for player in first:
            worth[player] = 1 / len(first)
    mean = sum(worth) / len(worth)
    return [value - mean for value in worth]
