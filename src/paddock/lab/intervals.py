"""95 % intervals of means of independent numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def half_width(values: Floats) -> float:
    """Return half the width of the interval of the mean of ``values``; NaN if there is only one."""
    n = len(values)
    return float(t_value(n - 1) * values.std(ddof=1) / n**0.5) if n > 1 else np.nan


def t_value(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t (Abramowitz and Stegun 26.7.5; a table up to 4)."""
    if freedom < 5:
        return (12.706, 4.303, 3.182, 2.776)[freedom - 1]
    z, n = 1.959964, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
