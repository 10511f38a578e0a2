"""After a game: the replay, exploring, the picture of the podium, and another game; also records."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from paddock.bots.registry import levels
from paddock.core.errors import BadRecord
from paddock.core.i18n import _
from paddock.tables import Table, Tables, Terms
from paddock.tables.analysing import check_over
from paddock.tables.making import today
from paddock.web import analysed, chapters
from paddock.web.bodies import fields
from paddock.web.built import TEXT, answer
from paddock.web.feature import shares
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder
from paddock.web.limits import MAKING, MOST_UPLOAD
from paddock.web.links import host, link
from paddock.web.page import loose
from paddock.web.pages import Pages, html, joined, redirect, remember, with_browser, without_still
from paddock.web.play import Place, place
from paddock.web.present import headline, moment, podium
from paddock.web.preview import of_moment
from paddock.web.prices import TableId, costs
from paddock.web.steps import ALL, NONE, Step, in_thread, step
from paddock.web.titles import drawn, draws
from paddock.web.values import number

router = APIRouter()


@router.get("/t/{id}/replay")
async def replay(request: Request, tables: GivenTables, pages: GivenPages, id: TableId) -> Response:
    """Show one step of a finished game, from a seat's view or with all hands open."""
    where = await place(request, id)
    table = where.table
    if not table.fully_visible:
        raise HTTPException(409, _("This game is still being played: its replay opens when it is over."))
    shown = await step(table, request.query_params)
    base = host(request)
    context = _replay(table, shown, headline(where.model))
    context["share_url"] = base + shown.url(shown.at)
    context["beside"] = [
        (feature, one, await one.shown(request, tables, table, shown))
        for feature in pages.features
        if (one := feature.beside)
    ]
    context |= (
        await _later(request, tables, pages, where, shown, context, base)
        if shown.spoilers
        else _NOTHING_LATER
    )
    if request.headers.get("paddock-part") == "main":
        return HTMLResponse(
            without_still(request, await joined(pages.block(loose("replay.html", context), "main")))
        )
    return html(await joined(pages.parts(request, loose("replay.html", context))))


# What a page without spoilers leaves out: it depends on how the game went on.
_NOTHING_LATER: dict[str, Any] = {
    "analysis": None,
    "progress": analysed.progress,
    "chapters": {"groups": [], "earlier": None, "later": None},
    "preview": None,
    "shares": (),
}


async def _later(
    request: Request,
    tables: Tables,
    pages: Pages,
    where: Place,
    step: Step,
    context: Mapping[str, Any],
    base: str,
) -> dict[str, Any]:
    """Return what a replay shows that later steps have a part in."""
    table = where.table
    found, run = await tables.analysing.of(table), tables.analysing.run(table.id)
    return {
        "analysis": await in_thread(table, analysed.shown, table, step, found, run),
        "progress": analysed.progress,
        "chapters": await in_thread(table, chapters.shown, table, step),
        "preview": of_moment(where.model, step, context["status"], context["story"], base),
        "shares": shares(pages.features, request, table, where.model),
    }


def _replay(table: Table, step: Step, won: str) -> dict[str, Any]:
    title, seats, at = table.title, table.options.seats, step.at
    scene, eyes = step.scene, step.eyes
    player = table.options.owners[int(eyes) - 1] if eyes.isdigit() else 0
    return moment(scene, step.before if at else 0, step.before) | {
        "title": title,
        "table": table,
        "table_url": link(f"/t/{table.id}"),
        "status": won if step.over else title.text.status(scene.seen),
        "step": step.links() | {"url": link(f"/t/{table.id}/replay"), "entry": step.stops[step.at]},
        "eyes": eyes,
        "spoilers": step.spoilers,
        "viewpoints": [
            {"name": name, "url": step.url(at, value), "current": value == eyes}
            for value, name in (
                (ALL, _("All hands open")),
                *((str(seat + 1), scene.names[seat]) for seat in range(seats)),
                (NONE, _("Spectator")),
            )
        ],
        "record_url": link(f"/t/{table.id}/record"),
        "explore_url": link(f"/t/{table.id}/explore"),
        "explorers": [
            {"index": p.index, "name": p.name, "current": p.index == player} for p in table.players
        ],
        "can_explore": not step.over,
    }


