"""«Reach me»: the page on which a browser says how it is called, links in messages, and the calendar."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence, _
from paddock.core.wording import listed
from paddock.features.reach.given import GivenReach
from paddock.features.reach.rows import ChannelRow, ReachRow
from paddock.features.reach.service import Reach
from paddock.features.reach.ways import way_of
from paddock.features.reach.words import label, span, waiting
from paddock.tables import Unavailable
from paddock.tables.make import is_id
from paddock.web.bodies import fields
from paddock.web.built import CALENDAR, answer
from paddock.web.given import GivenPages
from paddock.web.guard import holder, site
from paddock.web.limits import MAKING
from paddock.web.links import link, whole
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect, remember, sentence, with_browser
from paddock.web.prices import costs

router = APIRouter()
REMIND = (0, 900, 3600, 3 * 3600, 12 * 3600, 24 * 3600)  # seconds before a clock runs out
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::00(?:\.0+)?)?")  # some browsers send seconds


@dataclass(frozen=True, kw_only=True)
class WayLine:
    """A way in which this browser is called."""

    id: str
    kind: str
    name: str
    where: str  # of a long address, only where it leads
    open: bool  # whether it is not confirmed yet
    fault: str  # why the last message was given up


@dataclass(frozen=True)
class WayKind:
    """A kind of way that can be added."""

    kind: str
    name: str
    hint: str


@dataclass(frozen=True, kw_only=True)
class ReachedTable:
    """A running table of this browser."""

    id: str
    url: str
    title: str
    names: str  # who waits
    wanted: bool  # whether the browser is called there


@dataclass(frozen=True, kw_only=True)
class ReachPage(WebPage):
    """How this browser is called."""

    template = "reach/reach.html"
    said: str  # why a form was refused
    ways: Sequence[WayLine]
    kinds: Sequence[WayKind]
    row: ReachRow
    quiet: tuple[str, str]  # the times; empty: none
    remind: Sequence[tuple[int, str]]
    lines: Sequence[ReachedTable]
    asked: str  # the id of the table from which the reader came; empty: none
    calendar: str  # its new link, which is shown once


@dataclass(frozen=True, kw_only=True)
class ReachedPage(WebPage):
    """Confirms an address, or stops its messages."""

    template = "reach/reached.html"
    purpose: str
    where: str
    done: bool


@router.get("/reach")
async def page(request: Request, reach: GivenReach) -> Response:
    """Show how this browser is called."""
    return await _page(request, reach)


async def _page(
    request: Request, reach: Reach, status: int = 200, said: str = "", secret: str = ""
) -> Response:
    pages: Pages = request.app.state.pages
    me = holder(request)
    wishes, asked = reach.wishes, request.query_params.get("table", "")
    asked = asked if is_id(asked) else ""
    mine = await wishes.of(me or "", site(request))
    places = await wishes.places(me) if me else []
    row = mine.reach
    assert row
    page = ReachPage(
        said=said,
        ways=[_way(channel) for channel in mine.channels],
        kinds=[WayKind(way.kind, _(way.name), way.hint) for way in wishes.ways()],
        row=row,
        quiet=(_clock(row.quiet_from), _clock(row.quiet_to)),
        remind=[(seconds, _before(seconds)) for seconds in sorted({*REMIND, row.remind})],
        lines=[
            ReachedTable(
                id=place.table.id,
                url=link(f"/t/{place.table.id}"),
                title=label(place),
                names=listed(waiting(place, row.holder)),
                wanted=mine.wanted.get(place.table.id, row.everywhere),
            )
            for place in sorted(places, key=lambda place: place.table.touched_at, reverse=True)
        ],
        asked=asked if any(place.table.id == asked for place in places) else "",
        calendar=whole(request, f"/calendar/{secret}.ics") if secret else "",
    )
    return pages.page(request, page, status)


def _way(channel: ChannelRow) -> WayLine:
    """Return a line about a channel. Of a long address it shows only where it leads."""
    way = way_of(channel.kind)
    why = Sentence.load(channel.fault) if channel.fault else ""
    return WayLine(
        id=channel.id,
        kind=channel.kind,
        name=_(way.name),
        where=way.shown(channel.address),
        open=channel.confirmed_at is None,
        fault=sentence(str(why)) if why else "",
    )


def _clock(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"


def _before(seconds: int) -> str:
    return span(timedelta(seconds=seconds)) if seconds else _("Never")


async def _did(
    request: Request, reach: Reach, work: Awaitable[object], secret: str | None = None
) -> Response:
    """Do what a form says, and show the page again: with the fault, if it was refused."""
    try:
        await work
    except Unavailable as error:
        return await _page(request, reach, 503, sentence(str(error)))
    except PaddockError as error:
        return remember(request, await _page(request, reach, 422, sentence(str(error))), secret)
    at = request.query_params.get("table", "")
    back = link("/reach") + (f"?table={at}" if is_id(at) else "")
    return remember(request, redirect(back), secret)


def _minutes(values: Mapping[str, str], name: str) -> int | None:
    """Return a time of day in minutes; None if there is none. Raises a 400."""
    text = values.get(name, "")
    if not text:
        return None
    found = _TIME.fullmatch(text)
    if not found:
        raise HTTPException(400, _("write a time such as 22:30"))
    return int(found[1]) * 60 + int(found[2])


def _seconds(values: Mapping[str, str]) -> int:
    text = values.get("remind", "")
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise HTTPException(400, _("“{name}” must be a whole number.").format(name="remind"))
    return int(text)


@router.post("/reach")
@costs(MAKING)
async def keep(request: Request, reach: GivenReach) -> Response:
    """Store what holds for all tables of this browser."""
    values = await fields(request)
    me, secret = with_browser(request)
    quiet = values.get("quiet") == "yes"
    work = reach.wishes.keep(
        me,
        site(request),
        everywhere=values.get("everywhere") == "yes",
        zone=values.get("zone", "UTC"),
        quiet_from=_minutes(values, "from") if quiet else None,
        quiet_to=_minutes(values, "to") if quiet else None,
        remind=_seconds(values),
    )
    return await _did(request, reach, work, secret)


@router.post("/reach/table")
@costs(MAKING)
async def want(request: Request, reach: GivenReach) -> Response:
    """Store whether this browser is called at a table."""
    values = await fields(request)
    me, secret = with_browser(request)
    wanted = values.get("wanted") == "yes"
    return await _did(
        request, reach, reach.wishes.want(me, site(request), values.get("id", ""), wanted), secret
    )


@router.get("/reach/key")
async def key(request: Request, reach: GivenReach) -> Response:
    """Return the public key that a browser needs for a push subscription."""
    return JSONResponse({"key": await reach.wishes.push_key()})


@router.post("/reach/push")
@costs(MAKING, calls=True)
async def push(request: Request, reach: GivenReach) -> Response:
    """Add the push subscription of this browser, which its script sends."""
    values = await fields(request)
    me, secret = with_browser(request)
    endpoint, theirs, auth = (values.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    await reach.wishes.add_push(me, site(request), endpoint, theirs, auth)
    return remember(request, Response(status_code=204), secret)


@router.post("/reach/unpush")
@costs()
async def unpush(request: Request, reach: GivenReach) -> Response:
    """Remove the push subscription of this browser."""
    if me := holder(request):
        await reach.wishes.drop_push(me, (await fields(request)).get("endpoint", ""))
    return Response(status_code=204)


@router.post("/reach/add")
@costs(MAKING, calls=True)
async def add(request: Request, reach: GivenReach) -> Response:
    """Add a webhook or an e-mail address."""
    values = await fields(request)
    me, secret = with_browser(request)
    kind, address = values.get("kind", ""), values.get("address", "").strip()
    return await _did(request, reach, reach.wishes.add(me, site(request), kind, address), secret)


@router.post("/reach/drop")
@costs()
async def drop(request: Request, reach: GivenReach) -> Response:
    """Remove a way to be called."""
    id = (await fields(request)).get("id", "")
    return await _did(request, reach, reach.wishes.drop(holder(request) or "", id))


@router.post("/reach/test")
@costs(MAKING, calls=True)
async def test(request: Request, reach: GivenReach) -> Response:
    """Send a test message."""
    id = (await fields(request)).get("id", "")
    return await _did(request, reach, reach.wishes.test(holder(request) or "", id))


@router.post("/reach/calendar")
@costs(MAKING)
async def calendar_link(request: Request, reach: GivenReach) -> Response:
    """Make a new link to the calendar, which is shown once; or remove it."""
    values = await fields(request)
    me, cookie = with_browser(request)
    if values.get("do") == "remove":
        return await _did(request, reach, reach.wishes.no_calendar(me, site(request)), cookie)
    secret = await reach.wishes.new_calendar(me, site(request))
    return remember(request, await _page(request, reach, secret=secret), cookie)


@router.get("/calendar/{secret}.ics")
@costs(by_size=True)
async def calendar(request: Request, reach: GivenReach, secret: str) -> Response:
    """Return the calendar whose link has this secret."""
    from paddock.features.reach.calendar import feed  # takes a tenth of a second: see ``feature.py``

    row = await reach.wishes.calendar(secret)
    if row is None:
        raise HTTPException(404, _("This calendar does not exist any more."))
    stamp, read = (row, await reach.wishes.stamp(row.holder)), partial(reach.wishes.places, row.holder)
    key = "calendar", row.holder
    return await answer(request, key, stamp, read, lambda found: feed(row, found), CALENDAR)


@router.get("/reach/{purpose}/{id}/{token}")
async def asked(
    request: Request, pages: GivenPages, reach: GivenReach, purpose: str, id: str, token: str
) -> Response:
    """Ask whether to confirm an address, or to stop its messages: programs that read mail open links, too."""
    channel = await reach.wishes.linked(_purpose(purpose), id, token)
    page = ReachedPage(purpose=purpose, where=_way(channel).where, done=False)
    return pages.page(request, page)


@router.post("/reach/{purpose}/{id}/{token}")
@costs()
async def answered(
    request: Request, pages: GivenPages, reach: GivenReach, purpose: str, id: str, token: str
) -> Response:
    """Confirm an address, or stop its messages. Mail programs send this by themselves, without a page."""
    wishes = reach.wishes
    await (wishes.agree(id, token) if _purpose(purpose) == "confirm" else wishes.stop(id, token))
    return pages.page(request, ReachedPage(purpose=purpose, where="", done=True))


def _purpose(word: str) -> str:
    if word not in ("confirm", "stop"):
        raise HTTPException(404)
    return word
