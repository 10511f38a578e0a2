"""The timeline of a replay: a line as long as the game, with its chapters and what features mark on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from paddock.web.chapters import ChaptersShown
from paddock.web.steps import Step

WIDE = 1000  # the length of the line, in units of its drawing


@dataclass(frozen=True)
class TimelineMark:
    """What a feature marks: a step, and why."""

    at: int  # the step
    weight: float  # how much it matters, from 0 to 1
    says: str  # one line


@dataclass(frozen=True)
class MarkDrawn:
    """A mark where it stands on the line."""

    mark: TimelineMark
    x: float


@dataclass(frozen=True)
class Timeline:
    """The timeline as a page shows it at one step."""

    end: int  # the last step that the page may tell of
    here: float  # where this step stands
    chapter: str  # the name of the chapter of this step; empty: there are none
    rounds: Sequence[float] = ()  # where a round of a series begins
    chapters: Sequence[float] = ()  # where any other chapter begins
    marks: Sequence[MarkDrawn] = ()


def along(at: int, last: int) -> float:
    """Return where a step stands on the line."""
    return round(WIDE * at / max(1, last), 1)


def timeline(step: Step, chapters: ChaptersShown, marks: Iterable[TimelineMark]) -> Timeline:
    """Return the timeline at a step. Without spoilers it ends at this step, and shows nothing else."""
    if not step.spoilers:
        return Timeline(step.at, WIDE, "")
    last = len(step.stops) - 1
    firsts = [group.chapters[0].at for group in chapters.groups]
    every = [chapter for group in chapters.groups for chapter in group.chapters]
    return Timeline(
        last,
        along(step.at, last),
        next((chapter.name for chapter in every if chapter.current), ""),
        [along(at, last) for at in firsts],
        [along(chapter.at, last) for chapter in every if chapter.at not in firsts],
        [MarkDrawn(mark, along(mark.at, last)) for mark in marks],
    )
