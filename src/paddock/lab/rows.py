"""The result of one game of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paddock.core.options import Options
from paddock.core.series import RoundResult, standings


class Row(NamedTuple):
    """The result of one game, by player. ``lost`` is the reason of a bot that lost by the rule, or empty."""

    deal: int
    rotation: int
    bots: tuple[int, ...]  # indices of ``Plan.entrants``
    points: tuple[int, ...]
    places: tuple[int, ...]  # 0: none
    lost: tuple[str, ...]


def final(options: Options, rounds: Sequence[RoundResult]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the points and places of the players at the end of a game."""
    lines = sorted(standings(options, rounds).players, key=lambda line: line.who)
    return tuple(line.total for line in lines), tuple(line.rank for line in lines)


def win_shares(places: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return everybody's share of the win, from the places of games: an array (…, players or seats).

    A shared first place counts in part. In a game that nobody won, all shares are 0.
    """
    first = places == 1
    shares: npt.NDArray[np.float64] = first / np.maximum(1, first.sum(-1, keepdims=True))
    return shares


def last(
    points: Sequence[int], places: Sequence[int], lost: Sequence[str]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return points and places where the players in ``lost`` come last.

    They share the last place and get the lowest points of the game. Those behind them move up; their
    points stay.
    """
    low, ahead = min(points), [p for p, reason in zip(places, lost, strict=True) if p and not reason]
    return (
        tuple(low if reason else own for own, reason in zip(points, lost, strict=True)),
        tuple(
            len(places) if reason else p and 1 + sum(other < p for other in ahead)
            for p, reason in zip(places, lost, strict=True)
        ),
    )
