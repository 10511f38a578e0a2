"""The chapters of a replay: its races, and their laps, rounds or turns (the headings of its story)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from paddock.core.i18n import _
from paddock.core.log import Event
from paddock.tables import Table
from paddock.web.caches import Recent
from paddock.web.position import round_heading
from paddock.web.steps import Step

KEPT = 64  # finished games whose chapters are remembered: each step of a replay shows them


@dataclass(frozen=True)
class ReplayChapter:
    """Where a chapter begins."""

    at: int  # the step
    round: int
    event: Event | None  # its heading; None: the beginning of the round


_known: Recent[tuple[str, int], list[ReplayChapter]] = Recent(KEPT)  # by table and length of its log


def chapters(table: Table, stops: tuple[int, ...]) -> list[ReplayChapter]:
    """Return the chapters of a finished game whose replay has these ``stops``, in order; cached."""
    key = (table.id, stops[-1])
    return _known.get(key) or _known.keep(key, _chapters(table, stops))


def _chapters(table: Table, stops: tuple[int, ...]) -> list[ReplayChapter]:
    page, chance = table.title.page, table.game.log.chance()
    found: dict[int, ReplayChapter] = {}  # where a round begins with a heading, that is the chapter
    round = -1
    for batch in table.events_for(None):
        at = bisect_right(stops, batch.entry)
        if batch.round != round:
            round = batch.round
            start = at - (not chance[batch.entry])  # where its first move is made
            found[start] = ReplayChapter(start, round, None)
        if (event := next(filter(page.is_heading, batch.events), None)) is not None:
            found[at] = ReplayChapter(at, round, event)
    return list(found.values())


@dataclass(frozen=True)
class ChapterLine:
    """A chapter in the list of a page."""

    at: int  # the step
    name: str
    current: bool


@dataclass(frozen=True)
class ChapterGroup:
    """The chapters of one round of a series."""

    name: str
    chapters: Sequence[ChapterLine]


@dataclass(frozen=True)
class ChaptersShown:
    """The chapters as a replay shows them at one step, with links (None: not there)."""

    groups: Sequence[ChapterGroup] = ()  # none if there is one chapter
    earlier: str | None = None  # to the beginning of this chapter, or of the one before if this step is it
    later: str | None = None  # to the next one


def shown(table: Table, step: Step) -> ChaptersShown:
    """Return the chapters as a replay shows them at a step."""
    found = chapters(table, step.stops)
    starts = [chapter.at for chapter in found]
    before, after = bisect_left(starts, step.at) - 1, bisect_right(starts, step.at)
    here = found[max(after - 1, 0)] if found else None
    groups = [
        ChapterGroup(
            round_heading(table.title, round),
            _numbered([ChapterLine(it.at, _name(table, step, it), it is here) for it in of]),
        )
        for round, of in groupby(found, key=attrgetter("round"))
    ]
    return ChaptersShown(
        groups if len(found) > 1 else [],
        step.url(starts[before]) if before >= 0 else None,
        step.url(starts[after]) if after < len(starts) else None,
    )


def _numbered(chapters: Sequence[ChapterLine]) -> Sequence[ChapterLine]:
    """Return the chapters of a round, with numbers if some have the same name."""
    if len({chapter.name for chapter in chapters}) == len(chapters):
        return chapters
    return [replace(chapter, name=f"{n}. {chapter.name}") for n, chapter in enumerate(chapters, 1)]


def _name(table: Table, step: Step, chapter: ReplayChapter) -> str:
    if chapter.event:
        return table.title.text.line(table.game.setup, chapter.event, step.scene.names).rstrip(".")
    opening = table.title.page.OPENING
    return _(opening) if opening else round_heading(table.title, chapter.round)
