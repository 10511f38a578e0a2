"""The table: its page, its moves, its stream, and the curtain between two who share a device."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response, StreamingResponse

from paddock.core.errors import IllegalMove, PaddockError
from paddock.core.i18n import _
from paddock.tables import Forbidden, NoTable, Table, Tables
from paddock.web.guard import holder, keep
from paddock.web.pages import Pages, fields, number, redirect, sentence
from paddock.web.present import Refusal, room, table_page

router = APIRouter()
HEARTBEAT = 20.0  # seconds between two signs of life of a stream
MAIN = '<main id="main" tabindex="-1">'  # where base.html begins what changes
BLANK, DIGEST = (
    "@key@",
    "@digest@",
)  # where a page carries the key of its forms, new each time, and its own digest


@dataclass(frozen=True)
class Place:
    """A table, and who this browser is at it."""

    table: Table
    holder: str | None
    mine: list[int]  # the players it holds
    at: int | None  # the one of them at the device


async def place(request: Request, id: str) -> Place:
    """Find the table of a request; raises ``NoTable``."""
    tables: Tables = request.app.state.tables
    table = await tables.table(id)
    me = holder(request)
    mine = table.players_of(me)
    at = request.cookies.get(_cookie(table), "")
    return Place(table, me, mine, int(at) if at.isascii() and at.isdigit() and int(at) in mine else None)


def _cookie(table: Table) -> str:
    return f"at_{table.id}"


def _context(where: Place, chosen: str = "", refusal: Refusal | None = None) -> tuple[str, dict[str, Any]]:
    table = where.table
    name, context = table_page(table, where.mine, where.at, key=BLANK, chosen=chosen, refusal=refusal)
    if table.kind == "learn" and context["player"] is not None and name != "curtain.html":
        context["lesson"] = room(table.title, "learn").lesson(table.game, context["player"])
    at = "" if where.at is None else f"?at={where.at}"
    return name, context | {"stream_url": f"/t/{table.id}/stream{at}", "digest": DIGEST}


def _render(
    request: Request, where: Place, part: bool, chosen: str = "", refusal: Refusal | None = None
) -> str:
    pages: Pages = request.app.state.pages
    name, context = _context(where, chosen, refusal)
    context["share_url"] = f"{request.base_url}t/{where.table.id}"
    return pages.block(request, name, "main", context) if part else pages.text(request, name, context)


def digest(request: Request, where: Place) -> str:
    """64 bits of the page as this browser would get it now, but for its key, choices and refusals."""
    return _digest(_render(request, where, True))


def _digest(main: str) -> str:
    return hashlib.blake2b(main.encode(), digest_size=8).hexdigest()


def show(
    request: Request, where: Place, *, status: int = 200, chosen: str = "", refusal: Refusal | None = None
) -> HTMLResponse:
    """The table page, or its changing part where the page's script asks for that."""
    part = request.headers.get("paddock-part") == "main"
    text = _render(request, where, part, chosen, refusal)
    if refusal:
        now = digest(request, where)
    else:
        now = _digest(text if part else text[text.index(MAIN) + len(MAIN) : text.rindex("</main>")])
    text = text.replace(DIGEST, now).replace(BLANK, request.app.state.token())
    return HTMLResponse(text, status)


@router.get("/t/{id}")
async def page(request: Request, id: str) -> Response:
    """The table as the player at this device sees it, or as a spectator does."""
    return show(request, await place(request, id))


def _done(request: Request, where: Place) -> Response:
    """After a form: the fresh page."""
    if request.headers.get("paddock-part") == "main":
        return show(request, where)
    return redirect(f"/t/{where.table.id}")


@router.post("/t/{id}/move")
async def move(request: Request, id: str) -> Response:
    """Commit or play ``move``, in notation, for ``seat`` and the ``decision`` that the page showed."""
    tables: Tables = request.app.state.tables
    where = await place(request, id)
    values = await fields(request)
    seat, decision = number(values, "seat"), number(values, "decision")
    notation = values.get("move", "").strip()[:24]
    if not notation:
        return show(request, where, status=422, refusal=Refusal(_("Choose a card first.")))
    try:
        answer = await tables.submit(id, where.holder, seat, notation, decision, values.get("key", ""))
    except (NoTable, Forbidden):
        raise
    except IllegalMove as error:
        refusal = Refusal(sentence(error.reason), error.clause)
        return show(request, where, status=422, chosen=notation, refusal=refusal)
    except PaddockError as error:
        return show(request, where, status=422, chosen=notation, refusal=Refusal(sentence(str(error))))
    where = await place(request, id)
    if answer.status == "late":
        return show(request, where, status=409, chosen=notation, refusal=Refusal(answer.sentence))
    return _done(request, where)


@router.post("/t/{id}/change")
async def change(request: Request, id: str) -> Response:
    """Take a commitment back while it is not revealed."""
    tables: Tables = request.app.state.tables
    where = await place(request, id)
    values = await fields(request)
    seat, decision = number(values, "seat"), number(values, "decision")
    try:
        answer = await tables.change(id, where.holder, seat, decision)
    except (NoTable, Forbidden):
        raise
    except PaddockError as error:
        return show(request, where, status=422, refusal=Refusal(sentence(str(error))))
    where = await place(request, id)
    if answer.status == "late":
        return show(request, where, status=409, refusal=Refusal(answer.sentence))
    return _done(request, where)


@router.post("/t/{id}/sit")
async def sit(request: Request, id: str) -> Response:
    """The device is handed on: the curtain rises for another player of this browser."""
    where = await place(request, id)
    player = number(await fields(request), "player")
    if player not in where.mine:
        raise HTTPException(403, _("This browser does not hold that player."))
    where = Place(where.table, where.holder, where.mine, player)
    response = _done(request, where)
    keep(request, response, _cookie(where.table), str(player), path=f"/t/{where.table.id}")
    return response


@router.get("/t/{id}/stream")
async def stream(request: Request, id: str) -> Response:
    """Wake-ups as server-sent events: the digest of this browser's page whenever it is another one.

    ``at`` in the address, so that the page opens a new stream when the device is handed on.
    """
    where = await place(request, id)
    return StreamingResponse(_wakes(request, where), media_type="text/event-stream", headers=STREAM)


STREAM = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}


async def _wakes(request: Request, where: Place) -> AsyncIterator[str]:
    tables: Tables = request.app.state.tables
    stopping: asyncio.Event = request.app.state.stopping
    last = ""
    stop = asyncio.ensure_future(stopping.wait())
    try:
        yield "retry: 1000\n\n"
        async with tables.watch(where.table.id) as changed:
            while not stopping.is_set():
                table = await tables.table(where.table.id)
                mine = table.players_of(where.holder)
                now = digest(request, Place(table, where.holder, mine, where.at))
                yield ": \n\n" if now == last else f"data: {now}\n\n"
                last = now
                change = asyncio.ensure_future(changed(HEARTBEAT))
                try:
                    await asyncio.wait({change, stop}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    change.cancel()
    finally:
        stop.cancel()
