"""Quiet hours, in which nobody is called, and when a reminder is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Self
from zoneinfo import ZoneInfo

from paddock.features.reach.rows import ReachRow

DAY = 24 * 60  # minutes
LATE = timedelta(minutes=5)  # before a clock runs out a reminder is of no use any more


@lru_cache(256)
def zone(name: str) -> ZoneInfo | None:
    """Return a time zone of the time zone database; None if there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # a bad name, a folder, and one that is not there
        return None


@dataclass(frozen=True)
class Quiet:
    """Every day from one time to another one, as clocks in the time zone show them."""

    start: int  # minutes after midnight
    end: int
    zone: ZoneInfo

    @classmethod
    def of(cls, row: ReachRow) -> Self | None:
        """Return the quiet hours of a browser; None if it has none."""
        where = zone(row.zone)
        if row.quiet_from is None or row.quiet_to is None or row.quiet_from == row.quiet_to or where is None:
            return None
        return cls(row.quiet_from, row.quiet_to, where)

    def covers(self, at: datetime) -> bool:
        """Whether a moment is in the quiet hours."""
        local = at.astimezone(self.zone)
        since = (local.hour * 60 + local.minute - self.start) % DAY
        return since < (self.end - self.start) % DAY

    def over(self, at: datetime) -> datetime:
        """Return the moment itself, or the end of the quiet hours that it is in."""
        while self.covers(at):  # once, but where clocks are set
            at = self._next(at, self.end)
        return at

    def before(self, at: datetime) -> datetime:
        """Return the moment itself, or the last minute before the quiet hours that it is in."""
        while self.covers(at):
            day = at.astimezone(self.zone).date()
            start = self._on(day, self.start)
            start = start if start <= at else self._on(day - timedelta(days=1), self.start)
            at = start - timedelta(minutes=1)
        return at

    def _next(self, at: datetime, minutes: int) -> datetime:
        """Return the next moment at which the clocks show a time."""
        day = at.astimezone(self.zone).date()
        found = self._on(day, minutes)
        return found if found > at else self._on(day + timedelta(days=1), minutes)

    def _on(self, day: date, minutes: int) -> datetime:
        shown = datetime.combine(day, time(minutes // 60, minutes % 60), self.zone)
        return shown.astimezone(UTC)


def reminder(deadline: datetime, before: timedelta, opened: datetime, quiet: Quiet | None) -> datetime | None:
    """Return when to remind somebody of a clock that runs out; None if that is not needed or not possible.

    No reminder is due in quiet hours: it comes after them if that is early enough, else before them.
    """
    due = deadline - before
    if due <= opened:  # the call itself said it
        return None
    if quiet is None or not quiet.covers(due):
        return due
    if (after := quiet.over(due)) < deadline - LATE:
        return after
    return early if (early := quiet.before(due)) > opened else None
