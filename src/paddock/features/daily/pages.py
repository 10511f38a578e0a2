"""The pages of the race of the day: today's, and those of days that are over; and what others say of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.bots import levels
from paddock.core.errors import BadOption
from paddock.core.i18n import _, mark, plural
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.features.daily.days import DayResult, Phase, Streak, standing
from paddock.features.daily.given import GivenDaily
from paddock.features.daily.rows import DAILY, PRACTICE, RACED
from paddock.features.daily.service import Daily, DailyDay, RaceOfDay, deal_in
from paddock.tables import Outdated, Table, Tables
from paddock.tables.make import GUESTS, clean
from paddock.web.bodies import fields
from paddock.web.feature import Door, Remark, TodayLine
from paddock.web.guard import holder
from paddock.web.limits import MAKING
from paddock.web.links import link, whole
from paddock.web.model import Model
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect, remember, sentence, with_browser
from paddock.web.prices import costs
from paddock.web.profile import profile_of, remember_profile
from paddock.web.titles import in_order

router = APIRouter()
MONTHS = (
    mark("January"),
    mark("February"),
    mark("March"),
    mark("April"),
    mark("May"),
    mark("June"),
    mark("July"),
    mark("August"),
    mark("September"),
    mark("October"),
    mark("November"),
    mark("December"),
)
LINES = 20  # of the table of a day that are shown; one's own is always there


@dataclass(frozen=True)
class RaceCard:
    """A race of a day, as the page shows it."""

    title: Title
    where: str  # what is raced, and from which seat
    par: str  # what par is; empty while it is not told
    counted: str  # how many have raced
    url: str  # where its form leads
    table_url: str | None  # of the attempt of this browser
    state: str  # "new", "begun", "done", "late" (it does not count), "gone" (deleted), "ended", "past"
    mine: str  # the result of this browser, in words; empty if there is none
    missed: str  # why the attempt of this browser does not count; empty if it may, or there is none
    results: tuple[DayResult, ...]
    more: int  # results that are not shown
    shows_par: bool
    share: str  # a text that gives nothing away; empty if there is no result


@dataclass(frozen=True)
class PastDay:
    """A day that can be practised."""

    url: str
    said: str
    results: int


@dataclass(frozen=True, kw_only=True)
class DailyPage(WebPage):
    """The races of a day."""

    template = "daily/daily.html"
    day: DailyDay
    said: str  # the day, as people write it
    about: str
    time: str  # how long it lasts
    seconds: int
    lasts: tuple[str, str, str]
    today: str
    cards: Sequence[RaceCard]
    streak: Streak
    past: Sequence[PastDay]
    name: str  # of the reader
    refusal: str
    signed: Callable[[int | None], str]
    file_url: str


def said(day: str) -> str:
    """Return a day as people write it."""
    found = date.fromisoformat(day)
    words = _("{day} {month} {year}")
    return words.format(day=found.day, month=_(MONTHS[found.month - 1]), year=found.year)


def over_par(points: int) -> str:
    """Return in words how many points over par these are: more is better."""
    if points == 0:
        return _("on par")
    words = _("+{n} over par") if points > 0 else _("{n} under par")
    return words.format(n=abs(points))


def signed(points: int | None) -> str:
    """Return points over par for a table, with a sign."""
    return f"{points or 0:+d}".replace("-", "−").replace("+0", "0")


def lasts() -> tuple[str, str, str]:
    """Return how long a day still lasts, in words for hours, for minutes, and for less than one.

    The page's script fills them in again as time passes.
    """
    return _("{h} h {n} min"), _("{n} min"), _("less than a minute")


def left(now: datetime, ends: datetime) -> str:
    """Return how long a day still lasts."""
    hours, minutes = divmod(int((ends - now).total_seconds()) // 60, 60)
    words = lasts()[0 if hours else 1 if minutes else 2]
    return words.format(h=hours, n=minutes)


def about(day: DailyDay, today: str) -> str:
    """Return what the page says of a day; ``{time}`` is how long it lasts."""
    if day.phase == "told" and day.day == today:
        words = _(
            "The clock of this server was ahead, so the cards of this day have been shown "
            "already: its races are over. Tomorrow’s begin at midnight UTC."
        )
    elif day.phase == "told":
        words = _("This day is over: its cards are public, its table is final, and anybody can practise it.")
    elif day.phase == "ended":
        words = _(
            "This day ended at midnight UTC: races no longer count. Its cards will be shown in a minute."
        )
    else:
        words = _(
            "The same cards for everybody here. You have one attempt at each game. The day "
            "ends at midnight UTC, in {time}."
        )
    return words


STATES = {"none": "new", "open": "begun", "counted": "done", "late": "late", "gone": "gone"}


def state_of(race: RaceOfDay, phase: Phase) -> str:
    """Return the state of the card of a race."""
    if phase == "told":
        return "past"
    return "ended" if phase == "ended" and race.state == "none" else STATES[race.state]


def missed(race: RaceOfDay) -> str:
    """Return why the attempt of this browser does not count; empty if it may, or there is none."""
    words = {
        "late": _("Your race was not finished when the day ended: it does not count."),
        "gone": _("You have had your attempt; it was deleted."),
    }
    return words.get(race.state, "")


def card(race: RaceOfDay, day: DailyDay, request: Request) -> RaceCard:
    """Return what the page says of a race."""
    title, deal = race.title, race.deal
    preset, (_title, options) = next(iter(title.presets), None), deal_in(deal).read
    bots = {level.name: level.label for level in levels(title)}.get(deal.level, deal.level)
    seat = _("You are {word} {n} of {of}; the bots play as {level}.")
    where = seat.format(word=_(title.player_name), n=deal.player + 1, of=options.players, level=bots)
    if preset:
        where = f"{_(preset.label)}. {where}"
    mine = race.my_result
    results = race.results or ()
    return RaceCard(
        title=title,
        where=where,
        par=_par(race) if day.over else "",
        counted=_counted(race, day),
        url=link(f"/daily/{day.day}/{title.name}" if day.over else f"/daily/{title.name}"),
        table_url=link(f"/t/{race.mine.table_id}") if race.mine and race.mine.table_id else None,
        state=state_of(race, day.phase),
        mine=_mine(mine, race) if mine else "",
        missed=missed(race),
        results=results,
        more=0 if race.results is None else race.ended - len(results),
        shows_par=deal.par is not None,
        share=_share(race, day, mine, whole(request, f"/daily/{day.day}")) if mine else "",
    )


def _par(race: RaceOfDay) -> str:
    deal = race.deal
    if deal.par is None:
        return _("Par is being measured.") if race.ended else ""
    label = {level.name: level.label for level in levels(race.title)}.get(deal.par_level or "")
    return plural(
        "Par: {n} point, what {level} scores from this seat.",
        "Par: {n} points, what {level} scores from this seat.",
        deal.par,
        level=label or str(deal.par_level),
    )


def _counted(race: RaceOfDay, day: DailyDay) -> str:
    if not race.ended:
        return _("Nobody has finished yet.") if day.phase == "open" else _("Nobody finished in time.")
    return plural("{n} has finished.", "{n} have finished.", race.ended)


def _mine(mine: DayResult, race: RaceOfDay) -> str:
    facts = [plural("{n} point", "{n} points", mine.points)]
    facts += [] if mine.over is None else [over_par(mine.over)]
    facts += _place(mine, race)
    facts.append(_("rank {rank} of {n}").format(rank=mine.rank, n=race.ended))
    return _(", ").join(facts)


def _place(mine: DayResult, race: RaceOfDay) -> list[str]:
    """Return the place in the race itself, as everywhere; the rank is that among all who raced on the day."""
    players = deal_in(race.deal).read[1].players
    return [_("place {place} of {n}").format(place=mine.place, n=players)] if mine.place else []


def _share(race: RaceOfDay, day: DailyDay, mine: DayResult, url: str) -> str:
    """Return what somebody may tell of their race: no cards, and no points before the day is over."""
    facts = _place(mine, race)
    facts += [] if mine.over is None else [over_par(mine.over)]
    words = _("Race of the day, {day}. {title}: {facts}. {url}")
    facts = facts or [_("finished")]
    return words.format(title=race.title.label, day=said(day.day), facts=_(", ").join(facts), url=url)


async def _page(request: Request, daily: Daily, id: str, *, status: int = 200, refusal: str = "") -> Response:
    """Return the page of a day."""
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    me = holder(request)
    day, now = await daily.day(id, me, LINES), tables.runtime.now()
    order = [title.name for title in in_order()]
    races = sorted(day.races, key=lambda race: order.index(race.title.name))
    page = DailyPage(
        day=day,
        said=said(day.day),
        about=about(day, daily.today),
        time=left(now, day.ends),
        seconds=int((day.ends - now).total_seconds()),
        lasts=lasts(),
        today=daily.today,
        cards=[card(race, day, request) for race in races],
        streak=await daily.streak(me),
        past=[PastDay(link(f"/daily/{one}"), said(one), count) for one, count in await daily.past()],
        name=profile_of(request).name,
        refusal=refusal,
        signed=signed,
        file_url=link(f"/api/v1/daily/{day.day}"),
    )
    return pages.page(request, page, status)


@router.get("/daily")
async def today(request: Request, daily: GivenDaily) -> Response:
    """Show today's race."""
    return await _page(request, daily, daily.today)


