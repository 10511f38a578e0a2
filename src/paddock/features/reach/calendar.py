"""The calendar of a browser: when the clocks of its open turns run out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from icalendar import Alarm, Event, vDuration

from paddock.core.i18n import _, language
from paddock.core.wording import listed
from paddock.features.reach.rows import ReachRow
from paddock.features.reach.store import CalledTable
from paddock.features.reach.words import deadline_of, label, waiting
from paddock.web.calendars import calendar, written

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
    found = calendar("Turns", _("Paddock: my turns"))
    found.add("refresh-interval", READ, parameters={"VALUE": "DURATION"})
    found.add("x-published-ttl", vDuration(READ))
    due = ((place, deadline_of(place, row.holder)) for place in sorted(places, key=lambda one: one.table.id))
    return written(found, [_event(row, place, deadline) for place, deadline in due if deadline])


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
