"""The pages before a game: home, set-up, lessons and rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response

from paddock.bots import levels
from paddock.bots import usual as usual_level
from paddock.core.errors import BadOption
from paddock.core.i18n import _, language
from paddock.core.lesson import script
from paddock.core.options import LONGEST_WORD
from paddock.core.rooms.learn import Course
from paddock.core.title import Title
from paddock.tables import LESSON, MOST, Tables, Terms, Unavailable
from paddock.tables.make import GUESTS, LONGEST_NAME, clean, nameless
from paddock.tables.making import beside
from paddock.web import lines
from paddock.web.bodies import fields
from paddock.web.cookies import SETTINGS, keep
from paddock.web.fits import fitted
from paddock.web.forms import joined, named, picture, shown, usual_parts, with_preset
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder
from paddock.web.language import choose
from paddock.web.limits import MAKING, MOST_SETUP
from paddock.web.links import link
from paddock.web.page import Page
from paddock.web.pages import (
    PAPER,
    Pages,
    redirect,
    remember,
    sentence,
    with_browser,
)
from paddock.web.people import age, term_choices
from paddock.web.present import course, quick
from paddock.web.prices import costs
from paddock.web.profile import profile_of
from paddock.web.titles import in_order, title_of
from paddock.web.values import number

router = APIRouter()
FOREVER = "public, max-age=31536000, immutable"

OVER = 4  # finished tables among «your tables»; «My games» has all
OPEN = "open"  # a seat for anybody with the link
OTHERS = "others"  # who plays all seats but the first; empty: each seat is set separately
PRESET = "preset"  # the name of one, which sets the options
FIX = "fix"  # «option=value»: a change that makes invalid options valid
TERMS = vars(Terms())  # with their defaults
FORM = (*TERMS, OTHERS, PRESET, FIX)  # fields of the set-up page besides players and options


def _chosen(name: str | None) -> Title:
    """Return the title with this name (None: the first title); raise a 404."""
    return in_order()[0] if name is None else title_of(name)


@router.get("/")
async def home(request: Request) -> Response:
    """Show the home page: three ways to start the chosen title, and the tables of this browser."""
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    me = holder(request)
    due = await tables.waiting(me) if me else []
    mine = await tables.tables_of(me) if me else []
    now, known = tables.runtime.now(), {table.id for table, _since in due}
    unfinished = [table for table in mine if not table.fully_visible and table.id not in known]
    over = [table for table in mine if table.fully_visible]
    chosen = _chosen(request.query_params.get("title"))
    listed = [table for table in await tables.listed() if not table.players_of(me)]
    live = [table for table in listed if table.phase == "play"]
    watching = await tables.watching.of(live)
    return pages.page(
        request,
        "home.html",
        chosen=chosen,
        quick={title.name: quick(title) for title in in_order()},
        invite_url=_invite(chosen),
        due=[lines.mine(table, me, now, pages.features, age(since, now)) for table, since in due],
        tables=[lines.mine(table, me, now, pages.features) for table in unfinished + over[:OVER]],
        listed=[lines.lobby(table) for table in listed if table.phase == "lobby"],
        live=[lines.live(table, watching.get(table.id, 0)) for table in live],
        doors=[door for feature in pages.features for door in await feature.doors(request, chosen)],
        titles=in_order(),
    )


def _invite(title: Title) -> str:
    """Return the address of the set-up page with all other seats open."""
    return link(f"/new/{title.name}?{urlencode({OTHERS: OPEN})}")


@router.get("/manifest.webmanifest")
async def manifest(request: Request, pages: GivenPages) -> Response:
    """Describe the app to browsers that can install it.

    It has no service worker: a table needs the server, and browsers show a page of their own without it.
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


@router.get("/new")
async def new_chosen(request: Request) -> Response:
    """Redirect to the set-up page of the chosen title."""
    values = dict(request.query_params)
    title = _chosen(values.pop("title", None))
    return redirect(link(f"/new/{title.name}?{urlencode(values)}"))


@router.get("/new/{name}")
async def new(request: Request, tables: GivenTables, pages: GivenPages, name: str) -> Response:
    """Show the set-up page. The values are in its address."""
    title = _chosen(name)
    values = joined(title, request.query_params)
    return pages.page(request, "setup.html", **await _setup(request, tables, pages, title, values))


