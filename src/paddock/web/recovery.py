"""Links that move a seat to another device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.i18n import _
from paddock.tables import Tables, TwoHands, seats
from paddock.web.bodies import fields
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import holder
from paddock.web.links import link, whole
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect, remember, with_browser
from paddock.web.people import qr
from paddock.web.play import place
from paddock.web.prices import TableId, costs
from paddock.web.values import number

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class RecoveryPage(WebPage):
    """The link that moves a seat."""

    template = "recovery.html"
    name: str  # of the player
    recovery_url: str
    table_url: str
    qr: Callable[[str], str]  # the code of an address, as SVG


@dataclass(frozen=True, kw_only=True)
class RecoverPage(WebPage):
    """What such a link does in this browser."""

    template = "recover.html"
    name: str  # of the player
    already: str  # who plays in this browser already, if it would see two hands
    table_url: str
    recover_url: str
    here: str  # where changed settings lead to: not to this address, which is secret


@router.post("/t/{id}/recovery")
@costs()
async def recovery(request: Request, tables: GivenTables, pages: GivenPages, id: TableId) -> Response:
    """Show the link that moves a seat to another device. It is shown only once."""
    where = await place(request, id)
    player = number(await fields(request), "player", most=99)
    secret = await tables.recovery(id, holder(request) or "", player)
    page = RecoveryPage(
        title=where.model.title,
        name=where.model.people[player].name,
        recovery_url=whole(request, f"/t/{id}/seat/{secret}"),
        table_url=link(f"/t/{id}"),
        qr=qr,
    )
    return pages.page(request, page)


@router.get("/t/{id}/seat/{secret}")
async def moved(
    request: Request, tables: GivenTables, pages: GivenPages, id: TableId, secret: str
) -> Response:
    """Show the page of a recovery link. The seat moves only after a click, not for link previews."""
    return await _ask(request, tables, pages, id, secret)


async def _ask(
    request: Request, tables: Tables, pages: Pages, id: str, secret: str, code: int = 200
) -> Response:
    """Show what a recovery link does in this browser; raise a 404 if it is no longer valid."""
    table = await tables.table(id)
    who = seats.owner(table, secret)
    if who is None:
        raise HTTPException(404, _("This link has been used, or a newer one has replaced it."))
    url = link(f"/t/{id}")
    page = RecoverPage(
        title=table.title,
        name=who.name,
        already=seats.two_hands(table, who, holder(request)),
        table_url=url,
        recover_url=f"{url}/seat/{secret}",
        here=url,
    )
    return pages.page(request, page, code)


@router.post("/t/{id}/seat/{secret}")
@costs()
async def recover(
    request: Request, tables: GivenTables, pages: GivenPages, id: TableId, secret: str
) -> Response:
    """Move the seat to this browser. If it then sees two hands, the address must say ``?both=yes``."""
    browser, new_secret = with_browser(request)
    both = request.query_params.get("both") == "yes"
    try:
        await tables.run(id, seats.recover, secret, browser, both)
    except TwoHands:  # the browser has got its other seat after it loaded the page
        return await _ask(request, tables, pages, id, secret, 409)
    return remember(request, redirect(link(f"/t/{id}")), new_secret)
