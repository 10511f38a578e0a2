"""A position of a game on a page: its drawing, what was revealed last, the points, and the story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from paddock.core.i18n import _
from paddock.core.pages import Beat, Moves, To
from paddock.core.title import Seen, Title
from paddock.tables.change import MOST_FORCED
from paddock.web.model import MOST_STORY, Scene
from paddock.web.page import StatusPage

MOST_MOVING = 24  # log entries whose movements a page can play one after the other


@dataclass(frozen=True)
class StoryLine:
    """A line of the story: an event as a sentence."""

    n: int  # later lines have higher numbers
    text: str
    seat: int | None
    heading: bool
    new: bool
    kicker: str = ""  # the headline above it, if it is great news
    sound: str = ""  # what it sounds like
    moves: str = ""  # the pieces of the board that it moves: «3+1 5» if 3 and 1 move together, then 5


@dataclass(frozen=True, kw_only=True)
class PositionPage(StatusPage):
    """A page with the board of a game, what was revealed last, the points and the story."""

    title: Title
    seen: Seen
    view: Any  # the title's view, or that after the links that are chosen
    story: Sequence[StoryLine]
    reveal: Any  # as ``Page.reveal`` of the title returns it
    pads: Sequence[Any]  # the tables of points


@dataclass(frozen=True)
class PositionTold:
    """What is told of a position besides its view."""

    story: Sequence[StoryLine]
    reveal: Any
    pads: Sequence[Any]


def telling(scene: Scene, new_after: int | None, since: int = 0) -> PositionTold:
    """Return what is told of a position. Lines from log entry ``new_after`` on are new (None: no line is).

    Reveals before entry ``since`` are not shown again.
    """
    page, view = scene.seen.title.page, scene.view
    return PositionTold(
        moving_story(scene, new_after),
        page.reveal(scene.batches, scene.names, view, since),
        page.pads(scene.seen, view),
    )


def moving_story(scene: Scene, new_after: int | None) -> list[StoryLine]:
    """Return the story, whose lines name the pieces that they move: see ``story``."""
    page = scene.seen.title.page
    return story(scene, new_after, page.moves(scene.batches[-MOST_MOVING:], scene.view))


def story(scene: Scene, new_after: int | None, moves: Moves = MappingProxyType({})) -> list[StoryLine]:
    """Return the last lines of the story. The newest part is first; in each part, the newest line is first,
    below the heading.

    Lines from log entry ``new_after`` on are new (None: no line is). ``moves`` is what ``Page.moves``
    returns.
    """
    title, batches = scene.seen.title, scene.batches
    page = title.page
    space = title.rules.MAX_EVENTS + 2 + MOST_FORCED  # lines of one entry at most, two headings included
    out: list[StoryLine] = []
    round: list[StoryLine] = []
    part: list[StoryLine] = []
    for i in reversed(range(len(batches))):
        item = batches[i]
        for k, it in enumerate(reversed(scene.reasons(i + 1))):
            new = new_after is not None and it.entry >= new_after
            part.append(StoryLine(it.entry * space - 3 - k, str(it.sentence), it.seat, False, new))
        new = new_after is not None and item.entry >= new_after
        for place, event, text in reversed(scene.sentences(item)):
            n = item.entry * space + place
            pieces = _written(moves.get((item.entry, place), ()))
            kicker, heard = page.kicker(event), page.SOUNDS.get(event.code, "")
            line = StoryLine(n, text, page.subject(event), page.is_heading(event), new, kicker, heard, pieces)
            if line.heading:
                round += [line, *part]
                part = []
            else:
                part.append(line)
        begins = i == 0 or batches[i - 1].round != item.round
        full = len(out) + len(round) + len(part) >= MOST_STORY
        if full and not begins and (out or round):
            part = []  # incomplete, so its heading is missing: drop it
        if begins and part and page.OPENING:
            part.insert(0, StoryLine(item.entry * space - 1, _(page.OPENING), None, True, False))
        if begins or (full and (round or part)):
            out.append(StoryLine(item.entry * space - 2, round_heading(title, item.round), None, True, False))
            out += [*round, *part]
            round, part = [], []
        if full:
            break
    return out


def _written(moves: Sequence[Sequence[int | To | Beat]]) -> str:
    return " ".join("+".join(map(str, pieces)) for pieces in moves)


def round_heading(title: Title, round: int) -> str:
    """Return what a round is called, such as «Race 2»."""
    return _("{round} {n}").format(round=_(title.round_name).capitalize(), n=round + 1)
