"""The forms for people at a table: seats, requests for one, chat, standing orders, undo, rematch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.tables import (
    NoTable,
    Tables,
    claims,
    hosting,
    lessons,
    moves,
    orders,
    seats,
    talk,
    undo,
)
from paddock.tables.engine import Command
from paddock.web.bodies import fields
from paddock.web.given import GivenTables
from paddock.web.guard import holder
from paddock.web.limits import MAKING
from paddock.web.links import link
from paddock.web.pages import redirect, remember, sentence, with_browser
from paddock.web.play import done, place, refusing, show
from paddock.web.present import Refusal
from paddock.web.prices import TableId, costs
from paddock.web.profile import Profile, profile_of, remember_profile
from paddock.web.values import number, short

router = APIRouter()
LONGEST_ORDER = 200  # characters


def _decision(values: Mapping[str, str]) -> int | None:
    """Return the open decision that a form's page showed; None if the form does not say it."""
    return number(values, "decision") if "decision" in values else None


async def _try(request: Request, id: str, at: str, work: Awaitable[Any]) -> Response:
    """Await ``work``; return the new page, or the page with the error at ``at``."""
    try:
        await work
    except NoTable:
        raise
    except PaddockError as error:
        where = await place(request, id)
        return await show(
            request, where, status=refusing(error), refusal=Refusal(sentence(str(error)), at=at)
        )
    return await done(request, await place(request, id))


@router.post("/t/{id}/seats")
@costs()
async def change_seat(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Take, leave or change a seat. Some actions are for its player, some for the host."""
    values = await fields(request)
    act, player = values.get("do", ""), number(values, "player", most=99)
    if act == "claim":
        return await _claim(request, tables, id, player, values.get("name", ""))
    me, name = holder(request) or "", values.get("seen")
    known: dict[str, Callable[[], Awaitable[Any]]] = {
        "rename": lambda: tables.run(id, seats.rename, me, player, values.get("name", "")),
        "leave": lambda: tables.run(id, seats.leave, me, player),
        "ready": lambda: tables.run(id, seats.ready, me, player, True, values.get("lot", "")),
        "unready": lambda: tables.run(id, seats.ready, me, player, False),
        "bot": lambda: tables.run(
            id, seats.as_seen, hosting.set_bot, name, me, player, values.get("level", "")
        ),
        "open": lambda: tables.run(id, seats.as_seen, hosting.set_bot, name, me, player, None),
        "free": lambda: tables.run(id, seats.as_seen, hosting.free, name, me, player),
        "kick": lambda: tables.run(id, seats.as_seen, hosting.kick, name, me, player),
        "mute": lambda: tables.run(id, seats.as_seen, hosting.mute, name, me, player, True),
        "unmute": lambda: tables.run(id, seats.as_seen, hosting.mute, name, me, player, False),
    }
    if act not in known:
        raise HTTPException(
            400, _("“do” must be one of {values}.").format(values=", ".join(["claim", *known]))
        )
    return await _try(request, id, "seats", known[act]())


async def _claim(request: Request, tables: Tables, id: str, player: int, name: str) -> Response:
    """Take a seat. The browser gets a secret, and remembers the name for the next table."""
    me, secret = with_browser(request)
    try:
        await tables.run(id, seats.claim, me, player, name)
    except NoTable:
        raise
    except PaddockError as error:
        where = await place(request, id)
        return await show(
            request, where, status=refusing(error), refusal=Refusal(sentence(str(error)), at="seats")
        )
    response = remember(request, await done(request, await place(request, id, me)), secret)
    if name.strip():
        remember_profile(request, response, Profile(name.strip()[:100], profile_of(request).number))
    return response


@router.post("/t/{id}/talk")
@costs()
async def say(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Write a chat message to the table or to the player's team."""
    values = await fields(request)
    player, channel = number(values, "player", most=99), values.get("channel", "table")
    line = tables.run(id, talk.say, holder(request), player, values.get("text", ""), channel)
    return await _try(request, id, "talk", line)


@router.post("/t/{id}/react")
@costs()
async def react(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Say a phrase of the fixed list."""
    values = await fields(request)
    player = number(values, "player", most=99)
    line = tables.run(id, talk.react, holder(request), player, values.get("phrase", ""))
    return await _try(request, id, "talk", line)


@router.post("/t/{id}/orders")
@costs()
async def change_orders(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Give a standing order or cancel one. Cancelling an empty order clears the list of dropped ones."""
    values = await fields(request)
    seat, text = number(values, "seat", most=99), short(values, "order", LONGEST_ORDER)
    if values.get("do") == "give":
        return await _try(request, id, "orders", tables.run(id, orders.give, holder(request), seat, text))
    return await _try(request, id, "orders", tables.run(id, orders.cancel, holder(request), seat, text))


@router.post("/t/{id}/lesson")
@costs()
async def turn_lesson(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Go to another step of a lesson, from the ``decision`` that the page showed."""
    values = await fields(request)
    where, decision = values.get("do", ""), _decision(values)
    return await _try(request, id, "hand", tables.run(id, lessons.turn, holder(request), where, decision))


@router.post("/t/{id}/undo")
@costs()
async def change_undo(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Request an undo of the last move, agree to it, or decline, at the ``decision`` that the page showed."""
    known: dict[str, Command[[str | None, int | None], Any]] = {
        "request": undo.request,
        "agree": undo.agree,
        "refuse": undo.refuse,
    }
    values = await fields(request)
    act, decision = values.get("do", ""), _decision(values)
    if act not in known:
        raise HTTPException(400, _("“do” must be one of {values}.").format(values=", ".join(known)))
    return await _try(request, id, "hand", tables.run(id, known[act], holder(request), decision))


@router.post("/t/{id}/claims")
@costs()
async def answer_claim(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Agree to the request for a seat with this number, decline it, or withdraw it."""
    known: dict[str, Command[[str | None, int], Any]] = {"agree": claims.agree, "decline": claims.decline}
    values = await fields(request)
    act, asked = values.get("do", ""), number(values, "number")
    if act not in known:
        raise HTTPException(400, _("“do” must be one of {values}.").format(values=", ".join(known)))
    return await _try(request, id, "hand", tables.run(id, known[act], holder(request), asked))


@router.post("/t/{id}/read")
@costs()
async def mark_read(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Mark all events as read by the player, up to the ``decision`` that the page showed."""
    values = await fields(request)
    player, decision = number(values, "player", most=99), _decision(values)
    return await _try(request, id, "hand", tables.run(id, moves.read, holder(request), player, decision))


@router.post("/t/{id}/rematch")
@costs(MAKING)
async def rematch(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Open the lobby of a rematch. All players get the same lobby."""
    table = await tables.making.rematch(id, holder(request) or "")
    return redirect(link(f"/t/{table.id}"))
