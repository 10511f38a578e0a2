"""The calendar of a browser: when the clocks of its open turns run out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from icalendar import Alarm, Calendar, Event, Timezone, TimezoneStandard, vDuration

from paddock.core.i18n import _, language
from paddock.core.wording import listed
from paddock.features.reach.rows import ReachRow
from paddock.features.reach.store import CalledTable
from paddock.features.reach.words import deadline_of, label, waiting

LONG = timedelta(minutes=15)  # of an entry: it ends when the clock does
READ = timedelta(hours=1)  # after which programs shall read the calendar again


def feed(row: ReachRow, places: Sequence[CalledTable]) -> bytes:
    """Return the calendar as iCalendar (RFC 5545, RFC 7986), in the language of its owner."""
    before = language.set(row.language)
    try:
        return _feed(row, places)
    finally:
        language.reset(before)


def _feed(row: ReachRow, places: Sequence[CalledTable]) -> bytes:
    found, name = Calendar(), _("Paddock: my turns")
    found.add("prodid", "-//Paddock//Turns//EN")
    found.add("version", "2.0")
    # The names that RFC 7986 has given to both, and the older ones.
    found.add("name", name)
    found.add("x-wr-calname", name)
    found.add("refresh-interval", READ, parameters={"VALUE": "DURATION"})
    found.add("x-published-ttl", vDuration(READ))
    for place in sorted(places, key=lambda place: place.table.id):
        if deadline := deadline_of(place, row.holder):
            found.add_component(_event(row, place, deadline))
    if not found.subcomponents:  # a calendar has at least one
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


def _event(row: ReachRow, place: CalledTable, deadline: datetime) -> Event:
    event, url = Event(), f"{row.site}/t/{place.table.id}"
    names = listed(waiting(place, row.holder))
    title = _("{title}: your clock runs out").format(title=label(place))
    event.add("uid", f"{place.table.id}-{place.table.length}@{urlsplit(row.site).hostname or 'paddock'}")
    changed = (place.table.touched_at, place.table.opened_at or row.kept_at, row.kept_at)
    event.add("dtstamp", max(changed))
    event.add("dtstart", deadline - LONG)
    event.add("dtend", deadline)
    event.add("summary", title)
    event.add("description", f"{_('with {names}').format(names=names)}\n{url}" if names else url)
    event.add("url", url)
    if row.remind:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", title)
        alarm.add("trigger", LONG - timedelta(seconds=row.remind))
        event.add_component(alarm)
    return event
