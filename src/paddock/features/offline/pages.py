"""The pack of a server below ``/device/``, the offer to keep it, and the page for times without a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from paddock.core.i18n import language
from paddock.core.wording import number
from paddock.features.offline.folder import Offered, file_of, offered
from paddock.tables.threads import off_loop
from paddock.web.given import GivenPages
from paddock.web.guard import policy
from paddock.web.links import link
from paddock.web.page import WebPage
from paddock.web.pages import Pages, setting
from paddock.web.prices import costs

router = APIRouter()
RUNS = (
    policy(("'self'",)).replace("base-uri 'none'", "base-uri 'self'")
    + "; script-src 'self' 'wasm-unsafe-eval'"
)  # of the shell page, and of home in its frame
_LASTING, _CHANGING = "public, max-age=31536000, immutable", "no-cache"


@dataclass(frozen=True)
class KeepPart:
    """What home offers to a browser that can keep the pack."""

    size: str
    version: str
    device: str  # the address of the pack
    worker: str  # of the service worker of this server
    page: str  # of what the service worker shows without a network; another one when that changes
    played: str  # where games of the device are sent; empty: nowhere


@dataclass(frozen=True, kw_only=True)
class AwayPage(WebPage):
    """What a browser that keeps the pack shows without a network."""

    template = "offline/away.html"
    device: str  # the address of the pack


async def keeping(request: Request) -> KeepPart | None:
    """Return what home offers; None where this server has no pack."""
    pack = await _pack(request)
    if pack is None:
        return None
    pages: Pages = request.app.state.pages
    looks = f"{pages.digest}-{language.get()}-{setting(request, 'theme')}"
    return KeepPart(
        size=number(pack.bytes / 1e6, ".0f"),
        version=pack.version,
        device=link("/device/"),
        worker=link("/sw.js"),
        page=link(f"/offline?of={looks}"),
        played=link(pages.own_page.played) if pages.own_page and pages.own_page.played else "",
    )


@router.get("/offline")
async def away(request: Request, pages: GivenPages) -> Response:
    """Return the page that the service worker keeps, and shows without a network."""
    if await _pack(request) is None:
        raise HTTPException(404)
    return pages.page(request, AwayPage(device=link("/device/")))


@router.get("/device/{name:path}", include_in_schema=False)
@costs(early=True)
async def file(request: Request, name: str) -> Response:
    """Send a file of the pack."""
    found = await off_loop(file_of, request.app.state.settings.pack, name)
    if found is None:
        raise HTTPException(404)
    headers = {
        "Cache-Control": _LASTING if found.lasting else _CHANGING,
        "Content-Security-Policy": RUNS,
    }
    return FileResponse(found.path, media_type=found.type, headers=headers)


async def _pack(request: Request) -> Offered | None:
    return cast("Offered | None", await off_loop(offered, request.app.state.settings.pack))
