"""After a game: the replay, exploring, the picture of the podium, and another game; also records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from paddock.bots.registry import levels
from paddock.core.errors import BadRecord
from paddock.core.i18n import _
from paddock.core.words import CHANCE
from paddock.tables import Table, Tables
from paddock.web.guard import holder
from paddock.web.model import Scene
from paddock.web.pages import Pages, fields, number, redirect, remember, with_browser
from paddock.web.play import place
from paddock.web.present import headline, moment, podium
from paddock.web.titles import drawn, draws

router = APIRouter()
ALL = "all"


def _steps(table: Table) -> list[int]:
    """Return the steps of a replay: before each, this number of log entries has been played.

    A move begins a new step if chance was drawn or something was told since the last one. The last step is
    the end of the game.
    """
    chance = [entry.by == CHANCE for entry in table.game.log]
    told = {item.entry for item in table.events_for(None)}
    stops: list[int] = []
    for n, by_chance in enumerate(chance):
        if not by_chance and (not stops or chance[n - 1] or n - 1 in told):
            stops.append(n)
    return [*stops, len(chance)]


@router.get("/t/{id}/replay")
async def replay(request: Request, id: str) -> Response:
    """Show one step of a finished game, from a seat's view or with all hands open."""
    where = await place(request, id)
    table = where.table
    if not table.fully_visible:
        raise HTTPException(409, _("This game is still being played: its replay opens when it is over."))
    query = request.query_params
    steps = _steps(table)
    context = _replay(table, steps, _step(query, steps), query.get("eyes", ALL), headline(where.model))
    context["share_url"] = str(request.base_url).rstrip("/") + context["step"]["here"]
    pages: Pages = request.app.state.pages
    if request.headers.get("paddock-part") == "main":
        return HTMLResponse(pages.block("replay.html", "main", context))
    return pages.page(request, "replay.html", **context)


def _step(query: Mapping[str, str], steps: Sequence[int]) -> int:
    """Return the step that an address asks for: ``step``, or the first one after log entry ``entry``."""
    if "entry" in query:
        entry = number(query, "entry", most=steps[-1])
        return next((i for i, played in enumerate(steps) if played > entry), len(steps) - 1)
    return number(query, "step", most=len(steps) - 1) if "step" in query else 0


def _replay(table: Table, steps: list[int], at: int, eyes: str, won: str) -> dict[str, Any]:
    title, seats = table.title, table.options.seats
    game = table.at(steps[at])
    masks = {ALL: (1 << seats) - 1, "none": 0} | {str(seat + 1): 1 << seat for seat in range(seats)}
    if eyes not in masks:
        raise HTTPException(400, _("«eyes» is a seat from 1 to {n}, «all» or «none».").format(n=seats))
    scene = Scene(game.seen(masks[eyes]), game.events_for(masks[eyes]))
    before = steps[at - 1] if at else 0
    url = f"/t/{table.id}/replay"

    def link(step: int, eyes: str = eyes) -> str:
        return f"{url}?{urlencode({'step': step, 'eyes': eyes})}"

    player = table.options.owners[int(eyes) - 1] if eyes.isdigit() else 0
    return moment(scene, before if at else 0, before) | {
        "title": title,
        "table": table,
        "table_url": f"/t/{table.id}",
        "status": won if game.over else title.text.status(scene.seen),
        "step": {
            "url": url,
            "at": at,
            "of": len(steps) - 1,
            "first": link(0) if at else None,
            "previous": link(at - 1) if at else None,
            "next": link(at + 1) if at + 1 < len(steps) else None,
            "last": link(len(steps) - 1) if at + 1 < len(steps) else None,
            "here": link(at),
            "entry": steps[at],
        },
        "eyes": eyes,
        "viewpoints": [
            {"name": name, "url": link(at, value), "current": value == eyes}
            for value, name in (
                (ALL, _("All hands open")),
                *((str(seat + 1), scene.names[seat]) for seat in range(seats)),
                ("none", _("Spectator")),
            )
        ],
        "record_url": f"/t/{table.id}/record",
        "explore_url": f"/t/{table.id}/explore",
        "explorers": [
            {"index": p.index, "name": p.name, "current": p.index == player} for p in table.players
        ],
        "can_explore": not game.over,
    }


@router.get("/t/{id}/record")
async def record(request: Request, id: str) -> Response:
    """Send the record as a file: complete if the game is over, else what this player sees."""
    tables: Tables = request.app.state.tables
    where = await place(request, id)
    text = await tables.record(id, where.browser.player)
    name = f"{where.model.title.name}-{where.model.id}.txt"
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get("/t/{id}/podium.svg")
async def picture(request: Request, id: str) -> Response:
    """Send the podium as a picture."""
    where = await place(request, id)
    model = where.model
    if not model.over:
        raise HTTPException(409, _("There is no podium yet: this game is still being played."))
    if not draws(model.title, "podium"):
        raise HTTPException(404, _("{title} draws no podium.").format(title=model.title.label))
    facts = podium(model)
    svg = drawn(model.title, "podium", facts["finishers"], heading=facts["headline"])
    return Response(
        svg,
        media_type="image/svg+xml",
        headers={"Content-Disposition": f'inline; filename="podium-{model.id}.svg"'},
    )


@router.post("/records")
async def upload(request: Request) -> Response:
    """Store an uploaded record as a permanent replay."""
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    values = await fields(request)
    text = values.get("record", "")
    if not text.strip():
        return pages.error(request, 422, _("Choose a record file first."))
    me, secret = with_browser(request)
    try:
        table = await tables.upload(text, me)
    except BadRecord as error:
        sentence = _("This record cannot be read. {error}.").format(error=str(error).capitalize().rstrip("."))
        return pages.error(request, 422, sentence)
    return remember(request, redirect(f"/t/{table.id}/replay"), secret)


@router.post("/t/{id}/explore")
async def explore(request: Request, id: str) -> Response:
    """Create a table that continues a finished game from one of its steps, against bots."""
    tables: Tables = request.app.state.tables
    values = await fields(request)
    entry, player = number(values, "entry"), number(values, "player")
    me, secret = with_browser(request)
    table = await tables.explore(id, entry, player, me, pace=request.app.state.pace)
    return remember(request, redirect(f"/t/{table.id}"), secret)


@router.post("/t/{id}/again")
async def again(request: Request, id: str) -> Response:
    """Create a table with the same set-up and the same players."""
    tables: Tables = request.app.state.tables
    where = await place(request, id)
    old = where.table
    me, secret = with_browser(request)
    fallback, weakest = old.players[0].index, levels(old.title)[0].name
    seats = [
        p.bot or ("me" if holder(request) == p.holder or p.index == fallback else weakest)
        for p in old.players
    ]
    options: Mapping[str, Any] = {
        word.split("=", 1)[0]: word.split("=", 1)[1] for word in old.options.text.split()
    }
    table = await tables.create(
        old.title.name, options, seats, [p.name for p in old.players], holder=me, pace=old.pace
    )
    return remember(request, redirect(f"/t/{table.id}"), secret)
