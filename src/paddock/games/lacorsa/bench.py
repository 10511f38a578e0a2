"""LACORSA: what is timed, and the bars.

On one idle core the compiled reference makes about 480 M steps a second and the plain one about
2.1 M: the bars are 15 M and 0.3 M decisions a second as ratios to them.
"""

from __future__ import annotations

from paddock.kernel.bench import Case

CASES = (Case("4 cars", {"drivers": 4}, compiled=0.031, plain=0.143),)
