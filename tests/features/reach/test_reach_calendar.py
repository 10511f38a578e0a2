"""The feed of a calendar, as RFC 5545 and RFC 7986 want it, byte by byte and through a reader.

The kind: what is sent to other programs is nearly of their format.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import icalendar
import pytest

from paddock.features.reach.calendar import feed
from paddock.features.reach.rows import ReachRow
from paddock.features.reach.store import CalledTable
from paddock.store import PlayerRow
from store.test_database import row

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
ME = ReachRow("h", "de", "https://club.example", kept_at=NOW - timedelta(days=3))
UTF = "Jürgen “der, Schnelle”; \\ 👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋"
FORMS = {
    "VERSION": r"2\.0",
    "REFRESH-INTERVAL;VALUE=DURATION": "PT1H",
    "X-PUBLISHED-TTL": "PT1H",
    "DTSTAMP": "20260301T120000Z",
    "DTSTART": r"\d{8}T\d{6}Z",
    "DTEND": r"\d{8}T\d{6}Z",
    "TRIGGER": r"-?P(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?",
    "ACTION": "DISPLAY",
    "URL": r"https://club\.example/t/t1",
    "UID": r"t1-7@club\.example",
    "TZOFFSETFROM": r"\+0000",
    "TZOFFSETTO": r"\+0000",
}
NEEDED = {
    "VCALENDAR": {"PRODID", "VERSION", "NAME", "X-WR-CALNAME"},
    "VEVENT": {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "URL", "DESCRIPTION"},
    "VALARM": {"ACTION", "DESCRIPTION", "TRIGGER"},
    "VTIMEZONE": {"TZID"},
    "STANDARD": {"DTSTART", "TZOFFSETFROM", "TZOFFSETTO"},
}


def place(**more: object) -> CalledTable:
    table = row(phase="play", awaits="0", opened_at=NOW, touched_at=NOW, length=7, **more)
    return CalledTable(
        table, (PlayerRow(0, "Ben", None, "h", bank_ms=86_400_000), PlayerRow(1, UTF, None, "o"))
    )


@pytest.mark.parametrize("remind", [0, 600, 900, 3600, 86_400])
@pytest.mark.parametrize("places", [[], [place()]], ids=["none", "one"])
def test_each_field_has_the_form_that_the_format_gives_it(remind: int, places: list[CalledTable]) -> None:
    raw = feed(replace(ME, remind=remind), places)
    assert raw.endswith(b"END:VCALENDAR\r\n") and not re.search(rb"[^\r]\n|\r[^\n]", raw)
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    for line in raw.decode().replace("\r\n ", "").splitlines():
        name, _colon, value = line.partition(":")
        form = r"19700101T000000" if name == "DTSTART" and not places else FORMS.get(name, ".+")
        assert re.fullmatch(form, value), line
    calendar = icalendar.Calendar.from_ical(raw)
    assert calendar.subcomponents, "a calendar has at least one component"
    for component in calendar.walk():
        assert not component.errors and NEEDED[component.name] <= component.keys()
    for event in calendar.walk("VEVENT"):
        assert event["DTEND"].dt == NOW.replace(microsecond=0) + timedelta(days=1)
        assert UTF in event["DESCRIPTION"]
        assert len(event.walk("VALARM")) == bool(remind)
        for alarm in event.walk("VALARM"):
            assert event["DTSTART"].dt + alarm["TRIGGER"].dt == event["DTEND"].dt - timedelta(seconds=remind)


def test_a_feed_changes_only_when_what_it_says_does() -> None:
    """DTSTAMP is when an entry was last changed, not when it was asked for."""
    assert feed(ME, [place()]) == feed(ME, [place()])
