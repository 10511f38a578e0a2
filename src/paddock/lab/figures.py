"""Figures with 95 % intervals. Games of a deal are alike, so a deal is one observation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from paddock.core.i18n import _
from paddock.core.intervals import half_width, lopsided, standard_error, t_value, wilson
from paddock.core.wording import number

Floats = npt.NDArray[np.float64]
GROUPS = 40  # of deals, for the jackknife


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval, which is NaN if there are too few deals.

    ``error`` is half the width of the interval ``low`` to ``high``. With ``percent``, these are shares from
    0 to 1 or differences of shares, and shown in percent.
    """

    name: str  # the same in every language
    label: str
    value: float
    error: float
    low: float
    high: float
    n: int  # deals with an observation
    percent: bool
    command: str  # computes it again


@dataclass(frozen=True, eq=False)
class Ratio:
    """A figure as the ratio of two sums over all deals; for each deal, what it adds to them."""

    over: Floats
    under: Floats
    share: bool = False  # a share of ``under``, from 0 to 1
    percent: bool = False  # shown in percent, though it is no share: a difference of shares, for example

    @property
    def value(self) -> float:
        """The ratio; NaN if there is no observation."""
        under = self.under.sum()
        return float(self.over.sum() / under) if under else np.nan

    @property
    def pulls(self) -> Floats:
        """By how much each deal pulls the ratio from its value; their mean is 0 (the delta method)."""
        pulls: Floats = (self.over - self.value * self.under) / self.under.mean()
        return pulls

    @property
    def n(self) -> int:
        """The number of deals with an observation."""
        return int((self.under > 0).sum())


def figure(name: str, label: str, ratio: Ratio, command: str) -> Estimate:
    """Return the figure of a ratio."""
    value = ratio.value
    error = half_width(ratio.pulls) if ratio.n > 1 else np.nan
    low, high = value - error, value + error
    if ratio.share and ratio.n:
        low, high = wilson(value, standard_error(ratio.pulls), ratio.n, float(ratio.under.sum()))
        error = (high - low) / 2
    percent = ratio.share or ratio.percent
    return Estimate(name, label, value, error, low, high, ratio.n, percent, command)


def change(name: str, label: str, new: Ratio, old: Ratio, command: str) -> Estimate:
    """Return the difference of two ratios over the same deals, played with other options."""
    value = new.value - old.value
    n, percent = min(new.n, old.n), new.share or new.percent
    error = half_width(new.pulls - old.pulls) if n > 1 else np.nan
    return Estimate(name, label, value, error, value - error, value + error, n, percent, command)


def jackknife(deals: int, statistic: Callable[[Any], Floats]) -> tuple[Floats, Floats]:
    """Return several statistics and half the widths of their intervals (Tukey 1958).

    ``statistic`` gets a mask of the deals to use: all, then all but one of GROUPS groups.
    """
    left_in = np.ones(deals, bool)
    value = statistic(left_in)
    groups = min(GROUPS, deals)
    if groups < 3:
        return value, np.full(len(value), np.nan)
    group = np.arange(deals) % groups
    without = np.array([statistic(group != k) for k in range(groups)])
    spread = (groups - 1) / groups * ((without - without.mean(0)) ** 2).sum(0)
    return value, t_value(groups - 1) * np.sqrt(spread)


def digits(value: float, error: float) -> int:
    """Return how many decimals to show: up to the first digit of the error, or the second after 1 or 2."""
    if not error > 0:
        return 0 if math.isnan(value) or float(value).is_integer() else 2
    power = math.floor(math.log10(error))
    return max(0, min(3, -power + (error < 3 * 10.0**power)))


def shown(estimate: Estimate, sign: bool = False) -> str:
    """Return a figure with its interval: ``42.4 ± 0.1``, or ``0.1 % (0.0 to 0.3)`` if not symmetrical."""
    value, unit, error, bounds = _value_words(estimate, sign)
    if bounds:
        return f"{value}{unit} ({bounds})"
    return f"{value} ± {error}{unit}" if error else f"{value}{unit}"


def apart(estimate: Estimate, sign: bool = False) -> tuple[str, str]:
    """Return a figure and its interval: ``42.4`` and ``± 0.1``, or ``0.1 %`` and ``0.0 to 0.3``."""
    value, unit, error, bounds = _value_words(estimate, sign)
    return f"{value}{unit}", bounds or (f"± {error}{unit}" if error else "")


def _value_words(estimate: Estimate, sign: bool = False) -> tuple[str, str, str, str]:
    """Return (value, unit, error, bounds); without the error if there are bounds, without both if unknown."""
    scale, unit = (100, " %") if estimate.percent else (1, "")
    value, error, low, high = (
        scale * number for number in (estimate.value, estimate.error, estimate.low, estimate.high)
    )
    if math.isnan(value):
        return "–", "", "", ""
    n = digits(value, error)
    text = _number(value, n, "+" if sign else "")
    if math.isnan(error):
        return text, unit, "", ""
    if lopsided(value, low, high):
        return text, unit, "", _("{low} to {high}").format(low=_number(low, n), high=_number(high, n))
    return text, unit, _number(error, n), ""


def _number(value: float, decimals: int, sign: str = "") -> str:
    return number(value, f"{sign},.{decimals}f").replace("-", "−")
