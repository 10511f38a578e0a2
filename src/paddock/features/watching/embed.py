"""Tables on other sites: a page for frames, read-only, without forms and cookies.

It shows what a spectator sees, whoever looks at it: a running game live, a finished one as a replay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from paddock.core.i18n import language
from paddock.core.quick_json import dumps
from paddock.core.title import Seen
from paddock.features.watching.frames import allow_frames, refusal
from paddock.tables import Forbidden, Table, Tables
from paddock.tables.rights import watch
from paddock.web.bodies import fields
from paddock.web.caches import Once
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder, policy
from paddock.web.links import link
from paddock.web.model import Model, Models, short_digest
from paddock.web.page import StatusPage
from paddock.web.pages import joined, without_any_still, without_still
from paddock.web.play import done, place
from paddock.web.present import headline, status
from paddock.web.prices import TableId, costs
from paddock.web.steps import step
from paddock.web.streams import News, streaming

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class EmbedPage(StatusPage):
    """A table in a frame on another site."""

    template = "watching/embed.html"
    table_url: str
    refused: bool = False  # it shows only why there is nothing to see
    playing: bool = False  # whether there is a position to show
    seen: Seen | None = None
    view: Any = None


async def _model(request: Request, tables: Tables, id: str) -> tuple[Table, Model]:
    """Return the table as a spectator sees it."""
    outside: Models = request.app.state.outside
    table = await tables.table(id)
    watch(table, None)
    return table, outside.of(table, None)


def _digest(model: Model) -> str:
    return short_digest("embed", model.digest)


@router.get("/t/{id}/embed")
@costs(framed=True)
async def embed(request: Request, tables: GivenTables, pages: GivenPages, id: TableId) -> Response:
    """Show the table for a frame on another site, if the server and the table allow that."""
    table, model = await _model(request, tables, id)
    sites = request.app.state.settings.embed
    headers = {"Content-Security-Policy": policy(sites)}
    if refused := refusal(request, model):
        page = EmbedPage(status=refused, table_url=link(f"/t/{id}"), refused=True)
        return HTMLResponse(pages.text(request, page), 403, headers)
    page = await _page(request, table, model)
    if request.headers.get("paddock-part") == "main":
        text = without_still(request, await joined(pages.block(page, "main")))
        return HTMLResponse(text, headers=headers)
    return HTMLResponse(await joined(pages.parts(request, page)), headers=headers)


async def _page(request: Request, table: Table, model: Model) -> EmbedPage:
    """Return the page for a running game, or for a step of a finished one, by default the last."""
    if not table.fully_visible:
        return EmbedPage(
            title=model.title,
            status=status(model),
            table_url=link(f"/t/{table.id}"),
            view=model.scene.view,
            seen=model.scene.seen,
            playing=model.phase != "lobby",
            digest=_digest(model),
            stream_url=link(f"/t/{table.id}/embed/stream?"),
        )
    query = dict(request.query_params)
    if not {"step", "entry"} & set(query):
        query["entry"] = str(len(table.game.log))
    shown = await step(table, query, "embed")
    return EmbedPage(
        title=model.title,
        status=headline(model) if shown.over else model.title.text.status(shown.scene.seen),
        table_url=link(f"/t/{table.id}"),
        view=shown.scene.view,
        seen=shown.scene.seen,
        playing=True,
        step=shown.links(),
    )


@router.get("/t/{id}/embed/stream")
@costs(stream=True)
async def stream(request: Request, tables: GivenTables, pages: GivenPages, id: TableId) -> Response:
    """Send the changing part of the frame's page whenever it changes, until frames are no longer allowed."""
    _table, model = await _model(request, tables, id)
    if refused := refusal(request, model):
        return HTMLResponse(refused, 403)

    async def news() -> News:
        table, model = await _model(request, tables, id)
        if refused := refusal(request, model):
            raise Forbidden(refused)
        digest = _digest(model)

        async def made() -> News:
            text = await joined(pages.block(await _page(request, table, model), "main"))
            return News(digest, dumps({"page": without_any_still(text)}))

        pushed: Once[News] = request.app.state.pushed
        return await pushed.get(("embed", digest, language.get()), made)

    return streaming(request, id, None, news, have=request.query_params.get("have", ""), page=True)


@router.post("/t/{id}/embed")
@costs()
async def allow(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Say whether other sites may show the table: ``allow`` is «yes» or «no»."""
    allowed = (await fields(request)).get("allow") == "yes"
    await tables.run(id, allow_frames, holder(request) or "", allowed)
    return await done(request, await place(request, id))
