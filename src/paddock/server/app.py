"""The web application: startup and shutdown, routes, and error pages."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from paddock.core.errors import PaddockError
from paddock.core.game import ChanceSource
from paddock.core.i18n import LOCALE, _, catalogues
from paddock.core.settings import BadSetting, Settings, variable
from paddock.features import FEATURES
from paddock.tables import Runtime, Tables, Unavailable
from paddock.tables.hosting import Abandon
from paddock.tables.means import ORDINARY, ServerMeans
from paddock.tables.names import NameFilter
from paddock.tables.service import Tended
from paddock.tables.tasks import end
from paddock.tables.upkeep import Retention
from paddock.web import (
    after,
    fair,
    front,
    health,
    identity,
    lobby,
    play,
    preview,
    recovery,
    setup,
)
from paddock.web.api import ROUTERS as API_ROUTERS
from paddock.web.api import api, refused
from paddock.web.api.fast import API, Fast, compressed
from paddock.web.api.telling import Telling
from paddock.web.bar import counted
from paddock.web.caches import Current, Once, Recent
from paddock.web.cookies import Renewal
from paddock.web.feature import Feature
from paddock.web.files import Static
from paddock.web.guard import Checks, Guard, Hosts, refuse
from paddock.web.handover import Handover, Inside
from paddock.web.heads import Heads
from paddock.web.language import Language
from paddock.web.limits import Limits
from paddock.web.links import Base, place
from paddock.web.meter import Counts, Meter
from paddock.web.model import MODELS, Models
from paddock.web.pages import RETRY, Pages, sentence, status_of
from paddock.web.pictures import Pictures
from paddock.web.prices import Prices
from paddock.web.relay import Relay
from paddock.web.streams import Revocations, Signal
from paddock.web.visits import Visits

log = logging.getLogger("paddock.web")
ROUTERS = [
    one.router
    for one in (
        front,
        play,
        lobby,
        after,
        recovery,
        identity,
        fair,
        preview,
        health,
        setup,
    )
]
SWEEP = 3600.0  # seconds between searches for abandoned and old tables
SETTLED = 300.0  # seconds after a start, or after the clock was set, without a search
NOTICE = 5.0  # seconds between looks for changes by the operator


def add_caches(state: State) -> None:
    """Add the empty caches of what people see."""
    state.models = Models()
    state.outside = Models()  # of spectators without the chat: for link previews and frames
    state.rendered = Recent(play.RENDERED)  # pages
    state.telling = Telling()  # of the API
    state.told = Current(MODELS)  # what the API and its streams say
    state.pushed = Once(play.RENDERED)  # what the streams of pages say


def forget(state: State, ids: Collection[str]) -> None:
    """Drop from the caches what is about tables that have left memory."""
    for cache in (state.models, state.outside, state.rendered, state.telling, state.told):
        cache.forget(ids)


class Prefixed:
    """Serves another application under a prefix, without a search through the addresses of pages."""

    def __init__(self, app: ASGIApp, prefix: str, other: ASGIApp) -> None:
        self.app = app
        self.prefix = prefix
        self.other = other

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "http" and place(scope).startswith(self.prefix + "/"):
            scope["root_path"] = scope.get("root_path", "") + self.prefix
            await self.other(scope, receive, send)
        else:
            await self.app(scope, receive, send)


class Paddock(FastAPI):
    """The application. What stands in ``front`` of it gets each request first."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.front: ASGIApp = super().__call__

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        await self.front(scope, receive, send)


class Opening:
    """Answers 503 until the database has answered for the first time."""

    def __init__(self, app: ASGIApp, state: State, prices: Prices, always: str) -> None:
        self.app = app
        self.state = state
        self.prices = prices
        self.always = always

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        open = scope["type"] != "http" or self.state.tables is not None
        if open or self.prices.of(scope).early or place(scope).startswith(self.always):
            await self.app(scope, receive, send)
            return
        words = _("The database does not answer yet. Nothing is lost: this page works again when it does.")
        await refuse(scope, 503, words, {"Retry-After": str(RETRY)})(scope, receive, send)