@router.post("/new/{name}")
@costs(MAKING, most=MOST_SETUP)
async def checked(request: Request, tables: GivenTables, pages: GivenPages, name: str) -> Response:
    """Show the set-up page with the values of its form.

    If they are valid, long data is stored and replaced by its digest. A preset or a fix redirects to the
    address with the new values.
    """
    title = _chosen(name)
    values = joined(title, await fields(request))
    option, _equals, value = values.pop(FIX, "").partition("=")
    preset = values.pop(PRESET, "")
    if preset:
        values = with_preset(title, title.preset(preset), values)
    if option:
        values[option] = value
    rows = [row for row in title.options.describe() if row.name in values]
    with suppress(BadOption):
        given = {row.name: values[row.name] for row in rows}
        options = await tables.making.options(title, given | _switched_on(title, given))
        await tables.making.keep_data(options.data)
        values |= {row.name: options.named[row.name] for row in rows if row.kind == "data"}
    if option or preset:
        return redirect(link(f"/new/{title.name}?{urlencode(_unusual(title, values))}"))
    return pages.page(request, "setup.html", **await _setup(request, tables, pages, title, values))


@router.get("/pictures/{name}/{option}")
async def pictured(request: Request, tables: GivenTables, name: str, option: str) -> Response:
    """Return the picture of a value of an option. Its address is new where it may look different."""
    drawn = await _of_value(request, tables, name, option, picture)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": FOREVER})


@router.get("/files/{name}/{option}")
async def built_in(request: Request, tables: GivenTables, name: str, option: str) -> Response:
    """Return the file of a built-in value, as a start for one's own."""
    text = await _of_value(request, tables, name, option, lambda title, *of: title.forms.source(*of))
    shown = f"{request.query_params['of']}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{shown}"'}
    return PlainTextResponse(text, headers=headers)


async def _of_value(
    request: Request, tables: Tables, name: str, option: str, make: Callable[[Title, str, str], str]
) -> str:
    """Return what the title makes of the value in the address; raise a 404 if that is nothing."""
    title, value = _chosen(name), request.query_params.get("of", "")
    known = await tables.making.known({option: value})
    value = known.get(value[1:], value)
    made = ""
    with suppress(ValueError, KeyError, IndexError):
        made = await beside({option: value}, partial(make, title, option, value))
    if not made:
        raise HTTPException(404, _("There is nothing at this address."))
    return made


