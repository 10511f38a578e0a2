"""How often the intervals of matches contain the true value: exactly for two players, else simulated."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from paddock.core.intervals import half_width, skewness, standard_error, t_value, wilson
from paddock.lab import Match
from sampling import count

SHARES = np.arange(2, 99) / 100  # of wins
ALIKE = (-0.04, 0, 0.3)  # correlations of the games of a deal; the first is that of levels of Rasant


def duel(both: int, one: int, none: int) -> Match:
    """A match of two players in which bot a wins both games of so many deals, one game, or none."""
    won = np.repeat([[1, 1], [1, 0], [0, 0]], (both, one, none), axis=0).reshape(-1)
    bots = np.tile([[0, 1], [1, 0]], (both + one + none, 1))
    places = np.where(bots == 0, 2 - won[:, None], 1 + won[:, None])
    return Match("rasant", "players=2", 1, ("a", "b"), bots, 3 - places, places, np.full(places.shape, ""))


def exact(deals: int) -> np.ndarray:
    """The coverage by ALIKE and SHARES."""
    spread = SHARES * (1 - SHARES)
    pair = np.maximum(np.outer(ALIKE, spread), -(np.minimum(SHARES, 1 - SHARES) ** 2))  # the covariance
    cover = np.zeros(pair.shape)
    chances = SHARES**2 + pair, 2 * (spread - pair), (1 - SHARES) ** 2 + pair
    for both in range(deals + 1):
        for one in range(deals + 1 - both):
            counts = both, one, deals - both - one
            a, _b = duel(*counts).figures
            share = SHARES - 0.5
            inside = (a.wins_low <= share + 1e-12) & (share - 1e-12 <= a.wins_high)
            ways = comb(deals, both) * comb(deals - both, one)
            cover += inside * ways * np.prod([p**n for p, n in zip(chances, counts, strict=True)], axis=0)
    return cover


@pytest.mark.parametrize(
    ("deals", "most"),
    [(5, 0.985), (10, 0.975), (25, 0.97)],
)
def test_the_interval_of_wins_covers_every_share(deals: int, most: float) -> None:
    """Few deals have few results, so their intervals cover more than 95 %: ``most`` limits the mean."""
    cover = exact(deals)
    assert cover.min() > 0.93, SHARES[cover.argmin(1)]
    assert (cover.mean(1) > 0.945).all() and (cover.mean(1) < most).all()


@pytest.mark.parametrize("players", [4, 12])
@pytest.mark.parametrize("deals", [5, 25, 100])
def test_the_interval_of_a_share_with_more_players(players: int, deals: int) -> None:
    """Games of a deal that are independent, or balance each other, or are a little alike."""
    rng, repeats = np.random.default_rng(7), count(200, 1000)
    luck = 3 * (0.95 * 0.05 / repeats) ** 0.5
    shares = (0.02, 0.1, 0.3, 0.5, 0.8, 0.95, 0.98)
    for alike in (-0.5, 0, 0.05):
        covers = []
        for share in shares:
            shape = (repeats, deals)
            if alike > 0:
                chance = rng.beta(share * (1 / alike - 1), (1 - share) * (1 / alike - 1), shape)
            else:
                chance = np.full(shape, share)
            wins = rng.binomial(players, chance)
            if alike < 0:  # half of the deals have as many wins as they should, up to one
                wins = np.where(rng.random(shape) < 0.5, np.floor(players * share + rng.random(shape)), wins)
            hits = 0
            for one in wins / players:
                low, high = wilson(float(one.mean()), standard_error(one), deals, deals * players)
                hits += low <= share <= high
            covers.append(hits / repeats)
        assert min(covers) > 0.93 - luck, (alike, covers)
        most = 0.97 if deals == 100 else 0.98 if deals == 25 else 0.99  # see docs/match.md
        assert max(covers) < most + luck and np.mean(covers) < most, (alike, covers)


@pytest.mark.parametrize("deals", [5, 10, 25])
def test_the_interval_of_wins_of_half_of_the_players(deals: int) -> None:
    """As in a ladder: two players of four. Near 100 % of wins, the normal interval covers little."""
    rng, repeats = np.random.default_rng(9), count(300, 2000)
    luck = 3 * (0.95 * 0.05 / repeats) ** 0.5
    bots = np.concatenate([np.stack([np.roll([0, 0, 1, 1], n) for n in range(4)])] * deals)
    none = np.full(bots.shape, "")
    for share in (0.5, 0.9, 0.977):
        hits = normal = 0
        for _repeat in range(repeats):
            winner = 1 - (rng.random((4 * deals, 1)) < share)  # both its players share the first place
            places = np.where(bots == winner, 1, 3)
            a, _b = Match("rasant", "", 1, ("a", "b"), bots, 4 - places, places, none).figures
            truth = share / 2 - 1 / 4
            hits += a.wins_low <= truth <= a.wins_high
            by_deal = (winner == 0).reshape(deals, 4).mean(1) / 2 - 1 / 4
            normal += abs(by_deal.mean() - truth) <= 1.96 * standard_error(by_deal)
        assert hits / repeats > 0.93 - luck, share
        assert share < 0.977 or normal / repeats < 0.9


def test_a_share_of_nothing_or_everything_has_an_interval() -> None:
    never, always = duel(0, 0, 25).figures
    assert (never.wins_over, always.wins_over) == (-0.5, 0.5)
    assert never.wins_low == -0.5 and -0.4 < never.wins_high < -0.3
    assert (always.wins_low, always.wins_high) == (pytest.approx(-never.wins_high), 0.5)
    lines = str(duel(0, 0, 25)).splitlines()
    assert "-50.0 % (-50.0 to -35.7)" in lines[2] and "+50.0 % (+35.7 to +50.0)" in lines[3]


def test_deals_that_all_came_out_the_same_say_nothing_about_points() -> None:
    a, _b = duel(0, 0, 25).figures
    assert np.isnan(a.points_error)
    assert "-0.500  " in str(duel(0, 0, 25)).splitlines()[2]


def test_equal_bots_get_the_narrow_interval_of_their_pairs() -> None:
    """Both win a game of nearly every deal: the seats decide, and the deals say so."""
    a, _b = duel(2, 96, 2).figures
    assert a.wins == 0.5 and a.wins_error < 0.03 < 0.06 < wilson(0.5, (0.25 / 200) ** 0.5, 100, 200)[1] - 0.5


def test_a_bot_that_is_everybody_has_no_interval() -> None:
    places = np.array([[1, 2], [2, 1]] * 3)
    alone = Match("rasant", "", 1, ("a",), np.zeros((6, 2), int), 3 - places, places, np.full((6, 2), ""))
    (a,) = alone.figures
    assert a.wins_over == 0 and np.isnan(a.wins_error) and np.isnan(a.points_error)
    assert "±" not in str(alone).splitlines()[2]


def test_the_interval_of_points_covers_the_mean_of_few_deals() -> None:
    """Points are many independent things added up, and so nearly normal."""
    rng = np.random.default_rng(5)
    for deals in (5, 10, 25):
        points = rng.integers(-20, 60, (1000, deals, 6)).mean(2)
        hits = sum(abs(one.mean() - 19.5) <= half_width(one) for one in points)
        assert 930 <= hits <= 970


@pytest.mark.parametrize("deals", [10, 25, 100])
def test_the_interval_of_points_that_hardly_ever_come(deals: int) -> None:
    """Like those of a Rookie among eleven Clubs. Student's interval alone is too narrow with few deals."""
    rng, repeats = np.random.default_rng(8), count(1000, 4000)
    shape, values = (repeats, deals), (1, 2, 5, 10)
    points = rng.poisson(1.0, shape) * rng.choice(values, shape)
    away = [abs(one.mean() - np.mean(values)) for one in points]
    ours = np.mean([d <= half_width(one) for d, one in zip(away, points, strict=True)])
    students = [t_value(deals - 1) * standard_error(one) for one in points]
    student = np.mean([d <= width for d, width in zip(away, students, strict=True)])
    assert 0.91 < ours < 0.97 and student < ours
    assert deals == 100 or student < 0.92


def test_the_skewness_of_a_sample() -> None:
    """The value of SciPy's ``skew(…, bias=False)``."""
    assert skewness(np.array([1.0, 2, 3, 4, 10])) == pytest.approx(1.6970562748477143)
    assert skewness(np.array([1.0, 3])) == skewness(np.full(9, 0.1)) == 0
