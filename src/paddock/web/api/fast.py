"""Answers the two busiest requests in front of the framework, whose layers take more time than they need.

Only requests of the plain form are answered here: a move, and a look at a table. They pass the same checks
and are answered by the same functions as all others; the routes also document them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import ValidationError
from starlette.datastructures import State
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette_compress import CompressMiddleware

from paddock.core import i18n
from paddock.web.api.asked import MoveIn, sender
from paddock.web.api.looking import Looking
from paddock.web.api.routes import move
from paddock.web.guard import Checks, headers_of, secured, with_body
from paddock.web.handover import KEY, Handover
from paddock.web.language import spoken
from paddock.web.links import place
from paddock.web.meter import Counts
from paddock.web.packing import BROTLI
from paddock.web.visits import note

API = "/api/v1"
ASKED = "paddock.asked"  # in the scope of a request: which table it is about
_TABLE = re.compile(API + r"/tables/([A-Za-z0-9_-]{1,32})")
_MOVES = re.compile(_TABLE.pattern + "/moves")
_PLAYER = re.compile(rb"(?:player=([0-9]{1,2}))?")
Refuse = Callable[[Request, Exception], Awaitable[Response]]


class Fast:
    """Stands before the application."""

    def __init__(
        self, app: ASGIApp, state: State, checks: Checks, counts: Counts, refuse: Refuse, locale: Path
    ) -> None:
        self.app = app
        self.state = state
        self.checks = checks
        self.counts = counts
        self.refuse = refuse
        self.locale = locale
        self.languages = i18n.languages(locale)
        self.packed = compressed(self._answer)
        self.shared = Handover(self.packed, state)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http" or not (id := self._plain(scope)):
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.counts.answers["api", str(message["status"])] += 1
                secured(message)
            await send(message)

        code = spoken(scope, self.languages)
        here = i18n.catalogues.set(self.locale), i18n.language.set(code)
        try:
            refusal, body = await self.checks.refusal(scope, receive)
            if refusal is not None:
                await refusal(scope, receive, sent)
                return
            note(scope)
            scope[ASKED] = id, body
            receive = receive if body is None else with_body(body, receive)
            if self.state.tables.owning.shared:
                await self.shared(scope, receive, sent)
            elif "accept-encoding" in headers_of(scope):
                await self.packed(scope, receive, sent)
            else:
                await self._answer(scope, receive, sent)
        except ClientDisconnect:
            return
        finally:
            i18n.catalogues.reset(here[0])
            i18n.language.reset(here[1])
            self.counts.took("api", time.perf_counter() - begun)

    def _plain(self, scope: Scope) -> str | None:
        """Return the id of the table if the request has the plain form; None if it has another one."""
        path, query = place(scope), scope["query_string"]
        if scope["method"] == "POST":
            found = None if query else _MOVES.fullmatch(path)
            if found and headers_of(scope).get("content-type") != "application/json":
                return None
        else:
            found = _TABLE.fullmatch(path) if scope["method"] == "GET" and _PLAYER.fullmatch(query) else None
        if found is None or self.state.tables is None or KEY.decode() in headers_of(scope):
            return None
        return found[1]

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that has passed the checks, at the server that has the table."""
        try:
            response = await self._response(scope)
        except Exception as error:
            response = await self.refuse(Request(scope), error)
        if response is None:  # the body is wrong: the route says what is wrong with it
            scope["root_path"] = scope.get("root_path", "") + API
            await self.state.api(scope, receive, send)
        else:
            await response(scope, receive, send)

    async def _response(self, scope: Scope) -> Response | None:
        (id, body), query = scope[ASKED], scope["query_string"]
        who = await sender(scope, self.state.tables)
        if body is None:
            player = _PLAYER.fullmatch(query)
            return await Looking(self.state, scope).table(
                id, who, int(player[1]) if player and player[1] else None
            )
        try:
            asked = MoveIn.model_validate_json(body)
        except ValidationError:
            return None
        return (
            None if who is None else await move(id, asked, self.state.tables, Looking(self.state, scope), who)
        )


def compressed(app: ASGIApp, *, pages: bool = False) -> ASGIApp:
    """Return an application whose answers are compressed for those who take that.

    Pages come with brotli: fewer bytes than zstd, and more work. Moves are too many for that.
    """
    return CompressMiddleware(
        app, zstd=not pages, zstd_level=9, brotli=BROTLI, brotli_quality=8, gzip_level=6
    )
