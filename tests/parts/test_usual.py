"""The defaults of rooms: only what a title leaves out, and never for a title that has everything."""

from __future__ import annotations

import sys

import pytest
from tests.titles import RULES

from paddock.core.title import Title


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_a_room_that_is_whole_stays_a_module(title: Title) -> None:
    for name in ("features", "invariants", "refusals", "setup", "text", "view"):
        assert getattr(title, name) is sys.modules[f"{title.package}.{name}"]
    assert title.rules is sys.modules[f"{title.package}.{title.kernel[-1]}"]