def routers(features: Sequence[Feature] = FEATURES) -> tuple[list[APIRouter], list[APIRouter]]:
    """Return the routers of the pages, and those of the API."""
    pages, programs = [feature.pages for feature in features], [feature.api for feature in features]
    return [*ROUTERS, *pages], [*API_ROUTERS, *programs]


def declared(features: Sequence[Feature] = FEATURES) -> Prices:
    """Return what all routes declare."""
    pages, programs = routers(features)
    return Prices([*(("", router) for router in pages), *((API, router) for router in programs)])


def create_app(
    database_url: str | None = None,
    *,
    chance: ChanceSource | None = None,
    runtime: Runtime | None = None,
    pace: Literal["human", "instant"] = "human",
    token: Callable[[], str] = lambda: token_urlsafe(12),
    settings: Settings | None = None,
    locale: Path = LOCALE,
    address: str = "",
    features: Sequence[Feature] = FEATURES,
    means: ServerMeans = ORDINARY,
) -> FastAPI:
    """Create the application. Raises ``PaddockError`` for invalid settings.

    - ``settings``: by default, those of the environment.
    - ``database_url``: by default, the one of the settings.
    - ``pace``: how fast bots move at new tables, by default.
    - ``token``: returns a new key for a form. Two submissions with the same key count once.
    - ``locale``: the folder of the translations.
    - ``address``: HOST:PORT, where other servers of a PostgreSQL database reach this one.
    - ``features``: what can be done besides playing at a table.
    - ``means``: how the database is used, and what works beside the event loop.
    """
    settings = settings or Settings.read()
    names, abandon = NameFilter.read(settings.name_filter), Abandon.of(settings)
    url = database_url or settings.database_url

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        """Open the tables while the server runs; try again until the database answers."""
        async with contextlib.AsyncExitStack() as stack:

            async def start() -> None:
                """Open the tables, and begin what is done from time to time; the stack ends it."""
                catalogues.set(locale)  # of messages to players, which belong to no request
                tables = await stack.enter_async_context(
                    Tables.open(
                        url,
                        chance=chance,
                        runtime=runtime,
                        names=names,
                        address=address,
                        settings=settings,
                        services=[feature.service for feature in features if feature.service],
                        means=means,
                    )
                )
                tending = map(_tend, tables.tended)
                work = _sweep(tables, abandon, Retention.of(settings)), _notice(tables), *tending
                stack.push_async_callback(end, [asyncio.create_task(coroutine) for coroutine in work])
                tables.owning.gone = app.state.relay.drop
                stack.push_async_callback(app.state.relay.close)
                tables.registry.left = partial(forget, app.state)
                app.state.tables, app.state.pictures = tables, Pictures(tables.workers)

            try:
                await start()
            except Unavailable as error:
                log.error("%s; trying again every %d seconds", error, RETRY)
                stack.push_async_callback(end, [asyncio.create_task(_start_later(start))])
            except PaddockError as error:
                app.state.fault = error
                raise
            yield

    app = Paddock(title="Paddock", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.state.pages = pages = Pages(features, reachable=means.reachable)
    add_caches(app.state)
    app.state.pace = pace
    app.state.token = token
    app.state.settings = settings
    page_routers, api_routers = routers(features)
    prices = declared(features)
    app.state.checks = checks = Checks(Limits.of(settings), _hosts(settings), prices)
    app.state.counts = counts = Counts()
    app.state.stopping = Signal()
    app.state.tables = app.state.pictures = None  # until the database answers
    app.state.revocations = Revocations()
    app.state.relay = Relay()
    app.state.sticky = False  # whether connections go to the server of their table: see ``processes.py``
    app.state.fault = None  # the error that made the start fail
    app.state.api = api(app.state, api_routers)
    app.add_middleware(Renewal, state=app.state, prices=prices)
    app.add_middleware(Prefixed, prefix=API, other=app.state.api)
    app.add_middleware(Opening, state=app.state, prices=prices, always=f"/static/{pages.digest}/")
    app.add_middleware(compressed, pages=True)
    app.add_middleware(Visits)
    app.add_middleware(Handover, state=app.state)
    app.add_middleware(Guard, checks=checks)
    app.add_middleware(Meter, counts=counts, prices=prices)
    app.add_middleware(Inside, state=app.state)
    app.add_middleware(Language, folder=locale)  # around all others, so that refusals are translated too
    app.front = Fast(app.front, app.state, checks, counts, refused, locale)
    if settings.base_path:
        app.front = Base(app.front, settings.base_path)
    app.front = Heads(app.front)
    for router in page_routers:
        app.include_router(router, dependencies=[Depends(counted)])
    app.mount(f"/static/{pages.digest}", Static(pages.files))
    app.add_exception_handler(PaddockError, _refused)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(Exception, _error_page)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        """Answer browsers that request the default icon: there is none."""
        return Response(status_code=204, headers={"Cache-Control": "public, max-age=86400"})

    return app


def _hosts(settings: Settings) -> Hosts:
    """Return the hosts of the settings; raise ``BadSetting`` if the public address is not among them."""
    hosts = Hosts(settings.hosts)
    if settings.public_url and (name := urlsplit(settings.public_url).netloc) not in hosts:
        words = _(
            "{variable}={value}: name {host} in {hosts} too, or this server refuses everybody who opens it"
        )
        raise BadSetting(
            words.format(
                variable=variable("public_url"),
                value=settings.public_url,
                host=name,
                hosts=variable("hosts"),
            )
        )
    return hosts


async def _start_later(start: Callable[[], Awaitable[None]]) -> None:
    """Try to open the database again and again, until it answers."""
    while True:
        await asyncio.sleep(RETRY)
        try:
            await start()
        except Unavailable as error:
            log.warning("%s", error)
        except PaddockError as error:
            log.error("%s: start the server again when that is corrected", error)
            return
        else:
            log.warning("the database answers: the tables are open")
            return


async def _sweep(tables: Tables, abandon: Abandon, retention: Retention) -> None:
    """Mark abandoned tables, and delete what is kept no longer, every hour.

    A date is believed when the clock was not set for a while: after a start it may be years off.
    """
    pause = SETTLED
    while True:
        await asyncio.sleep(pause)
        pause = tables.pulse.set_at + SETTLED - tables.runtime.elapsed()
        if pause > 0:
            continue
        try:
            await tables.sweep(tables.runtime.now(), abandon)
            deleted, chats = await tables.upkeep.purge(tables.runtime.now(), retention)
            if deleted or chats:
                log.warning(
                    "deleted %d tables and the chats of %d others: they were kept long enough", deleted, chats
                )
        except Exception:
            log.exception("could not mark and delete old tables")
        pause = SWEEP


async def _notice(tables: Tables) -> None:
    """Notice what the operator has changed beside this server, every few seconds."""
    while True:
        await asyncio.sleep(NOTICE)
        try:
            await tables.upkeep.notice()
        except Unavailable:
            pass
        except Exception:
            log.exception("could not look for changes by the operator")


async def _tend(service: Tended) -> None:
    """Let a service of a feature do what is due, again and again."""
    while True:
        await asyncio.sleep(service.rest)
        try:
            await service.tend()
        except Unavailable:
            pass
        except Exception:
            log.exception("could not do what is due for %s", type(service).__name__)


def _pages(request: Request) -> Pages:
    pages: Pages = request.app.state.pages
    return pages


async def _refused(request: Request, error: Exception) -> Response:
    """Show an error that the user can fix."""
    return _pages(request).error(request, status_of(error), sentence(str(error)))


async def _http(request: Request, error: Exception) -> Response:
    """Return the page for an error that a route raised on purpose."""
    assert isinstance(error, HTTPException)
    words = str(error.detail)
    if words == HTTPStatus(error.status_code).phrase:
        known = {
            404: _("There is no such page."),
            405: _("There is no page here: this address only takes what a form sends."),
        }
        words = known.get(error.status_code, words)
    response = _pages(request).error(request, error.status_code, sentence(words))
    response.headers.update(error.headers or {})
    return response


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    fields = ", ".join(str(fault["loc"][-1]) for fault in error.errors())
    words = _("This address is not valid: check {where}.").format(where=fields)
    return _pages(request).error(request, 400, words)


async def _error_page(request: Request, error: Exception) -> Response:
    """Answer a request that a fault of the server has ended."""
    log.error("unhandled error at %s", request.url.path, exc_info=error)
    return PlainTextResponse(
        _("Something went wrong on the server. Reload the page to see whether your change was saved."),
        500,
    )
