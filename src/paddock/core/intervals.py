"""95 % intervals of means and of shares. Games of a deal are alike, so a deal is one observation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:  # numbers may come as arrays, but nothing here needs NumPy itself
    import numpy.typing as npt

    Numbers: TypeAlias = Sequence[float] | npt.NDArray[Any]

PRIOR = 5  # imagined deals with independent games, which ``wilson`` adds to the real ones
Z = 1.959964  # the 97.5 % quantile of the normal distribution
SKEW = (Z**5 + 2 * Z**3 - 3 * Z) / 18
TINY = 1e-9  # a share nearer to 0 or 1 differs from it by rounding only


def mean(values: Numbers) -> float:
    """Return the mean of one number or more."""
    total = math.fsum(values)
    return float(total / len(values))


def standard_error(values: Numbers) -> float:
    """Return the standard error of the mean of independent numbers; NaN if there is only one."""
    n = len(values)
    if n < 2:
        return math.nan
    deviations = _deviations(values)
    return math.sqrt(sum(map(mul, deviations, deviations)) / (n - 1) / n)


def _deviations(values: Numbers) -> list[float]:
    middle = mean(values)
    return [float(value) - middle for value in values]


def half_width(values: Numbers) -> float:
    """Return half the width of the interval of the mean of independent numbers; NaN if there is only one.

    Student's interval is too narrow where a few large numbers make the mean: a sample without them has a
    small mean, and a small deviation too. So *t* grows with the skewness, by the next term of the Edgeworth
    series (Hall 1992, The Bootstrap and Edgeworth Expansion). scripts/intervals.py shows the coverage.
    """
    n = len(values)
    if n < 2:
        return math.nan
    return (t_value(n - 1) + SKEW * skewness(values) ** 2 / n) * standard_error(values)


def skewness(values: Numbers) -> float:
    """Return the skewness of independent numbers (G1 of Joanes and Gill 1998); 0 for less than three."""
    n, deviations = len(values), _deviations(values)
    if n < 3:
        return 0.0
    squares = list(map(mul, deviations, deviations))
    spread = sum(squares) / n
    if spread < TINY**2:
        return 0.0
    third_moment: float = sum(map(mul, squares, deviations)) / n / (spread * math.sqrt(spread))
    return third_moment * math.sqrt(n * (n - 1)) / (n - 2)


def wilson(share: float, error: float, deals: int, games: float) -> tuple[float, float]:
    """Return the interval of a share (Wilson 1927), which stays between 0 and 1; NaN for less than two deals.

    ``error`` is its standard error over ``deals``, which have ``games`` observations together. Its square, as
    a ratio to the one of as many independent observations, is the design effect (Kish 1965). The interval has
    as many observations as independent ones would need for the same error.

    A few deals may come out alike by luck. So a design effect below 1 is estimated as if PRIOR more deals had
    been seen, whose games were independent. A share of 0 or 1 does not tell how alike the games of a deal
    are: then only the deals count. PRIOR also adds to the degrees of freedom. scripts/intervals.py shows the
    coverage.
    """
    if deals < 2:
        return math.nan, math.nan
    freedom = deals - 1 + PRIOR
    z, spread, n = t_value(freedom), share * (1 - share), float(deals)
    if spread > TINY:
        effect = error**2 * games / spread
        if effect < 1:
            effect = (PRIOR + (deals - 1) * effect) / freedom
        n = games / effect
    else:
        share, spread = float(round(share)), 0.0
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (spread / n + z * z / (4 * n * n)) ** 0.5
    return max(0.0, centre - half), min(1.0, centre + half)


def lopsided(value: float, low: float, high: float) -> bool:
    """Return whether an interval is so far from symmetrical that ``±`` would mislead: show both ends."""
    return abs((high - value) - (value - low)) > (high - low) / 10


def t_value(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t (Abramowitz and Stegun 26.7.5; a table up to 4)."""
    if freedom < 5:
        return (12.706, 4.303, 3.182, 2.776)[freedom - 1]
    z, n = Z, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
