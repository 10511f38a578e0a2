"""A review on the replay: its notes, arrows and marks, who else looks, and the addresses that change them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.core.quick_json import dumps
from paddock.core.title import Title
from paddock.core.wording import listed
from paddock.features.reviews.given import GivenReviews
from paddock.features.reviews.service import KeptNote, ReviewPlace, Reviews
from paddock.records.notes import LONGEST, MOST, Note, is_place
from paddock.tables import NoTable, Table, Tables
from paddock.tables.make import LONGEST_NAME
from paddock.web.bodies import fields
from paddock.web.cookies import keep, of_table
from paddock.web.given import GivenTables
from paddock.web.guard import holder
from paddock.web.links import link, whole
from paddock.web.pages import redirect, remember, with_browser
from paddock.web.play import place
from paddock.web.prices import TableId, costs
from paddock.web.profile import profile_of, remember_profile
from paddock.web.steps import Step, at_stop, step
from paddock.web.streams import HEADERS, HEARTBEAT, beat
from paddock.web.titles import drawn, draws
from paddock.web.values import number, short

router = APIRouter()
REVIEW = of_table("review_")  # holds the key of the table's review
LONGEST_FACTS = 8000  # characters of the arrows and marks that a form sends
NOTES = 20  # of a moment on one page
MOMENTS = 40  # others with notes that a page lists
PAUSE = 0.25  # seconds between two messages of a stream
_PIECE = re.compile(r'<g\b[^>]*\bdata-piece="(\w{1,12})"[^>]*>')
_SPACE = re.compile(r'<g id="[\w-]*-s(\d{1,4})"[^>]*?(?: aria-label="([^"]*)"[^>]*>|><title>([^<]*)</title>)')
_NAMED = re.compile(r'aria-label="([^"]*)"')
_HANDS = ("cars", "teams", "players")  # where the views of titles have those who hold cards


# What a replay shows


@dataclass(frozen=True)
class NoteLine:
    """A note of the moment that is shown."""

    by: str
    text: str
    tags: tuple[str, ...]
    pointed: tuple[str, ...]  # its arrows and marks in words
    arrows: str  # as the script reads them: «piece 1>piece 2|…»
    marks: str
    delete_url: str | None


@dataclass(frozen=True)
class OtherNotes:
    """The notes of another moment."""

    url: str
    says: str


@dataclass(frozen=True)
class ReviewShown:
    """The review as a replay shows it at one step."""

    notes: tuple[NoteLine, ...]
    earlier: str | None  # the address of the page with the notes before these; None: these are the first
    later: str | None
    others: tuple[OtherNotes, ...]  # the nearest; without spoilers, those of earlier moments
    more: int  # other moments with notes
    writes: bool
    asks_name: bool
    name: str
    places: tuple[tuple[str, str], ...]  # what can be pointed at: its word, and what it is called
    url: str
    stream_url: str
    opens: bool  # whether this browser can invite friends, and has not done so
    join_url: str  # what friends get, then
    hiding_url: str  # of the same step, without or with what comes later
    share_url: str  # of the first step, without spoilers
    longest: int = LONGEST
    longest_name: int = LONGEST_NAME


async def shown(request: Request, tables: Tables, table: Table, at: Step) -> ReviewShown:
    """Return what the replay of a table shows of its review."""
    reviews, me = tables.service(Reviews), holder(request)
    kept = await reviews.notes(table)
    writes = await reviews.may_write(table, me, request.cookies.get(REVIEW + table.id, ""))
    plays, mine = reviews.plays(table, me), await reviews.mine(table, me)
    key = await reviews.key(table, me)
    base = link(f"/t/{table.id}/review")
    stops_of = [at_stop(at.stops, one.note.at) for one in kept]
    called = dict(_places(table.title, at)) if writes or at.at in stops_of else {}
    here = [one for one, stop in zip(kept, stops_of, strict=True) if stop == at.at]
    elsewhere = dict[int, list[KeptNote]]()
    for one, stop in zip(kept, stops_of, strict=True):
        if stop < at.at or (stop > at.at and at.spoilers):
            elsewhere.setdefault(stop, []).append(one)
    query = f"step={at.at}&eyes={at.eyes}" + ("" if at.spoilers else "&spoilers=no")
    page, pages = _page_number(request.query_params), max(1, -(-len(here) // NOTES))
    page = min(page, pages)
    nearest = sorted(sorted(elsewhere, key=lambda stop: abs(stop - at.at))[:MOMENTS])
    return ReviewShown(
        notes=tuple(
            _line(one, called, base if plays or one.seq in mine else None)
            for one in here[NOTES * (page - 1) : NOTES * page]
        ),
        earlier=_notes_url(at, page - 1) if page > 1 else None,
        later=_notes_url(at, page + 1) if page < pages else None,
        others=tuple(OtherNotes(at.url(stop), _brief(elsewhere[stop])) for stop in nearest),
        more=len(elsewhere) - len(nearest),
        writes=writes,
        asks_name=writes and not table.players_of(me),
        name=profile_of(request).name,
        places=tuple(called.items()) if writes else (),
        url=base,
        stream_url=f"{base}/stream?{query}" if writes else "",
        opens=plays and not key,
        join_url=whole(request, f"/t/{table.id}/review") + f"?key={quote(key)}" if key else "",
        hiding_url=at.hiding(),
        share_url=whole(request, f"/t/{table.id}/replay") + "?step=0&spoilers=no",
    )


def _page_number(query: Mapping[str, str]) -> int:
    """Return which page of the notes of a moment an address asks for."""
    return max(1, number(query, "notes", most=MOST)) if "notes" in query else 1


def _notes_url(at: Step, page: int) -> str:
    return at.url(at.at) + (f"&notes={page}" if page > 1 else "") + "#notes"


def _line(kept: KeptNote, called: Mapping[str, str], base: str | None) -> NoteLine:
    note = kept.note
    drawn = [
        _("Arrow: {start} → {end}").format(start=called.get(start, start), end=called.get(end, end))
        for start, end in note.arrows
    ]
    if note.marks:
        words = listed(called.get(one, one) for one in note.marks)
        drawn.append(_("Marked: {what}").format(what=words))
    return NoteLine(
        by=note.by,
        text=note.text,
        tags=note.tags,
        pointed=tuple(drawn),
        arrows="|".join(f"{start}>{end}" for start, end in note.arrows),
        marks="|".join(note.marks),
        delete_url=f"{base}/notes/{kept.seq}/delete" if base else None,
    )


def _brief(notes: Sequence[KeptNote]) -> str:
    """Return the notes of a moment in short."""
    note = notes[0].note
    words = " ".join(note.text.split()) or " ".join(f"#{tag}" for tag in note.tags) or "→"
    words = words if len(words) <= 60 else f"{words[:59]}…"
    more = f" (+{len(notes) - 1})" if len(notes) > 1 else ""
    return f"{note.by}: {words}{more}"


def _places(title: Title, at: Step) -> list[tuple[str, str]]:
    """Return what a note of this step can point at: pieces, spaces, and cards of the hands that are open."""
    found, view = dict[str, str](), at.scene.view
    drawing = str(drawn(title, "svg", view))
    for piece in _PIECE.finditer(drawing):
        named = _NAMED.search(piece[0])
        words = _short(named[1], 2) if named else ""
        if words or f"piece {piece[1]}" not in found:
            found[f"piece {piece[1]}"] = words or piece[1]
    for space in _SPACE.finditer(drawing):
        found.setdefault(f"space {space[1]}", unescape(space[2] or space[3]))
    holders = next((getattr(view, name) for name in _HANDS if hasattr(view, name)), ())
    for one in holders if draws(title, "card") else ():
        for n, card in enumerate(getattr(one, "hand", None) or (), 1):
            named = _NAMED.search(str(drawn(title, "card", card)))
            words = _short(named[1], 1) if named else str(n)
            found[f"card {one.seat + 1}:{n}"] = f"{words} · {at.scene.names[one.seat]}"
    return list(found.items())


def _short(label: str, parts: int) -> str:
    """Return the first parts of the label of a drawing: what something is, and whose."""
    return ", ".join(re.split(r"[:,] ", unescape(label))[:parts])


# Addresses


@router.get("/t/{id}/review")
async def join(request: Request, tables: GivenTables, reviews: GivenReviews, id: TableId) -> Response:
    """Let a friend into the review of a table, by its key; then show the replay from its start."""
    table, key = await tables.table(id), request.query_params.get("key", "")
    if not await reviews.is_key(table, key):
        raise NoTable(_("there is no such review: ask for its link again"))
    secret = with_browser(request)[1]
    response = redirect(link(f"/t/{id}/replay?step=0&spoilers=no"))
    keep(request, response, REVIEW + id, key)
    return remember(request, response, secret)


@router.post("/t/{id}/review/open")
@costs()
async def opened(request: Request, tables: GivenTables, reviews: GivenReviews, id: TableId) -> Response:
    """Make the link by which friends may write notes, and show the step of the replay that the form names."""
    table, values = (await place(request, id)).table, await fields(request)
    await reviews.open(table, holder(request))
    at = await _step(table, values)
    return redirect(f"{at.url(at.at)}#notes")


async def _step(table: Table, values: Mapping[str, str]) -> Step:
    """Return the step of the replay that a form names."""
    return await step(table, {name: values[name] for name in ("step", "eyes", "spoilers") if name in values})


@router.post("/t/{id}/review/notes")
@costs()
async def write(request: Request, tables: GivenTables, reviews: GivenReviews, id: TableId) -> Response:
    """Write a note at a step of the replay."""
    table, values = (await place(request, id)).table, await fields(request)
    me, secret = with_browser(request)
    await reviews.check_writer(table, me, request.cookies.get(REVIEW + id, ""))
    at = await _step(table, values)
    name = reviews.name(table, me, values.get("name", ""))
    note = Note(
        at.stops[at.at],
        name,
        values.get("text", "").replace("\r\n", "\n").strip(),
        tuple(dict.fromkeys(word.strip("#,").casefold() for word in values.get("tags", "").split())),
        *_drawn(values),
    )
    await reviews.write(table, me, note)
    there = sum(at_stop(at.stops, one.note.at) == at.at for one in await reviews.notes(table))
    response = redirect(_notes_url(at, -(-there // NOTES)))
    if not table.players_of(me):
        remember_profile(request, response, replace(profile_of(request), name=name))
    return remember(request, response, secret)


def _drawn(values: Mapping[str, str]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the arrows and marks in a form: what was drawn on the board, and what was chosen in lists."""
    arrows = [tuple(arrow.split(">", 1)) for arrow in _words(values, "arrows") if ">" in arrow]
    marks = _words(values, "marks")
    start, end, mark = (values.get(name, "") for name in ("from", "to", "mark"))
    if start and end:
        arrows.append((start, end))
    if mark:
        marks.append(mark)
    pairs = [(arrow[0], arrow[1]) for arrow in arrows]
    return tuple(dict.fromkeys(pairs)), tuple(dict.fromkeys(marks))


