"""«My games»: a browser's own page, without an account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from paddock.core.errors import BadOption, BadRecord
from paddock.core.i18n import _, plural
from paddock.features.mygames.archive import MOST
from paddock.features.mygames.games import file as file_of
from paddock.features.mygames.games import games_in
from paddock.features.mygames.given import GivenMyGames
from paddock.features.mygames.listing import PAGE, FinishedGames, finished
from paddock.features.mygames.service import MyGames
from paddock.features.mygames.store import Uncounted
from paddock.tables import Tables
from paddock.tables.make import LONGEST_NAME, clean
from paddock.web import lines
from paddock.web.bodies import fields
from paddock.web.built import JSON, answer
from paddock.web.feature import PartShown, below_results
from paddock.web.given import GivenTables
from paddock.web.guard import holder
from paddock.web.identity import Identity, identity_of
from paddock.web.limits import MAKING, MOST_UPLOAD
from paddock.web.links import link
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect, remember, sentence, with_browser
from paddock.web.people import age
from paddock.web.prices import costs
from paddock.web.profile import COLOURS, Profile, number_of, profile_of, remember_profile
from paddock.web.values import number

router = APIRouter()
PAGES = MOST // PAGE


@dataclass(frozen=True, kw_only=True)
class MyGamesPage(WebPage):
    """The games of a browser, what it is called, and who it is."""

    template = "mygames/me.html"
    profile: Profile
    fault: str  # what went wrong; empty: nothing
    said: str  # what was done; empty: nothing to tell
    due: Sequence[lines.ListedTable]  # lines of tables that wait for it
    running: Sequence[lines.ListedTable]  # and of others that are not over
    finished: FinishedGames
    parts: Sequence[PartShown]  # what other features say of these games
    waiting: int  # games of older versions that are not counted yet
    unreadable: int  # games that cannot be counted
    longest_name: int
    colours: Sequence[str]  # of the numbers
    identity: Identity


@router.get("/me")
@costs(by_size=True)
async def me(request: Request) -> Response:
    """Show the games of this browser: those that wait for it first."""
    return await _page(request)


async def shown(request: Request, code: int, fault: str) -> Response:
    """Show the page with what went wrong."""
    return await _page(request, code, fault)


async def waiting(request: Request, browser: str) -> int:
    """Return how many games await a browser."""
    return len(await lines.due(request, browser))


async def _page(request: Request, code: int = 200, fault: str = "", said: str = "") -> Response:
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    my_games, browser, now = tables.service(MyGames), holder(request), tables.runtime.now()
    uncounted = await my_games.count(browser) if browser else Uncounted()
    due = await lines.due(request, browser)
    unfinished = await tables.unfinished(browser) if browser else []
    first = {table.id for table, _since in due}
    running = [table for table in unfinished if table.id not in first]
    every = request.query_params.get("all") == "yes"
    page = number(request.query_params, "page", most=PAGES) if "page" in request.query_params else 1
    games = FinishedGames()
    if browser:
        games = await my_games.made(browser, ("page", every, page), partial(finished, every, page))
    line = partial(lines.mine, me=browser, now=now, features=pages.features)
    return pages.page(
        request,
        MyGamesPage(
            profile=profile_of(request),
            fault=fault,
            said=said,
            due=[line(table, waited=age(since, now)) for table, since in due],
            running=[line(table) for table in running],
            finished=games,
            parts=await below_results(pages.features, request),
            waiting=len(uncounted.waiting),
            unreadable=uncounted.unreadable,
            longest_name=LONGEST_NAME,
            colours=[_(colour) for colour in COLOURS],
            identity=await identity_of(request, tables),
        ),
        code,
    )


@router.post("/me")
@costs(MAKING)
async def called(request: Request, tables: GivenTables) -> Response:
    """Keep the name and the number of this browser in cookies: they are proposed at each table."""
    values = await fields(request)
    profile = Profile(clean(values.get("name", "")), number_of(values.get("number", "")))
    if profile.name and tables.names.refuses(profile.name):
        words = _("the name “{name}” is not allowed here: choose another one").format(name=profile.name)
        return await _page(request, 422, sentence(words))
    response = redirect(link("/me"))
    remember_profile(request, response, profile)
    return response


# As a file


@router.get("/me/file")
@costs(by_size=True)
async def file(request: Request, my_games: GivenMyGames) -> Response:
    """Send the games of this browser as a file."""
    profile = profile_of(request)
    headers = {"Content-Disposition": 'attachment; filename="my-games.json"'}
    who = holder(request)
    return await games_file(request, my_games, who, profile.name, profile.number or None, headers)


async def games_file(
    request: Request,
    my_games: MyGames,
    who: str | None,
    name: str = "",
    number: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the games of a browser as a file."""
    if who is None:
        return Response(file_of([], name, number), media_type=JSON, headers=headers)
    return await answer(
        request,
        ("file", who, name, number),
        await my_games.stamp(who),
        partial(my_games.read, who),
        lambda stored: file_of(games_in(stored), name, number),
        JSON,
        headers,
    )


@router.post("/me/file")
@costs(MAKING, most=MOST_UPLOAD)
async def brought(request: Request, my_games: GivenMyGames) -> Response:
    """Add the games of a file to those of this browser; its name and number too, if this one has none."""
    text = (await fields(request)).get("file", "")
    if not text.strip():
        return await _page(request, 422, _("Choose a file first."))
    browser, secret = with_browser(request)
    try:
        given, _new, left_out = await my_games.bring(browser, text)
    except BadOption as error:
        return await _page(request, 422, sentence(str(error)))
    response: Response = redirect(link("/me") + "#games")
    if left_out:
        words = plural(
            "There is no room for {n} of these games, the oldest: it was left out.",
            "There is no room for {n} of these games, the oldest: they were left out.",
            left_out,
        )
        response = await _page(request, said=words)
    response = remember(request, response, secret)
    known = profile_of(request)
    remember_profile(request, response, Profile(known.name or given.name, known.number or given.number or 0))
    return response


@router.post("/me/played")
@costs(MAKING, most=MOST_UPLOAD)
async def played(request: Request, my_games: GivenMyGames) -> Response:
    """Add a game that this device has played without a server, with its record. Its script sends it."""
    values = await fields(request)
    browser, secret = with_browser(request)
    try:
        await my_games.bring_played(browser, values.get("game", ""), values.get("record", ""))
    except (BadOption, BadRecord) as error:
        return PlainTextResponse(sentence(str(error)), 422)
    return remember(request, Response(status_code=204), secret)
