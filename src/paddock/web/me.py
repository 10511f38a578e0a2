"""«My games»: a browser's own page, without an account."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.bots import levels
from paddock.bots.analysis import kind_names
from paddock.bots.ledger import Amount, Total
from paddock.core.errors import BadOption
from paddock.core.hashed import hashed
from paddock.core.i18n import _, plural
from paddock.core.title import titles
from paddock.core.wording import dated, timed
from paddock.core.wording import number as figure
from paddock.tables import Tables
from paddock.tables.archive import MOST
from paddock.tables.devices import LASTS
from paddock.tables.history import Finished, GamesTally, Rivalry, by_title, games_in, rivalries, sums, tally
from paddock.tables.history import file as file_of
from paddock.tables.make import LONGEST_NAME, clean
from paddock.web import lines
from paddock.web.bodies import fields
from paddock.web.built import JSON, answer
from paddock.web.cookies import NAME, NUMBER, drop, keep
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import COOKIE, cookies_of, holder, new_secret
from paddock.web.limits import MAKING, MOST_UPLOAD
from paddock.web.links import link, whole
from paddock.web.pages import Pages, redirect, remember, sentence, with_browser
from paddock.web.people import age, qr
from paddock.web.prices import costs
from paddock.web.profile import COLOURS, Profile, number_of, profile_of, remember_profile
from paddock.web.values import number

router = APIRouter()
SHOWN = 24  # finished games on the page, unless all are asked for
PAGE = 100  # of all
PAGES = MOST // PAGE
STRIP = 16  # results in a row
RIVALS = 12  # opponents on the page
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")  # as ``new_secret`` makes them


@router.get("/me")
@costs(by_size=True)
async def mine(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Show the games of this browser: those that wait for it first."""
    return await _page(request, tables, pages)


async def _page(
    request: Request, tables: Tables, pages: Pages, code: int = 200, fault: str = "", said: str = ""
) -> Response:
    me, now = holder(request), tables.runtime.now()
    left = await tables.history.count(me) if me else 0
    due = await tables.waiting(me) if me else []
    first = {table.id for table, _since in due}
    running = [table for table in await tables.unfinished(me) if table.id not in first] if me else []
    every = request.query_params.get("all") == "yes"
    page = number(request.query_params, "page", most=PAGES) if "page" in request.query_params else 1
    shown = await tables.history.made(me, ("page", every, page), partial(_shown, every, page)) if me else {}
    device = await tables.devices.of(me) if me else None
    return pages.page(
        request,
        "me.html",
        code,
        **(shown or _shown(False, 1, [])),
        known=me is not None,
        profile=profile_of(request),
        colours=[_(colour) for colour in COLOURS],
        longest_name=LONGEST_NAME,
        due=[lines.mine(table, me, now, pages.features, age(since, now)) for table, since in due],
        running=[lines.mine(table, me, now, pages.features) for table in running],
        left=left,
        used_at=_moment(device.used_at) if device and device.used_at else "",
        fault=fault,
        said=said,
        next=new_secret()[0] if me else "",
    )


def _shown(every: bool, page: int, games: Sequence[Finished]) -> dict[str, Any]:
    """Return what the page says of the finished games, and some of them: the newest, or a page of all."""
    labels = {level.name: level.label for title in titles().values() for level in levels(title)}
    first, end = (PAGE * (page - 1), PAGE * page) if every else (0, SHOWN)
    return {
        "total": _facts(tally(games)) if games else None,
        "strip": [_chip(game) for game in games[:STRIP]],
        "titles": [(_label(name), _facts(one)) for name, one in by_title(games).items()],
        "sums": _sums(sums(games)),
        "rivals": [_rival(one, labels) for one in rivalries(games)[:RIVALS]],
        "games": [_line(game) for game in games[first:end]],
        "more": 0 if every else max(0, len(games) - SHOWN),
        "newer": _page_url(page - 1) if every and page > 1 else None,
        "older": _page_url(page + 1) if every and end < len(games) else None,
    }


def _page_url(page: int) -> str:
    return link("/me?all=yes" + (f"&page={page}" if page > 1 else "") + "#games")


def _label(title: str) -> str:
    """Return the label of a title, which may not be installed here."""
    return titles()[title].label if title in titles() else title


