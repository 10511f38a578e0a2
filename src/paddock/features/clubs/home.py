"""The home of a club: its evenings, the tables of its seasons, and its calendar.

Its routes are added to those of evenings, so ``router`` has both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fastapi import Request
from starlette.responses import Response

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.title import titles
from paddock.features.clubs import pages, words
from paddock.features.clubs.calendar import feed
from paddock.features.clubs.given import GivenClubs
from paddock.features.clubs.pages import (
    ShownEvening,
    ShownLine,
    csv_file,
    evenings_page,
    shown_evening,
    shown_lines,
    unlisted,
)
from paddock.features.clubs.pennant import COLOURS, colours_of, pennant
from paddock.features.clubs.rows import ClubRow
from paddock.features.clubs.service import Organiser, Season
from paddock.tables import NoTable
from paddock.web.bodies import fields
from paddock.web.given import GivenPages
from paddock.web.guard import holder
from paddock.web.limits import MAKING
from paddock.web.links import link, whole
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect, remember, sentence, status_of, with_browser
from paddock.web.prices import costs

router = pages.router


@dataclass(frozen=True)
class ShownSeason:
    """The table of the evenings at which the same was played."""

    about: str
    lines: Sequence[ShownLine]
    corrected: str


@dataclass(frozen=True)
class ShownRace:
    """What a member has made of a race of the day."""

    name: str
    what: str
    result: str


@dataclass(frozen=True, kw_only=True)
class ClubPage(WebPage):
    """The home of a club."""

    template = "clubs/club.html"
    club: ClubRow
    evenings: Sequence[ShownEvening]
    seasons: Sequence[ShownSeason]
    organises: bool
    share_url: str
    organiser_url: str
    offered: str
    calendar_url: str
    organisers: Sequence[Organiser]  # empty: the reader is none
    picture: str  # SVG
    colours: Sequence[tuple[str, str, bool]]  # that may be chosen, with their words, and which is
    plays: bool  # whether the reader has played here
    shows: bool  # whether the reader shows their races of the day here
    races: Sequence[ShownRace] | None  # None: the reader must race first
    racers: int  # who show theirs
    daily_url: str


@router.post("/clubs")
@costs(MAKING)
async def make_club(request: Request, shown: GivenPages, clubs: GivenClubs) -> Response:
    """Make a club."""
    values = await fields(request)
    me, secret = with_browser(request)
    try:
        row = await clubs.make_club(values.get("club_name", ""), me)
    except PaddockError as error:
        return await evenings_page(request, shown, clubs, {}, status_of(error), sentence(str(error)))
    return remember(request, redirect(link(f"/club/{row.id}")), secret)


@router.get("/club/{id}")
async def club(request: Request, id: str, shown: GivenPages, clubs: GivenClubs) -> Response:
    """Show the home of a club."""
    me = holder(request)
    row = await clubs.club(id)
    organises = await clubs.organises(row, me)
    racers = await clubs.racers(id)
    url = whole(request, f"/club/{id}")
    page = ClubPage(
        club=row,
        evenings=[shown_evening(row) for row in await clubs.evenings_of(id) if row.title in titles()],
        seasons=[_season(season, me) for season in await clubs.seasons(id)],
        organises=organises,
        share_url=url,
        organiser_url=f"{url}?organise={await clubs.token(row)}" if organises else "",
        offered="" if organises else request.query_params.get("organise", ""),
        calendar_url=link(f"/club/{id}/evenings.ics"),
        organisers=await clubs.organisers(row, me) if organises else [],
        picture=pennant(row.name, row.colours),
        colours=[
            (value, _(one.label), one == colours_of(row.name, row.colours)) for value, one in COLOURS.items()
        ],
        plays=await clubs.plays_in(id, me),
        shows=me in racers,
        races=await races_of(request, shown, racers),
        racers=len(racers),
        daily_url=link("/daily"),
    )
    return unlisted(shown.page(request, page), row)


async def races_of(request: Request, pages: Pages, racers: Mapping[str, str]) -> list[ShownRace] | None:
    """Return the races of today of those who show them; None for a reader who must race first."""
    known = [await feature.today(request, racers) for feature in pages.features]
    lines = [line for some in known for line in some or ()]
    if None in known and not lines:
        return None
    return [ShownRace(racers[line.holder] or _("a player"), line.what, line.result) for line in lines]


def _season(season: Season, me: str | None) -> ShownSeason:
    lines = [
        replace(shown, rating=words.plain(rated.value), rating_error=words.give_or_take(rated.error))
        for line, shown in zip(season.lines, shown_lines(season.lines, season.names, me), strict=True)
        for rated in [season.ratings[line.entrant]]
    ]
    return ShownSeason(words.game_of(season.row), lines, words.corrected(season.lines))


@router.post("/club/{id}/{what}")
@costs(MAKING)
async def change_club(request: Request, id: str, what: str, clubs: GivenClubs) -> Response:
    """What organisers of a club do, and whether somebody shows their races of the day there."""
    values = await fields(request)
    me, secret = with_browser(request)
    row = await clubs.club(id)
    match what:
        case "shown":
            await clubs.show_club(id, me, values.get("shown") == "yes")
        case "organise":
            await clubs.organise(row, me, values.get("token", ""))
        case "token":
            await clubs.new_token(row, me)
        case "colours":
            await clubs.dress_club(id, me, values.get("colours", ""))
        case "races":
            await clubs.show_races(id, me, values.get("shows") == "yes")
        case "dismiss":
            await clubs.dismiss(row, me, values.get("who", ""))
        case _:
            raise NoTable(_("there is no such club: check that the link is complete"))
    return remember(request, redirect(link(f"/club/{id}")), secret)


@router.get("/club/{id}/season.csv")
@costs(by_size=True)
async def season_file(id: str, clubs: GivenClubs) -> Response:
    """Return the table of a season as CSV."""
    await clubs.club(id)
    seasons = await clubs.seasons(id)
    return csv_file(seasons[0].lines, seasons[0].names) if seasons else csv_file([], {})


@router.get("/club/{id}/evenings.ics")
@costs(by_size=True)
async def calendar(request: Request, id: str, clubs: GivenClubs) -> Response:
    """Return the evenings of a club that are planned for a date, as a calendar."""
    row, site = await clubs.club(id), whole(request, "")
    text = feed(row, await clubs.evenings_of(id), site)
    return Response(text, media_type="text/calendar; charset=utf-8")
