"""The pages before a game: home, lessons and rules; and the settings of a browser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from paddock.core.errors import BadOption
from paddock.core.i18n import _, language
from paddock.core.lesson import script
from paddock.core.rooms.learn import Course
from paddock.core.title import Title
from paddock.tables import LESSON, Tables, Terms
from paddock.tables.make import nameless
from paddock.web import lines
from paddock.web.bodies import fields
from paddock.web.cookies import SETTINGS, keep
from paddock.web.feature import Door, PartShown, below_home
from paddock.web.files import minified, text_of
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder
from paddock.web.language import choose
from paddock.web.limits import MAKING
from paddock.web.lines import ListedTable, LobbyLine
from paddock.web.links import link
from paddock.web.page import WebPage
from paddock.web.pages import (
    PAPER,
    Pages,
    redirect,
    remember,
    with_browser,
)
from paddock.web.people import age
from paddock.web.present import course, quick
from paddock.web.prices import costs
from paddock.web.setup import OPEN, OTHERS
from paddock.web.titles import chosen, in_order, title_of

router = APIRouter()
OVER = 4  # finished tables among «your tables»; «My games» has all


@dataclass(frozen=True, kw_only=True)
class HomePage(WebPage):
    """The start page."""

    template = "home.html"
    title: Title  # whose poster is shown
    titles: Sequence[Title]
    quick: Mapping[str, str]  # the form of a game that starts at once
    invite_url: str
    doors: Sequence[Door]  # of features
    due: Sequence[ListedTable]  # that await this browser
    tables: Sequence[ListedTable]  # its others
    listed: Sequence[LobbyLine]  # open to everybody
    below: Sequence[PartShown]  # what features add below the games


@router.get("/")
async def home(request: Request) -> Response:
    """Show the home page: the poster of a title, and the tables of this browser."""
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    me = holder(request)
    due = await lines.due(request, me)
    mine = await tables.tables_of(me) if me else []
    now, known = tables.runtime.now(), {table.id for table, _since in due}
    unfinished = [table for table in mine if not table.fully_visible and table.id not in known]
    over = [table for table in mine if table.fully_visible]
    title = chosen(request.query_params.get("title"))
    open_to_all = [table for table in await tables.listed(phase="lobby") if not table.players_of(me)]
    page = HomePage(
        title=title,
        titles=in_order(),
        quick=quick(title),
        invite_url=link(f"/new/{title.name}?{urlencode({OTHERS: OPEN})}"),  # all other seats are open
        due=[lines.mine(table, me, now, pages.features, age(since, now)) for table, since in due],
        tables=[lines.mine(table, me, now, pages.features) for table in unfinished + over[:OVER]],
        listed=[lines.lobby(table) for table in open_to_all],
        below=await below_home(pages.features, request),
        doors=[door for feature in pages.features for door in await feature.doors(request, title)],
    )
    return pages.page(request, page)


@router.get("/manifest.webmanifest")
async def manifest(request: Request, pages: GivenPages) -> Response:
    """Describe the app to browsers that can install it.

    Browsers install it without a service worker: a table needs the server.
    """
    icons = [
        ("icon-192.png", 192, "any"),
        ("icon-512.png", 512, "any"),
        ("maskable-512.png", 512, "maskable"),
    ]
    described = {
        "id": link("/"),
        "start_url": link("/"),
        "scope": link("/"),
        "display": "standalone",
        "name": "Paddock",
        "short_name": "Paddock",
        "description": _("Racing games for friends and bots, at one table."),
        "lang": language.get().replace("_", "-"),
        "background_color": PAPER["light"],
        "theme_color": PAPER["light"],
        "categories": ["games"],
        "icons": [
            {
                "src": pages.asset(f"icons/{name}"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": way,
            }
            for name, size, way in icons
        ],
    }
    return JSONResponse(described, media_type="application/manifest+json")


@router.get("/apple-touch-icon.png", include_in_schema=False)
async def touch_icon(request: Request, pages: GivenPages) -> Response:
    """Redirect to the icon for iOS, which asks for it at this address."""
    return redirect(pages.asset("icons/touch-180.png"))


@router.get("/sw.js", include_in_schema=False)
async def worker(pages: GivenPages) -> Response:
    """Return the service worker, which has a part for each feature that needs one.

    Its address stays the same, and so does the folder for which it may act: this whole server.
    """
    parts = [text_of(pages.files, one.file(one.worker)) for one in pages.features if one.worker]
    if not parts:
        raise HTTPException(404)
    text = "".join(f"(() => {{\n{part}\n}})();\n" for part in parts)
    return Response(
        minified(text, ".js"), media_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


@dataclass(frozen=True, kw_only=True)
class RulesPage(WebPage):
    """The rules of a title."""

    template = "rules.html"
    title: Title
    rules_html: str


@dataclass(frozen=True, kw_only=True)
class LearnPage(WebPage):
    """What the lesson of a title teaches."""

    template = "learn.html"
    title: Title
    course: Course


@router.get("/rules/{name}")
async def rules(request: Request, pages: GivenPages, name: str) -> Response:
    """Show the rules of a title, with an anchor for each clause; the address may change their numbers."""
    title = title_of(name)
    try:
        options = title.options.read(title.options.numbers_in(request.query_params))
    except BadOption as error:
        raise HTTPException(400, "; ".join(error.faults)) from None
    return pages.page(request, RulesPage(title=title, rules_html=title.rules_with(options).html))


@router.get("/learn/{name}")
async def learn(request: Request, pages: GivenPages, name: str) -> Response:
    """Show what the lesson teaches, and a button that starts it."""
    title = title_of(name)
    return pages.page(request, LearnPage(title=title, course=course(title)))


@router.post("/learn/{name}")
@costs(MAKING)
async def begin(request: Request, tables: GivenTables, name: str) -> Response:
    """Create a table for the lesson."""
    title = title_of(name)
    lesson, known = course(title), script(title)
    assert known  # a title with a course has its script
    me, secret = with_browser(request)
    learner, *others = lesson.NAMES
    learner = nameless(title) if learner == title.player_name.capitalize() else learner
    table = await tables.making.create(
        title.name,
        lesson.OPTIONS,
        lesson.SEATS,
        [learner, *others],
        holder=me,
        kind=LESSON,
        start=known.opening,
        terms=Terms(pace=request.app.state.pace),
    )
    return remember(request, redirect(link(f"/t/{table.id}")), secret)


@router.post("/settings")
@costs()
async def settings(request: Request) -> Response:
    """Store the settings of this browser in cookies."""
    values, home = await fields(request), link("/")
    back = values.get("back", home)
    back = re.sub(r"([?&])lang=\w*&?", r"\1", back).rstrip("?&")  # a link that chose a language
    ours = back.startswith(home) and re.fullmatch(r"/(?![/\\])[\w/?=&.%+-]*", back, re.ASCII)
    response = redirect(back if ours else home)
    for name, allowed in SETTINGS.items():
        if name not in values:  # a button that changes one of them
            continue
        value = values[name]
        if value not in allowed:
            raise HTTPException(
                400, _("“{name}” must be one of {values}.").format(name=name, values=", ".join(allowed))
            )
        keep(request, response, name, value)
    if "lang" in values:
        choose(request, response, values["lang"])
    return response
