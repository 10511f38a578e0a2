"""The table: its page, its moves, its stream, and the curtain between two who share a device."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote, urlencode

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response, StreamingResponse

from paddock.core.errors import IllegalMove, PaddockError
from paddock.core.i18n import _
from paddock.core.lesson import lesson
from paddock.tables import Forbidden, NoTable, Table, Tables
from paddock.tables.make import clean
from paddock.tables.talk import Said
from paddock.web.choices import LONGEST_CHAIN, Ahead, links_of, look
from paddock.web.guard import holder, keep
from paddock.web.pages import Pages, fields, number, redirect, sentence
from paddock.web.people import clocks, company, face, friends, lobby_page, qr
from paddock.web.present import Refusal, course, table_page
from paddock.web.wakes import HEADERS, wakes

router = APIRouter()
MAIN = '<main id="main" tabindex="-1">'  # where base.html begins what changes
# Where a page carries the key of its forms, new each time; its own digest; whether it was just opened.
BLANK, DIGEST, FRESH = "@key@", "@digest@", "@fresh@"
NAME = "paddock_name"  # the cookie with the name that somebody took a seat with


@dataclass(frozen=True)
class Place:
    """A table, and who this browser is at it."""

    table: Table
    holder: str | None
    mine: list[int]  # the players it holds
    at: int | None  # the one of them at the device
    said: list[Said]  # what that one may read
    away: frozenset[int]  # the people who are not here
    name: str  # what somebody who looks on calls themselves elsewhere
    change: int | None = None  # the seat whose owner, at the device, opens its hand again

    @property
    def player(self) -> int | None:
        """Through whose eyes the page is."""
        return self.mine[0] if len(self.mine) == 1 else self.at


async def place(request: Request, id: str, me: str | None = None) -> Place:
    """Find the table of a request, made by the browser ``me`` where that is not known yet.

    Who asks is here. Raises ``NoTable``.
    """
    tables: Tables = request.app.state.tables
    me = me or holder(request)
    await tables.presence.seen(id, me)
    cookie = request.cookies.get(_cookie(id), "")
    at = int(cookie) if cookie.isascii() and cookie.isdigit() else None
    name = clean(unquote(request.cookies.get(NAME, "")))
    where = await _now(tables, Place(await tables.table(id), me, [], at, [], frozenset(), name))
    return replace(where, change=_change(where, request.query_params))


async def _now(tables: Tables, where: Place) -> Place:
    """The same place as it is now."""
    table = await tables.table(where.table.id)
    mine = table.players_of(where.holder)
    here = replace(where, table=table, mine=mine, at=where.at if where.at in mine else None)
    people = [p.index for p in table.players if p.person and p.holder != where.holder]
    away = frozenset([p for p in people if not await tables.presence.here(table.id, p)])
    said = await tables.talk.lines(table.id, here.player) if company(table, where.holder) else []
    return replace(here, said=said, away=away)


def _change(where: Place, query: Mapping[str, str]) -> int | None:
    """The committed seat that the address asks to open again, where its owner is at the device."""
    seat, table = query.get("change", ""), where.table
    if not re.fullmatch(r"[0-9]{1,2}", seat) or query.get("decision") != str(table.decision):
        return None
    if int(seat) not in table.pending or table.options.owners[int(seat)] != where.player:
        return None
    return int(seat)


def _cookie(id: str) -> str:
    return f"at_{id}"


def _context(
    where: Place, chosen: str = "", refusal: Refusal | None = None, ahead: Ahead | None = None
) -> tuple[str, dict[str, Any]]:
    table, base = where.table, f"/t/{where.table.id}"
    # A change counts for the decision that it was asked for, and no longer.
    change = where.change if where.change in table.pending else None
    name, context = table_page(
        table, where.mine, where.at, key=BLANK, chosen=chosen, refusal=refusal, change=change, ahead=ahead
    )
    if table.kind == "learn" and context["player"] is not None and name != "curtain.html":
        room = course(table.title)
        player = context["player"]
        context["lesson"] = lesson(table.game, player, room.IDEAS, room.FREELY, room.LAST)
    if name != "curtain.html":
        context |= friends(table, where.holder, context["player"], where.said, where.away)
    if table.phase == "lobby":
        name, context = "lobby.html", context | lobby_page(table, where.holder)
    # The stream is this browser's: its address is another one when it sits down or is handed on.
    who = {"as": "-".join(map(str, where.mine))} if where.mine else {}
    who |= {} if where.at is None else {"at": str(where.at)}
    who |= {} if change is None else {"change": str(change), "decision": str(table.decision)}
    stream = f"{base}/stream" + (f"?{urlencode(who)}" if who else "")
    return name, context | {
        "stream_url": stream,
        "digest": DIGEST,
        "fresh": FRESH,
        "known_name": where.name,
        "qr": qr,
        "rematch_url": f"{base}/rematch",
    }


def _render(
    request: Request,
    where: Place,
    part: bool,
    chosen: str = "",
    refusal: Refusal | None = None,
    ahead: Ahead | None = None,
) -> str:
    pages: Pages = request.app.state.pages
    name, context = _context(where, chosen, refusal, ahead)
    context["share_url"] = f"{request.base_url}t/{where.table.id}"
    return pages.block(request, name, "main", context) if part else pages.text(request, name, context)


def digest(request: Request, where: Place) -> str:
    """64 bits of the page as this browser would get it now, but for its key, choices and refusals."""
    return _digest(_render(request, where, True))


def _digest(main: str) -> str:
    return hashlib.blake2b(main.encode(), digest_size=8).hexdigest()


def show(
    request: Request,
    where: Place,
    *,
    status: int = 200,
    chosen: str = "",
    refusal: Refusal | None = None,
    ahead: Ahead | None = None,
) -> HTMLResponse:
    """The table page, or its changing part where the page's script asks for that."""
    part = request.headers.get("paddock-part") == "main"
    text = _render(request, where, part, chosen, refusal, ahead)
    if refusal or ahead:
        now = digest(request, where)
    else:
        now = _digest(text if part else text[text.index(MAIN) + len(MAIN) : text.rindex("</main>")])
    text = text.replace(DIGEST, now).replace(BLANK, request.app.state.token())
    text = text.replace(FRESH, "" if part else " open")
    tables: Tables = request.app.state.tables
    for mark, left in clocks(where.table, tables.runtime.now()).items():
        text = text.replace(f'data-left="{mark}"', f'data-left="{left}"').replace(mark, face(left))
    return HTMLResponse(text, status)


