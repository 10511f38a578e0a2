"""What a study measures: pure functions of a sample.

Each measure is a ratio of two sums over deals, so its interval, and that of a difference, follow in one way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddock.kernel.survey import CHANGES, DECISIONS, FORCED, LAST, MOVES, PARTS
from paddock.lab.figures import Floats, Ratio
from paddock.lab.survey import GamesSample, Ints

HALF = PARTS // 2
Measure = Callable[[GamesSample], Ratio]


def ratio(over: Any, under: Any, *, share: bool = False, percent: bool = False) -> Ratio:
    """Return the ratio of two arrays (D, …), which are added up over all other axes."""
    over, under = (array.reshape(len(array), -1).sum(1).astype(float) for array in (over, under))
    return Ratio(over, under, share, percent)


def per_game(values: Any, *, share: bool = False, percent: bool = False) -> Ratio:
    """Return the mean of one number for each game, an array (D, R)."""
    return ratio(values, np.ones(values.shape), share=share, percent=percent)


def decisions(sample: GamesSample) -> Ratio:
    """Decisions in a game, by all players together."""
    return per_game(sample.numbers[..., DECISIONS])


def happens(code: int) -> Measure:
    """How often an event is told in a game."""
    return lambda sample: per_game(sample.event_counts[..., code])


def games_with(code: int) -> Measure:
    """The share of the games in which an event is told at all."""
    return lambda sample: per_game(sample.event_counts[..., code] > 0, share=True)


def choices(sample: GamesSample) -> Ratio:
    """Legal moves at a decision."""
    return ratio(sample.numbers[..., MOVES], sample.numbers[..., DECISIONS])


def choices_in(part: int) -> Measure:
    """Legal moves at a decision of one part of the game."""
    return lambda sample: ratio(sample.moves[..., part, 0], sample.moves[..., part, 1])


def forced(sample: GamesSample) -> Ratio:
    """The share of the decisions with only one legal move."""
    return ratio(sample.numbers[..., FORCED], sample.numbers[..., DECISIONS], share=True)


def lead_changes(sample: GamesSample) -> Ratio:
    """How often the lead changes hands in a game."""
    return per_game(sample.numbers[..., CHANGES])


def last_change(sample: GamesSample) -> Ratio:
    """The part of the game after which the lead no longer changes; only games in which somebody leads."""
    led = sample.leaders[..., PARTS] > 0
    part = sample.numbers[..., LAST] / np.maximum(1, sample.numbers[..., DECISIONS])
    return ratio(part * led, led, percent=True)


def leader_wins(tick: int) -> Measure:
    """The share of the games that are won by who leads after ``tick`` of PARTS parts; games with a leader."""

    def measure(sample: GamesSample) -> Ratio:
        leader = sample.leaders[..., tick]
        won = np.take_along_axis(sample.places, np.maximum(leader - 1, 0)[..., None], -1)[..., 0] == 1
        return ratio(won & (leader > 0), leader > 0, share=True)

    return measure


def shared(sample: GamesSample) -> Ratio:
    """The share of the games in which several seats share the first place."""
    return per_game((sample.places == 1).sum(-1) > 1, share=True)


def unwon(sample: GamesSample) -> Ratio:
    """The share of the games that nobody wins."""
    return per_game((sample.places == 1).sum(-1) == 0, share=True)


def margin(sample: GamesSample) -> Ratio:
    """Points between the first and the second player."""
    points = np.sort(sample.by_player(sample.scores), -1)
    return per_game(points[..., -1] - points[..., -2])


def points(player: int) -> Measure:
    """The points of a player."""
    return lambda sample: per_game(sample.by_player(sample.scores)[..., player])


def wins_of(rank: Callable[[GamesSample], Ints], number: int) -> Measure:
    """The share of the games that are won by the seat with this rank, in games with such ranks."""

    def measure(sample: GamesSample) -> Ratio:
        has_rank = rank(sample) == number
        return ratio((sample.wins * has_rank).sum(-1), has_rank.any(-1), share=True)

    return measure


def advantage(rank: Callable[[GamesSample], Ints]) -> Measure:
    """By how much the seat with rank 1 wins more games than a fair share, in games with ranks."""

    def measure(sample: GamesSample) -> Ratio:
        leads, wins = rank(sample) == 1, sample.wins
        has_ranks = leads.any(-1)
        return ratio((wins * leads).sum(-1) - wins.mean(-1) * has_ranks, has_ranks, percent=True)

    return measure


def seats(sample: GamesSample) -> Ints:
    """The ranks of the seats by their number."""
    return np.broadcast_to(np.arange(1, sample.places.shape[-1] + 1), sample.places.shape)


def turns(sample: GamesSample) -> Ints:
    """The ranks of the seats by when they first decide."""
    return sample.turns


def grid(sample: GamesSample) -> Ints:
    """The ranks of the seats in the first standing; 0 where it has none."""
    return sample.grid


def seat_points(seat: int) -> Measure:
    """The points of a seat over a fair share: the mean of all seats of the same game."""
    return lambda sample: per_game(sample.scores[..., seat] - sample.scores.mean(-1))


def seat_wins(seat: int) -> Measure:
    """By how much a seat wins more games than a fair share."""
    return lambda sample: per_game(sample.wins[..., seat] - sample.wins.mean(-1), percent=True)


def comebacks(sample: GamesSample) -> Ratio:
    """The share of the games that are won from the back half of the field at half-time, in rounds."""
    noted, wins = (sample.laps > 0).any(-1), sample.wins
    middle = noted.sum(-1) // 2
    places = np.take_along_axis(sample.laps, middle[..., None, None], -2)[..., 0, :]
    return ratio(wins * (places > places.shape[-1] / 2), wins * (places > 0), share=True)


def drama(sample: GamesSample) -> Ratio:
    """How far back the winner was on average, by round: 0 always first, 1 always last (Browne 2008)."""
    noted, wins = sample.laps > 0, sample.wins
    back = ((sample.laps - noted) / max(1, noted.shape[-1] - 1)).sum(-2) / np.maximum(1, noted.sum(-2))
    return ratio(wins * back, wins * noted.any(-2), percent=True)


def place_in(lap: int, place: int) -> Measure:
    """The mean place at the beginning of a round of the seats that end at ``place``."""

    def measure(sample: GamesSample) -> Ratio:
        places = sample.laps[..., lap, :]
        return ratio(places * (sample.places == place), (places > 0) & (sample.places == place))

    return measure


def over_fair(level: int, values: Callable[[GamesSample], Any], *, percent: bool = False) -> Measure:
    """What the players of a level get over a fair share of ``values``, an array (D, R, P)."""

    def measure(sample: GamesSample) -> Ratio:
        at_level, values_got = sample.level == level, values(sample)
        return ratio((values_got - values_got.mean(-1, keepdims=True)) * at_level, at_level, percent=percent)

    return measure


def got_points(sample: GamesSample) -> Floats:
    """The points by player."""
    return sample.by_player(sample.scores)


def got_wins(sample: GamesSample) -> Floats:
    """The share of the win by player."""
    return sample.by_player(sample.wins)


def deal(sample: GamesSample) -> Ratio:
    """How much of the variance of a player's points the deal explains.

    It is the covariance of the same player's points in two games of the same deal, divided by the variance
    of all points. The difference between the seats counts as their own, not as the deal's.
    """
    points_got = got_points(sample)
    centred = points_got - points_got.mean((0, 1))
    products = centred.sum(1) ** 2 - (centred**2).sum(1)  # twice the products of all pairs of games
    repeats = points_got.shape[1]
    return ratio(
        products / (repeats * (repeats - 1)), (points_got - points_got.mean()) ** 2 / repeats, percent=True
    )


def components(sample: GamesSample) -> Floats:
    """Return how much of the variance of a player's points level, seat and deal explain, and the rest.

    The level and the seat are fixed effects, whose estimates are cleared of what chance alone would show; the
    deal is the covariance of games of the same deal once both are subtracted. All are shares of the variance.
    """
    points_got, level = got_points(sample), sample.level
    total = points_got.var()
    if not total:
        return np.zeros(4)
    mean, deals = points_got.mean(), len(points_got)
    of_level = np.zeros(points_got.shape)
    by_level = 0.0
    present = np.unique(level)
    for present_level in present if len(present) > 1 else ():
        at_level = level == present_level
        effect = points_got[at_level].mean() - mean
        of_level += effect * at_level
        by_level += at_level.mean() * (effect**2 - points_got[at_level].var() / at_level.sum())
    without_level = points_got - of_level
    of_seat = without_level.mean((0, 1)) - mean
    by_seat = (of_seat**2).mean() - (without_level.mean(1).var(0) / deals).mean()
    centred = without_level - mean - of_seat
    repeats = points_got.shape[1]
    pairs = (centred.sum(1) ** 2 - (centred**2).sum(1)) / (repeats * (repeats - 1))
    explained = np.array([by_level, by_seat, pairs.mean()]) / total
    return np.append(explained, 1 - explained.sum())