def _words(values: Mapping[str, str], name: str) -> list[str]:
    return [word for word in short(values, name, LONGEST_FACTS).split("|") if word]


@router.post("/t/{id}/review/notes/{seq}/delete")
@costs()
async def delete(
    request: Request, tables: GivenTables, reviews: GivenReviews, id: TableId, seq: int
) -> Response:
    """Delete a note."""
    table, values = (await place(request, id)).table, await fields(request)
    await reviews.delete(table, holder(request), seq)
    at = await _step(table, values)
    return redirect(f"{at.url(at.at)}#notes")


@router.post("/t/{id}/review/look")
@costs()
async def look(request: Request, tables: GivenTables, reviews: GivenReviews, id: TableId) -> Response:
    """Tell friends in the review which step this browser shows, and at what its reader points."""
    table, values = await tables.table(id), await fields(request)
    me, key = holder(request), request.cookies.get(REVIEW + id, "")
    if me is None or not await reviews.may_write(table, me, key):
        return Response(status_code=403)
    at = number(values, "step", most=10**6)
    try:
        name = reviews.name(table, me, values.get("name", ""))
    except BadOption:  # none, or one that is not allowed
        name = _("Somebody")
    eyes, where = values.get("eyes", "")[:8], values.get("place", "")
    reviews.look(id, me, ReviewPlace(name, at, eyes, where if is_place(where) else ""))
    return Response(status_code=204)