async def _setup(
    request: Request,
    tables: Tables,
    pages: Pages,
    title: Title,
    values: Mapping[str, str],
    said: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return the context of the set-up page for the values of its form."""
    rows = title.options.describe()
    terms = _usual_terms() | {"pace": request.app.state.pace}
    terms |= {name: values[name] for name in terms if name in values}
    given = {row.name: values[row.name] for row in rows if row.name in values}
    implied = title.options.implied(given)
    given |= _switched_on(title, given)
    known = await tables.making.known(given)
    read = partial(title.options.read, find=known.get)
    tried = await beside(given, lambda: fitted(title, read, given))
    count = title.options.row_of(title.players_option)
    strengths = levels(title)
    sorts = [("me", _("A person here")), (OPEN, _("Friend, by link"))]
    sorts += [(level.name, _("Bot: {level}").format(level=level.label)) for level in strengths]
    seats = [_seat(title, values, player) for player in range(count.numbers[-1])]
    usual = _usual(title)
    each = any(re.fullmatch(r"(who|name)-(?!1$)\d{1,2}", name) for name in values)
    asked = [n for n in count.numbers if str(n) == given.get(count.name)]  # shown even if it is invalid
    said = said or tried.said
    files = {row.name for row in rows if row.kind == "data"}
    asked_for = await beside(given, lambda: shown(title, given, tried.options, said, pages.digest))
    return {
        "title": title,
        **vars(asked_for),
        "count": count,
        "seat_numbers": list(count.numbers),
        "seat_number": asked[0] if asked else tried.options.players,
        "start": _(title.page.START),
        "seats": seats,
        "others": values.get(OTHERS, "" if each else usual[OTHERS]),
        "sorts": sorts,
        "levels": strengths,
        **terms,
        **term_choices(terms),
        "usual": usual,
        "implied": [(name, said) for name, (_value, said) in implied.items()],
        "said": said,
        "labels": {row.name: named(row) for row in rows},
        "data": Counter(name for name, _said in said if name in files),
        "fixes": tried.fixes,
        "longest": LONGEST_WORD,
    }


def _switched_on(title: Title, given: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the options that the given ones switch on."""
    return {name: value for name, (value, _sentence) in title.options.implied(given).items()}


def _usual(title: Title) -> dict[str, str]:
    """Return the default value of each field of the form."""
    rows = title.options.describe()
    most = title.options.row_of(title.players_option).numbers[-1]
    return (
        {row.name: row.default for row in rows}
        | usual_parts(title)
        | {f"who-{i + 1}": _seat(title, {}, i)["who"] for i in range(most)}
        | _usual_terms()
        | {OTHERS: usual_level(title)}
    )


def _usual_terms() -> dict[str, str]:
    """Return the default of each term as a field of the form."""
    words = {False: "no", True: "yes"}
    return {name: words[usual] if isinstance(usual, bool) else str(usual) for name, usual in TERMS.items()}


def _terms(values: Mapping[str, str], pace: str) -> Terms:
    """Return the terms in a form; ``pace`` is the default pace. Raises a 400 that names a bad number."""
    found: dict[str, Any] = {}
    for name, usual in (TERMS | {"pace": pace}).items():
        text = values.get(name)
        if isinstance(usual, bool):
            found[name] = text == "yes"
        elif isinstance(usual, int):
            found[name] = number({name: text or str(usual)}, name, most=MOST[name])
        else:
            found[name] = usual if text is None else text
    return Terms(**found)


def _unusual(title: Title, values: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that differ from their defaults. Only these are part of the address."""
    usual = _usual(title)
    alike = [f"{field}-{i}" for field in ("who", "name") for i in range(2, 100)] if values.get(OTHERS) else []
    return {n: v for n, v in values.items() if n not in ("title", *alike) and v != usual.get(n, "")}


def _seat(title: Title, values: Mapping[str, str], player: int) -> dict[str, str]:
    """Return who plays a seat. By default the first is a person and the others are the usual bots."""
    if player and values.get(OTHERS):
        return {"who": values[OTHERS], "name": ""}
    usual = "me" if player == 0 else usual_level(title)
    return {
        "who": values.get(f"who-{player + 1}", usual),
        "name": clean(values.get(f"name-{player + 1}", "")),
    }


@router.post("/tables")
@costs(MAKING, most=MOST_SETUP)
async def create(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Create a table from the set-up page or from a quick start."""
    values = await fields(request)
    title = _chosen(values.pop("title", None))
    values = joined(title, values)
    asked = {n: v for n, v in values.items() if n not in FORM and not re.fullmatch(r"(who|name)-\d{1,2}", n)}
    if _switched_on(title, asked):  # say so first
        return pages.page(request, "setup.html", 422, **await _setup(request, tables, pages, title, values))
    me, secret = with_browser(request)
    try:
        players = (await tables.making.options(title, asked)).players
        seats = [_seat(title, values, player) for player in range(players)]
        who, called = [seat["who"] for seat in seats], names(title, seats, profile_of(request).name)
        terms = _terms(values, request.app.state.pace)
        make = tables.making.open_lobby if OPEN in who else tables.making.create
        table = await make(title.name, asked, who, called, holder=me, terms=terms)
    except BadOption as error:
        return pages.page(
            request, "setup.html", 422, **await _setup(request, tables, pages, title, values, error.said)
        )
    except Unavailable as error:  # nothing that was chosen is lost
        said = [("", sentence(str(error)))]
        return pages.page(
            request, "setup.html", 503, **await _setup(request, tables, pages, title, values, said)
        )
    return remember(request, redirect(link(f"/t/{table.id}")), secret)


def names(title: Title, seats: Sequence[Mapping[str, str]], mine: str = "") -> list[str]:
    """Return a different name for every player.

    Without a given name, a bot gets one of ``GUESTS``, the first person ``mine``, and other people the
    title's word for players. Open seats have no name: people choose one when they join.
    """
    taken: list[str] = []
    people = sum(seat["who"] == "me" for seat in seats)
    for i, seat in enumerate(seats):
        name = seat["name"]
        if not name and seat["who"] == "me":
            name, mine = mine, ""
        if not name and seat["who"] == "me":
            name = nameless(title)
            name = f"{name} {i + 1}" if people > 1 else name
        if not name and seat["who"] == OPEN:
            taken.append("")
            continue
        base = name = name or GUESTS[i % len(GUESTS)]
        n = 1
        while name in taken:
            n += 1
            name = f"{base[: LONGEST_NAME - 3]} {n}"
        taken.append(name)
    return taken


@dataclass(frozen=True, kw_only=True)
class RulesPage(Page):
    """The rules of a title."""

    template = "rules.html"
    title: Title
    rules_html: str


@dataclass(frozen=True, kw_only=True)
class LearnPage(Page):
    """What the lesson of a title teaches."""

    template = "learn.html"
    title: Title
    course: Course


@router.get("/rules/{name}")
async def rules(request: Request, pages: GivenPages, name: str) -> Response:
    """Show the rules of a title, with an anchor for each clause."""
    title = title_of(name)
    return pages.page(request, RulesPage(title=title, rules_html=title.rulebook.html))


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
