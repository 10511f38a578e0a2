"""Options with which every environment is tried."""

from __future__ import annotations

from typing import Any

import pytest
from tests.titles import GREAT_RACE, LACORSA, RASANT

from paddock.core.title import Title

CASES: tuple[tuple[Title, dict[str, Any]], ...] = (
    (LACORSA, {"drivers": 4}),
    (LACORSA, {"drivers": 2, "races": 3}),  # two cars each
    (LACORSA, {"drivers": 12, "large_grid": True}),
    (LACORSA, {"drivers": 5, "pairs": "1-3/2-5", "points": (9, 6)}),
    (RASANT, {"players": 3}),
    (RASANT, {"players": 2, "games": 2, "round_end": "all"}),
    (GREAT_RACE, {"players": 3, "max_turns": 1}),
    (GREAT_RACE, {"players": 2, "max_turns": 2, "map": "asia-east", "leaders": True, "races": 2}),
)
cases = pytest.mark.parametrize(
    ("title", "options"), CASES, ids=[f"{title.name}-{i}" for i, (title, _) in enumerate(CASES)]
)
