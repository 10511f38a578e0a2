"""The Great Race: what is timed, and the bars.

On one idle core the compiled reference makes about 480 M steps a second and the plain one about
2.1 M: the bars are 3 M and 40 thousand decisions a second as ratios to them.
"""

from __future__ import annotations

from paddock.kernel.bench import Case

CASES = (
    Case(
        "5 players, leaders, whole USA",
        {"players": 5, "leaders": True, "map": "usa"},
        compiled=0.0,
        plain=0.0,
    ),
    Case(
        "4 players, half map", {"players": 4, "map": "usa-west"}, compiled=0.0063, plain=0.019, policy=0.0009
    ),
)