@router.get("/daily/{day}")
async def past(request: Request, day: str, daily: GivenDaily) -> Response:
    """Show the race of a day."""
    return await _page(request, daily, day)


@router.post("/daily/{name}")
@costs(MAKING)
async def start(request: Request, name: str, daily: GivenDaily) -> Response:
    """Begin the attempt of this browser at today's race of a title, or lead to it.

    The form says for which ``day`` it was made: yesterday's page must not begin the only attempt of today.
    """
    values = await fields(request)
    me, secret = with_browser(request)
    called, day = clean(values.get("name", "")), values.get("day", "")
    try:
        id = await daily.start(name, me, called, GUESTS, request.app.state.pace, day)
    except Outdated:
        words = _("That page was from another day, so nothing has begun. This is today’s race.")
        return await _page(request, daily, daily.today, status=409, refusal=words)
    except BadOption as error:
        return await _page(request, daily, daily.today, status=422, refusal=sentence(str(error)))
    response = remember(request, redirect(link(f"/t/{id}")), secret)
    if called:
        remember_profile(request, response, replace(profile_of(request), name=called))
    return response


@router.post("/daily/{day}/{name}")
@costs(MAKING)
async def practise(request: Request, day: str, name: str, daily: GivenDaily) -> Response:
    """Create a table that plays the race of a day that is over."""
    me, secret = with_browser(request)
    table = await daily.practise(day, name, me, "", GUESTS, request.app.state.pace)
    return remember(request, redirect(link(f"/t/{table.id}")), secret)


