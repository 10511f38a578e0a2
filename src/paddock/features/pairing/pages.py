"""The page of those who play with whoever comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.title import Title, titles
from paddock.features.pairing.given import GivenPairing
from paddock.features.pairing.rows import WaitingRow
from paddock.features.pairing.service import DAYS, LIVE, PACES, PATIENCE, TERMS, Pairing, fits, there
from paddock.tables import Tables
from paddock.tables.make import LONGEST_NAME, clean
from paddock.web.bodies import fields
from paddock.web.feature import Door
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder
from paddock.web.heads import only_looks
from paddock.web.limits import MAKING
from paddock.web.links import link
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect, remember, sentence, status_of, with_browser
from paddock.web.people import age
from paddock.web.present import quick
from paddock.web.prices import costs
from paddock.web.profile import Profile, profile_of, remember_profile
from paddock.web.terms import clock_words, span
from paddock.web.titles import in_order

router = APIRouter()
LATE = 60  # seconds after which the page of a live game says that nobody has come


@router.get("/pair")
async def pair(request: Request, tables: GivenTables, pages: GivenPages, pairing: GivenPairing) -> Response:
    """Show for whom this browser waits, and the form; go to the table if somebody has come.

    The page's script asks only whether somebody has: that it learns of the table does not count as going.
    """
    rows = await pairing.of(holder(request))
    for row in rows:
        if row.table_id:
            if "paddock-part" not in request.headers and not only_looks(request.scope):
                await pairing.met(row)
            return redirect(link(f"/t/{row.table_id}"))
    if not only_looks(request.scope):
        await pairing.seen(rows)
    return await _page(request, tables, pages, pairing)


@dataclass(frozen=True, kw_only=True)
class AwaitedGame:
    """A game for which somebody waits."""

    name: str  # of its title
    title: str  # its label
    pace: str
    pace_name: str


@dataclass(frozen=True, kw_only=True)
class Wait:
    """A wait of this browser."""

    game: AwaitedGame
    status: str
    words: str
    late: bool  # whether nobody has come for a while
    quick: Mapping[str, str]  # the form of a game against bots meanwhile


@dataclass(frozen=True)
class PaceChoice:
    """A pace that can be chosen."""

    value: str
    name: str
    words: str


@dataclass(frozen=True, kw_only=True)
class PairPage(WebPage):
    """Waiting for somebody to play with."""

    template = "pairing/pair.html"
    fault: str
    profile: Profile
    waits: Sequence[Wait]
    open: Sequence[AwaitedGame]  # for which others wait
    titles: Sequence[Title]
    chosen: str
    paces: Sequence[PaceChoice]
    pace: str
    longest_name: int


async def _page(
    request: Request,
    tables: Tables,
    pages: Pages,
    pairing: Pairing,
    code: int = 200,
    fault: str = "",
    values: Mapping[str, str] | None = None,
) -> Response:
    me, now = holder(request), tables.runtime.now()
    asked = request.query_params if values is None else values
    playable = [title for title in in_order() if fits(title)]
    page = PairPage(
        fault=fault,
        profile=profile_of(request),
        waits=[_wait(row, now) for row in await pairing.of(me) if row.table_id is None],
        open=[_awaited(row) for row in await pairing.open(me)],
        titles=playable,
        chosen=asked.get("title", playable[0].name if playable else ""),
        paces=[PaceChoice(pace, pace_name(pace), _pace_words(pace)) for pace in PACES],
        pace=asked.get("pace", LIVE),
        longest_name=LONGEST_NAME,
    )
    return pages.page(request, page, code)


def pace_name(pace: str) -> str:
    """Return the name of a pace."""
    return {LIVE: _("live"), DAYS: _("over days")}[pace]


def _pace_words(pace: str) -> str:
    words = {
        LIVE: _(
            "Now, in one sitting: {clock}. If you are away for {away}, a bot plays for you until you "
            "are back."
        ),
        DAYS: _(
            "A move now and then: {clock}. You can close the page while you wait: the "
            "table will appear in “My games”."
        ),
    }[pace]
    return words.format(clock=clock_words(TERMS[pace].clock), away=span(TERMS[pace].grace))


def _awaited(row: WaitingRow) -> AwaitedGame:
    return AwaitedGame(
        name=row.title, title=titles()[row.title].label, pace=row.pace, pace_name=pace_name(row.pace)
    )


def _wait(row: WaitingRow, now: datetime) -> Wait:
    """Return what the page says of a wait."""
    late = row.pace == LIVE and (now - row.since).total_seconds() >= LATE
    since = age(row.since, now)
    status = (
        _("You have been waiting for {time} …").format(time=since) if since else _("Waiting for somebody …")
    )
    if row.pace == DAYS:
        words = _(
            "You can close this page: when somebody comes, the table is in “My games” and on the start page."
            " After {time} the wait ends."
        ).format(time=span(int(PATIENCE[DAYS].total_seconds())))
    elif late:
        words = _(
            "Nobody has come yet. Keep this page open and go on waiting, race bots in "
            "another tab, or play over days."
        )
    else:
        words = _("Keep this page open: it will take you to the table by itself.")
    game = _awaited(row)
    return Wait(game=game, status=status, words=words, late=late, quick=quick(titles()[row.title]))


@router.post("/pair")
@costs(MAKING)
async def join(request: Request, tables: GivenTables, pages: GivenPages, pairing: GivenPairing) -> Response:
    """Play with whoever waits for a game; else wait."""
    values = await fields(request)
    known, name = profile_of(request), clean(values.get("name", ""))
    me, secret = with_browser(request)
    try:
        table = await pairing.join(me, values.get("title", ""), values.get("pace", ""), name, known.number)
    except PaddockError as error:
        return await _page(request, tables, pages, pairing, status_of(error), sentence(str(error)), values)
    response = remember(request, redirect(link(f"/t/{table.id}" if table else "/pair")), secret)
    if name:
        remember_profile(request, response, Profile(name, known.number))
    return response


@router.post("/pair/leave")
@costs()
async def leave(request: Request, pairing: GivenPairing) -> Response:
    """Wait for a game no longer."""
    values = await fields(request)
    if me := holder(request):
        await pairing.leave(me, values.get("title", ""), values.get("pace", ""))
    return redirect(link("/pair"))


async def doors(request: Request, title: Title) -> Sequence[Door]:
    """Return the way here on the home page, which says who waits."""
    tables: Tables = request.app.state.tables
    pairing, me, now = tables.service(Pairing), holder(request), tables.runtime.now()
    waits = [row for row in await pairing.of(me) if row.table_id is None and there(row, now)]
    open = await pairing.open(me)
    if waits:
        says = _("You are waiting for {games}.").format(games=_games(waits))
    elif open:
        says = _("Somebody is waiting for {games}.").format(games=_games(open))
    else:
        says = _("Live or over days.")
    return [
        Door(
            link(f"/pair?title={title.name}"),
            _("Play with whoever comes next"),
            says,
            bold=bool(waits or open),
            others=True,
        )
    ]


def _games(rows: Sequence[WaitingRow]) -> str:
    """Return the games that are waited for, each with its pace."""
    return "; ".join(
        _("{title}, {pace}").format(title=titles()[row.title].label, pace=pace_name(row.pace)) for row in rows
    )
