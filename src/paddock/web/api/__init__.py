"""The JSON API: everything on the pages, for programs in any language."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from http import HTTPStatus

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.clauses import cited
from paddock.core.errors import BadOption, IllegalMove, PaddockError, listed, visible
from paddock.core.i18n import _
from paddock.tables import Frozen
from paddock.web.api import fair, identity, others, tokens
from paddock.web.api.asked import LateSubmission, Unknown
from paddock.web.api.routes import router
from paddock.web.api.shapes import Fault
from paddock.web.pages import RETRY, sentence, status_of

log = logging.getLogger("paddock.web")
ROUTERS = [router, *(one.router for one in (tokens, identity, others, fair))]


SUMMARY = """\
Play at a table from a program in any language.

A request is authenticated by a browser's cookie or by a personal token (`Authorization: Bearer …`).
`POST /tokens` creates a token; without a cookie it creates a new player too. `GET /tables/{id}` returns what
the table page shows: what your player sees, every legal move in notation, and the number of the open
decision, which you send with a move. `GET /tables/{id}/stream` sends the table again whenever it has
changed. Every error is `{"error": sentence, "clause": id or null}`.
"""


def api(state: State, routers: Sequence[APIRouter]) -> FastAPI:
    """Return the API as an application to mount; it shares ``state`` with the pages."""
    app = FastAPI(
        title="Paddock",
        version="1",
        description=SUMMARY,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        generate_unique_id_function=_operation,
        responses={"4XX": {"model": Fault, "description": "Refused: nothing has changed."}},
    )
    app.state = state
    for one in routers:
        app.include_router(one)
    for kind in (PaddockError, HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, refused)
    return app


def _operation(route: APIRoute) -> str:
    return route.name


async def refused(request: Request, error: Exception) -> Response:
    """Return any error as a ``Fault``."""
    clause, headers = None, None
    if isinstance(error, HTTPException):
        status, words, headers = error.status_code, str(error.detail), error.headers
        if words == HTTPStatus(status).phrase:
            known = {404: _("there is no such address"), 405: _("this address does not accept this method")}
            words = known.get(status, words)
    elif isinstance(error, RequestValidationError):
        status, words = (
            422,
            _("the request does not match the API description: {faults}").format(faults=_faults(error)),
        )
    elif isinstance(error, IllegalMove):
        status, words, clause = 422, error.reason, error.clause
    elif isinstance(error, PaddockError):
        status, words = _status(error), str(error)
        clause = cited(words) if isinstance(error, BadOption) else None
        again = {"Retry-After": str(RETRY)}
        headers = {401: {"WWW-Authenticate": "Bearer"}, 429: again, 503: again}.get(status)
    else:
        log.error("unhandled error at %s", request.url.path, exc_info=error)
        status, words = (
            500,
            _("something went wrong on the server: check whether your change was saved"),
        )
    body = Fault(error=sentence(visible(words)), clause=clause)
    return JSONResponse(body.model_dump(), status, headers)


def _status(error: PaddockError) -> int:
    if isinstance(error, Unknown):
        return 401
    return 409 if isinstance(error, LateSubmission | Frozen) else status_of(error)


def _faults(error: RequestValidationError) -> str:
    """Say where the faults are and what they are, without repeating the input."""
    return listed(
        [f"{'.'.join(map(str, fault['loc'][1:])) or 'body'}: {fault['msg']}" for fault in error.errors()]
    )