# On other pages


async def doors(request: Request, title: Title) -> Sequence[Door]:
    """Return the way here on the home page, which says how many races are done."""
    tables: Tables = request.app.state.tables
    glance = await tables.service(Daily).glance(holder(request))
    says = [plural("Streak: {n} day.", "Streak: {n} days.", glance.streak)] if glance.streak else []
    if glance.done:
        says.append(_("{n} of {of} done.").format(n=glance.done, of=len(in_order())))
    else:
        says.append(_("The same cards for everybody."))
    return [Door(link("/daily"), _("Race of the day"), " ".join(says))]


def named(table: Table, now: datetime) -> str:
    """Return which race a table plays, and whether it counts; empty if it plays none."""
    words = {
        "open": _("race of the day"),
        "counted": _("race of the day, {day}"),
        "late": _("race of the day, {day}: it does not count"),
        "practice": _("practice, {day}"),
    }.get(standing(table, now) or "", "")
    return words.format(day=table.deal)


def remark(model: Model) -> Remark | None:
    """Return what the page of a table says that plays such a race; None for others."""
    if model.kind not in (DAILY, RACED, PRACTICE):
        return None
    url = link(f"/daily/{model.deal}#{model.title.name}")
    return Remark(" ".join(filter(None, _notes(model))), url, _("Table of the day"))


def _notes(model: Model) -> Iterator[str]:
    if model.kind == PRACTICE:
        yield _("Practice of the race of {day}: it does not count.").format(day=model.deal)
    elif model.kind == DAILY and model.counts is False and model.over:
        yield _("Finished after midnight UTC: it does not count in the race of the day.")
        yield _(
            "The replay and the record will be shown in a minute or two, together with the cards of the day."
        )
    elif model.kind == DAILY and model.counts is False:
        yield _("Midnight UTC has passed: this race of the day does not count any more.")
    elif model.kind == RACED:
        yield _("It counts in the race of the day.")
    elif model.kind == DAILY and model.over:
        yield _("It counts in the race of the day.")
        yield _(
            "Your race of the day is over. Others still play the same cards: theirs, the replay and the"
            " record are shown when the day is over."
        )


async def today_of(request: Request, holders: Collection[str]) -> Sequence[TodayLine] | None:
    """Return what these browsers have made of today's races, for who has ended one; None for others."""
    daily = request.app.state.tables.service(Daily)
    found = await daily.today_of(holders, holder(request))
    if found is None:
        return None
    words = [plural("{n} point", "{n} points", points) for _holder, _title, points in found]
    return [
        TodayLine(one, find_title(title).label, said)
        for (one, title, _points), said in zip(found, words, strict=True)
    ]
