"""Results without the luck of the draw and of the company: how strong everybody is, whoever left.

The model: the points of a seat are what the table has on average, plus the strength of who plays it over the
mean of the table, plus what the seat is worth, plus what this deal gives to this seat at every table, plus
noise. Where a bot played on, the strength is a mixture of both. Each level of bots is one more entrant.
Deals that somebody missed are not there, and nothing is made up for them.

Strengths are estimated by least squares that are drawn together a little: how much, the spread of all says
(empirical Bayes). Who leaves is often behind. A deal that an entrant began therefore counts in full for them,
with what the bot's part was worth taken off: counting it in part would give the good deals, which people
finish, more weight than the bad ones. One in which they have decided nothing is one that they missed.
scripts/seasons.py shows the coverage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paddock.core.intervals import t_value
from paddock.features.clubs.results import Fit, Result, Strength

Floats: TypeAlias = NDArray[np.float64]

STEPS = 60  # of the estimate of variances, at most
CLOSE = 1e-3  # a step that changes less than this part is the last one
SPREADS = 24  # that are tried
WIDE = 4.0  # how much more the strengths of bots may vary than those of people
LEAST = 1e-9


def fit(results: Collection[Result]) -> Fit | None:
    """Return the strengths that fit the results best; None if they say nothing.

    All seats of a table must be there, and all tables must have as many.
    """
    people = sorted({result.entrant for result in results if result.entrant is not None})
    levels = sorted({result.level for result in results if result.own_part < 1})
    size = 1 + max((result.seat for result in results), default=0)
    if not people or size < 2:
        return None
    strata = _strata(results, people, levels, size)
    prior = np.r_[np.ones(len(people)), np.full(len(levels), WIDE)]
    values, cov, variances = _solve(strata, prior)
    centred = np.eye(len(prior)) - np.r_[np.full(len(people), 1 / len(people)), np.zeros(len(levels))]
    strengths, kinds = centred @ values[: len(prior)], len(prior)
    squares = ((centred @ cov[:kinds, :kinds]) * centred).sum(1)
    freedom = max(1, sum(stratum.count for stratum in strata) - len(values))
    errors = t_value(freedom) * np.sqrt(np.maximum(squares, 0))
    measured = [Strength(float(value), float(error)) for value, error in zip(strengths, errors, strict=True)]
    seats = _contrasts(size).T @ values[kinds:]
    return Fit(
        dict(zip(people, measured, strict=False)),
        dict(zip(levels, measured[len(people) :], strict=True)),
        tuple(map(float, seats)),
        *(variance**0.5 for variance in (variances.spread, variances.deal, variances.noise)),
    )


@dataclass(frozen=True)
class _Stratum:
    """Independent equations of one variance: ``y`` = ``played`` @ (strengths, seats) + noise; their products.

    ``began`` is ``played`` as if whoever began had played to the end.
    """

    tables: int  # 0: differences of tables of a deal; else means of so many
    count: int
    began_played: Floats
    began_began: Floats
    played_played: Floats
    began_y: Floats
    played_y: Floats
    y_y: float

    @classmethod
    def of(cls, tables: int, y: Floats, began: Floats, played: Floats) -> _Stratum:
        """Multiply the equations once: a step of the solution needs only the products."""
        products = began.T @ played, began.T @ began, played.T @ played, began.T @ y, played.T @ y
        return cls(tables, len(y), *products, float(y @ y))

    def square(self, answer: _Answer) -> float:
        """Return the sum of the expected squares of what is left of ``y``."""
        values, matrix = answer.values, self.played_played
        left = self.y_y - 2 * values @ self.played_y + values @ matrix @ values
        return max(float(left + (answer.cov * matrix).sum()), 0.0)


def _contrasts(size: int) -> Floats:
    """Return size − 1 orthonormal differences between seats (Helmert 1876)."""
    rows = np.tril(np.ones((size - 1, size)))
    for k in range(size - 1):
        rows[k, k + 1] = -(k + 1)
        rows[k] /= np.sqrt((k + 1) * (k + 2))
    return rows


def _strata(
    results: Collection[Result], people: Sequence[str], levels: Sequence[str], size: int
) -> list[_Stratum]:
    column = {name: number for number, name in enumerate(people)}
    bot = {level: len(people) + number for number, level in enumerate(levels)}
    deals: dict[int, dict[int, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        deals[result.deal][result.table].append(result)
    contrasts, kinds = _contrasts(size), len(people) + len(levels)
    parts: dict[int, list[tuple[Floats, Floats, Floats]]] = defaultdict(list)
    for tables in deals.values():
        facts = np.zeros((3, len(tables), size, kinds))  # points, who began, who played
        for t, table in enumerate(tables.values()):
            for result in table:
                facts[0, t, result.seat, 0] = result.points
                if result.entrant is not None:
                    # What a bot has played from the start says nothing of the entrant
                    facts[1, t, result.seat, column[result.entrant]] = result.own_part > 0
                    facts[2, t, result.seat, column[result.entrant]] = result.own_part
                if result.own_part < 1:
                    facts[1:, t, result.seat, bot[result.level]] = 1 - result.own_part
        differences = contrasts @ facts
        # Differences between tables are free of what the deal gives; their mean has it
        among = _contrasts(len(tables)) if len(tables) > 1 else np.zeros((0, 1))
        for mean, matrix in ((0, among), (len(tables), np.full((1, len(tables)), 1 / len(tables)))):
            y, began, played = np.einsum("ut,atse->ause", matrix, differences)
            seats = np.tile(np.eye(size - 1), (len(y), 1)) * (mean > 0)
            y, began, played = y[..., 0].ravel(), began.reshape(-1, kinds), played.reshape(-1, kinds)
            parts[mean].append((y, np.c_[began, seats], np.c_[played, seats]))
    return [
        _Stratum.of(mean, *(np.concatenate(each) for each in zip(*of_mean, strict=True)))
        for mean, of_mean in sorted(parts.items())
    ]


@dataclass(frozen=True)
class _Variances:
    noise: float
    deal: float
    spread: float

    def of(self, stratum: _Stratum) -> float:
        """Return the variance of each equation of a stratum."""
        return self.deal + self.noise / stratum.tables if stratum.tables else self.noise


def _solve(strata: Sequence[_Stratum], prior: Floats) -> tuple[Floats, Floats, _Variances]:
    """Return the strengths and seats, their covariance, and the variances.

    How far strengths are spread is uncertain where few play: so the answer is the mean of those for many
    spreads, each as likely as the results say. Else intervals would be too narrow.
    """
    variances = _variances(strata, prior)
    sigmas = np.geomspace(0.03, 3, SPREADS) * (variances.noise + variances.spread) ** 0.5
    tried = [_Variances(variances.noise, variances.deal, float(sigma) ** 2) for sigma in sigmas]
    answers = [_Answer.of(strata, prior, each) for each in tried]
    # Every variance is as likely as any other beforehand: then intervals hold what they say (Morris and
    # Tang 2011, Estimating random effects via adjustment for density maximization).
    weight = np.array([answer.likelihood for answer in answers]) + 2 * np.log(sigmas)  # the steps grow
    weight = np.exp(weight - weight.max())
    weight /= weight.sum()
    values: Floats = np.einsum("i,ij->j", weight, [answer.values for answer in answers])
    cov: Floats = np.einsum("i,ijk->jk", weight, [answer.cov for answer in answers])
    for share, answer in zip(weight, answers, strict=True):
        cov += share * np.outer(answer.values - values, answer.values - values)
    spread = float(weight @ sigmas**2)
    return values, cov, _Variances(variances.noise, variances.deal, spread)


@dataclass(frozen=True)
class _Answer:
    """The strengths and seats for given variances."""

    values: Floats
    cov: Floats
    likelihood: float  # the logarithm of the restricted one, up to a constant

    @classmethod
    def of(cls, strata: Sequence[_Stratum], prior: Floats, variances: _Variances) -> _Answer:
        """Solve the equations."""
        weighted = [(stratum, 1 / variances.of(stratum)) for stratum in strata]
        ridge = np.full(len(strata[0].began_y), LEAST)
        ridge[: len(prior)] = 1 / (variances.spread * prior)
        shrunk = np.diag(ridge)
        inverse = np.linalg.inv(shrunk + sum(weight * each.began_played for each, weight in weighted))
        values = inverse @ sum(weight * each.began_y for each, weight in weighted)
        began = shrunk + sum(weight * each.began_began for each, weight in weighted)
        played = shrunk + sum(weight * each.played_played for each, weight in weighted)
        right = sum(weight * each.played_y for each, weight in weighted)
        volume = np.linalg.slogdet(played)[1] - np.log(ridge[: len(prior)]).sum()
        likelihood = (right @ np.linalg.solve(played, right) - volume) / 2
        return cls(values, inverse @ began @ inverse.T, float(likelihood))


def _variances(strata: Sequence[_Stratum], prior: Floats) -> _Variances:
    """Return the variances that make the results most likely, step by step (Dempster, Laird, Rubin 1977)."""
    kinds, equations = len(prior), sum(stratum.count for stratum in strata)
    means = sum(stratum.count for stratum in strata if stratum.tables)
    noise = deal = max(sum(stratum.y_y for stratum in strata) / equations / 2, LEAST)
    spread = noise / 4
    for _step in range(STEPS):
        now = _Variances(noise, deal, spread)
        answer = _Answer.of(strata, prior, now)
        noise = deal = 0.0
        for stratum in strata:
            square, count = stratum.square(answer), stratum.count
            if stratum.tables:
                pull = now.deal / now.of(stratum)  # how much of a mean is the deal's own
                rest = now.deal * (1 - pull) * count
                deal += (pull**2 * square + rest) / means
                noise += stratum.tables * ((1 - pull) ** 2 * square + rest) / equations
            else:
                noise += square / equations
        strengths = answer.values[:kinds] ** 2 + answer.cov.diagonal()[:kinds]
        noise, deal, spread = (max(each, LEAST) for each in (noise, deal, float((strengths / prior).mean())))
        before = now.noise, now.deal, now.spread
        if all(abs(a - b) < CLOSE * b for a, b in zip((noise, deal, spread), before, strict=True)):
            break
    return _Variances(noise, deal, spread)
