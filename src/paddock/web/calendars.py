"""What all calendars of iCalendar have in common (RFC 5545, RFC 7986)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from icalendar import Calendar, Event, Timezone, TimezoneStandard


def calendar(product: str, name: str) -> Calendar:
    """Return a calendar without entries: the product that writes it, and its name."""
    found = Calendar()
    found.add("prodid", f"-//Paddock//{product}//EN")
    found.add("version", "2.0")
    # The name that RFC 7986 has given to it, and the older one.
    found.add("name", name)
    found.add("x-wr-calname", name)
    return found


def written(found: Calendar, events: Sequence[Event]) -> bytes:
    """Return a calendar with these entries as it is sent."""
    for event in events:
        found.add_component(event)
    if not events:  # a calendar has at least one component
        found.add_component(_utc())
    return bytes(found.to_ical())


def _utc() -> Timezone:
    zone, always = Timezone(), TimezoneStandard()
    zone.add("tzid", "Etc/UTC")
    always.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001 # it has none here
    always.add("tzoffsetfrom", timedelta())
    always.add("tzoffsetto", timedelta())
    zone.add_component(always)
    return zone
