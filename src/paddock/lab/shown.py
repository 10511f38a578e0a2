"""Figures as text."""

from __future__ import annotations

import math

from paddock.core.i18n import _
from paddock.lab.figures import Figure


def digits(error: float, most: int = 3) -> int:
    """Return after how many digits the error's first one that counts is followed by one more."""
    return most if not error > 0 else max(0, min(most, 1 - math.floor(math.log10(error))))


def shown(one: Figure, sign: bool = False) -> str:
    """Return a figure with its interval, as ``42.4 ± 0.1`` or, where it is not symmetrical, ``0.1 % (0 to 0.3)``."""
    scale, unit = (100, " %") if one.share else (1, "")
    value, error, low, high = (scale * number for number in (one.value, one.error, one.low, one.high))
    if math.isnan(value):
        return "–"
    n = digits(error)
    text = f"{value:{'+' if sign else ''},.{n}f}"
    if math.isnan(error):
        return f"{text}{unit}"
    if abs((high - value) - (value - low)) > error / 5:
        return _("{value}{unit} ({low} to {high})").format(
            value=text, unit=unit, low=f"{low:,.{n}f}", high=f"{high:,.{n}f}"
        )
    return f"{text} ± {error:,.{n}f}{unit}"
