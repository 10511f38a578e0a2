"""α-Rank: hand-computed cases, the formula of the paper for two players, and more players by brute force."""

from __future__ import annotations

import itertools
from math import exp, log

import numpy as np
import pytest

from paddock.lab.alpharank import STRENGTH, alpha_rank, fitness, log_fixation, stationary


def table(size: int, players: int, better: dict[tuple[int, int], list[float]]) -> np.ndarray:
    """The advantages of all pairs, from those of one order."""
    advantage = np.zeros((size, size, players - 1))
    for (r, s), values in better.items():
        advantage[r, s] = values
        advantage[s, r] = [-value for value in reversed(values)]
    return advantage


def test_two_agents_by_hand() -> None:
    """In a population of two, a mutant meets the other agent, and takes over with a logistic probability.

    It is d better, so with strength a it is exp(a d) times as probable that it takes over as that it dies.
    With d = 0.3 and a = ln 3 / 0.3, that is 3 to 1. Both strategies are tried as often: 3/4 and 1/4 of the
    time.
    """
    strength = log(3) / 0.3
    advantage = table(2, 2, {(0, 1): [0.3]})
    assert np.exp(log_fixation(advantage[0, 1], 2, strength)) == pytest.approx(3 / 4)
    assert np.exp(log_fixation(advantage[1, 0], 2, strength)) == pytest.approx(1 / 4)
    assert alpha_rank(advantage, 2, strength) == pytest.approx([3 / 4, 1 / 4])


def test_three_agents_by_hand() -> None:
    """One mutant among three: it meets two others, or with two of them each meets one of each kind.

    A game of two with an advantage of d: d / 2 above the mean, or below it. One mutant gets d / 2, and the
    others on average -d / 4. Two mutants get d / 4, and the other -d / 2. The difference is 3 d / 4 both
    times. So one takes over with the probability 1 / (1 + q + q²), where q = exp(-3 a d / 4) = 1/2 here: 4/7.
    """
    strength, d = log(2) / 0.75, 1.0
    assert fitness(2, 3).tolist() == [[0.75], [0.75]]
    assert exp(log_fixation(np.array([d]), 3, strength)) == pytest.approx(4 / 7)


def test_a_game_of_three_by_hand() -> None:
    """Three agents, and all of them play. One mutant gets 2/3 of its advantage d1 over the mean, the others
    -1/3.

    Two mutants get 1/3 of their advantage d2, and the other one -2/3 of it. So the differences are d1 and d2.
    """
    assert fitness(3, 3).tolist() == [[pytest.approx(1), 0], [0, pytest.approx(1)]]
    found = exp(log_fixation(np.array([log(2), -log(4)]), 3, 1.0))
    assert found == pytest.approx(1 / (1 + 1 / 2 + 1 / 2 * 4))


@pytest.mark.parametrize("d", [-0.2, -0.01, 0.0, 0.03])
def test_two_players_have_the_closed_form_of_the_paper(d: float) -> None:
    """Omidshafiei et al. 2019, for games of a constant sum: u = a m / (m - 1) · d / 2."""
    m, strength = 50, 10.0
    u = strength * m / (m - 1) * d / 2
    wanted = (1 - exp(-u)) / (1 - exp(-m * u)) if u else 1 / m
    assert exp(log_fixation(np.array([d]), m, strength)) == pytest.approx(wanted)


def test_the_fitness_of_more_players_by_brute_force() -> None:
    """Every set of co-players counts the same."""
    population, players, advantage = 7, 4, np.array([0.5, -0.2, 0.9])
    for mutants in range(1, population):
        agents = [1] * mutants + [0] * (population - mutants)
        mean = [0.0, 0.0]
        for kind in (0, 1):
            others = agents.copy()
            others.remove(kind)
            groups = list(itertools.combinations(others, players - 1))
            for group in groups:
                k = sum(group) + kind
                d = advantage[k - 1] if 0 < k < players else 0.0
                mean[kind] += (d * (players - k) if kind else -d * k) / players / len(groups)
        assert fitness(players, population)[mutants - 1] @ advantage == pytest.approx(mean[1] - mean[0])


def test_a_circle_shares_the_time_and_who_beats_all_has_it() -> None:
    circle = table(3, 4, {(0, 1): [0.2] * 3, (1, 2): [0.2] * 3, (2, 0): [0.2] * 3})
    assert alpha_rank(circle) == pytest.approx([1 / 3] * 3)
    first = table(3, 4, {(0, 1): [0.2] * 3, (0, 2): [0.2] * 3, (2, 1): [0.2] * 3})
    assert alpha_rank(first) == pytest.approx([1, 0, 0])
    assert alpha_rank(table(3, 4, {})) == pytest.approx([1 / 3] * 3)
    both = np.stack([circle, first])
    assert alpha_rank(both) == pytest.approx(np.stack([alpha_rank(circle), alpha_rank(first)]))


def test_who_is_good_alone_and_bad_in_a_crowd_shares_the_time() -> None:
    """A mutant of either kind spreads at first; only the first step counts for a strong selection."""
    advantage = table(2, 4, {(0, 1): [0.5, 0.0, -0.5]})
    assert alpha_rank(advantage) == pytest.approx([1 / 2] * 2)


def test_the_stationary_distribution_solves_its_equations() -> None:
    rng = np.random.default_rng(3)
    rates = rng.random((6, 5, 5))
    found = stationary(np.log(rates))
    rates[:, range(5), range(5)] = 0  # what the diagonal says is not used
    for one, parts in zip(rates, found, strict=True):
        assert parts.sum() == pytest.approx(1)
        assert parts @ one == pytest.approx(parts * one.sum(1))


def test_rates_that_are_too_small_for_numbers() -> None:
    """Two steps back are 10^1000 times as rare as one forth."""
    log_rates = np.full((2, 2), -np.inf)
    log_rates[0, 1], log_rates[1, 0] = -1000.0, -1000.0 - log(3)
    assert stationary(log_rates) == pytest.approx([1 / 4, 3 / 4])
    assert np.isfinite(alpha_rank(table(2, 12, {(0, 1): [9.0] * 11}), strength=100 * STRENGTH)).all()


def test_a_population_fills_a_game() -> None:
    with pytest.raises(ValueError, match="a population of 3 cannot fill a game of 4 players"):
        alpha_rank(table(2, 4, {}), population=3)
