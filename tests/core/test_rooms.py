"""The defaults of rooms: only what a title leaves out, and never for a title that has everything."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest
from tests.titles import LACORSA, RASANT, RULES

from paddock.core.errors import PaddockError
from paddock.core.rooms.observed import UsualFeatures
from paddock.core.title import Title


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_a_room_that_is_whole_stays_a_module(title: Title) -> None:
    for name in ("features", "invariants", "setup", "text", "view"):
        assert getattr(title, name) is sys.modules[title.module(name)]
    assert title.rules.apply is sys.modules[title.module(title.kernel[-1])].apply


def test_features_are_whole_or_not_there() -> None:
    with pytest.raises(PaddockError, match="features needs all of FEATURES, FIELDS and observe"):
        UsualFeatures(RASANT, {"observe": None, "FEATURES": 3})


@pytest.mark.parametrize("title", [LACORSA, RASANT], ids=lambda title: title.name)
def test_why_is_what_the_rules_answer(title: Title) -> None:
    """``refusals.py`` has the reasons alone."""
    reasons = import_module(title.module("refusals"))
    assert not hasattr(reasons, "why")
    assert len(reasons.REASONS) == title.refusals.CODES
    g = title.setup_of(title.options.read({}))
    s = title.rules.State()
    title.rules.start(s, g)
    title.rules.run_chance(s, g, [1])
    seat = (title.rules.who(s, g) & -title.rules.who(s, g)).bit_length() - 1
    codes = {move: title.refusals.why(s, g, seat, move) for move in range(title.rules.ACTIONS)}
    assert [move for move, code in codes.items() if not code] == title.legal(s, g, seat)
    assert len(set(codes.values())) > 2
