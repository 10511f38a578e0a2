"""What a day of the race is at a moment, and how an attempt stands: decisions on plain facts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from paddock.features.daily import rules
from paddock.features.daily.rows import DAILY, PRACTICE, RACED, AttemptRow
from paddock.store.kinds import Kind
from paddock.tables.table import Table

TOLD = timedelta(minutes=1)  # after its end a day is told: the clocks of several servers differ a little

# "open": attempts begin and count. "ended": it is past midnight, and nothing counts any more. "told":
# everybody may know its secret, whatever the clock says now. "later": the day has not begun.
Begun = Literal["open", "ended", "told"]
Phase = Literal["later"] | Begun
# Of a browser: it has no attempt, one that may still count, one that counts, one that does not; "gone": it
# had one, which was deleted.
Attempt = Literal["none", "open", "counted", "late", "gone"]
# Of a table that plays the race of a day: as above, or "practice".
Standing = Literal["open", "counted", "late", "practice"]


def last_due(now: datetime) -> str:
    """Return the last day whose secret may be told."""
    return rules.shifted(rules.day_of(now - TOLD), -1)


def phase(day: str, told: bool, now: datetime) -> Phase:
    """Return where a day is. That it was told is a stored fact: a clock that is set back changes nothing."""
    if told:
        return "told"
    today = rules.day_of(now)
    return "open" if day == today else "ended" if day < today else "later"


def has_result(attempt: AttemptRow) -> bool:
    """Whether an attempt has a result."""
    return attempt.ended is not None and attempt.points is not None


def state(day: Phase, mine: AttemptRow | None, raced: bool) -> Attempt:
    """Return how a browser stands in a race; ``raced``: it was forgotten after an attempt."""
    if mine is None:
        return "gone" if raced else "none"
    if has_result(mine):
        return "counted"
    if day != "open":
        return "late"
    return "open" if mine.table_id else "gone"


def in_time(table: Table) -> bool:
    """Whether the race at a table was over before its day."""
    return table.deal is not None and table.game.over and table.touched_at < rules.end_of(table.deal)


def too_late(table: Table, now: datetime) -> bool:
    """Whether an attempt that is still played cannot count any more."""
    open_attempt = table.kind == DAILY and table.deal is not None and not table.game.over
    return open_attempt and now >= rules.end_of(table.deal or "")


def standing(table: Table, now: datetime) -> Standing | None:
    """Return how a table stands in the race of its day; None: it plays none."""
    if table.kind == DAILY and not table.game.over:
        return "late" if too_late(table, now) else "open"
    if table.kind == DAILY:
        return "counted" if in_time(table) else "late"
    known: dict[Kind, Standing] = {RACED: "counted", PRACTICE: "practice"}
    return known.get(table.kind)


def counted(table: Table, now: datetime) -> bool | None:
    """Return whether a table counts; None: it may, or plays no race of a day."""
    return {"counted": True, "late": False, "practice": False}.get(standing(table, now) or "")


# Results


@dataclass(frozen=True)
class DayResult:
    """A line of the table of a day."""

    rank: int
    name: str
    points: int
    over: int | None  # points over par; None while the par is not told
    place: int  # in the race itself
    mine: bool


@dataclass(frozen=True)
class Streak:
    """On how many days in a row a browser has ended a race."""

    now: int
    best: int
    days: int  # all together

    @classmethod
    def of(cls, days: Collection[str], today: str) -> Streak:
        """Return the streak of these days. It lasts until the end of the day after its last one."""
        best, runs = 0, dict[int, int]()  # how many days in a row end with each
        for n in sorted({date.fromisoformat(day).toordinal() for day in days}):
            runs[n] = 1 + runs.get(n - 1, 0)
            best = max(best, runs[n])
        last = date.fromisoformat(today).toordinal()
        return cls(runs.get(last, runs.get(last - 1, 0)), best, len(runs))
