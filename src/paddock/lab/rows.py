"""The result of one game of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paddock.core.options import Options
from paddock.core.series import RoundResult, standings


class GameRow(NamedTuple):
    """The result of one game, by player. ``forfeits``: why a bot forfeited the game, or empty."""

    deal: int
    rotation: int
    bots: tuple[int, ...]  # indices of ``Plan.entrants``
    points: tuple[int, ...]
    places: tuple[int, ...]  # 0: none
    forfeits: tuple[str, ...]
    luck: tuple[float, ...] = ()  # of the players in points, if the match measures it
    record: str = ""  # of the game, if the match keeps records


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


def after_forfeits(
    points: Sequence[int], places: Sequence[int], forfeits: Sequence[str]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return points and places where the players in ``forfeits`` come last.

    They share the last place. Those behind them move up. Everybody gets the points of the new place: so a bot
    that forfeits while it is ahead loses what it was ahead. Who has no place keeps the points.
    """
    if not any(forfeits):
        return tuple(points), tuple(places)
    count, ahead = len(places), [p for p, reason in zip(places, forfeits, strict=True) if p and not reason]
    order = sorted(range(count), key=lambda player: (places[player] or count + 1, -points[player]))
    prizes = [points[player] for player in order]
    new = tuple(
        count if reason else p and 1 + sum(other_place < p for other_place in ahead)
        for p, reason in zip(places, forfeits, strict=True)
    )
    return tuple(prizes[p - 1] if p else own_points for p, own_points in zip(new, points, strict=True)), new
