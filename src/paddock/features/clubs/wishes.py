"""What somebody wants an evening to be, and whether it can be that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from paddock.bots import levels, usual
from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.core.wording import either
from paddock.features.clubs import rules
from paddock.features.clubs.rows import DAYS, LIVE, ROBIN, SWISS
from paddock.tables.make import clean

PAUSE = 60  # seconds between two deals
MOST_MINUTES = 24 * 60
MOST_PAUSE = 3600
MOST_GUESTS = 4000  # characters


@dataclass(frozen=True)
class Wish:
    """What somebody wants an evening to be."""

    title: str
    options: Mapping[str, Any]
    name: str = ""
    deals: int = 4
    style: str = LIVE
    system: str = ROBIN
    level: str = ""  # empty: the usual one
    minutes: int = 0
    pause: int = PAUSE
    club: str = ""
    guests: str = ""
    planned: datetime | None = None


def faults_of(wish: Wish, title: Title, players: int, level: str) -> list[str]:
    """Return what is wrong with a wish."""
    faults = list[str]()
    for value, choices, words in (
        (wish.style, (LIVE, DAYS), _("style: choose {choices}")),
        (wish.system, (ROBIN, SWISS), _("system: choose {choices}")),
        (level, levels_of(title), _("level: choose {choices}")),
    ):
        if value not in choices:
            faults.append(words.format(choices=either(choices)))
    for number, most, words in (
        (wish.deals - 1, rules.MOST_DEALS - 1, _("deals: choose 1 to {n}").format(n=rules.MOST_DEALS)),
        (wish.minutes, MOST_MINUTES, _("minutes: choose 0 to {n}").format(n=MOST_MINUTES)),
        (wish.pause, MOST_PAUSE, _("pause: choose 0 to {n}").format(n=MOST_PAUSE)),
    ):
        if not 0 <= number <= most:
            faults.append(words)
    if wish.style == DAYS and wish.system == SWISS:
        faults.append(_("over days, all deals begin at once: choose {choices}").format(choices=ROBIN))
    if players < rules.FEWEST:
        faults.append(_("{title}: choose options with more players at a table").format(title=title.label))
    if len(wish.guests) > MOST_GUESTS:
        faults.append(too_long())
    return faults


def too_long() -> str:
    """Return what is wrong with a list of more than ``MOST_GUESTS`` characters."""
    return _("the list is too long: give at most {n} names").format(n=rules.MOST)


def levels_of(title: Title) -> list[str]:
    """Return the levels of bots at an evening: those that answer at once, and always the same."""
    known = [level.name for level in levels(title)]
    return known[: known.index(usual(title)) + 1]


def guests_of(text: str) -> list[str]:
    """Return the names of a list or a CSV file: the first cell of each line, each name once."""
    cells = (line.replace(";", ",").partition(",")[0].strip().strip('"') for line in text.splitlines())
    return list(dict.fromkeys(filter(None, map(clean, cells))))
