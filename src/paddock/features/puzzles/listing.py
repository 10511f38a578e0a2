"""The list of puzzles, the next one of each kind, and the way here on the home page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.bots import puzzles as made
from paddock.core.i18n import _, plural
from paddock.core.title import Title, titles
from paddock.features.puzzles.explained import days
from paddock.features.puzzles.given import GivenPuzzles
from paddock.features.puzzles.question import MINE, day_path, path_of, themed
from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.service import Puzzles, next_in_set
from paddock.tables import Tables
from paddock.web.feature import Door
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder
from paddock.web.links import link
from paddock.web.page import WebPage
from paddock.web.pages import redirect
from paddock.web.titles import title_of

router = APIRouter()


@dataclass(frozen=True)
class Theme:
    """A theme of a title's set, in the list."""

    name: str
    url: str
    count: int
    solved: int  # by this browser


@dataclass(frozen=True)
class Listed:
    """A title's set, in the list."""

    title: Title
    url: str
    themes: tuple[Theme, ...]


@dataclass(frozen=True, kw_only=True)
class PuzzlesPage(WebPage):
    """Which puzzles there are."""

    template = "puzzles/puzzles.html"
    due: int  # of the reader's own games
    count: int  # all of them
    right: int  # solved
    coming: int  # days until the next one is due; 0: none is
    day: str | None  # the address of the puzzle of the day
    sets: Sequence[Listed]


def sets(rows: Sequence[PuzzleRow]) -> list[Listed]:
    """Return the sets of all titles, with what a browser has solved of them."""
    known = {row.puzzle: row for row in rows}
    every = sorted(titles().values(), key=lambda title: title.label)
    return [_listed(title, known) for title in every if made.puzzles_of(title).puzzles]


def _listed(title: Title, known: Mapping[str, PuzzleRow]) -> Listed:
    ours, themes = made.puzzles_of(title), list[Theme]()
    for theme in ours.themes:
        ids = ours.of(theme)
        seen = [known[name] for id in ids if (name := f"{title.name}:{id}") in known]
        url = link(f"/puzzle/{title.name}?{urlencode({'theme': theme})}")
        themes.append(Theme(themed(title, theme), url, len(ids), sum(row.right for row in seen)))
    return Listed(title, link(f"/puzzle/{title.name}"), tuple(themes))


def mine(rows: Sequence[PuzzleRow]) -> list[PuzzleRow]:
    """Return the puzzles of one's own games."""
    return [row for row in rows if row.table_id]


@router.get("/puzzles")
async def every(request: Request, tables: GivenTables, pages: GivenPages, puzzles: GivenPuzzles) -> Response:
    """Show which puzzles there are: of the browser's games, of the day, and of the titles' sets."""
    rows, now = await puzzles.of(holder(request)), tables.runtime.now()
    ours = mine(rows)
    day = day_path(now)
    page = PuzzlesPage(
        due=sum(row.due <= now for row in ours),
        count=len(ours),
        right=sum(row.right for row in ours),
        coming=next((days(row.due, now) for row in ours if row.due > now), 0),
        day=link(day) if day else None,
        sets=sets(rows),
    )
    return pages.page(request, page)


@router.get(f"/puzzles/{MINE}")
async def my_next(request: Request, tables: GivenTables, puzzles: GivenPuzzles) -> Response:
    """Redirect to the puzzle of one's own games that is due first, or to the list if none is."""
    rows, now = await puzzles.of(holder(request)), tables.runtime.now()
    due = next((row for row in mine(rows) if row.due <= now), None)
    return redirect(link(path_of(due) if due else "/puzzles"))


@router.get("/puzzles/day")
async def of_day(tables: GivenTables) -> Response:
    """Redirect to the puzzle of the day, or to the list if there is none."""
    return redirect(link(day_path(tables.runtime.now()) or "/puzzles"))


@router.get("/puzzle/{name}")
async def next_of(request: Request, tables: GivenTables, puzzles: GivenPuzzles, name: str) -> Response:
    """Redirect to the puzzle of a title's set that comes next, or to the list if none does."""
    title, theme = title_of(name), request.query_params.get("theme", "")
    rows, now = await puzzles.of(holder(request)), tables.runtime.now()
    id = next_in_set(title, theme, rows, now)
    return redirect(link(f"/puzzle/{title.name}/{id}" if id else "/puzzles"))


async def doors(request: Request, title: Title) -> Sequence[Door]:
    """Return the ways here on the home page: to the puzzle of the day, and to all."""
    tables: Tables = request.app.state.tables
    today = of_today(tables.runtime.now())
    if not today:
        return ()
    due = await tables.service(Puzzles).due(holder(request))
    waiting = plural(
        "{n} of your mistakes is waiting for you.", "{n} of your mistakes are waiting for you.", due
    )
    return [
        Door(
            link("/puzzles/day"),
            _("Puzzle of the day"),
            _("{puzzle}: what would you do?").format(puzzle=today),
        ),
        Door(
            link("/puzzles"), _("All puzzles"), waiting if due else _("By theme, and from your own mistakes.")
        ),
    ]


def of_today(now: datetime) -> str:
    """Return what the puzzle of a day is about; empty if there is none."""
    found = made.of_the_day(now.date())
    if found is None:
        return ""
    title, id = found
    theme = themed(title, made.puzzles_of(title).puzzles[id][0].theme)
    return (
        title.label if theme == title.label else _("{title}, {theme}").format(title=title.label, theme=theme)
    )
