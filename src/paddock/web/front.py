"""The pages before a game: home, set-up, lessons and rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from paddock.bots import levels
from paddock.bots import usual as usual_level
from paddock.core.errors import BadOption, PaddockError
from paddock.core.i18n import _, language, plural
from paddock.core.lesson import script
from paddock.core.options import LONGEST_WORD, Options
from paddock.core.title import Title, titles
from paddock.core.title import title as find_title
from paddock.tables import MOST, Table, Tables, Terms, Unavailable
from paddock.tables.make import LONGEST_NAME, clean
from paddock.tables.making import beside
from paddock.web.bodies import fields
from paddock.web.guard import YEAR, holder
from paddock.web.pages import (
    PAPER,
    SETTINGS,
    Pages,
    number,
    redirect,
    remember,
    sentence,
    with_browser,
)
from paddock.web.people import age, term_choices
from paddock.web.present import course
from paddock.web.titles import page_of

router = APIRouter()
Read = Callable[[Mapping[str, str]], Options]

OPEN = "open"  # a seat for anybody with the link
OTHERS = "others"  # who plays all seats but the first; empty: each seat is set separately
FIX = "fix"  # «option=value»: a change that makes invalid options valid
TERMS = vars(Terms())  # with their defaults
FORM = (*TERMS, OTHERS, FIX)  # fields of the set-up page besides players and options

# Default names of bots.
GUESTS = (
    "Alba",
    "Bruno",
    "Carla",
    "Dario",
    "Elsa",
    "Fausto",
    "Gilda",
    "Ivo",
    "Lina",
    "Marco",
    "Nora",
    "Otto",
)


def _found(name: str) -> Title:
    """Return the title with this name; raise a 404 if there is none."""
    try:
        return find_title(name)
    except PaddockError as error:
        raise HTTPException(404, str(error)) from None


def _shown() -> list[Title]:
    """Return the titles, short games first: only long ones have presets."""
    return sorted(titles().values(), key=lambda title: len(title.presets))


def _chosen(name: str | None) -> Title:
    """Return the title with this name (None: the first title). Raises a 404 if it has no pages."""
    title = _shown()[0] if name is None else _found(name)
    page_of(title)
    return title


@router.get("/")
async def home(request: Request) -> Response:
    """Show the home page: three ways to start the chosen title, and the tables of this browser."""
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    me = holder(request)
    due = await tables.waiting(me) if me else []
    mine = await tables.tables_of(me) if me else []
    now, known = tables.runtime.now(), {table.id for table, _since in due}
    chosen = _chosen(request.query_params.get("title"))
    return pages.page(
        request,
        "home.html",
        chosen=chosen,
        quick={title.name: quick(title) for title in _shown()},
        invite_url=_invite(chosen),
        due=[_mine(table, me, age(since, now)) for table, since in due],
        tables=[_mine(table, me) for table in mine if table.id not in known],
        listed=[_listed(table) for table in await tables.listed() if not table.players_of(me)],
        titles=_shown(),
    )


def quick(title: Title) -> dict[str, str]:
    """Return the form fields for a quick start: one game against strong bots and one of the weakest."""
    names = [level.name for level in levels(title)]
    others = title.options.read({}).players - 1
    who = ["me", *[names[-1]] * (others - 1), names[0]]
    return {"title": title.name, **{name: str(n) for name, n in title.one_round.items()}} | _who(who)


def _invite(title: Title) -> str:
    """Return the address of the set-up page with all other seats open."""
    return f"/new/{title.name}?{urlencode({OTHERS: OPEN})}"


def _who(kinds: Sequence[str]) -> dict[str, str]:
    return {f"who-{i + 1}": kind for i, kind in enumerate(kinds)}


def _mine(table: Table, me: str | None, waited: str = "") -> dict[str, Any]:
    """Return a line of «your tables»; ``waited`` says for how long it has been this browser's turn."""
    title, mine = table.title, table.players_of(me)
    what = {"learn": _("a lesson"), "explore": _("exploring"), "upload": _("a record")}.get(table.kind, "")
    others = [player.name for player in table.players if player.index not in mine and player.name]
    facts = [what]
    if table.running:
        rounds = table.options.rounds
        n = min(len(table.game.rounds) + 1, rounds)
        facts += (
            [_("{word} {n} of {of}").format(word=_(title.round_name), n=n, of=rounds)] if rounds > 1 else []
        )
        if len(mine) == 1:
            facts += page_of(title).standing(table.view(None), mine[0])
    if table.fully_visible:
        status = _("finished")
    elif table.abandoned:
        status = _("abandoned")
    elif table.phase == "lobby":
        status = _("in the lobby")
    elif set(table.awaited()) & set(mine):
        status = _("your turn for {time}").format(time=waited) if waited else _("your turn")
    else:
        status = _("running")
    return {
        "url": f"/t/{table.id}",
        "title": title.label,
        "names": _("with {names}").format(names=_(", ").join(others)) if others else "",
        "facts": _(", ").join(filter(None, facts)),
        "status": status,
    }


