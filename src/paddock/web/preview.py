"""Link previews: title, text and picture of a table for messengers and other sites.

A preview tells what a spectator sees, and nothing else, whoever asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.bots.workers import PackedSeen, packed
from paddock.core.i18n import _, plural
from paddock.tables import Table
from paddock.tables.rights import watch
from paddock.tables.threads import off_loop
from paddock.web.given import GivenTables
from paddock.web.limits import DRAWING
from paddock.web.links import link
from paddock.web.model import Model, Models
from paddock.web.page import LinkPreview
from paddock.web.pictures import Pictures
from paddock.web.position import StoryLine
from paddock.web.present import account, finishers, headline, status, won
from paddock.web.prices import TableId, costs
from paddock.web.raster import Picture, can_rasterise
from paddock.web.steps import Step, step_of
from paddock.web.titles import drawn, draws

LONGEST = 200  # characters of a description
MOMENT = ("step", "entry", "eyes")  # the words of an address that ask for a moment of a replay
AGE_RUNNING, AGE_OVER = 60, 86400  # seconds for which a picture may be cached

router = APIRouter()


def picture_url(model: Model, base: str, query: str = "") -> str | None:
    """Return the address of the picture of a table, or of the moment in ``query``; None if there is none."""
    if not can_rasterise() or not (draws(model.title, "poster") or draws(model.title, "svg")):
        return None
    return base + link(f"/t/{model.id}/preview.png") + (f"?{query}" if query else "")


def of_table(model: Model, base: str) -> LinkPreview:
    """Return the preview of a table. ``model`` is a spectator's; ``base`` is the server's scheme and host."""
    heading, text = _words(model)
    return LinkPreview(heading, text[:LONGEST], base + link(f"/t/{model.id}"), picture_url(model, base))


def of_moment(model: Model, step: Step, status: str, story: Sequence[StoryLine], base: str) -> LinkPreview:
    """Return the preview of one step of a replay, with its ``status`` and the newest line of its story."""
    news = [line for line in story if not line.heading]
    text = max(news, key=lambda line: line.n).text if news else _words(model)[1]
    query = step.url(step.at).partition("?")[2]
    heading = f"{model.title.label}: {status}"
    return LinkPreview(heading, text[:LONGEST], base + step.url(step.at), picture_url(model, base, query))


def _words(model: Model) -> tuple[str, str]:
    title = model.title
    if model.phase == "lobby":
        free = sum(person.kind == "open" for person in model.people)
        host = next((person.name for person in model.people if person.host), None)
        heading = _("{name} invites you: {title}") if host else _("An invitation: {title}")
        about = [
            _("{n} {players}").format(n=model.options.players, players=_(title.players_option)),
            plural("{n} seat is free.", "{n} seats are free.", free),
        ]
        return heading.format(name=host, title=title.label), " · ".join(about)
    if model.over:
        players = model.scene.seen.names
        lines = [f"{players[feat.player]}: {feat.text}." for feat in account(model).feats]
        return f"{title.label}: {won(model)}", " ".join(lines) or _(", ").join(players)
    names = _(", ").join(person.name for person in model.people)
    return f"{title.label}: {names}"[:LONGEST], status(model)


# ---- the picture ----------------------------------------------------------------------------------


def drawing_of(model: Model) -> PackedSeen | str:
    """Return the title's drawing for a table: podium, position or poster; empty if it has none."""
    title = model.title
    if model.phase == "lobby":
        return drawn(title, "poster")
    if model.over and draws(title, "podium"):
        return drawn(title, "podium", finishers(model))
    return packed(model.scene.seen) if draws(title, "svg") else drawn(title, "poster")


@router.get("/t/{id}/preview.png")
@costs(DRAWING)
async def picture(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Send the picture of a table, or of a step of its replay, as a spectator sees it."""
    outside: Models = request.app.state.outside
    pictures: Pictures = request.app.state.pictures
    table: Table = await tables.table(id)
    watch(table, None)
    model = outside.of(table, None)
    if picture_url(model, "") is None:
        raise HTTPException(404, _("{title} draws no pictures.").format(title=model.title.label))
    asked = {name: value for name, value in request.query_params.items() if name in MOMENT}
    data = await pictures.png((id, *sorted(asked.items())), await off_loop(_picture, table, model, asked))
    age = AGE_OVER if table.fully_visible else AGE_RUNNING
    headers = {
        "Cache-Control": f"public, max-age={age}",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Vary": "Accept-Language, Cookie",  # which choose the language of the words in the picture
    }
    return Response(data, media_type="image/png", headers=headers)


def _picture(table: Table, model: Model, query: Mapping[str, str]) -> Picture:
    """Return what the picture of a table shows, or that of the step that the address asks for."""
    title = model.title
    if query and table.fully_visible:
        shown = step_of(table, query)
        status_then = headline(model) if shown.over else title.text.status(shown.scene.seen)
        drawing = packed(shown.scene.seen) if draws(title, "svg") else drawing_of(model)
        return Picture(title.name, f"{title.label}: {status_then}", "", drawing)
    heading, text = _words(model)
    return Picture(title.name, heading, text, drawing_of(model))
