"""Who a browser is: links by which another device becomes the same browser, shutting others out, forgetting.

A feature may have the page of a browser, which has the forms: see ``OwnPage``. Faults are shown there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.hashed import hashed
from paddock.core.i18n import _
from paddock.core.wording import timed
from paddock.tables import Forgotten, Tables
from paddock.tables.devices import LASTS
from paddock.web.bodies import fields
from paddock.web.cookies import NAME, NUMBER, drop, keep
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import COOKIE, cookies_of, holder, new_secret
from paddock.web.limits import MAKING
from paddock.web.links import link, whole
from paddock.web.page import WebPage
from paddock.web.pages import Pages, redirect
from paddock.web.people import qr
from paddock.web.prices import costs
from paddock.web.profile import Profile, profile_of, remember_profile

router = APIRouter()
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")  # as ``new_secret`` makes them


@dataclass(frozen=True)
class Identity:
    """What ``_device.html`` says of a browser."""

    known: bool  # whether it has a secret
    used_at: str  # when its last link to another device was used; empty: it was not
    next_secret: str  # that it gets if it shuts others out


async def identity_of(request: Request, tables: Tables) -> Identity:
    """Return what a page says of who its browser is."""
    browser = holder(request)
    device = await tables.devices.of(browser) if browser else None
    used_at = f"{timed(device.used_at)} UTC" if device and device.used_at else ""
    return Identity(browser is not None, used_at, new_secret()[0] if browser else "")


@dataclass(frozen=True, kw_only=True)
class DevicePage(WebPage):
    """A new link to another device."""

    template = "device.html"
    url: str
    qr: Callable[[str], str]  # the code of an address, as SVG
    minutes: int  # for which the link works


@dataclass(frozen=True, kw_only=True)
class OpenedPage(WebPage):
    """What a link to another device does in this browser."""

    template = "opened.html"
    name: str  # of the browser that made the link
    same: bool  # whether it is this one
    own: int  # tables of this browser, which it would lose
    url: str
    here: str  # where changed settings lead to: not to this address, which is secret


@dataclass(frozen=True, kw_only=True)
class ForgottenPage(WebPage):
    """What was deleted of a browser."""

    template = "forgotten.html"
    gone: Forgotten | None  # None: nothing was known of it


def _own_page(pages: Pages) -> str:
    """Return the address of the page of a browser, or of the home page if no feature has such a page."""
    return link(pages.own_page.address if pages.own_page else "/")


async def _refuse(request: Request, pages: Pages, code: int, fault: str) -> Response:
    """Show what is wrong on the page of the browser."""
    if pages.own_page:
        return await pages.own_page.shown(request, code, fault)
    return pages.error(request, code, fault)


@router.post("/me/device")
@costs(MAKING)
async def to_device(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Show a link that makes another device this browser. It is shown only once, and works once."""
    if holder(request) is None:
        words = _("This browser has no games yet: there is nothing to take along.")
        return await _refuse(request, pages, 409, words)
    profile = profile_of(request)
    secret = await tables.devices.make(cookies_of(request.scope)[COOKIE], profile.name, profile.number)
    url = whole(request, f"/me/device/{secret}")
    return pages.page(request, DevicePage(url=url, qr=qr, minutes=int(LASTS.total_seconds()) // 60))


@router.get("/me/device/{secret}")
async def asked(request: Request, tables: GivenTables, pages: GivenPages, secret: str) -> Response:
    """Show what a link does in this browser. It is used only by a click, not by link previews."""
    return await _ask(request, tables, pages, secret)


async def _ask(request: Request, tables: Tables, pages: Pages, secret: str, code: int = 200) -> Response:
    row = await tables.devices.find(secret)
    if row is None:
        raise _no_link()
    browser = holder(request)
    own = len(await tables.tables_of(browser)) if browser and browser != row.holder else 0
    page = OpenedPage(
        name=row.name,
        same=browser == row.holder,
        own=own,
        url=link(f"/me/device/{secret}"),
        here=_own_page(pages),
    )
    return pages.page(request, page, code)


def _no_link() -> HTTPException:
    return HTTPException(404, _("This link has been used, is too old, or a newer one has replaced it."))


@router.post("/me/device/{secret}")
@costs(MAKING)
async def opened(request: Request, tables: GivenTables, pages: GivenPages, secret: str) -> Response:
    """Make this device the browser of the link. If it has games, the address must say ``?lose=yes``."""
    row, browser = await tables.devices.find(secret), holder(request)
    if row is not None and browser is not None:
        if browser == row.holder:
            return redirect(_own_page(pages))
        if request.query_params.get("lose") != "yes" and await tables.tables_of(browser, 1):
            return await _ask(request, tables, pages, secret, 409)
    cookie = await tables.devices.open(secret)
    if row is None or cookie is None:
        raise _no_link()
    response = redirect(_own_page(pages))
    keep(request, response, COOKIE, cookie)
    remember_profile(request, response, Profile(row.name, row.number))
    return response


@router.post("/me/alone")
@costs(MAKING)
async def alone(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Give this browser the secret of the form, so that all other devices and programs are shut out.

    Who presses the button twice, or gets no answer and presses again, gets the same secret again.
    """
    browser, secret = holder(request), (await fields(request)).get("next", "")
    if browser is None:
        return redirect(_own_page(pages))
    if not _SECRET.fullmatch(secret):
        return await _refuse(request, pages, 422, _("This page is too old: try again."))
    await tables.rekey(browser, hashed(secret))
    response = redirect(_own_page(pages))
    keep(request, response, COOKIE, secret)
    return response


@router.post("/me/forget")
@costs(MAKING)
async def forget(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Delete everything about this browser, and its cookies with the secret, the name and the number."""
    if (await fields(request)).get("sure") != "yes":
        return await _refuse(request, pages, 422, _("Tick the box first: this cannot be undone."))
    browser = holder(request)
    gone = await tables.forget(browser) if browser else None
    response = pages.page(request, ForgottenPage(gone=gone))
    for cookie in (COOKIE, NAME, NUMBER):
        drop(response, cookie)
    return response
