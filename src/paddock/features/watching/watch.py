"""The page «Watch»: small boards of the live tables, all of which one stream keeps up to date."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from paddock.core.quick_json import dumps
from paddock.core.title import Title
from paddock.features.watching.service import BOARDS, LOOK, Watching
from paddock.features.watching.wall import SmallBoard, boards
from paddock.tables import Busy, Tables, Unavailable
from paddock.web.given import GivenPages
from paddock.web.links import link
from paddock.web.model import short_digest
from paddock.web.page import WebPage
from paddock.web.pages import setting
from paddock.web.present import quick
from paddock.web.prices import costs
from paddock.web.streams import HEARTBEAT, News, Piece, Signal, sent, signs
from paddock.web.titles import drawn, in_order, title_of

MOST = 4 * BOARDS  # boards that a page may say it has

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class WatchPage(WebPage):
    """The live tables."""

    template = "watching/watch.html"
    titles: Sequence[Title]  # of which a board may come
    needed: Sequence[Title]  # whose drawings the boards need
    boards: Sequence[SmallBoard]
    stream_url: str
    sprite_url: str  # with the name of a title: its drawings
    tv_url: str
    quick: Mapping[str, str]  # the form of a game that starts at once


def muted(request: Request) -> bool:
    """Whether the reader wants to see no live tables."""
    return setting(request, "others") == "off"


@router.get("/watch")
@costs(by_size=True)
async def watch(request: Request, pages: GivenPages) -> Response:
    """Show the live tables; none to a reader who has muted them."""
    shown = [] if muted(request) else await boards(request)
    names = {board.title for board in shown}
    page = WatchPage(
        titles=in_order(),
        needed=[title for title in in_order() if title.name in names],
        boards=shown,
        stream_url=link("/watch/stream?"),
        sprite_url=link("/watch/sprite/"),
        tv_url=link("/watch/tv"),
        quick=quick(in_order()[0]),
    )
    return pages.page(request, page)


@router.get("/watch/sprite/{name}")
@costs(by_size=True)
async def sprite(name: str) -> Response:
    """Send the drawings of a title, for a page that gets its first board of it."""
    return HTMLResponse(drawn(title_of(name), "sprite"))


@router.get("/watch/stream")
@costs(stream=True)
async def stream(request: Request) -> Response:
    """Send the boards that have changed. ``have`` names those of the page: «id.digest», with commas."""
    pairs = (pair.partition(".") for pair in request.query_params.get("have", "").split(",")[:MOST])
    return sent(request, _told(request, {id: digest for id, _dot, digest in pairs if digest}))


async def _told(request: Request, had: Mapping[str, str]) -> AsyncIterator[Piece]:
    """Yield what has changed, at most once a second, and heartbeats. It ends with the server.

    While the server is busy or the database does not answer, and to a reader who has muted live tables, it
    sends nothing else than heartbeats.
    """
    stopping: Signal = request.app.state.stopping
    bell = asyncio.Event()
    first, sign = signs(HEARTBEAT, True)
    yield first
    due, last, quiet = time.monotonic() + HEARTBEAT, "", muted(request)
    with stopping.rings(bell):
        while not stopping.given:
            news = None
            with suppress(Unavailable, Busy):
                shown = [] if quiet else await boards(request)
                digest = _digest(shown)
                if digest != last and not quiet:
                    news = await _news(request, shown, had)
                    last, had = digest, {board.id: board.digest for board in shown}
            if news:
                yield news.event
            if time.monotonic() >= due:
                yield sign
                due += HEARTBEAT
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK):  # ``wait_for`` of Python 3.11 may lose a cancellation
                    await bell.wait()


def _digest(shown: Sequence[SmallBoard]) -> str:
    return short_digest([(board.id, board.digest) for board in shown])


async def _news(request: Request, shown: Sequence[SmallBoard], had: Mapping[str, str]) -> News:
    """Return what ``told`` does, made and compressed once for all pages that had the same boards."""
    tables: Tables = request.app.state.tables
    wall = tables.service(Watching).wall

    async def made() -> News:
        return told(shown, had, await wall.over(had.keys() - {board.id for board in shown}))

    return await wall.news.get((_digest(shown), frozenset(had.items())), made)


def told(shown: Sequence[SmallBoard], had: Mapping[str, str], over: Collection[str] = ()) -> News:
    """Return the boards for a page that had others: all in their order, and the HTML of those that changed.

    A page that has a board already gets it without the parts that rarely change. Of those that it had and
    that are gone, some are ``over``.
    """
    changed = [
        {
            "id": board.id,
            "title": board.title,
            "digest": board.digest,
            "html": board.moved if board.id in had else board.html,
        }
        for board in shown
        if had.get(board.id) != board.digest
    ]
    said = {"all": [board.id for board in shown], "over": [*over], "changed": changed}
    return News(_digest(shown), dumps(said))
