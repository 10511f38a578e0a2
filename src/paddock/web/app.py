"""The web application: startup and shutdown, routes, and error pages."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from pathlib import Path, PurePath
from secrets import token_urlsafe
from typing import Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from paddock.core.errors import PaddockError
from paddock.core.game import ChanceSource
from paddock.core.i18n import LOCALE, _
from paddock.core.settings import Settings
from paddock.tables import Forbidden, NoTable, Runtime, Tables
from paddock.tables.names import NameFilter
from paddock.tables.seats import Abandon
from paddock.web import after, embed, front, lobby, play, preview
from paddock.web.api import api
from paddock.web.guard import Guard, Hosts
from paddock.web.language import Language
from paddock.web.limits import Limits
from paddock.web.model import Models
from paddock.web.pages import STATIC, Pages, sentence
from paddock.web.titles import KINDS, assets
from paddock.web.wakes import Revocations

log = logging.getLogger("paddock.web")
SWEEP = 3600.0  # seconds between searches for abandoned tables


class Static(StaticFiles):
    """Serves static files. Browsers cache them for ever, because a new content gets a new address."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a shared file or a file of a title."""
        own = assets().get(PurePath(path).as_posix()) if scope["method"] in ("GET", "HEAD") else None
        if own is None:
            response = await super().get_response(path, scope)
        else:
            response = Response(own.read_bytes(), media_type=KINDS[PurePath(own.name).suffix])
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def create_app(
    database_url: str | None = None,
    *,
    chance: ChanceSource | None = None,
    runtime: Runtime | None = None,
    pace: Literal["human", "instant"] = "human",
    token: Callable[[], str] = lambda: token_urlsafe(12),
    settings: Settings | None = None,
    locale: Path = LOCALE,
) -> FastAPI:
    """Create the application. Raises ``PaddockError`` for invalid settings.

    - ``settings``: by default, those of the environment.
    - ``database_url``: by default, the one of the settings.
    - ``pace``: how fast bots move at new tables, by default.
    - ``token``: returns a new key for a form. Two submissions with the same key count once.
    - ``locale``: the folder of the translations.
    """
    settings = settings or Settings.read()
    names, abandon = NameFilter.read(settings.name_filter), Abandon.of(settings)
    url = database_url or settings.database_url

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with Tables.open(url, chance=chance, runtime=runtime, names=names) as tables:
                app.state.tables = tables
                sweeping = asyncio.create_task(_sweep(tables, abandon))
                try:
                    yield
                finally:
                    sweeping.cancel()
        except PaddockError as error:
            app.state.fault = error
            raise

    app = FastAPI(title="Paddock", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.state.pages = pages = Pages()
    app.state.models = Models()
    app.state.outside = Models()  # of spectators without the chat: for link previews and frames
    app.state.rendered = play.Rendered()
    app.state.pace = pace
    app.state.embed = settings.embed
    app.state.token = token
    app.state.stopping = asyncio.Event()
    app.state.revocations = Revocations()
    app.state.fault = None  # the error that made the start fail
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6)
    app.add_middleware(Guard, limits=Limits.of(settings), hosts=Hosts(settings.hosts))
    app.add_middleware(Language, folder=locale)  # outermost, so that refusals are translated too
    app.include_router(front.router)
    app.include_router(play.router)
    app.include_router(lobby.router)
    app.include_router(after.router)
    app.include_router(preview.router)
    app.include_router(embed.router)
    app.mount("/api/v1", api(app.state))
    app.mount(f"/static/{pages.digest}", Static(directory=STATIC))
    app.add_exception_handler(PaddockError, _refused)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(Exception, _broken)

    @app.get("/healthz")
    async def healthz() -> JSONResponse:
        """Answer that the server is running."""
        return JSONResponse({"status": "ok"})

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        """Answer browsers that request the default icon: there is none."""
        return Response(status_code=204, headers={"Cache-Control": "public, max-age=86400"})

    return app


async def _sweep(tables: Tables, abandon: Abandon) -> None:
    """Mark abandoned tables, every hour."""
    while True:
        try:
            await tables.seats.sweep(tables.runtime.now(), abandon)
        except Exception:
            log.exception("could not mark abandoned tables")
        await asyncio.sleep(SWEEP)


def _pages(request: Request) -> Pages:
    pages: Pages = request.app.state.pages
    return pages


async def _refused(request: Request, error: Exception) -> Response:
    """Show an error that the user can fix."""
    status = 404 if isinstance(error, NoTable) else 403 if isinstance(error, Forbidden) else 422
    return _pages(request).error(request, status, sentence(str(error)))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = str(error.detail)
    if words == HTTPStatus(error.status_code).phrase:
        known = {404: _("There is no such page."), 405: _("This address does not accept this method.")}
        words = known.get(error.status_code, words)
    response = _pages(request).error(request, error.status_code, sentence(words))
    response.headers.update(error.headers or {})
    return response


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    where = ", ".join(str(fault["loc"][-1]) for fault in error.errors())
    words = _("This address is not valid: check {where}.").format(where=where)
    return _pages(request).error(request, 400, words)


async def _broken(request: Request, error: Exception) -> Response:
    log.error("unhandled error at %s", request.url.path, exc_info=error)
    return PlainTextResponse(
        _("Something went wrong on the server. Reload the page to see whether your change was saved."),
        500,
    )
