"""What the end of a game is worth to a player: points, or in a series a share of the standings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.kernel.bulk import play
from paddock.kernel.source import Seeded

Floats: TypeAlias = NDArray[np.float64]

FUTURES = 240  # ways in which the rest of a series may go, at most
POOL = 200  # games of which they are made


def worth(seen: Seen, seat: int, scores: Floats, places: Floats) -> Floats:
    """Return what each end of the present game is worth to the player of ``seat``.

    ``scores`` and ``places`` have the shape (…, seats), the result has the shape (…). If the options have a
    single game, it is the points of the player over the mean of all players. In a series, it is the mean of
    two shares after its last game: of the first place, and of the rivals behind. A tie counts in part.
    If there are teams, it is the mean of this for the player and for the team.

    The rest of a series is played by *Clubs* of equal chances. Two things are left out: what carries over to
    the next game, such as who deals, and that a player without any place has no rank.
    """
    options = seen.options
    owners, teams = options.owners, options.teams
    by_table = [_of_table(seen, owners, owners[seat], scores, places)]
    if teams:
        members = [teams[owner] for owner in owners]
        by_table.append(_of_table(seen, members, members[seat], scores, places))
    mean: Floats = np.mean(by_table, axis=0)
    return mean


def points_over(options: Options, seat: int, scores: Floats) -> Floats:
    """Return the points of the player of ``seat`` over the mean of all players: (…, seats) → (…)."""
    return _over_others(scores @ _members(options.owners), options.owners[seat])


def over_mean(scores: Floats, owners: Sequence[int]) -> Floats:
    """Return the points of every player over the mean of all players: (…, seats) → (…, players).

    ``owners`` are the players of the seats.
    """
    points = scores @ _members(owners)
    over: Floats = points - points.mean(-1, keepdims=True)
    return over


def _over_others(points: Floats, player: int) -> Floats:
    over: Floats = points[..., player] - points.mean(-1)
    return over


def _members(of_seat: Sequence[int]) -> Floats:
    """Return a matrix that adds up columns of seats: shape (seats, players or teams)."""
    return np.eye(max(of_seat) + 1)[list(of_seat)]


def _of_table(seen: Seen, of_seat: Sequence[int], player: int, scores: Floats, places: Floats) -> Floats:
    """Return what ``worth`` says of one table; ``of_seat`` has the player or team of each seat."""
    options, members = seen.options, _members(of_seat)
    if options.rounds == 1:
        return _over_others(scores @ members, player)
    now = _merits(options, members, scores, places).reshape(-1, members.shape[1], _length(options))
    before = np.zeros(now.shape[1:])
    for played in seen.rounds:
        before += _merits(options, members, np.array(played.scores), np.array(played.places))
    later = before + _futures(seen.title, options, options.rounds - len(seen.rounds) - 1, tuple(of_seat))
    kinds, kind_of_row = np.unique(now, axis=0, return_inverse=True)
    return _share(kinds, later, player)[kind_of_row.ravel()].reshape(scores.shape[:-1])


def _length(options: Options) -> int:
    """The length of a merit."""
    return 1 + options.seats if options.countback else 1


def _merits(
    options: Options, members: Floats, scores: NDArray[np.generic], places: NDArray[np.generic]
) -> Floats:
    """Return what the standings compare, in this order: points, and with countback the number of first
    places, of second ones, and so on. Shape (…, seats) → (…, players or teams, ``_length``)."""
    counted = places[..., None] == np.arange(1, _length(options))
    by_seat = np.concatenate([scores[..., None], counted], axis=-1)
    merits: Floats = members.T @ by_seat
    return merits


@lru_cache(maxsize=256)
def _futures(title: Title, options: Options, rounds: int, of_seat: tuple[int, ...]) -> Floats:
    """Return the merits that ``rounds`` games of *Clubs* add: shape (futures, players or teams, length).

    The games and the seats of the players in each are drawn from a pool. Every future is used once for each
    rotation of the players, so that all have equal chances. Without ``rounds``, there is one future.
    """
    if not rounds:
        return np.zeros((1, max(of_seat) + 1, _length(options)))
    players, draw = options.players, Seeded("futures")
    series = range(max(1, FUTURES // players))
    games = np.array([[draw.below(POOL) for _ in range(rounds)] for _ in series])
    turns = np.array([[draw.below(players) for _ in range(rounds)] for _ in series])
    seats = (turns[:, None, :, None] + np.arange(players)[:, None, None] + np.arange(players)) % players
    by_player = (
        _pool(title, options)[games[:, None, :, None], seats].sum(2).reshape(-1, players, _length(options))
    )
    team_of = dict(zip(options.owners, of_seat, strict=True))
    futures: Floats = _members([team_of[player] for player in range(players)]).T @ by_player
    return futures


@lru_cache(maxsize=32)
def _pool(title: Title, options: Options) -> Floats:
    """Return the merits of all players in a number of games of *Clubs*: shape (games, players, length)."""
    bulk = play(title, options, POOL, "futures", thirds=[3] * options.players, threads=1)
    return _merits(options, _members(options.owners), bulk.scores, bulk.places)


def _share(now: Floats, later: Floats, player: int) -> Floats:
    """Return the share that ``worth`` describes for each of ``now``: the mean over all of ``later``."""
    shape = len(now), len(later)
    ahead, level = np.zeros(shape), np.zeros(shape)
    rivals = [rival for rival in range(now.shape[1]) if rival != player]
    for rival in rivals:
        sign = _compare(now[:, player] - now[:, rival], later[:, player] - later[:, rival])
        ahead += sign < 0
        level += sign == 0
    first = (ahead == 0) / (1 + level)
    behind = 1 - (ahead + level / 2) / max(1, len(rivals))
    share: Floats = (first + behind).mean(1) / 2
    return share


def _compare(now: Floats, later: Floats) -> Floats:
    """Return the sign of the first number that is not 0 in each ``now[i] + later[j]``: shape (i, j)."""
    sign = np.sign(now[:, None, 0] + later[None, :, 0])
    for k in range(1, now.shape[1]):
        i, j = np.nonzero(sign == 0)
        if not len(i):
            break
        sign[i, j] = np.sign(now[i, k] + later[j, k])
    return sign
