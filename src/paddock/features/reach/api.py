"""How a player is called, in the API: channels, tables, quiet hours and the calendar."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Path, Request
from pydantic import Field, StringConstraints
from starlette.responses import Response

from paddock.core.i18n import Sentence
from paddock.features.reach.given import GivenReach
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.service import Reach
from paddock.features.reach.ways import WRITTEN
from paddock.features.reach.wishes import LONGEST
from paddock.web.api import asked, shapes
from paddock.web.api.asked import AnyId, Person, Route
from paddock.web.guard import site
from paddock.web.limits import MAKING
from paddock.web.links import whole
from paddock.web.pages import sentence
from paddock.web.prices import costs

router = APIRouter(route_class=Route)
if TYPE_CHECKING:
    Kind = str
else:
    Kind = Literal[WRITTEN]
Address = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_=-]{1,200}$")]
Minutes = Annotated[int, Field(ge=0, lt=24 * 60)]


class ChannelOut(shapes.AnswerShape):
    """A way to be called. Addresses are not shown again: whoever has one can write there."""

    id: str
    kind: str
    made_at: datetime
    confirmed: bool = Field(description="Whether messages are sent; e-mail addresses must be confirmed.")
    fault: str = Field(description="Why the last message was given up; empty if it was not.")


class QuietOut(shapes.AnswerShape):
    """Quiet hours: the minutes after midnight at which they begin and end."""

    start: int
    end: int


class ReachOut(shapes.AnswerShape):
    """How you are called."""

    everywhere: bool = Field(
        description="Whether you are called at all tables where you do not say otherwise."
    )
    tables: dict[str, bool] = Field(description="Tables at which you said otherwise.")
    zone: str = Field(description="The time zone of the quiet hours.")
    quiet: QuietOut | None
    remind: int = Field(description="Seconds before your clock runs out; 0 for no reminder.")
    calendar: bool = Field(description="Whether there is a link to your calendar.")
    channels: list[ChannelOut]
    push_key: str = Field(description="The public key of this server, for a push subscription.")


class CalendarOut(shapes.AnswerShape):
    """A new link to your calendar. It is shown only once."""

    url: str


class QuietIn(asked.BodyShape):
    """Quiet hours: the minutes after midnight at which they begin and end."""

    start: Minutes
    end: Minutes


class ReachIn(asked.BodyShape):
    """How you want to be called."""

    everywhere: bool = True
    zone: Annotated[str, StringConstraints(max_length=64)] = "UTC"
    quiet: QuietIn | None = None
    remind: int = Field(3600, ge=0, le=LONGEST)


class ChannelIn(asked.BodyShape):
    """A webhook or an e-mail address."""

    kind: Kind = Field(description="“webhook” gets our own JSON, the others what these services expect.")
    address: Address = Field(examples=["https://ntfy.sh/my-turns"])


class PushIn(asked.BodyShape):
    """A push subscription of a browser."""

    endpoint: Address
    p256dh: Key
    auth: Key


class WantedIn(asked.BodyShape):
    """Whether you are called at a table."""

    wanted: bool | None = Field(description="Null: as at all your tables.")


Channel = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$")]


def _channel(row: ChannelRow) -> ChannelOut:
    why = str(Sentence.load(row.fault)) if row.fault else ""
    confirmed = row.confirmed_at is not None
    fault = sentence(why) if why else ""
    return ChannelOut(id=row.id, kind=row.kind, made_at=row.made_at, confirmed=confirmed, fault=fault)


async def _out(reach: Reach, who: str, request: Request) -> ReachOut:
    mine = await reach.wishes.of(who, site(request))
    row = mine.reach
    assert row
    quiet = None
    if row.quiet_from is not None and row.quiet_to is not None:
        quiet = QuietOut(start=row.quiet_from, end=row.quiet_to)
    return ReachOut(
        everywhere=row.everywhere,
        tables=mine.wanted,
        zone=row.zone,
        quiet=quiet,
        remind=row.remind,
        calendar=row.calendar is not None,
        channels=[_channel(one) for one in mine.channels],
        push_key=await reach.wishes.push_key(),
    )


@router.get("/reach", tags=["reach"])
async def reach(reach: GivenReach, who: Person, request: Request) -> ReachOut:
    """How you are called when it is your turn and you are not at the table."""
    return await _out(reach, who, request)


@router.put("/reach", tags=["reach"])
@costs(MAKING)
async def keep_reach(body: ReachIn, reach: GivenReach, who: Person, request: Request) -> ReachOut:
    """Say how you want to be called."""
    await reach.wishes.keep(
        who,
        site(request),
        everywhere=body.everywhere,
        zone=body.zone,
        quiet_from=body.quiet.start if body.quiet else None,
        quiet_to=body.quiet.end if body.quiet else None,
        remind=body.remind,
    )
    return await _out(reach, who, request)


@router.put("/reach/tables/{id}", tags=["reach"])
@costs(MAKING)
async def want_reach(id: AnyId, body: WantedIn, reach: GivenReach, who: Person, request: Request) -> ReachOut:
    """Say whether you are called at a table."""
    await reach.wishes.want(who, site(request), id, body.wanted)
    return await _out(reach, who, request)


@router.post("/reach/channels", tags=["reach"], status_code=201)
@costs(MAKING, calls=True)
async def add_channel(body: ChannelIn, reach: GivenReach, who: Person, request: Request) -> ChannelOut:
    """Add a webhook or an e-mail address, to which a question is sent first."""
    return _channel(await reach.wishes.add(who, site(request), body.kind, body.address))


@router.post("/reach/push", tags=["reach"], status_code=201)
@costs(MAKING, calls=True)
async def add_push(body: PushIn, reach: GivenReach, who: Person, request: Request) -> ChannelOut:
    """Add a push subscription, which a browser makes with ``push_key``."""
    add = reach.wishes.add_push
    return _channel(await add(who, site(request), body.endpoint, body.p256dh, body.auth))


@router.delete("/reach/channels/{id}", tags=["reach"], status_code=204)
@costs()
async def drop_channel(id: Channel, reach: GivenReach, who: Person) -> None:
    """Remove a way to be called."""
    await reach.wishes.drop(who, id)


@router.post("/reach/channels/{id}/test", tags=["reach"], status_code=202, response_class=Response)
@costs(MAKING, calls=True)
async def test_channel(id: Channel, reach: GivenReach, who: Person) -> Response:
    """Send a test message."""
    await reach.wishes.test(who, id)
    return Response(status_code=202)


@router.post("/reach/calendar", tags=["reach"], status_code=201)
@costs(MAKING)
async def new_calendar(reach: GivenReach, who: Person, request: Request) -> CalendarOut:
    """Make a new link to your calendar of deadlines; the one before is not valid any more."""
    secret = await reach.wishes.new_calendar(who, site(request))
    return CalendarOut(url=whole(request, f"/calendar/{secret}.ics"))


@router.delete("/reach/calendar", tags=["reach"], status_code=204)
@costs(MAKING)
async def drop_calendar(reach: GivenReach, who: Person, request: Request) -> None:
    """Remove the link to your calendar."""
    await reach.wishes.no_calendar(who, site(request))
