"""Setting up a game: the page with its options, seats and terms, and the table that comes of it."""

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
from starlette.responses import PlainTextResponse, Response

from paddock.bots import Level, levels
from paddock.bots import usual as usual_level
from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.core.options import LONGEST_WORD, OptionRow, value_text
from paddock.core.title import Title
from paddock.tables import MOST, Tables, Terms, Unavailable
from paddock.tables.make import GUESTS, LONGEST_NAME, clean, nameless
from paddock.tables.making import beside
from paddock.web.bodies import fields
from paddock.web.fits import Fix, fitted
from paddock.web.forms import FormShown, joined, named, picture, shown, usual_parts, with_preset
from paddock.web.given import GivenPages, GivenTables
from paddock.web.limits import MAKING, MOST_SETUP
from paddock.web.links import link
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect, remember, sentence, with_browser
from paddock.web.present import one_race
from paddock.web.prices import costs
from paddock.web.profile import profile_of
from paddock.web.terms import TermRow, term_rows
from paddock.web.titles import chosen
from paddock.web.values import number

router = APIRouter()
FOREVER = "public, max-age=31536000, immutable"
OPEN = "open"  # a seat for anybody with the link
OTHERS = "others"  # who plays all seats but the first; empty: each seat is set separately
PRESET = "preset"  # the name of one, which sets the options
FIX = "fix"  # «option=value»: a change that makes invalid options valid
TERMS = vars(Terms())  # with their defaults
FORM = (*TERMS, OTHERS, PRESET, FIX)  # fields of the set-up page besides players and options


@dataclass(frozen=True)
class SeatField:
    """Who plays a seat, in the form."""

    who: str
    name: str


@dataclass(frozen=True, kw_only=True)
class SetupPage(WebPage):
    """How a game is set up."""

    template = "setup.html"
    title: Title
    options: FormShown
    count: OptionRow  # the number of players
    counts: Sequence[int]
    players: int  # that is chosen, even if it does not fit
    start: str  # the text of the button
    seats: Sequence[SeatField]
    rest: str  # who plays all seats but the first; empty: each is set separately
    sorts: Sequence[tuple[str, str]]  # who can play a seat: value, words
    levels: Sequence[Level]
    terms: Sequence[TermRow]
    usual: Mapping[str, str]  # the default of each field
    implied: Sequence[tuple[str, str]]  # options that others switch on, and the sentence that says so
    said: Sequence[tuple[str, str]]  # what does not fit together: option or "", sentence
    labels: Mapping[str, str]  # of all options
    data: Mapping[str, int]  # files with errors, and how many they have
    fixes: Sequence[Fix]
    longest: int  # text of a file that an address can hold


@router.get("/new")
async def new_chosen(request: Request) -> Response:
    """Redirect to the set-up page of the chosen title."""
    values = dict(request.query_params)
    title = chosen(values.pop("title", None))
    return redirect(link(f"/new/{title.name}?{urlencode(values)}"))


@router.get("/new/{name}")
async def new(request: Request, tables: GivenTables, pages: GivenPages, name: str) -> Response:
    """Show the set-up page. The values are in its address."""
    title = chosen(name)
    values = one_race(title) | joined(title, request.query_params)
    return pages.page(request, await _setup(request, tables, pages, title, values))


@router.post("/new/{name}")
@costs(MAKING, most=MOST_SETUP)
async def checked(request: Request, tables: GivenTables, pages: GivenPages, name: str) -> Response:
    """Show the set-up page with the values of its form.

    If they are valid, long data is stored and replaced by its digest. A preset or a fix redirects to the
    address with the new values.
    """
    title = chosen(name)
    values = joined(title, await fields(request))
    option, _equals, value = values.pop(FIX, "").partition("=")
    preset = values.pop(PRESET, "")
    if preset:
        rounds = {row.name: row.default for row in title.options.describe() if row.name in title.one_round}
        values = rounds | with_preset(title, title.preset(preset), values)
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
    return pages.page(request, await _setup(request, tables, pages, title, values))


@router.get("/pictures/{name}/{option}")
async def pictured(request: Request, tables: GivenTables, name: str, option: str) -> Response:
    """Return the picture of a value of an option. Its address is new where it may look different."""
    drawn = await _of_value(request, tables, name, option, picture)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": FOREVER})


@router.get("/files/{name}/{option}")
async def built_in(request: Request, tables: GivenTables, name: str, option: str) -> Response:
    """Return the file of a built-in value, as a start for one's own."""
    text = await _of_value(request, tables, name, option, lambda title, *value: title.forms.source(*value))
    file_name = f"{request.query_params['of']}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return PlainTextResponse(text, headers=headers)