def _moment(at: datetime) -> str:
    return f"{timed(at)} UTC"


def _facts(one: GamesTally) -> dict[str, str]:
    """Return figures in words; empty where nothing is known."""
    place = ""
    if one.place is not None:
        place = _("{place} of {n}").format(place=figure(one.place, ".1f"), n=figure(one.field, ".1f"))
    return {
        "games": str(one.games),
        "wins": str(one.wins),
        "place": place,
        "clocks": _("{n} of {of}").format(n=one.kept, of=one.timed) if one.timed else "",
        "error": "" if one.error is None else figure(one.error, ".2f"),
    }


def _sums(found: Mapping[str, Total]) -> dict[str, Any] | None:
    """Return where the points came from, by title and on average; None without an analysed game."""
    if not found:
        return None
    rows = []
    for kind, name in kind_names().items():
        cells = [_amount(one.parts[kind], one.games) for one in found.values()]
        if any(points for points, _error in cells):
            rows.append((name, cells, kind == "skill"))
    return {
        "titles": [(_label(name), one.games) for name, one in found.items()],
        "rows": rows,
        "results": [figure(one.result / one.games, "+.2f") for one in found.values()],
    }


def _amount(part: Amount, games: int) -> tuple[str, str]:
    """Return the points a game and their error; nothing where there cannot be any."""
    if not (part.points or part.error):
        return "", ""
    return figure(part.points / games, "+.2f"), figure(part.error / games, ".2f")


def _chip(game: Finished) -> dict[str, Any]:
    words = _("{title}: no place") if not game.place else _("{title}: place {place} of {n}")
    said = words.format(title=_label(game.title), place=game.place, n=game.players)
    return {"place": game.place or "–", "won": game.place == 1, "said": said}


def _line(game: Finished) -> dict[str, Any]:
    names = _(", ").join(other.name for other in game.others if other.name)
    facts = [_("place {place} of {n}").format(place=game.place, n=game.players)] if game.place else []
    facts += [] if game.here else [_("from another server")]
    return {
        "url": link(f"/t/{game.id}") if game.here else "",
        "title": _label(game.title),
        "names": _("with {names}").format(names=names) if names else "",
        "won": game.place == 1,
        "place": game.place or "–",
        "facts": _(", ").join(facts),
        "date": f"{game.ended:%Y-%m-%d}",
        "day": dated(game.ended),
    }


def _rival(one: Rivalry, labels: Mapping[str, str]) -> dict[str, Any]:
    name = one.name
    if one.bot:
        name = _("bots: {level}").format(level=labels.get(one.bot, one.bot))
    return {"name": name, "games": one.games, "ahead": one.ahead, "behind": one.behind}


