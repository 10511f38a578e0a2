"""The pages of evenings and clubs: make one, join by its link, play, and see what came of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.core.errors import BadOption, PaddockError
from paddock.core.i18n import _, language, pgettext
from paddock.core.title import Title, titles
from paddock.core.title import title as find_title
from paddock.features.clubs import rules, words
from paddock.features.clubs.calendar import LASTS
from paddock.features.clubs.given import GivenClubs
from paddock.features.clubs.parted import PlayedDeal, deal_shown
from paddock.features.clubs.rows import (
    DAYS,
    JOINING,
    LIVE,
    OPENED,
    OVER,
    PLAYED,
    ROBIN,
    RUNNING,
    ClubRow,
    EveningRow,
)
from paddock.features.clubs.scoring import Line
from paddock.features.clubs.service import Clubs, Evening, Organiser
from paddock.features.clubs.store import no_evening
from paddock.features.clubs.wishes import PAUSE, Wish
from paddock.tables import NoTable, Table, Tables
from paddock.tables.make import LONGEST_NAME, clean
from paddock.web.bodies import fields
from paddock.web.feature import Door, Remark
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder
from paddock.web.limits import DRAWING, MAKING
from paddock.web.links import link, whole
from paddock.web.model import Model
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect, remember, sentence, status_of, with_browser
from paddock.web.prices import costs
from paddock.web.profile import profile_of, remember_profile

router = APIRouter()


@dataclass(frozen=True)
class ShownLine:
    """A line of a table of results."""

    rank: int
    name: str
    points: str
    over: str
    over_error: str
    strength: str
    strength_error: str
    deals: int
    mine: bool
    left: bool
    rating: str = ""  # of a season
    rating_error: str = ""


@dataclass(frozen=True)
class ShownTable:
    """A table that plays a deal."""

    number: int
    names: str
    state: str
    over: bool
    url: str  # empty: this browser may not see it
    mine: bool


@dataclass(frozen=True)
class ShownDeal:
    """A deal in the list."""

    number: int
    url: str
    said: str


@dataclass(frozen=True)
class ShownEvening:
    """An evening in a list."""

    url: str
    name: str
    about: str
    state: str
    phase: str


@dataclass(frozen=True, kw_only=True)
class EveningsPage(WebPage):
    """Make an evening or a club; those of this browser."""

    template = "clubs/evenings.html"
    fault: str
    values: Mapping[str, str]
    offers: Sequence[tuple[Title, Sequence[tuple[str, str]]]]
    styles: Sequence[tuple[str, str, str]]
    systems: Sequence[tuple[str, str, str]]
    most_deals: int
    evenings: Sequence[ShownEvening]
    clubs: Sequence[ClubRow]
    club: ClubRow | None  # for which an evening is made


@dataclass(frozen=True, kw_only=True)
class EveningPage(WebPage):
    """An evening."""

    template = "clubs/evening.html"
    evening: Evening
    about: str
    headline: str
    state: str
    tag: str  # of all that the page says: it need not be sent again
    fault: str
    name: str  # of the reader
    longest_name: int
    people: Sequence[tuple[int, str, bool]]  # number, name, whether it is the reader
    may_join: bool
    my_table: str  # where the reader plays now; empty: nowhere
    my_tables: Sequence[tuple[str, str]]  # with days: the tables of the reader that run, with their words
    tables: Sequence[ShownTable]
    lines: Sequence[ShownLine]
    deals: Sequence[ShownDeal]
    corrected: str
    completed: bool  # whether bots alone have completed the field
    share_url: str
    organiser_url: str  # empty: the reader is none
    offered: str  # the token by which the reader may become an organiser; empty: none
    organisers: Sequence[Organiser]  # empty: the reader is none
    refresh: int  # seconds after which a page without scripts looks again; 0: never
    file_url: str


@dataclass(frozen=True, kw_only=True)
class DealPage(WebPage):
    """A deal of an evening, as everybody has played it."""

    template = "clubs/deal.html"
    evening: Evening
    number: int
    played: PlayedDeal
    choices: Sequence[tuple[int, str]]  # the seats to look at, with their words
    seat: int
    before: str
    after: str


def shown_lines(lines: Sequence[Line], names: Mapping[str, str], me: str | None) -> list[ShownLine]:
    """Return a table of results as pages show it."""
    return [
        ShownLine(
            rank=rank,
            name=names.get(line.entrant, _("a player")),
            points=f"{line.points:g}",
            over=words.signed(line.duplicate),
            over_error=words.give_or_take(line.error),
            strength=words.signed(line.corrected),
            strength_error=words.give_or_take(line.corrected_error if line.deals > 1 else math.nan),
            deals=line.deals,
            mine=me is not None and line.entrant == me,
            left=line.note != "",
        )
        for rank, line in enumerate(lines, 1)
    ]


def shown_evening(row: EveningRow) -> ShownEvening:
    """Return an evening as a list shows it."""
    ended = _("called off") if row.called_off else _("over")
    state = {JOINING: _("not begun"), OVER: ended}.get(row.phase, words.headline(row))
    return ShownEvening(link(f"/evening/{row.id}"), row.name, words.about(row), state, row.phase)


# Make one


@router.get("/evenings")
async def evenings(request: Request, pages: GivenPages, clubs: GivenClubs) -> Response:
    """Show the evenings of this browser, and the forms for new ones."""
    return await evenings_page(request, pages, clubs, request.query_params)


async def evenings_page(
    request: Request, pages: Pages, clubs: Clubs, values: Mapping[str, str], code: int = 200, fault: str = ""
) -> Response:
    """Return the page of the evenings of this browser, with what a form has sent."""
    own_clubs, rows = await clubs.of(holder(request))
    club = await clubs.club(values["club"]) if values.get("club") else None
    page = EveningsPage(
        fault=fault,
        values=values,
        offers=words.offers(),
        styles=[(value, _(name), _(says)) for value, (name, says) in words.STYLES.items()],
        systems=[(value, _(name), _(says)) for value, (name, says) in words.SYSTEMS.items()],
        most_deals=rules.MOST_DEALS,
        evenings=[shown_evening(row) for row in rows if row.title in titles()],
        clubs=own_clubs,
        club=club,
    )
    return pages.page(request, page, code)


@router.post("/evenings")
@costs(MAKING)
async def make(request: Request, pages: GivenPages, clubs: GivenClubs) -> Response:
    """Make an evening."""
    values = await fields(request)
    me, secret = with_browser(request)
    try:
        row = await clubs.make(wish_of(values), me, request.app.state.pace)
    except PaddockError as error:
        return await evenings_page(request, pages, clubs, values, status_of(error), sentence(str(error)))
    return remember(request, redirect(link(f"/evening/{row.id}")), secret)


def wish_of(values: Mapping[str, str]) -> Wish:
    """Return what a form wants; raise ``BadOption``."""
    name, _slash, preset_name = values.get("what", "").partition("/")
    if name not in titles():
        raise BadOption([_("choose what is played")])
    title = find_title(name)
    preset = next((known for known in title.presets if known.name == preset_name), None)
    return Wish(
        title=name,
        options=preset.values if preset else title.one_round,
        name=values.get("name", ""),
        deals=_number(values, "deals", 4),
        style=values.get("style") or LIVE,
        system=values.get("system") or ROBIN,
        minutes=_number(values, "minutes", 0),
        pause=_number(values, "pause", PAUSE),
        club=values.get("club", ""),
        guests=values.get("guests", ""),
        planned=_time(values.get("planned", "")),
    )


def _time(text: str) -> datetime | None:
    """Return a time in UTC as a form writes it; None if it is empty. Raises ``BadOption``."""
    if not text:
        return None
    try:
        planned = datetime.fromisoformat(text).replace(tzinfo=UTC)
        planned + LASTS  # the calendar needs its end, too
        return planned
    except (ValueError, OverflowError):
        raise BadOption([_("give a date and a time, or nothing")]) from None


def _number(values: Mapping[str, str], name: str, default: int) -> int:
    text = values.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise BadOption([_("{name}: give a number").format(name=name)])
    return int(text)


# An evening


@router.get("/evenings/table/{table}")
async def of_table(request: Request, table: str, clubs: GivenClubs) -> Response:
    """Lead from a table to its evening."""
    return redirect(link(f"/evening/{await clubs.evening_of(table, holder(request))}"))


@router.get("/evening/{id}")
async def evening(
    request: Request, id: str, tables: GivenTables, pages: GivenPages, clubs: GivenClubs
) -> Response:
    """Show an evening: who is there, what runs, and what came of it."""
    return await _evening(request, id, tables, pages, clubs)


async def _evening(
    request: Request,
    id: str,
    tables: Tables,
    pages: Pages,
    clubs: Clubs,
    code: int = 200,
    fault: str = "",
) -> Response:
    me, now = holder(request), tables.runtime.now()
    evening = await clubs.evening(id, me)
    row, offered = evening.row, request.query_params.get("organise", "")
    state, name = words.state(row, evening.tables, now), profile_of(request).name
    tag = evening.tag(evening.me, evening.organises, state, offered, name, language.get())
    if request.headers.get("paddock-part") == "main" and request.headers.get("if-none-match") == tag:
        return Response(status_code=304)
    url = whole(request, f"/evening/{id}")
    mine = my_tables(evening)
    page = EveningPage(
        title=find_title(row.title),
        evening=evening,
        about=words.about(row),
        headline=words.headline(row),
        state=state,
        tag=tag,
        fault=fault,
        name=name,
        longest_name=LONGEST_NAME,
        people=[
            (entrant.number, entrant.name or _("a player"), entrant == evening.me)
            for entrant in evening.entrants
            if not entrant.gone
        ],
        may_join=_may_join(evening),
        my_table=my_table(evening),
        my_tables=mine if row.style == DAYS else [],
        tables=shown_tables(evening) if row.phase == RUNNING else [],
        lines=shown_lines(evening.lines, evening.names, str(evening.me.number) if evening.me else None),
        deals=[_deal(evening, n) for n in range(1, row.deal + 1) if evening.open(n)],
        corrected=words.corrected(evening.lines),
        completed=any(table.alone for table in evening.tables),
        share_url=url,
        organiser_url=f"{url}?organise={await clubs.token(row)}" if evening.organises else "",
        offered="" if evening.organises else offered,
        organisers=await clubs.organisers(row, me) if evening.organises else [],
        refresh=0 if row.phase == OVER else 10 if row.phase == JOINING else 5,
        file_url=link(f"/api/v1/evenings/{id}"),
    )
    return unlisted(pages.page(request, page, code), evening.club)


def unlisted(response: Response, club: ClubRow | None) -> Response:
    """Ask search engines to leave a page out, unless its club is shown."""
    if not (club and club.shown):
        response.headers["X-Robots-Tag"] = "noindex"
    return response


def my_tables(evening: Evening) -> list[tuple[str, str]]:
    """Return where the reader plays now, and how the links there are called."""
    return [
        (link(f"/t/{table.table_id}"), pgettext("at an evening", "Deal {n}").format(n=table.deal))
        for table, _seat in filter(None, map(evening.mine, range(1, evening.row.deal + 1)))
        if table.table_id and not table.over
    ]


def my_table(evening: Evening) -> str:
    """Return the table of a live evening where the reader plays now; empty if there is none."""
    live = evening.row.phase == RUNNING and evening.row.style == LIVE
    return next((url for url, _said in my_tables(evening)), "") if live else ""


def _may_join(evening: Evening) -> bool:
    row, me = evening.row, evening.me
    late = row.phase == RUNNING and row.deal < row.deals
    return (row.phase == JOINING or late) and (me is None or (me.gone and not me.barred))


def _deal(evening: Evening, number: int) -> ShownDeal:
    mine = evening.mine(number)
    said = "" if mine is None or mine[1].points is None else _("{n} points").format(n=mine[1].points)
    return ShownDeal(number, link(f"/evening/{evening.row.id}/deal/{number}"), said)


def shown_tables(evening: Evening) -> list[ShownTable]:
    """Return the tables that play now."""
    names, shown = evening.names, []
    mine = evening.mine(evening.row.deal)
    for table in evening.at(evening.row.deal):
        if table.alone:
            continue
        seats = [seat for seat in evening.seats if (seat.deal, seat.table) == (table.deal, table.table)]
        people = [names[str(seat.entrant)] for seat in seats if seat.entrant is not None]
        own = mine is not None and mine[0].table == table.table
        url = link(f"/t/{table.table_id}") if table.table_id and (own or evening.open(table.deal)) else ""
        state = _("over") if table.over else _("plays")
        shown.append(ShownTable(table.table + 1, _(", ").join(people), state, table.over, url, own))
    return shown


@router.post("/evening/{id}/join")
@costs(MAKING)
async def join(
    request: Request, id: str, tables: GivenTables, pages: GivenPages, clubs: GivenClubs
) -> Response:
    """Play at an evening."""
    values = await fields(request)
    me, secret = with_browser(request)
    name = clean(values.get("name", ""))
    try:
        await clubs.join(id, me, name, values.get("lot", ""))
    except NoTable:
        raise
    except PaddockError as error:
        return await _evening(request, id, tables, pages, clubs, status_of(error), sentence(str(error)))
    response = remember(request, redirect(link(f"/evening/{id}")), secret)
    remember_profile(request, response, replace(profile_of(request), name=name))
    return response


@router.post("/evening/{id}/{what}")
@costs(MAKING)
async def act(
    request: Request, id: str, what: str, tables: GivenTables, pages: GivenPages, clubs: GivenClubs
) -> Response:
    """Leave an evening; or what its organisers do: begin it, end a deal, keep the list, and the like."""
    values = await fields(request)
    me, secret = with_browser(request)
    row = await clubs.row(id)
    try:
        match what:
            case "leave":
                await clubs.leave(id, me)
            case "begin":
                await clubs.begin(id, me)
                if table := my_table(await clubs.evening(id, me)):
                    return remember(request, redirect(table), secret)
            case "time":
                await clubs.time_up(id, me, _number(values, "deal", row.deal))
            case "off":
                await clubs.call_off(id, me)
            case "dismiss":
                await clubs.dismiss(row, me, values.get("who", ""))
            case "guests":
                await clubs.invite(id, me, values.get("guests", ""))
            case "remove":
                await clubs.remove(id, me, _number(values, "number", 0), barred=values.get("bar") == "yes")
            case "back":
                await clubs.let_back(id, me, _number(values, "number", 0))
            case "organise":
                await clubs.organise(row, me, values.get("token", ""))
            case "token":
                await clubs.new_token(row, me)
            case _:
                raise no_evening()
    except NoTable:
        raise
    except PaddockError as error:
        return await _evening(request, id, tables, pages, clubs, status_of(error), sentence(str(error)))
    return remember(request, redirect(link(f"/evening/{id}")), secret)


@router.get("/evening/{id}/results.csv")
@costs(by_size=True)
async def results_file(request: Request, id: str, clubs: GivenClubs) -> Response:
    """Return the results of an evening as CSV."""
    evening = await clubs.evening(id, holder(request))
    return csv_file(evening.lines, evening.names)


def csv_file(lines: Sequence[Line], names: Mapping[str, str]) -> Response:
    """Return a table of results as a file."""
    return Response(words.csv_of(lines, names), media_type="text/csv; charset=utf-8")


@router.get("/evening/{id}/deal/{number}")
@costs(DRAWING)  # the games of all its tables are played again
async def deal(
    request: Request, id: str, number: int, tables: GivenTables, pages: GivenPages, clubs: GivenClubs
) -> Response:
    """Show what everybody has made of a deal, seat by seat, and where they parted."""
    evening = await clubs.evening(id, holder(request))
    row = evening.row
    if not 1 <= number <= row.deal or not evening.open(number):
        raise NoTable(_("this deal is shown when all have played it"))
    mine = evening.mine(number)
    size = rules.played(row)[1].players
    asked = request.query_params.get("seat", "")
    seat = int(asked) - 1 if asked.isascii() and asked.isdigit() and len(asked) < 3 else -1
    if not 0 <= seat < size:
        seat = mine[1].seat if mine else 0
    title = find_title(row.title)
    url = f"/evening/{id}/deal/"
    page = DealPage(
        title=title,
        evening=evening,
        number=number,
        played=await deal_shown(evening, number, seat, tables),
        choices=[(n, _("{word} {n}").format(word=_(title.player_name), n=n + 1)) for n in range(size)],
        seat=seat,
        before=link(f"{url}{number - 1}") if number > 1 else "",
        after=link(f"{url}{number + 1}") if number < row.deal and evening.open(number + 1) else "",
    )
    return unlisted(pages.page(request, page), evening.club)


# On other pages


async def doors(request: Request, title: Title) -> Sequence[Door]:
    """Return the way here on the home page."""
    return [
        Door(
            link(f"/evenings?what={title.name}"),
            _("Evenings and clubs"),
            _("Several tables, the same cards for all."),
            others=True,
        )
    ]


def named(table: Table, _now: datetime) -> str:
    """Return which deal a table plays; empty if it is of no evening."""
    if table.kind not in (PLAYED, OPENED):
        return ""
    return _("an evening, deal {n}").format(n=table.deal)


def remark(model: Model) -> Remark | None:
    """Return what the page of a table of an evening says; None for others."""
    if model.kind not in (PLAYED, OPENED):
        return None
    note = ""
    if model.kind == PLAYED and model.over:
        note = _("Others may still play these cards: the replay and the record open when all have played.")
    return Remark(note, link(f"/evenings/table/{model.id}"), _("To the evening"))
