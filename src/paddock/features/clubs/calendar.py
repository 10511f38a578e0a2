"""The calendar of a club: its evenings that are planned for a date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from urllib.parse import urlsplit

from icalendar import Calendar, Event

from paddock.features.clubs.rows import ClubRow, EveningRow
from paddock.features.clubs.words import about

LASTS = timedelta(hours=3)  # of an entry: nobody knows when an evening ends


def feed(club: ClubRow, evenings: Sequence[EveningRow], site: str) -> bytes:
    """Return the planned evenings of a club as iCalendar (RFC 5545)."""
    found = Calendar()
    found.add("prodid", "-//Paddock//Evenings//EN")
    found.add("version", "2.0")
    found.add("name", club.name)
    found.add("x-wr-calname", club.name)
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
        found.add_component(event)
    return bytes(found.to_ical())
