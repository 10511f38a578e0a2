"""A table on a TV: board, order and story in large letters. It follows by itself, from race to race."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from paddock.core.i18n import _, language
from paddock.core.quick_json import dumps
from paddock.core.title import Seen
from paddock.features.watching.service import Watching
from paddock.features.watching.watch import muted
from paddock.tables import Tables
from paddock.tables.rights import watch
from paddock.tables.streams import SCREEN
from paddock.web.caches import Once
from paddock.web.given import GivenPages, GivenTables
from paddock.web.links import link, whole
from paddock.web.model import Model, Models, short_digest
from paddock.web.page import StatusPage
from paddock.web.pages import joined, redirect, without_any_still, without_still
from paddock.web.position import StoryLine, moving_story
from paddock.web.present import finishers, status, won
from paddock.web.prices import TableId, costs
from paddock.web.streams import News, streaming

LINES = 8  # of the story
AGAIN, PODIUM = 10, 30  # seconds after which a TV looks for a game: without one, and after one

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class TvPage(StatusPage):
    """A table on a TV, or why there is none."""

    template = "watching/tv.html"
    seen: Seen | None = None
    view: Any = None
    story: Sequence[StoryLine] = ()
    podium: Sequence[Any] = ()  # who stands on it when the game is over
    over: bool = False
    address: str = ""  # where others see the table, to be typed
    next_url: str = ""  # where to go by itself; empty while the game goes on
    next_s: int = 0
    tv_url: str  # where to go when the table is gone


async def _model(request: Request, tables: Tables, id: str) -> Model:
    """Return the table as a spectator sees it."""
    outside: Models = request.app.state.outside
    table = await tables.table(id)
    watch(table, None)
    return outside.of(table, None)


def _digest(model: Model) -> str:
    return short_digest("tv", model.digest)


def _address(request: Request, id: str) -> str:
    return whole(request, f"/t/{id}").partition("://")[2]


def _page(request: Request, model: Model) -> TvPage:
    """Return the page of a table."""
    begun = model.phase != "lobby"
    goes_on = not model.abandoned and (model.running or not begun)
    return TvPage(
        title=model.title,
        status=won(model) if model.over else status(model),
        digest=_digest(model),
        stream_url=link(f"/t/{model.id}/tv/stream?"),
        seen=model.scene.seen if begun else None,
        view=model.scene.view if begun else None,
        story=_last_lines(model) if begun else (),
        podium=finishers(model) if model.over else (),
        over=model.over,
        address=_address(request, model.id),
        next_url="" if goes_on else link(f"/watch/tv?after={model.id}"),
        next_s=0 if goes_on else PODIUM,
        tv_url=link("/watch/tv"),
    )


def _last_lines(model: Model) -> list[StoryLine]:
    return [line for line in moving_story(model.scene, None) if not line.heading][:LINES]


@router.get("/watch/tv")
async def next_table(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Lead to a live table, another one than ``after`` if there is one; else wait for one."""
    after = request.query_params.get("after", "")
    ids = [] if muted(request) else [table.id for table in await tables.service(Watching).wall.live()]
    if ids:
        return redirect(link(f"/t/{next((id for id in ids if id != after), ids[0])}/tv"))
    waiting = _("You have muted live tables.") if muted(request) else _("Nobody plays a public game now.")
    page = TvPage(status=waiting, next_url=link("/watch/tv"), next_s=AGAIN, tv_url=link("/watch/tv"))
    return pages.page(request, page)


@router.get("/t/{id}/tv")
async def tv(request: Request, tables: GivenTables, pages: GivenPages, id: TableId) -> Response:
    """Show a table for a TV, as a spectator sees it."""
    page = _page(request, await _model(request, tables, id))
    if request.headers.get("paddock-part") == "main":
        return HTMLResponse(without_still(request, await joined(pages.block(page, "main"))))
    return HTMLResponse(await joined(pages.parts(request, page)))


@router.get("/t/{id}/tv/stream")
@costs(stream=True)
async def stream(request: Request, tables: GivenTables, pages: GivenPages, id: TableId) -> Response:
    """Send the changing part of the page whenever it changes."""
    await _model(request, tables, id)

    async def news() -> News:
        model = await _model(request, tables, id)
        digest = _digest(model)

        async def made() -> News:
            text = await joined(pages.block(_page(request, model), "main"))
            return News(digest, dumps({"page": without_any_still(text)}))

        pushed: Once[News] = request.app.state.pushed
        return await pushed.get(("tv", digest, _address(request, id), language.get()), made)

    return streaming(request, id, SCREEN, news, have=request.query_params.get("have", ""), page=True)