async def _of_value(
    request: Request, tables: Tables, name: str, option: str, make: Callable[[Title, str, str], str]
) -> str:
    """Return what the title makes of the value in the address; raise a 404 if that is nothing."""
    title, value = chosen(name), request.query_params.get("of", "")
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
) -> SetupPage:
    """Return the set-up page for the values of its form."""
    rows = title.options.describe()
    given = {row.name: values[row.name] for row in rows if row.name in values}
    implied = title.options.implied(given)
    given |= _switched_on(title, given)
    known = await tables.making.known(given)
    read = partial(title.options.read, find=known.get)
    tried = await beside(given, lambda: fitted(title, read, given))
    count = title.options.row_of(title.players_option)
    strengths, usual = levels(title), _usual(title)
    each = any(re.fullmatch(r"(who|name)-(?!1$)\d{1,2}", name) for name in values)
    asked = [n for n in count.numbers if str(n) == given.get(count.name)]  # shown even if it is invalid
    said = said or tried.said
    files = {row.name for row in rows if row.kind == "data"}
    return SetupPage(
        title=title,
        options=await beside(given, lambda: shown(title, given, tried.options, said, pages.digest)),
        count=count,
        counts=list(count.numbers),
        players=asked[0] if asked else tried.options.players,
        start=_(title.page.START),
        seats=[_seat(title, values, player) for player in range(count.numbers[-1])],
        rest=values.get(OTHERS, "" if each else usual[OTHERS]),
        sorts=[
            ("me", _("A person here")),
            *([(OPEN, _("Friend, by link"))] if pages.reachable else []),
            *((level.name, _("Bot: {level}").format(level=level.label)) for level in strengths),
        ],
        levels=strengths,
        terms=term_rows(_usual_terms() | {"pace": request.app.state.pace} | dict(values)),
        usual=usual,
        implied=[(name, sentence) for name, (_value, sentence) in implied.items()],
        said=said,
        labels={row.name: named(row) for row in rows},
        data=Counter(name for name, _said in said if name in files),
        fixes=tried.fixes,
        longest=LONGEST_WORD,
    )


def _switched_on(title: Title, given: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the options that the given ones switch on."""
    return {name: value for name, (value, _sentence) in title.options.implied(given).items()}


def _usual(title: Title) -> dict[str, str]:
    """Return the default value of each field of the form."""
    rows = title.options.describe()
    most = title.options.row_of(title.players_option).numbers[-1]
    return (
        {row.name: row.default for row in rows}
        | one_race(title)
        | usual_parts(title)
        | {f"who-{i + 1}": _seat(title, {}, i).who for i in range(most)}
        | _usual_terms()
        | {OTHERS: usual_level(title)}
    )


def _usual_terms() -> dict[str, str]:
    """Return the default of each term as a field of the form."""
    return {name: value_text(usual) for name, usual in TERMS.items()}


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


def _seat(title: Title, values: Mapping[str, str], player: int) -> SeatField:
    """Return who plays a seat. By default the first is a person and the others are the usual bots."""
    if player and values.get(OTHERS):
        return SeatField(values[OTHERS], "")
    usual = "me" if player == 0 else usual_level(title)
    who = values.get(f"who-{player + 1}", usual)
    return SeatField(who, clean(values.get(f"name-{player + 1}", "")))


@router.post("/tables")
@costs(MAKING, most=MOST_SETUP)
async def create(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Create a table from the set-up page or from a quick start."""
    values = await fields(request)
    title = chosen(values.pop("title", None))
    values = joined(title, values)
    asked = {n: v for n, v in values.items() if n not in FORM and not re.fullmatch(r"(who|name)-\d{1,2}", n)}
    if _switched_on(title, asked):  # say so first
        return pages.page(request, await _setup(request, tables, pages, title, values), 422)
    me, secret = with_browser(request)
    try:
        players = (await tables.making.options(title, asked)).players
        seats = [_seat(title, values, player) for player in range(players)]
        who, called = [seat.who for seat in seats], names(title, seats, profile_of(request).name)
        terms = _terms(values, request.app.state.pace)
        make = tables.making.open_lobby if OPEN in who or terms.fair else tables.making.create
        table = await make(title.name, asked, who, called, holder=me, terms=terms)
    except BadOption as error:
        return pages.page(request, await _setup(request, tables, pages, title, values, error.said), 422)
    except Unavailable as error:  # nothing that was chosen is lost
        said = [("", sentence(str(error)))]
        return pages.page(request, await _setup(request, tables, pages, title, values, said), 503)
    return remember(request, redirect(link(f"/t/{table.id}")), secret)


def names(title: Title, seats: Sequence[SeatField], mine: str = "") -> list[str]:
    """Return a different name for every player.

    Without a given name, a bot gets one of ``GUESTS``, the first person ``mine``, and other people the
    title's word for players. Open seats have no name: people choose one when they join.
    """
    taken: list[str] = []
    people = sum(seat.who == "me" for seat in seats)
    for i, seat in enumerate(seats):
        name = seat.name
        if not name and seat.who == "me":
            name, mine = mine, ""
        if not name and seat.who == "me":
            name = nameless(title)
            name = f"{name} {i + 1}" if people > 1 else name
        if not name and seat.who == OPEN:
            taken.append("")
            continue
        base = name = name or GUESTS[i % len(GUESTS)]
        n = 1
        while name in taken:
            n += 1
            name = f"{base[: LONGEST_NAME - 3]} {n}"
        taken.append(name)
    return taken
