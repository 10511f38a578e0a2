"""LACORSA: what is timed, and the bars.

On one idle core the compiled reference makes about 480 M steps a second and the plain one about
2.1 M: the bars of the base game are 15 M and 0.3 M decisions a second as ratios to them, that of
the whole Large Grid is 10 M.
"""

from __future__ import annotations

from paddock.kernel.bench import Case

CASES = (
    Case("12 cars, Large Grid", {"drivers": 12, "large_grid": True}, compiled=0.021, plain=0.0),
    Case("4 cars", {"drivers": 4}, compiled=0.031, plain=0.143),
)
