"""What a day is at a moment, and how attempts stand: decisions that need no clock and no database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from paddock.features.daily import days
from paddock.features.daily.days import Attempt, Phase
from paddock.features.daily.rows import AttemptRow

DAY = "2026-03-01"
NOON, MIDNIGHT = datetime(2026, 3, 1, 12, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("told", "now", "phase"),
    [
        (False, NOON - timedelta(hours=13), "later"),  # a clock that is set back, or another server's
        (False, NOON, "open"),
        (False, MIDNIGHT - SECOND, "open"),
        (False, MIDNIGHT, "ended"),
        (False, MIDNIGHT + timedelta(days=9), "ended"),  # nobody has told it, so nobody knows it
        (True, MIDNIGHT + timedelta(days=9), "told"),
        (True, MIDNIGHT, "told"),
        (True, NOON, "told"),  # the clock was ahead, and is right again
        (True, NOON - timedelta(days=9), "told"),
    ],
)
def test_what_was_told_stays_told_whatever_the_clock_says(told: bool, now: datetime, phase: Phase) -> None:
    """The kind: a fact that others have seen must not follow from the clock."""
    assert days.phase(DAY, told, now) == phase


def test_a_day_is_due_a_minute_after_its_end() -> None:
    assert days.last_due(MIDNIGHT) == "2026-02-28"
    assert days.last_due(MIDNIGHT + days.TOLD - SECOND) == "2026-02-28"
    assert days.last_due(MIDNIGHT + days.TOLD) == DAY


MINE = AttemptRow(DAY, "rasant", "a" * 64, "Ana", NOON, "t1")
DONE = replace(MINE, ended=NOON, points=3, place=1)


@pytest.mark.parametrize(
    ("phase", "mine", "raced", "state"),
    [
        ("open", None, False, "none"),
        ("open", None, True, "gone"),  # the browser was forgotten
        ("told", None, False, "none"),
        ("open", MINE, False, "open"),
        ("open", replace(MINE, table_id=None), False, "gone"),
        ("ended", MINE, False, "late"),
        ("told", MINE, False, "late"),
        *[(phase, DONE, False, "counted") for phase in ("open", "ended", "told")],
        ("ended", replace(DONE, table_id=None), False, "counted"),
    ],
)
def test_how_a_browser_stands(phase: Phase, mine: AttemptRow | None, raced: bool, state: Attempt) -> None:
    assert days.state(phase, mine, raced) == state
