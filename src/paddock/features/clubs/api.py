"""Evenings and clubs in the API."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Path, Request
from pydantic import Field, StringConstraints
from starlette.responses import Response

from paddock.core.title import title as find_title
from paddock.features.clubs import rules
from paddock.features.clubs.given import GivenClubs
from paddock.features.clubs.rows import LIVE, ROBIN, ClubRow
from paddock.features.clubs.scoring import Line
from paddock.features.clubs.service import Clubs, Evening, Season
from paddock.features.clubs.wishes import PAUSE, Wish
from paddock.web.api.asked import BodyShape, Lot, Person, Route, Somebody
from paddock.web.api.shapes import AnswerShape
from paddock.web.built import JSON, has, nothing, tagged
from paddock.web.limits import MAKING
from paddock.web.prices import costs

router = APIRouter(route_class=Route)
EveningId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="The id of an evening.")]
ClubId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="The id of a club.")]
Text = Annotated[str, StringConstraints(max_length=2000)]


class EntrantOut(AnswerShape):
    """Somebody who plays."""

    number: int = Field(description="What names them in seats and results.")
    name: str = Field(description="Empty for one who was forgotten.")
    lot: str = Field(description="The number of their browser that was mixed in; empty before the start.")
    gone: bool = Field(description="Whether they play no further deals.")
    mine: bool


class EveningSeat(AnswerShape):
    """A seat of a table."""

    entrant: int | None = Field(description="Null: a bot.")
    points: int | None = Field(description="Null until all have played the deal.")
    bot_from: int | None = Field(
        description="After how many entries of the log a bot first played on for the entrant; null: never."
    )


class EveningTable(AnswerShape):
    """A table that plays a deal."""

    deal: int
    number: int = Field(description="Among the tables of the deal, from 0.")
    table: str | None = Field(description="Its id; null until you may see it, and where only bots play.")
    alone: bool = Field(description="Whether only bots play, to complete the field.")
    over: bool
    seats: list[EveningSeat]


class EveningLine(AnswerShape):
    """A line of a table of results, the best first."""

    entrant: str = Field(description="The number of the entrant; in a season, the name.")
    points: float
    over_field: float | None = Field(description="Points a deal over the others with the same cards.")
    over_field_error: float | None = Field(description="Half the width of its 95 % interval.")
    strength: float | None = Field(
        description="Points a deal over the average of all, corrected for cards, opponents and bots."
    )
    strength_error: float | None = Field(description="Half the width of its 95 % interval.")
    deals: int
    left: bool = Field(description="Whether a bot played on in one of their deals.")


class EveningOut(AnswerShape):
    """An evening. «paddock fair» reads it when the evening is over."""

    id: str
    name: str
    title: str
    revision: int = Field(description="Of the title's rules.")
    options: str = Field(description="As in records.")
    level: str = Field(description="The level of the bots.")
    deals: int
    style: str
    system: str
    phase: str = Field(description="“joining”, “running” or “over”.")
    deal: int = Field(description="That is played, or was last; 0 before the first.")
    resting: bool = Field(description="Whether the next deal waits.")
    next_at: datetime | None = Field(description="When the next deal begins, or this one ends.")
    commitment: str = Field(description="The SHA-256 of the 32 bytes of the secret, in hex.")
    secret: str | None = Field(description="From which all chance follows; null before the end.")
    mixed: str | None = Field(description="The SHA-256 of the browsers’ numbers; null before the start.")
    entrants: list[EntrantOut]
    tables: list[EveningTable]
    results: list[EveningLine]


class SeasonLine(EveningLine):
    """A line of a season."""

    rating: float = Field(description="By the places in all games, of Plackett and Luce; 25 is the start.")
    rating_error: float = Field(description="Half the width of its 95 % interval.")


class SeasonOut(AnswerShape):
    """The table of the evenings at which the same was played."""

    title: str
    options: str = Field(description="As in records.")
    results: list[SeasonLine]


class ClubOut(AnswerShape):
    """A club."""

    id: str
    name: str
    evenings: list[str] = Field(description="The ids of its newest evenings.")
    seasons: list[SeasonOut]


class EveningIn(BodyShape):
    """What an evening shall be."""

    title: Annotated[str, StringConstraints(max_length=64)]
    options: dict[str, Any] | None = Field(None, description="Null: one round, as in a quick start.")
    name: Text = Field("", description="Empty: a default name.")
    deals: int = Field(4, ge=1, le=rules.MOST_DEALS)
    style: Annotated[str, StringConstraints(pattern="^(live|days)$")] = LIVE
    system: Annotated[str, StringConstraints(pattern="^(robin|swiss)$")] = ROBIN
    level: Annotated[str, StringConstraints(max_length=32)] = Field("", description="Empty: the usual one.")
    minutes: int = Field(0, ge=0, le=1440, description="For a deal (“days”: hours for all); 0: no limit.")
    pause: int = Field(PAUSE, ge=0, le=3600, description="Seconds between two deals.")
    club: Annotated[str, StringConstraints(max_length=32)] = ""
    guests: Text = Field("", description="The names that may come, a line each; empty: everybody.")


class DealIn(BodyShape):
    """A deal of an evening."""

    deal: int = Field(ge=1, le=rules.MOST_DEALS, description="That is played now, as you have seen it.")


class JoinIn(BodyShape):
    """Who plays along."""

    name: Text
    lot: Lot = ""


class ClubIn(BodyShape):
    """What a club shall be."""

    name: Text


class OrganiseIn(BodyShape):
    """What makes you an organiser."""

    token: Annotated[str, StringConstraints(max_length=64)]


@router.get("/evenings", tags=["evenings"])
async def my_evenings(clubs: GivenClubs, who: Somebody) -> list[str]:
    """The ids of the evenings that you organise or play, the newest first."""
    return [row.id for row in (await clubs.of(who))[1]]


@router.post("/evenings", tags=["evenings"], status_code=201)
@costs(MAKING)
async def make_evening(body: EveningIn, request: Request, clubs: GivenClubs, who: Person) -> EveningOut:
    """Make an evening. Whoever knows its id can join."""
    options = find_title(body.title).one_round if body.options is None else body.options
    wish = Wish(**body.model_dump(exclude={"options"}), options=options)
    row = await clubs.make(wish, who, request.app.state.pace)
    return await _out(clubs, row.id, who)


@router.get("/evenings/{evening}", tags=["evenings"], response_model=EveningOut)
@costs(by_size=True)
async def evening_of(request: Request, evening: EveningId, clubs: GivenClubs, who: Somebody) -> Response:
    """An evening: who plays, its tables, and its results as far as all have played the deals.

    The answer has a tag (``ETag``). Send it with the next request (``If-None-Match``), and you get status 304
    and nothing else until something has changed."""
    whole = await clubs.evening(evening, who)
    headers = tagged(f'W/"{whole.tag(who)}"')
    if has(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response((await _shown(clubs, whole)).model_dump_json(), media_type=JSON, headers=headers)


@router.post("/evenings/{evening}/join", tags=["evenings"])
@costs(MAKING)
async def join_evening(evening: EveningId, body: JoinIn, clubs: GivenClubs, who: Person) -> EveningOut:
    """Play along: from the next deal on, if it has begun. Who plays already stays."""
    await clubs.join(evening, who, body.name, body.lot)
    return await _out(clubs, evening, who)


@router.post("/evenings/{evening}/leave", tags=["evenings"])
@costs(MAKING)
async def leave_evening(evening: EveningId, clubs: GivenClubs, who: Person) -> EveningOut:
    """Play no further deals."""
    await clubs.leave(evening, who)
    return await _out(clubs, evening, who)


@router.post("/evenings/{evening}/begin", tags=["evenings"])
@costs(MAKING)
async def begin_evening(evening: EveningId, clubs: GivenClubs, who: Person) -> EveningOut:
    """Begin it, or its next deal at once: for organisers."""
    await clubs.begin(evening, who)
    return await _out(clubs, evening, who)


@router.post("/evenings/{evening}/time", tags=["evenings"])
@costs(MAKING)
async def end_deal(evening: EveningId, body: DealIn, clubs: GivenClubs, who: Person) -> EveningOut:
    """Let bots play a deal to its end: for organisers. It ends no other deal, so you may send it again."""
    await clubs.time_up(evening, who, body.deal)
    return await _out(clubs, evening, who)


@router.post("/evenings/{evening}/call-off", tags=["evenings"])
@costs(MAKING)
async def call_off(evening: EveningId, clubs: GivenClubs, who: Person) -> EveningOut:
    """Call it off before it begins: for organisers."""
    await clubs.call_off(evening, who)
    return await _out(clubs, evening, who)


@router.post("/evenings/{evening}/organise", tags=["evenings"])
@costs(MAKING)
async def organise_evening(
    evening: EveningId, body: OrganiseIn, clubs: GivenClubs, who: Person
) -> EveningOut:
    """Become an organiser by the token of one."""
    await clubs.organise(await clubs.row(evening), who, body.token)
    return await _out(clubs, evening, who)


@router.post("/clubs", tags=["evenings"], status_code=201)
@costs(MAKING)
async def make_club(body: ClubIn, clubs: GivenClubs, who: Person) -> ClubOut:
    """Make a club, to which evenings can belong."""
    return await _club(clubs, await clubs.make_club(body.name, who))


@router.get("/clubs/{club}", tags=["evenings"])
@costs(by_size=True)
async def club_of(club: ClubId, clubs: GivenClubs) -> ClubOut:
    """A club: its evenings, and the table of all that are over."""
    return await _club(clubs, await clubs.club(club))


async def _club(clubs: Clubs, row: ClubRow) -> ClubOut:
    evenings = [row.id for row in await clubs.evenings_of(row.id)]
    seasons = [_season(season) for season in await clubs.seasons(row.id)]
    return ClubOut(id=row.id, name=row.name, evenings=evenings, seasons=seasons)


def _season(season: Season) -> SeasonOut:
    named = []
    for line in _lines(season.lines):
        rated, name = season.ratings[line.entrant], season.names[line.entrant]
        facts = line.model_dump() | {"entrant": name}
        named.append(SeasonLine(**facts, rating=round(rated.value, 4), rating_error=round(rated.error, 4)))
    return SeasonOut(title=season.row.title, options=season.row.options, results=named)


def _lines(lines: Sequence[Line]) -> list[EveningLine]:
    return [
        EveningLine(
            entrant=line.entrant,
            points=line.points,
            over_field=_known(line.duplicate),
            over_field_error=_known(line.error),
            strength=_known(line.corrected),
            strength_error=_known(line.corrected_error),
            deals=line.deals,
            left=line.note != "",
        )
        for line in lines
    ]


def _known(number: float) -> float | None:
    return round(number, 4) if math.isfinite(number) else None


async def _out(clubs: Clubs, id: str, who: str | None) -> EveningOut:
    return await _shown(clubs, await clubs.evening(id, who))


async def _shown(clubs: Clubs, evening: Evening) -> EveningOut:
    """Return an evening as its reader may see it. The tables are made once for all readers."""
    both = await clubs.built.of(
        ("evening tables", evening.row.id), evening.stamp, nothing, lambda _no: _tables(evening), _size
    )
    own = {table.table_id for table, _seat in filter(None, map(evening.mine, range(1, evening.row.deal + 1)))}
    row, begun = evening.row, evening.row.mixed is not None
    names = "id", "name", "title", "revision", "options", "level", "deals", "style", "system", "phase", "deal"
    return EveningOut(
        **{name: getattr(row, name) for name in names},
        resting=row.resting,
        next_at=row.next_at,
        commitment=evening.commitment,
        secret=row.secret or None,
        mixed=row.mixed,
        entrants=[
            EntrantOut(
                number=entrant.number,
                name=entrant.name,
                lot=entrant.lot if begun else "",
                gone=entrant.gone,
                mine=entrant == evening.me,
            )
            for entrant in evening.entrants
        ],
        tables=[
            named if named.table in own or evening.open(named.deal) else closed for closed, named in both
        ],
        results=_lines(evening.lines),
    )


Both: TypeAlias = tuple[EveningTable, EveningTable]  # a table without its id, and with it


def _tables(evening: Evening) -> list[Both]:
    shown, seats_of = [], defaultdict[tuple[int, int], list[EveningSeat]](list)
    for seat in evening.seats:
        seat_shown = EveningSeat(entrant=seat.entrant, points=seat.points, bot_from=seat.bot_from)
        seats_of[seat.deal, seat.table].append(seat_shown)
    for table in evening.tables:
        closed = EveningTable(
            deal=table.deal,
            number=table.table,
            table=None,
            alone=table.alone,
            over=table.over,
            seats=seats_of[table.deal, table.table],
        )
        shown.append((closed, closed.model_copy(update={"table": table.table_id})))
    return shown


def _size(shown: Sequence[Both]) -> int:
    """Return about how many bytes tables take in memory."""
    return sum(2000 + 500 * len(closed.seats) for closed, _named in shown)
