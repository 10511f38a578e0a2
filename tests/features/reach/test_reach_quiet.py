"""Quiet hours and reminders: where clocks are set forward and back, too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock.features.reach.quiet import LATE, Quiet, reminder, zone
from paddock.features.reach.rows import ReachRow

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Quiet(22 * 60, 7 * 60 + 30, BERLIN)
moments = st.integers(0, 366 * 24 * 60).map(lambda n: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=n))
minutes = st.integers(0, 24 * 60 - 1)
zones = st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"])


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC)


def test_a_night_goes_over_midnight_and_an_afternoon_does_not() -> None:
    assert NIGHT.covers(at("2026-11-26T22:00")) and NIGHT.covers(at("2026-11-27T07:29"))
    assert not NIGHT.covers(at("2026-11-26T21:59")) and not NIGHT.covers(at("2026-11-27T07:30"))
    assert NIGHT.over(at("2026-11-26T23:15")) == at("2026-11-27T07:30")
    assert NIGHT.over(at("2026-11-27T03:00")) == at("2026-11-27T07:30")
    for moment in ("2026-11-26T22:00", "2026-11-27T03:00"):  # the first one, too
        assert NIGHT.before(at(moment)) == at("2026-11-26T21:59")
    noon = Quiet(12 * 60, 14 * 60, BERLIN)
    assert noon.over(at("2026-11-26T13:00")) == at("2026-11-26T14:00")
    assert noon.over(at("2026-11-26T14:00")) == at("2026-11-26T14:00")


@pytest.mark.parametrize(
    ("end", "over"),
    [
        ("2026-03-29T02:30", "2026-03-29T01:30+00:00"),  # no clock shows that time: it is 3:30 then
        ("2026-10-25T02:30", "2026-10-25T00:30+00:00"),  # clocks show it twice: it is over the first time
    ],
)
def test_where_clocks_are_set(end: str, over: str) -> None:
    quiet = Quiet(22 * 60, 2 * 60 + 30, BERLIN)
    assert quiet.over(at(end) - timedelta(hours=3)) == datetime.fromisoformat(over)


@given(moments, minutes, minutes, zones)
def test_the_end_and_the_beginning_are_outside(moment: datetime, start: int, end: int, name: str) -> None:
    place = zone(name)
    assert place
    quiet = Quiet(start, end, place)
    over, before = quiet.over(moment), quiet.before(moment)
    assert not quiet.covers(over) and not quiet.covers(before)
    assert before <= moment <= over and over - before <= timedelta(hours=50)
    if not quiet.covers(moment):
        assert before == moment == over


def test_only_whole_settings_make_quiet_hours() -> None:
    row = ReachRow("a" * 64, "en", "https://x.example")
    assert Quiet.of(row) is None
    assert zone("Nowhere/At_All") is None and zone("../etc/passwd") is None and zone("") is None
    for some in ({"quiet_from": 60}, {"quiet_from": 60, "quiet_to": 60}):
        assert Quiet.of(ReachRow("a" * 64, "en", "https://x.example", **some)) is None
    whole = ReachRow("a" * 64, "en", "https://x.example", quiet_from=60, quiet_to=120)
    assert Quiet.of(whole) == Quiet(60, 120, ZoneInfo("UTC"))


HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("deadline", "before", "opened", "due"),
    [
        ("2026-11-26T18:00", 1, "2026-11-26T09:00", "2026-11-26T17:00"),  # by day
        ("2026-11-27T12:00", 6, "2026-11-26T09:00", "2026-11-27T07:30"),  # after the night
        ("2026-11-27T06:00", 3, "2026-11-26T09:00", "2026-11-26T21:59"),  # before it: later is too late
        ("2026-11-27T07:33", 3, "2026-11-26T09:00", "2026-11-26T21:59"),  # three minutes are too late as well
        ("2026-11-27T06:00", 3, "2026-11-26T23:00", None),  # the turn opened in the night and ends in it
        ("2026-11-26T18:00", 12, "2026-11-26T09:00", None),  # the call itself said it
    ],
)
def test_when_a_reminder_is_due(deadline: str, before: int, opened: str, due: str | None) -> None:
    found = reminder(at(deadline), before * HOUR, at(opened), NIGHT)
    assert found == (at(due) if due else None)


@given(moments, st.integers(1, 72), st.integers(1, 72), minutes, minutes)
def test_a_reminder_is_between_the_turn_and_its_end_and_never_in_quiet_hours(
    opened: datetime, lasts: int, before: int, start: int, end: int
) -> None:
    quiet, deadline = Quiet(start, end, BERLIN), opened + lasts * HOUR
    found = reminder(deadline, before * HOUR, opened, quiet)
    if found is None:
        due = deadline - before * HOUR
        assert due <= opened or (quiet.over(due) >= deadline - LATE and quiet.before(due) <= opened)
    else:
        assert opened < found < deadline and not quiet.covers(found)