@router.get("/t/{id}")
async def page(request: Request, id: str) -> Response:
    """The table as the player at this device sees it, or as a spectator does."""
    return show(request, await place(request, id))


def done(request: Request, where: Place) -> Response:
    """After a form: the fresh page."""
    if request.headers.get("paddock-part") == "main":
        return show(request, where)
    return redirect(f"/t/{where.table.id}")


@router.post("/t/{id}/move")
async def move(request: Request, id: str) -> Response:
    """Commit or play ``move``, in notation, for ``seat`` and the ``decision`` that the page showed.

    Several moves with «;» between them are a chain: one submission.
    """
    tables: Tables = request.app.state.tables
    where = await place(request, id)
    values = await fields(request)
    seat, decision = number(values, "seat"), number(values, "decision")
    notation = values.get("move", "").strip()[:LONGEST_CHAIN]
    moves = links_of(notation)
    if not moves:
        return show(request, where, status=422, refusal=Refusal(_("Choose a move first.")))
    try:
        answer = await tables.submit(id, where.holder, seat, moves, decision, values.get("key", ""))
    except (NoTable, Forbidden):
        raise
    except PaddockError as error:
        ahead = _look(where, seat, decision, moves)[0] if len(moves) > 1 else None
        return show(request, where, status=422, chosen=notation, refusal=_against(error), ahead=ahead)
    where = await place(request, id)
    if answer.status == "late":
        return show(request, where, status=409, chosen=notation, refusal=Refusal(answer.sentence))
    return done(request, where)


@router.post("/t/{id}/preview")
async def preview(request: Request, id: str) -> Response:
    """The page as it is with ``move`` chosen, one move or several with «;» between them: nothing is sent.

    Of a decision that was made meanwhile, the page as it is now.
    """
    where = await place(request, id)
    values = await fields(request)
    moves = links_of(values.get("move", "")[:LONGEST_CHAIN])
    ahead, error = _look(where, number(values, "seat"), number(values, "decision"), moves)
    if error:
        return show(request, where, status=422, refusal=_against(error), ahead=ahead)
    return show(request, where, ahead=ahead)


def _look(
    where: Place, seat: int, decision: int, moves: Sequence[str]
) -> tuple[Ahead | None, PaddockError | None]:
    """Where the links of a seat lead, which its player at this device must decide for now; else None."""
    table, player = where.table, where.player
    mine = [] if player is None or not table.running else table.seats_of(player)
    if seat not in mine or seat not in table.game.deciders or decision != table.decision:
        return None, None
    assert player is not None
    return look(table, player, seat, moves)


def _against(error: PaddockError) -> Refusal:
    """What was refused, above the hand."""
    if isinstance(error, IllegalMove):
        return Refusal(sentence(error.reason), error.clause)
    return Refusal(sentence(str(error)))


@router.post("/t/{id}/sit")
async def sit(request: Request, id: str) -> Response:
    """The device is handed on: the curtain rises for another player of this browser."""
    where = await place(request, id)
    player = number(await fields(request), "player")
    if player not in where.mine:
        raise HTTPException(403, _("This browser does not hold that player."))
    tables: Tables = request.app.state.tables
    where = await _now(tables, replace(where, at=player, change=None))
    response = done(request, where)
    keep(request, response, _cookie(id), str(player), path=f"/t/{id}")
    return response


@router.get("/t/{id}/stream")
async def stream(request: Request, id: str) -> Response:
    """Wake-ups as server-sent events: the digest of this browser's page whenever it is another one.

    The address says who that is, so that the page opens a new stream when that changes.
    """
    where = await place(request, id)
    tables: Tables = request.app.state.tables

    async def now() -> str:
        return digest(request, await _now(tables, where))

    news = wakes(tables, request.app.state.stopping, id, where.holder, now)
    return StreamingResponse(news, media_type="text/event-stream", headers=HEADERS)