def _listed(table: Table) -> dict[str, Any]:
    """Return a line of the list of public tables."""
    free = sum(p.bot is None and p.holder is None for p in table.players)
    names = _(", ").join(p.name for p in table.players if p.bot or p.holder)
    words = [plural("{n} open seat", "{n} open seats", free)] if free else []
    words += [_("in the lobby") if table.phase == "lobby" else _("running: you can watch")]
    name = _("{title} with {names}").format(title=table.title.label, names=names)
    return {"url": f"/t/{table.id}", "name": name, "status": _(", ").join(words)}


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """Describe the app to browsers that can install it.

    It has no service worker: a table needs the server, and browsers show a page of their own without it.
    """
    pages: Pages = request.app.state.pages
    icons = [
        ("icon-192.png", 192, "any"),
        ("icon-512.png", 512, "any"),
        ("maskable-512.png", 512, "maskable"),
    ]
    described = {
        "id": "/",
        "start_url": "/",
        "scope": "/",
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
async def touch_icon(request: Request) -> Response:
    """Redirect to the icon for iOS, which asks for it at this address."""
    pages: Pages = request.app.state.pages
    return redirect(pages.asset("icons/touch-180.png"))


@router.get("/new")
async def new_chosen(request: Request) -> Response:
    """Redirect to the set-up page of the chosen title."""
    values = dict(request.query_params)
    title = _chosen(values.pop("title", None))
    return redirect(f"/new/{title.name}?{urlencode(values)}")


@router.get("/new/{name}")
async def new(request: Request, name: str) -> Response:
    """Show the set-up page. The values are in its address."""
    pages: Pages = request.app.state.pages
    return pages.page(request, "setup.html", **await _setup(request, _chosen(name), request.query_params))


@router.post("/new/{name}")
async def checked(request: Request, name: str) -> Response:
    """Show the set-up page with the values of its form.

    If they are valid, long data is stored and replaced by its digest. A fix redirects to the address with the
    new value.
    """
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    title, values = _chosen(name), await fields(request)
    option, _equals, value = values.pop(FIX, "").partition("=")
    if option:
        values[option] = value
    rows = [row for row in title.options.describe() if row["name"] in values]
    with suppress(BadOption):
        given = {row["name"]: values[row["name"]] for row in rows}
        options = await tables.making.options(title, given | _switched_on(title, given))
        await tables.making.keep_data(options.data)
        values |= {row["name"]: options.named[row["name"]] for row in rows if row["kind"] == "data"}
    if option:
        return redirect(f"/new/{title.name}?{urlencode(_unusual(title, values))}")
    return pages.page(request, "setup.html", **await _setup(request, title, values))


async def _setup(
    request: Request, title: Title, values: Mapping[str, str], faults: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the context of the set-up page for the values of its form."""
    tables: Tables = request.app.state.tables
    rows = title.options.describe()
    terms = _usual_terms() | {"pace": request.app.state.pace}
    terms |= {name: values[name] for name in terms if name in values}
    given = {row["name"]: values[row["name"]] for row in rows if row["name"] in values}
    implied = title.options.implied(given)
    given |= _switched_on(title, given)
    known = await tables.making.known(given)
    read = partial(title.options.read, find=known.get)
    tried = await beside(given, lambda: _tried(title, read, given))
    count = next(row for row in rows if row["name"] == title.players_option)
    strengths = levels(title)
    sorts = [("me", _("A person here")), (OPEN, _("Friend, by link"))]
    sorts += [(level.name, _("Bot: {level}").format(level=_(level.label))) for level in strengths]
    seats = [_seat(title, values, player) for player in range(count["most"])]
    usual = _usual(title)
    each = any(re.fullmatch(r"(who|name)-(?!1$)\d{1,2}", name) for name in values)
    numbers = range(count["least"], count["most"] + 1)
    asked = [n for n in numbers if str(n) == given.get(count["name"])]  # shown even if it is invalid
    return {
        "title": title,
        "options": rows,
        "values": given,
        "seats_option": count["name"],
        "seat_numbers": list(numbers),
        "seat_number": asked[0] if asked else tried.players,
        "start": _(page_of(title).START),
        "seats": seats,
        "others": values.get(OTHERS, "" if each else usual[OTHERS]),
        "sorts": sorts,
        "levels": strengths,
        **terms,
        **term_choices(terms),
        "usual": usual,
        "implied": [(name, said) for name, (_value, said) in implied.items()],
        "faults": faults or tried.faults,
        "fixes": tried.fixes,
        "longest": LONGEST_WORD,
        "advanced_open": any(
            row["advanced"] and given.get(row["name"], row["default"]) != row["default"] for row in rows
        ),
    }


def _switched_on(title: Title, given: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the options that the given ones switch on."""
    return {name: value for name, (value, _sentence) in title.options.implied(given).items()}


def _usual(title: Title) -> dict[str, str]:
    """Return the default value of each field of the form."""
    rows = title.options.describe()
    most = next(row["most"] for row in rows if row["name"] == title.players_option)
    return (
        {row["name"]: row["default"] for row in rows}
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


@dataclass(frozen=True)
class _Tried:
    """What the set-up page says about the options of its form."""

    players: int
    faults: tuple[str, ...] = ()
    fixes: Sequence[tuple[str, str]] = ()


def _tried(title: Title, read: Read, given: Mapping[str, str]) -> _Tried:
    """Read the options of the form."""
    try:
        return _Tried(read(given).players)
    except BadOption as error:
        nearest = _nearest(read, {name: given[name] for name in given if name not in error.wrong})
        return _Tried(nearest.players, error.faults, _fixes(title, read, given, error.wrong))


def _fixes(
    title: Title, read: Read, given: Mapping[str, str], wrong: Collection[str]
) -> list[tuple[str, str]]:
    """Return the single changes (option, value) that would make the options valid, basic options first.

    ``wrong`` are the options that are invalid by themselves: no change of another one makes them valid.
    """
    if len(wrong) > 1:
        return []
    out = []
    for row in sorted(title.options.describe(), key=lambda row: bool(row["advanced"])):
        if wrong and row["name"] not in wrong:
            continue
        choices = ("no", "yes") if row["kind"] == "boolean" else row["choices"]
        if row["kind"] == "string":
            choices = [row["default"]]
        for value in map(str, choices):
            try:
                read(dict(given) | {row["name"]: value})
            except BadOption:
                continue
            out.append((row["name"], value))
    return out


def _nearest(read: Read, given: Mapping[str, str]) -> Options:
    """Return valid options: the given ones without those that cause an error. For a page with errors."""
    fine: dict[str, str] = {}
    for name, value in given.items():
        try:
            read(fine | {name: value})
            fine[name] = value
        except BadOption:
            continue
    return read(fine)


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
async def create(request: Request) -> Response:
    """Create a table from the set-up page or from a quick start."""
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    values = await fields(request)
    title = _chosen(values.pop("title", None))
    asked = {n: v for n, v in values.items() if n not in FORM and not re.fullmatch(r"(who|name)-\d{1,2}", n)}
    if _switched_on(title, asked):  # say so first
        return pages.page(request, "setup.html", 422, **await _setup(request, title, values))
    me, secret = with_browser(request)
    try:
        players = (await tables.making.options(title, asked)).players
        seats = [_seat(title, values, player) for player in range(players)]
        who, called = [seat["who"] for seat in seats], names(title, seats)
        terms = _terms(values, request.app.state.pace)
        make = tables.making.open_lobby if OPEN in who else tables.making.create
        table = await make(title.name, asked, who, called, holder=me, terms=terms)
    except BadOption as error:
        return pages.page(request, "setup.html", 422, **await _setup(request, title, values, error.faults))
    except Unavailable as error:  # nothing that was chosen is lost
        faults = (sentence(str(error)),)
        return pages.page(request, "setup.html", 503, **await _setup(request, title, values, faults))
    return remember(request, redirect(f"/t/{table.id}"), secret)


def names(title: Title, seats: Sequence[Mapping[str, str]]) -> list[str]:
    """Return a different name for every player.

    Without a given name, a bot gets one of ``GUESTS`` and a person the title's word for players. Open seats
    have no name: people choose one when they join.
    """
    taken: list[str] = []
    people = sum(seat["who"] == "me" for seat in seats)
    for i, seat in enumerate(seats):
        name = seat["name"]
        if not name and seat["who"] == "me":
            name = _(title.player_name).capitalize()
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


@router.get("/rules/{name}")
async def rules(request: Request, name: str) -> Response:
    """Show the rules of a title, with an anchor for each clause."""
    title = _found(name)
    pages: Pages = request.app.state.pages
    return pages.page(request, "rules.html", title=title, rules_html=title.rulebook.html)


@router.get("/learn/{name}")
async def learn(request: Request, name: str) -> Response:
    """Show what the lesson teaches, and a button that starts it."""
    title = _found(name)
    pages: Pages = request.app.state.pages
    return pages.page(request, "learn.html", title=title, course=course(title))


@router.post("/learn/{name}")
async def begin(request: Request, name: str) -> Response:
    """Create a table for the lesson."""
    title = _found(name)
    tables: Tables = request.app.state.tables
    lesson, known = course(title), script(title)
    assert known  # a title with a course has its script
    me, secret = with_browser(request)
    table = await tables.making.create(
        title.name,
        lesson.OPTIONS,
        lesson.SEATS,
        lesson.NAMES,
        holder=me,
        kind="learn",
        start=known.opening,
        terms=Terms(pace=request.app.state.pace),
    )
    return remember(request, redirect(f"/t/{table.id}"), secret)


@router.post("/settings")
async def settings(request: Request) -> Response:
    """Store the settings of this browser in cookies."""
    values = await fields(request)
    back = values.get("back", "/")
    response = redirect(back if re.fullmatch(r"/(?![/\\])[\w/?=&.%+-]*", back, re.ASCII) else "/")
    for name, allowed in SETTINGS.items():
        value = values.get(name, allowed[0])
        if value not in allowed:
            raise HTTPException(
                400, _("«{name}» must be one of {values}.").format(name=name, values=", ".join(allowed))
            )
        response.set_cookie(name, value, max_age=YEAR, samesite="lax", path="/")
    return response
