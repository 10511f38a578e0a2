"""LACORSA: what ``paddock bench`` times, and the bars.

A bar is a ratio to a reference kernel, which makes about 480 M steps a second compiled and 2.1 M plain on one
idle core. The bars are 15 M and 0.3 M decisions a second in the base game, and 10 M on the whole Large Grid;
where *Club* makes them, about 0.9 M, which is 22,000 races of four cars, and 0.7 M.
"""

from __future__ import annotations

from paddock.kernel.bench import Case

CASES = (
    Case(
        "12 cars, Large Grid", {"drivers": 12, "large_grid": True}, compiled=0.021, plain=0.0, policy=0.0015
    ),
    Case("4 cars", {"drivers": 4}, compiled=0.031, plain=0.143, policy=0.002),
)
