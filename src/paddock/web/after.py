"""After a game: the replay, exploring, the picture of the podium, and another game; also records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from paddock.bots.registry import levels
from paddock.core.errors import BadRecord
from paddock.core.i18n import _
from paddock.tables import Table, Tables, Terms
from paddock.tables.making import today
from paddock.web import chapters
from paddock.web.bodies import fields
from paddock.web.built import TEXT, answer
from paddock.web.chapters import ChaptersShown
from paddock.web.feature import Beside, Feature, PartShown, shares
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder
from paddock.web.limits import MAKING, MOST_UPLOAD
from paddock.web.links import host, link
from paddock.web.page import LinkPreview
from paddock.web.pages import Pages, html, joined, redirect, remember, with_browser, without_still
from paddock.web.play import Place, place
from paddock.web.position import PositionPage, telling
from paddock.web.present import finishers, headline, won
from paddock.web.preview import of_moment
from paddock.web.prices import TableId, costs
from paddock.web.steps import ALL, NONE, Step, StepLinks, in_thread, step
from paddock.web.timeline import Timeline, timeline
from paddock.web.titles import drawn, draws
from paddock.web.values import number

router = APIRouter()


@dataclass(frozen=True)
class BesideShown:
    """What a feature adds to a step of a replay."""

    feature: Feature
    templates: Beside
    shown: Any  # what its templates get under this name


@dataclass(frozen=True)
class Viewpoint:
    """From whose view a step can be seen."""

    name: str
    eyes: str  # in the address
    current: bool


@dataclass(frozen=True)
class Explorer:
    """A player as whom one can play on from a step."""

    index: int
    name: str
    current: bool


@dataclass(frozen=True, kw_only=True)
class ReplayPage(PositionPage):
    """A step of a finished game. Without spoilers, it lacks what depends on how the game went on."""

    template = "replay.html"
    step: StepLinks
    eyes: str
    spoilers: bool
    viewpoints: Sequence[Viewpoint]
    table_url: str
    share_url: str  # of this step
    record_url: str
    explore_url: str
    explorers: Sequence[Explorer]
    can_explore: bool
    beside: Sequence[BesideShown]
    timeline: Timeline
    # What depends on how the game went on
    chapters: ChaptersShown = field(default_factory=ChaptersShown)
    preview: LinkPreview | None = None
    shares: Sequence[PartShown] = ()


@router.get("/t/{id}/replay")
async def replay(request: Request, tables: GivenTables, pages: GivenPages, id: TableId) -> Response:
    """Show one step of a finished game, from a seat's view or with all hands open."""
    where = await place(request, id)
    if not where.table.fully_visible:
        raise HTTPException(409, _("This game is still being played: its replay opens when it is over."))
    page = await _replay(request, tables, pages, where, await step(where.table, request.query_params))
    if request.headers.get("paddock-part") == "main":
        return HTMLResponse(without_still(request, await joined(pages.block(page, "main"))))
    return html(await joined(pages.parts(request, page)))


async def _replay(request: Request, tables: Tables, pages: Pages, where: Place, at: Step) -> ReplayPage:
    """Return the page of a step."""
    table, title, scene, base = where.table, where.table.title, at.scene, host(request)
    told = telling(scene, at.before if at.at else 0, at.before)
    status = headline(where.model) if at.over else title.text.status(scene.seen)
    chaptered, preview = ChaptersShown(), None
    shared: Sequence[PartShown] = ()
    beside = [
        BesideShown(feature, one, await one.shown(request, tables, table, at))
        for feature in pages.features
        if (one := feature.beside)
    ]
    beside = [one for one in beside if one.shown is not None]
    if at.spoilers:
        chaptered = await in_thread(table, chapters.shown, table, at)
        preview = of_moment(where.model, at, status, told.story, base)
        shared = shares(pages.features, request, table, where.model)
    marks = [mark for one in beside for mark in one.templates.marks(one.shown)]
    return ReplayPage(
        title=title,
        status=status,
        seen=scene.seen,
        view=scene.view,
        story=told.story,
        reveal=told.reveal,
        pads=told.pads,
        step=at.links(),
        eyes=at.eyes,
        spoilers=at.spoilers,
        viewpoints=_viewpoints(at),
        table_url=link(f"/t/{table.id}"),
        share_url=base + at.url(at.at),
        record_url=link(f"/t/{table.id}/record"),
        explore_url=link(f"/t/{table.id}/explore"),
        explorers=_explorers(table, at.eyes),
        can_explore=not at.over,
        beside=beside,
        timeline=timeline(at, chaptered, marks),
        chapters=chaptered,
        preview=preview,
        shares=shared,
    )


def _viewpoints(at: Step) -> list[Viewpoint]:
    named = [(str(seat), name) for seat, name in enumerate(at.scene.names, 1)]
    every = [(ALL, _("All hands open")), *named, (NONE, _("Spectator"))]
    return [Viewpoint(name, eyes, eyes == at.eyes) for eyes, name in every]


def _explorers(table: Table, eyes: str) -> list[Explorer]:
    player = table.options.owners[int(eyes) - 1] if eyes.isdigit() else 0
    return [Explorer(p.index, p.name, p.index == player) for p in table.players]


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
    proof = await tables.engine.proof(table)
    stamp = table.stamp, await tables.making.notes.stamp(table), proof and proof.line
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
    standing = await in_thread(where.table, finishers, model)
    svg = drawn(model.title, "podium", standing, heading=won(model))
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
    names, terms = [p.name for p in old.players], Terms(pace=old.terms.pace, fair=old.terms.fair)
    make = tables.making.open_lobby if terms.fair else tables.making.create
    table = await make(old.title.name, options, seats, names, holder=me, terms=terms)
    return remember(request, redirect(link(f"/t/{table.id}")), secret)
