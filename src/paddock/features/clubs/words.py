"""What pages say of clubs and evenings: numbers, times and states in words."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from datetime import datetime

from paddock.core.i18n import _, mark, plural
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.wording import MINUS
from paddock.core.wording import number as in_words
from paddock.features.clubs import rules, scoring
from paddock.features.clubs.rows import DAYS, JOINING, LIVE, OVER, ROBIN, SWISS, DealtRow, EveningRow
from paddock.web.titles import in_order

STYLES = {
    LIVE: (mark("live"), mark("In one sitting: the deals follow each other.")),
    DAYS: (mark("over days"), mark("All deals begin at once; everybody moves when they have time.")),
}
SYSTEMS = {
    ROBIN: (mark("round robin"), mark("Everybody meets all others as equally often as can be.")),
    SWISS: (mark("Swiss"), mark("Neighbours in the table meet, and nobody twice where that can be.")),
}


def signed(number: float, digits: int = 1) -> str:
    """Return a number with its sign; a dash if it is not known."""
    if math.isnan(number):
        return "–"
    if round(number, digits) == 0:
        return in_words(0.0, f".{digits}f")
    return in_words(number, f"+.{digits}f").replace("-", MINUS)


def plain(number: float) -> str:
    """Return a number without a sign."""
    return in_words(number, ".1f")


def give_or_take(error: float) -> str:
    """Return half the width of an interval; empty if it is not known."""
    return "" if math.isnan(error) or math.isinf(error) else f"± {in_words(error, '.1f')}"


def left(until: datetime, now: datetime) -> str:
    """Return how long it is until a time."""
    seconds = max(0, math.ceil((until - now).total_seconds()))
    if seconds < 60:
        return plural("{n} second", "{n} seconds", seconds)
    minutes = seconds // 60
    if minutes < 120:
        return plural("{n} minute", "{n} minutes", minutes)
    hours = minutes // 60
    return (
        plural("{n} hour", "{n} hours", hours) if hours < 48 else plural("{n} day", "{n} days", hours // 24)
    )


def preset_of(row: EveningRow) -> str:
    """Return what the options of an evening are called; empty if they have no name."""
    title, options = rules.played(row)
    for preset in title.presets:
        if title.options.read(preset.values) == options:
            return _(preset.label)
    return ""


def about(row: EveningRow) -> str:
    """Return in a line what an evening plays."""
    deals = plural("{n} deal for all", "{n} deals for all", row.deals)
    return " · ".join([game_of(row), deals, _(STYLES[row.style][0])])


def game_of(row: EveningRow) -> str:
    """Return what is played at an evening."""
    return " · ".join(filter(None, [find_title(row.title).label, preset_of(row)]))


def state(row: EveningRow, tables: Sequence[DealtRow], now: datetime) -> str:
    """Return in a sentence what happens at an evening now."""
    if row.phase == JOINING:
        return _("It has not begun: whoever has the link can join.")
    if row.called_off:
        return _("It was called off: nothing was played.")
    if row.phase == OVER:
        return _("It is over: the cards are open, and the table is final.")
    if row.resting:
        if row.deal >= row.deals:
            return _("All deals are played.")
        if row.next_at is None or row.next_at <= now:
            return _("The next deal begins soon.")
        return _("The next deal begins in {time}.").format(time=left(row.next_at, now))
    open_tables = [table for table in tables if not table.over and not table.alone]
    if not open_tables:
        return _("All have played: bots still complete the field.")
    words = plural("{n} table plays.", "{n} tables play.", len(open_tables))
    if row.next_at is not None:
        words += " " + _("Time is up in {time}.").format(time=left(row.next_at, now))
    return words


def headline(row: EveningRow) -> str:
    """Return how far an evening is, in a few words."""
    if row.phase == JOINING:
        return _("Who plays?")
    if row.called_off:
        return _("Called off")
    if row.phase == OVER:
        return _("Results")
    if row.style == DAYS:
        return plural("{n} deal for all", "{n} deals for all", row.deals)
    return _("Deal {n} of {of}").format(n=row.deal, of=row.deals)


def corrected(lines: Sequence[scoring.Line]) -> str:
    """Return what was corrected in a table, in a sentence; empty if nothing was."""
    if not any(line.note for line in lines):
        return ""
    return _(
        "Where somebody left, a bot played on. Their strength is reckoned without the part of the bot; "
        "the points are those of the seat."
    )


def csv_of(lines: Sequence[scoring.Line], names: Mapping[str, str]) -> str:
    """Return a table of results as CSV. No cell is a formula for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [
            "rank",
            "name",
            "points",
            "over_field",
            "over_field_error",
            "strength",
            "strength_error",
            "deals",
            "left",
        ]
    )
    for rank, line in enumerate(lines, 1):
        numbers = (line.duplicate, line.error, line.corrected, line.corrected_error)
        shown = ["" if not math.isfinite(number) else f"{number:.3f}" for number in numbers]
        name = names[line.entrant]
        name = f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
        writer.writerow([rank, name, f"{line.points:g}", *shown, line.deals, "yes" if line.note else "no"])
    return out.getvalue()


def offers() -> list[tuple[Title, list[tuple[str, str]]]]:
    """Return what an evening can play: each title with values of the form and their words."""
    offered = []
    for title in in_order():
        choices = [
            (f"{title.name}/{preset.name}", _(preset.label))
            for preset in title.presets
            if title.options.read(preset.values).players >= rules.FEWEST
        ]
        offered.append((title, choices or [(f"{title.name}/", title.label)]))
    return offered