@router.get("/t/{id}/review/stream")
@costs(stream=True)
async def stream(request: Request, tables: GivenTables, reviews: GivenReviews, id: TableId) -> Response:
    """Tell a browser in a review where the others look, and that notes have changed.

    Without spoilers, nothing is sent of who looks at a later step.
    """
    table, me = await tables.table(id), holder(request)
    if me is None or not await reviews.may_write(table, me, request.cookies.get(REVIEW + id, "")):
        return Response(status_code=403)
    query = request.query_params
    until = number(query, "step", most=10**6) if query.get("spoilers") == "no" else None
    hidden = "" if until is None else "&spoilers=no"
    path = link(f"/t/{id}/replay")

    def news() -> bytes:
        others = [
            {
                "name": one.name,
                "step": one.step,
                "eyes": one.eyes,
                "place": one.place,
                "url": f"{path}?step={one.step}&eyes={quote(one.eyes)}{hidden}",
            }
            for one in reviews.looking(id, me)
            if until is None or one.step <= until
        ]
        return dumps({"notes": reviews.changes(id), "others": others})

    async def body() -> AsyncIterator[bytes]:
        with reviews.watching(id, me) as bell, request.app.state.stopping.rings(bell):
            said = b""
            yield b"retry: 2000\n\n" + beat(HEARTBEAT)
            while not request.app.state.stopping.given:
                bell.clear()
                if (now := news()) != said:
                    said = now
                    yield b"data: %s\n\n" % now
                    await tables.runtime.sleep(PAUSE)  # what comes meanwhile is told together
                try:
                    # ``wait_for`` of Python 3.11 may lose a cancellation
                    async with asyncio.timeout(HEARTBEAT):
                        await bell.wait()
                except TimeoutError:
                    yield beat(HEARTBEAT)

    return StreamingResponse(body(), media_type="text/event-stream", headers=HEADERS)