@router.post("/me")
@costs(MAKING)
async def called(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Keep the name and the number of this browser in cookies: they are proposed at each table."""
    values = await fields(request)
    profile = Profile(clean(values.get("name", "")), number_of(values.get("number", "")))
    if profile.name and tables.names.refuses(profile.name):
        words = _("the name “{name}” is not allowed here: choose another one").format(name=profile.name)
        return await _page(request, tables, pages, 422, sentence(words))
    response = redirect(link("/me"))
    remember_profile(request, response, profile)
    return response


# As a file


@router.get("/me/file")
@costs(by_size=True)
async def file(request: Request) -> Response:
    """Send the games of this browser as a file."""
    profile = profile_of(request)
    headers = {"Content-Disposition": 'attachment; filename="my-games.json"'}
    return await games_file(request, holder(request), profile.name, profile.number or None, headers)


async def games_file(
    request: Request,
    who: str | None,
    name: str = "",
    number: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the games of a browser as a file."""
    if who is None:
        return Response(file_of([], name, number), media_type=JSON, headers=headers)
    history = request.app.state.tables.history
    return await answer(
        request,
        ("file", who, name, number),
        await history.stamp(who),
        partial(history.read, who),
        lambda found: file_of(games_in(found), name, number),
        JSON,
        headers,
    )


@router.post("/me/file")
@costs(MAKING, most=MOST_UPLOAD)
async def brought(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Add the games of a file to those of this browser; its name and number too, if this one has none."""
    text = (await fields(request)).get("file", "")
    if not text.strip():
        return await _page(request, tables, pages, 422, _("Choose a file first."))
    me, secret = with_browser(request)
    try:
        given, _new, left_out = await tables.history.bring(me, text)
    except BadOption as error:
        return await _page(request, tables, pages, 422, sentence(str(error)))
    response: Response = redirect(link("/me") + "#games")
    if left_out:
        words = plural(
            "There is no room for {n} of these games, the oldest: it was left out.",
            "There is no room for {n} of these games, the oldest: they were left out.",
            left_out,
        )
        response = await _page(request, tables, pages, said=words)
    response = remember(request, response, secret)
    known = profile_of(request)
    remember_profile(request, response, Profile(known.name or given.name, known.number or given.number or 0))
    return response


# On another device


@router.post("/me/device")
@costs(MAKING)
async def to_device(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Show a link that makes another device this browser. It is shown only once, and works once."""
    if holder(request) is None:
        return await _page(
            request, tables, pages, 409, _("This browser has no games yet: there is nothing to take along.")
        )
    profile = profile_of(request)
    secret = await tables.devices.make(cookies_of(request.scope)[COOKIE], profile.name, profile.number)
    url = whole(request, f"/me/device/{secret}")
    return pages.page(request, "device.html", url=url, qr=qr, minutes=int(LASTS.total_seconds()) // 60)


@router.get("/me/device/{secret}")
async def asked(request: Request, tables: GivenTables, pages: GivenPages, secret: str) -> Response:
    """Show what a link does in this browser. It is used only by a click, not by link previews."""
    return await _ask(request, tables, pages, secret)


async def _ask(request: Request, tables: Tables, pages: Pages, secret: str, code: int = 200) -> Response:
    row = await tables.devices.find(secret)
    if row is None:
        raise HTTPException(404, _("This link has been used, is too old, or a newer one has replaced it."))
    me = holder(request)
    own = len(await tables.tables_of(me)) if me and me != row.holder else 0
    return pages.page(
        request,
        "opened.html",
        code,
        name=row.name,
        same=me == row.holder,
        own=own,
        url=link(f"/me/device/{secret}"),
        here=link("/me"),
    )


@router.post("/me/device/{secret}")
@costs(MAKING)
async def opened(request: Request, tables: GivenTables, pages: GivenPages, secret: str) -> Response:
    """Make this device the browser of the link. If it has games, the address must say ``?lose=yes``."""
    row, me = await tables.devices.find(secret), holder(request)
    if row is not None and me is not None:
        if me == row.holder:
            return redirect(link("/me"))
        if request.query_params.get("lose") != "yes" and await tables.tables_of(me, 1):
            return await _ask(request, tables, pages, secret, 409)
    found = await tables.devices.open(secret)
    if row is None or found is None:
        raise HTTPException(404, _("This link has been used, is too old, or a newer one has replaced it."))
    response = redirect(link("/me"))
    keep(request, response, COOKIE, found)
    remember_profile(request, response, Profile(row.name, row.number))
    return response


@router.post("/me/alone")
@costs(MAKING)
async def alone(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Give this browser the secret of the form, so that all other devices and programs are shut out.

    Who presses the button twice, or gets no answer and presses again, gets the same secret again.
    """
    me, secret = holder(request), (await fields(request)).get("next", "")
    if me is None:
        return redirect(link("/me"))
    if not _SECRET.fullmatch(secret):
        return await _page(request, tables, pages, 422, _("This page is too old: try again."))
    await tables.rekey(me, hashed(secret))
    response = redirect(link("/me"))
    keep(request, response, COOKIE, secret)
    return response


@router.post("/me/forget")
@costs(MAKING)
async def forget(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Delete everything about this browser, and its cookies with the secret, the name and the number."""
    if (await fields(request)).get("sure") != "yes":
        return await _page(request, tables, pages, 422, _("Tick the box first: this cannot be undone."))
    me = holder(request)
    gone = await tables.forget(me) if me else None
    response = pages.page(request, "forgotten.html", gone=gone)
    for cookie in (COOKIE, NAME, NUMBER):
        drop(response, cookie)
    return response
