"""α-Rank: which strategies survive in a population that plays a game of any number of players.

A population has many agents, each of which plays one strategy. Now and then an agent tries another strategy.
If that does better, it spreads until everybody plays it. The rank of a strategy is the part of the time for
which the population plays it. Strategies that beat each other in a cycle share it, which no list of numbers
can say.

This is the single-population model of Omidshafiei et al. 2019, «α-Rank: Multi-Agent Evaluation by Evolution»
(Scientific Reports 9:9937): the players of our games have the same moves, so one population suits them. The
model of several populations would have a state for every line-up: four strategies in a game of twelve players
have 16 million. The paper, and OpenSpiel's code, define one population for two players. For more, the
co-players of an agent are drawn from the population without replacement, as in Gokhale and Traulsen 2010,
«Evolutionary games in the multiverse» (PNAS 107:5500). For two players this is the model of the paper.
"""

from __future__ import annotations

from math import comb

import numpy as np

from paddock.lab.figures import Floats

POPULATION = 50  # agents, as in the paper
STRENGTH = 100.0  # the α of the paper: how surely what does better spreads


def alpha_rank(advantage: Floats, population: int = POPULATION, strength: float = STRENGTH) -> Floats:
    """Return the part of the time for which the population plays each strategy: an array (…, S).

    ``advantage`` has the shape (…, S, S, N - 1) for a game of N players: ``advantage[…, r, s, k - 1]`` is by
    how much a player of r gets more than a player of s if k players play r and N - k play s. So
    ``advantage[…, s, r, N - k - 1]`` is its negative. What a game gives to all its players together does not
    matter: each is compared with the mean of its game.
    """
    count = advantage.shape[-2]
    other_strategies = max(1, count - 1)  # the strategies that an agent may try next, each as often
    moves = np.full(advantage.shape[:-1], -np.inf)
    for s in range(count):
        for r in range(count):
            if r != s:
                moves[..., s, r] = log_fixation(advantage[..., r, s, :], population, strength) - np.log(
                    other_strategies
                )
    return stationary(moves)


def log_fixation(advantage: Floats, population: int, strength: float) -> Floats:
    """Return the logarithm of the probability that one mutant takes over; ``advantage`` (…, N - 1) is its.

    With p mutants, one more is ``exp(strength × (their fitness - that of the others))`` times as probable as
    one less (the Fermi process of the paper).
    """
    better = advantage @ fitness(advantage.shape[-1] + 1, population).T
    steps = -strength * np.cumsum(better, -1)
    log: Floats = -np.logaddexp(0, np.logaddexp.reduce(steps, -1))
    return log


def fitness(players: int, population: int) -> Floats:
    """Return the matrix (population - 1, players - 1) that turns advantages into differences of fitness.

    Its row p - 1 is for p mutants in the population. In a game with k mutants among N players and an
    advantage of d, a mutant gets (N - k) / N · d over the mean of the game, and another agent k / N · d less
    than it.
    """
    if population < players:
        raise ValueError(f"a population of {population} cannot fill a game of {players} players")
    size = players - 1  # co-players
    matrix = np.zeros((population - 1, size))
    for p in range(1, population):
        for k in range(1, players):
            payoff = _chance_of_hits(k - 1, p - 1, population - 1, size) * (players - k)
            other_payoff = _chance_of_hits(k, p, population - 1, size) * k
            matrix[p - 1, k - 1] = (payoff + other_payoff) / players
    return matrix


def _chance_of_hits(hits: int, mutants: int, agents: int, size: int) -> float:
    """Return the probability of ``hits`` mutants among ``size`` of the agents, without replacement."""
    if hits < 0 or hits > size:
        return 0.0
    return comb(mutants, hits) * comb(agents - mutants, size - hits) / comb(agents, size)


def stationary(log_rates: Floats) -> Floats:
    """Return the stationary distribution (…, S) of a Markov chain from the logarithms of its rates (…, S, S).

    ``log_rates[…, s, r]`` is for the step from s to r; the diagonal is not used. The states are eliminated
    one after the other (Grassmann, Taksar and Heyman 1985), which needs no subtraction. So it is exact to the
    last digits, also for rates that are too small to be written as numbers.
    """
    log, count = log_rates.copy(), log_rates.shape[-1]
    for n in range(count - 1, 0, -1):
        log[..., :n, n] -= np.logaddexp.reduce(log[..., n, :n], -1)[..., np.newaxis]
        log[..., :n, :n] = np.logaddexp(
            log[..., :n, :n], log[..., :n, n, np.newaxis] + log[..., n, np.newaxis, :n]
        )
    weights = np.zeros(log.shape[:-1])
    for n in range(1, count):
        weights[..., n] = np.logaddexp.reduce(weights[..., :n] + log[..., :n, n], -1)
    parts: Floats = np.exp(weights - np.logaddexp.reduce(weights, -1)[..., np.newaxis])
    return parts
