"""The race of the day in the API."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated, cast

from fastapi import APIRouter, Path, Request
from pydantic import Field, StringConstraints
from starlette.responses import Response

from paddock.features.daily.days import Attempt, Begun, Streak
from paddock.features.daily.given import GivenDaily
from paddock.features.daily.service import Daily, DailyDay, RaceOfDay
from paddock.tables.make import GUESTS, clean
from paddock.web.api.asked import BodyShape, Name, Person, Route, Somebody
from paddock.web.api.looking import Look
from paddock.web.api.shapes import AnswerShape, TableOut
from paddock.web.built import JSON, answer
from paddock.web.limits import MAKING
from paddock.web.prices import costs

router = APIRouter(route_class=Route)
DayName = Annotated[
    str, Path(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="A day, such as 2026-11-26.")
]


class DailyResult(AnswerShape):
    """A line of the table of a race."""

    rank: int
    name: str
    points: int
    over_par: int | None = Field(description="Null before the day is over, and while par is not measured.")
    place: int = Field(description="In the race itself; 0 for none.")
    mine: bool = Field(description="Whether it is yours.")


class DailyRace(AnswerShape):
    """The race of a title on a day."""

    title: str
    revision: int = Field(description="Of its rules.")
    options: str = Field(description="As in records.")
    player: int = Field(description="The player whom people play, from 0.")
    level: str = Field(description="The level of the bots.")
    par: int | None = Field(
        description="The points of a strong bot in your seat; null before the day is over."
    )
    par_level: str | None = Field(description="The level of that bot.")
    begun: int = Field(description="How many have begun.")
    ended: int = Field(description="How many have finished in time.")
    table: str | None = Field(description="The id of the table of your attempt.")
    attempt: Attempt = Field(
        description="How your attempt stands: “open” may still count, “late” was not finished when the day"
        " ended and does not count, “gone” was deleted, and there is no other."
    )
    results: list[DailyResult] | None = Field(
        description="The best first; null before you have finished or the day is over."
    )


class DailyStreak(AnswerShape):
    """On how many days in a row you have finished a race."""

    now: int
    best: int
    days: int = Field(description="All together.")


class DailyOut(AnswerShape):
    """A day of the daily race. «paddock fair» reads it when the day is over."""

    day: str
    ends: datetime
    over: bool = Field(description="Whether its secret was told: that is for good.")
    phase: Begun = Field(
        description="“ended”: it is past midnight UTC, nothing counts any more, and its secret is told soon."
    )
    commitment: str = Field(description="The SHA-256 of the 32 bytes of the secret, in hex.")
    secret: str | None = Field(
        description="From which all chance follows, in hex; null before the day is over."
    )
    next_commitment: str | None = Field(description="That of the next day; null for past days.")
    races: list[DailyRace]
    streak: DailyStreak


class DailyPast(AnswerShape):
    """A day that is over."""

    day: str
    ended: int = Field(description="How many races were finished.")


class AttemptIn(BodyShape):
    """Your only attempt."""

    name: Annotated[str, StringConstraints(max_length=2000)] = Field(
        "", description="Your name in the table of the day, cut after 24 characters; empty: a default name."
    )
    day: Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None = Field(
        None,
        description="The day that you mean: refused with 409 if it is not today. Null: today.",
    )


@router.get("/daily", tags=["daily"], response_model=DailyOut)
@costs(by_size=True)
async def daily(request: Request, daily: GivenDaily, who: Somebody) -> Response:
    """Today's race of every title: the same cards and bots for everybody on this server."""
    return await _day(request, daily, daily.today, who)


@router.get("/daily/past", tags=["daily"])
async def past_days(daily: GivenDaily) -> list[DailyPast]:
    """The last days that are over, the newest first."""
    return [DailyPast(day=day, ended=count) for day, count in await daily.past()]


@router.get("/daily/{day}", tags=["daily"], response_model=DailyOut)
@costs(by_size=True)
async def daily_of(day: DayName, request: Request, daily: GivenDaily, who: Somebody) -> Response:
    """The races of a day. When it is over: with its secret, the pars and all results."""
    return await _day(request, daily, day, who)


@router.post("/daily/{name}", tags=["daily"], status_code=201, response_model=TableOut)
@costs(MAKING)
async def race_today(
    name: Name, body: AttemptIn, request: Request, daily: GivenDaily, look: Look, who: Person
) -> Response:
    """Begin your attempt at today's race of a title. You have one: later requests return the same table.

    Until the day is over, nobody else sees this table, and you see what your player sees. A program that has
    asked for the day should send it along: at midnight UTC the race is another one.
    """
    id = await daily.start(name, who, clean(body.name), GUESTS, request.app.state.pace, body.day)
    return await look.table(id, who, status=201)


@router.post("/daily/{day}/{name}", tags=["daily"], status_code=201, response_model=TableOut)
@costs(MAKING)
async def practise_day(
    day: DayName, name: Name, request: Request, daily: GivenDaily, look: Look, who: Person
) -> Response:
    """Create a table that plays the race of a day that is over, with the same cards and bots."""
    made = await daily.practise(day, name, who, "", GUESTS, request.app.state.pace)
    return await look.table(made.id, who, status=201)


async def _day(request: Request, daily: Daily, name: str, who: str | None) -> Response:
    """Return a ``DailyOut``."""
    few, streak = await daily.day(name, who, 0), await daily.streak(who)
    stamp = _out(few, streak).model_dump_json(), await daily.stamp(name)
    read = partial(daily.day, name, who)
    return await answer(
        request, ("day", name, who), stamp, read, lambda day: _out(day, streak).model_dump_json(), JSON
    )


def _out(day: DailyDay, streak: Streak) -> DailyOut:
    return DailyOut(
        day=day.day,
        ends=day.ends,
        over=day.over,
        phase=cast(Begun, day.phase),
        commitment=day.commitment,
        secret=day.secret,
        next_commitment=day.next_commitment,
        races=[_race(race) for race in day.races],
        streak=DailyStreak.model_validate(streak, from_attributes=True),
    )


def _race(race: RaceOfDay) -> DailyRace:
    deal, results = race.deal, race.results
    return DailyRace(
        title=deal.title,
        revision=deal.revision,
        options=deal.options,
        player=deal.player,
        level=deal.level,
        par=deal.par,
        par_level=deal.par_level,
        begun=race.begun,
        ended=race.ended,
        table=race.mine.table_id if race.mine else None,
        attempt=race.state,
        results=None
        if results is None
        else [
            DailyResult(
                rank=one.rank,
                name=one.name,
                points=one.points,
                over_par=one.over,
                place=one.place,
                mine=one.mine,
            )
            for one in results
        ],
    )
