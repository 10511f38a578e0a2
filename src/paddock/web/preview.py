"""Link previews: title, text and picture of a table for messengers and other sites.

A preview tells what a spectator sees, and nothing else, whoever asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from textwrap import wrap

import resvg_py
from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.i18n import _, plural
from paddock.core.title import Title
from paddock.parts.alphabet import capitals, outlined, plain, write
from paddock.tables import Table, Tables
from paddock.web.model import Model, Models
from paddock.web.present import Line, headline, podium, status
from paddock.web.steps import Step, step_of
from paddock.web.titles import colours, drawn, draws, has_pages

WIDE, HIGH = 1200, 630  # the size that sites expect
EDGE = 56
LONGEST = 200  # characters of a description
MOST_LINES = 3  # of the heading in the picture
AGE_RUNNING, AGE_OVER = 60, 86400  # seconds for which a picture may be cached

router = APIRouter()


@dataclass(frozen=True)
class Preview:
    """What other sites show for a link."""

    title: str
    text: str
    url: str
    picture: str | None  # the address of a PNG; None if the title draws nothing


def picture_url(model: Model, base: str, query: str = "") -> str | None:
    """Return the address of the picture of a table, or of the moment in ``query``; None without drawings."""
    if not (draws(model.title, "poster") or draws(model.title, "svg")):
        return None
    return f"{base}/t/{model.id}/preview.png" + (f"?{query}" if query else "")


def of_table(model: Model, base: str) -> Preview:
    """Return the preview of a table. ``model`` is a spectator's; ``base`` is the server's address."""
    heading, text = _words(model)
    return Preview(heading, text[:LONGEST], f"{base}/t/{model.id}", picture_url(model, base))


def of_moment(model: Model, step: Step, status: str, story: Sequence[Line], base: str) -> Preview:
    """Return the preview of one step of a replay, with its ``status`` and the newest line of its story."""
    news = [line for line in story if not line.heading]
    text = max(news, key=lambda line: line.n).text if news else _words(model)[1]
    query = step.url(step.at).partition("?")[2]
    heading = f"{model.title.label}: {status}"
    return Preview(heading, text[:LONGEST], base + step.url(step.at), picture_url(model, base, query))


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
    if model.over and has_pages(title):
        facts, players = podium(model), model.scene.seen.names
        lines = [f"{players[feat.player]}: {feat.text}." for feat in facts["account"].feats]
        return f"{title.label}: {facts['headline']}", " ".join(lines) or _(", ").join(players)
    names = _(", ").join(person.name for person in model.people)
    return f"{title.label}: {names}"[:LONGEST], status(model)


# ---- the picture ----------------------------------------------------------------------------------


def drawing_of(model: Model) -> str:
    """Return the title's drawing for a table: podium, position or poster; empty if it has none."""
    title = model.title
    if model.phase == "lobby":
        return drawn(title, "poster")
    if model.over and has_pages(title) and draws(title, "podium"):
        return drawn(title, "podium", podium(model)["finishers"])
    return drawn(title, "svg", model.scene.view) or drawn(title, "poster")


_BOX = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)"')


def composed(title: Title, heading: str, text: str, drawing: str) -> str:
    """Return the picture as an SVG: the drawing beside or below the words. It needs no fonts."""
    field, light = colours(title)
    box = _BOX.search(drawing)
    wide = box is not None and float(box[3]) > 1.5 * float(box[4])
    room = WIDE - 2 * EDGE if wide or not drawing else WIDE // 2 - EDGE
    size = 60 if wide else 68
    parts = [f'<rect width="{WIDE}" height="{HIGH}" fill="{field}"/>']
    parts.append(write("Paddock", EDGE, 92, 44, light, anchor="start"))
    y = 178 if wide else 210
    lines = _lines(heading, size, room, MOST_LINES - wide)
    for line in lines:
        parts.append(write(line, EDGE, y, size, light, anchor="start", fit=room))
        y += size
    for line in _lines(text, 34, room, 1 if wide else 5):
        parts.append(write(line, EDGE, y, 34, light, anchor="start", fit=room))
        y += 46
    if drawing:
        x, top = (0, y - 10) if wide else (WIDE / 2 + EDGE / 2, EDGE / 2)
        across, high = (WIDE, HIGH - top) if wide else (WIDE / 2 - EDGE, HIGH - EDGE)
        spot = f'x="{x:g}" y="{top:g}" width="{across:g}" height="{high:g}"'
        parts.append(re.sub(r"<svg ", f"<svg {spot} ", drawing, count=1))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}">{"".join(parts)}</svg>'
    return outlined(svg)


def _lines(text: str, size: float, room: float, most: int) -> list[str]:
    """Return a text in lines that fit; what is left over is cut off."""
    words = plain(text)
    if not words or most < 1:
        return []
    each = max(1.0, capitals.width(words, 0.7 * size) / len(words))
    lines = wrap(words, max(8, int(room / each)))
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]}..."]
    return lines


@lru_cache(maxsize=32)
def png(svg: str) -> bytes:
    """Return the drawing as a PNG of 1200 × 630."""
    return resvg_py.svg_to_bytes(svg_string=svg, width=WIDE, height=HIGH, skip_system_fonts=True)


@router.get("/t/{id}/preview.png")
async def picture(request: Request, id: str) -> Response:
    """Send the picture of a table, or of a step of its replay, as a spectator sees it."""
    tables: Tables = request.app.state.tables
    outside: Models = request.app.state.outside
    table: Table = await tables.table(id)
    model = outside.of(table, None)
    if picture_url(model, "") is None:
        raise HTTPException(404, _("{title} draws no pictures.").format(title=model.title.label))
    data = await run_in_threadpool(_png, table, model, request.query_params)
    age = AGE_OVER if table.fully_visible else AGE_RUNNING
    headers = {
        "Cache-Control": f"public, max-age={age}",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Vary": "Accept-Language, Cookie",  # which choose the language of the words in the picture
    }
    return Response(data, media_type="image/png", headers=headers)


def _png(table: Table, model: Model, query: Mapping[str, str]) -> bytes:
    """Draw the picture of a table, or of the step that the address asks for."""
    if query and table.fully_visible and has_pages(model.title):
        shown = step_of(table, query)
        status_then = headline(model) if shown.over else model.title.text.status(shown.scene.seen)
        heading, text = f"{model.title.label}: {status_then}", ""
        drawing = drawn(model.title, "svg", shown.scene.view) or drawing_of(model)
    else:
        (heading, text), drawing = _words(model), drawing_of(model)
    return png(composed(model.title, heading, text, drawing))