@router.post("/t/{id}/analyse")
@costs(MAKING)
async def analyse(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Start the analysis of a finished game, and show the step of its replay that the form names."""
    where = await place(request, id)
    values = await fields(request)
    check_over(where.table)
    shown = await step(where.table, {name: values[name] for name in ("step", "eyes") if name in values})
    await tables.analysing.start(id)  # last: a request with a wrong step starts nothing
    return redirect(f"{shown.url(shown.at)}#analysis")


@router.get("/t/{id}/record")
@costs(by_size=True)
async def record(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Send the record as a file: complete if the game is over, else what this player sees."""
    where = await place(request, id)
    name = f"{where.model.title.name}-{where.model.id}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return await record_of(request, tables, where.table, where.browser.player, headers)


async def record_of(
    request: Request,
    tables: Tables,
    table: Table,
    player: int | None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the record of a table as a player (None: nobody) may see it now."""
    stamp = table.stamp, await tables.making.notes.stamp(table)
    read = partial(tables.record, table.id, player)
    return await answer(request, ("record", table.id, player), stamp, read, str, TEXT, headers)


@router.get("/t/{id}/podium.svg")
async def picture(request: Request, id: TableId) -> Response:
    """Send the podium as a picture."""
    where = await place(request, id)
    model = where.model
    if not model.over:
        raise HTTPException(409, _("There is no podium yet: this game is still being played."))
    if not draws(model.title, "podium"):
        raise HTTPException(404, _("{title} draws no podium.").format(title=model.title.label))
    facts = await in_thread(where.table, podium, model)
    svg = drawn(model.title, "podium", facts["finishers"], heading=facts["headline"])
    return Response(
        svg,
        media_type="image/svg+xml",
        headers={"Content-Disposition": f'inline; filename="podium-{model.id}.svg"'},
    )


@router.post("/records")
@costs(MAKING, most=MOST_UPLOAD)
async def upload(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Store an uploaded record as a permanent replay."""
    values = await fields(request)
    text = values.get("record", "")
    if not text.strip():
        return pages.error(request, 422, _("Choose a record file first."))
    me, secret = with_browser(request)
    try:
        table = await tables.making.upload(text, me)
    except BadRecord as error:
        where = str(BadRecord(error.line, error.said, error.record)).rstrip(".")
        sentence = _("This record cannot be read. {error}.").format(error=where[:1].upper() + where[1:])
        return pages.error(request, 422, sentence)
    return remember(request, redirect(link(f"/t/{table.id}/replay")), secret)


@router.post("/t/{id}/explore")
@costs(MAKING)
async def explore(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Create a table that continues a finished game from one of its steps, against bots."""
    values = await fields(request)
    entry, player = number(values, "entry"), number(values, "player")
    me, secret = with_browser(request)
    table = await tables.making.explore(id, entry, player, me, pace=request.app.state.pace)
    return remember(request, redirect(link(f"/t/{table.id}")), secret)


@router.post("/t/{id}/again")
@costs(MAKING)
async def again(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Create a table with the same set-up and the same players."""
    where = await place(request, id)
    old = where.table
    me, secret = with_browser(request)
    fallback, weakest = old.players[0].index, levels(old.title)[0].name
    seats = [
        p.bot or ("me" if holder(request) == p.holder or p.index == fallback else weakest)
        for p in old.players
    ]
    options: Mapping[str, Any] = {
        word.split("=", 1)[0]: word.split("=", 1)[1] for word in today(old)[1].text.split()
    }
    names, terms = [p.name for p in old.players], Terms(pace=old.terms.pace)
    table = await tables.making.create(old.title.name, options, seats, names, holder=me, terms=terms)
    return remember(request, redirect(link(f"/t/{table.id}")), secret)
