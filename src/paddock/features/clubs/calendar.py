"""The calendar of a club: its evenings that are planned for a date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from urllib.parse import urlsplit

from icalendar import Event

from paddock.features.clubs.rows import ClubRow, EveningRow
from paddock.features.clubs.words import about
from paddock.web.calendars import calendar, written

LASTS = timedelta(hours=3)  # of an entry: nobody knows when an evening ends


def feed(club: ClubRow, evenings: Sequence[EveningRow], site: str) -> bytes:
    """Return the planned evenings of a club as iCalendar (RFC 5545)."""
    events = []
    for row in evenings:
        if row.planned is None:
            continue
        event = Event()
        event.add("uid", f"{row.id}@{urlsplit(site).hostname or 'paddock'}")
        event.add("dtstamp", row.made)
        event.add("dtstart", row.planned)
        event.add("dtend", row.planned + LASTS)
        event.add("summary", row.name)
        event.add("description", about(row))
        event.add("url", f"{site}/evening/{row.id}")
        if row.called_off:
            event.add("status", "CANCELLED")
        events.append(event)
    return written(calendar("Evenings", club.name), events)
