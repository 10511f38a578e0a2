"""Answers the two busiest requests without the search and injection of FastAPI, which take most time.

Only requests of the plain form are answered here, by the same functions; all others go on to the routes,
which also document these two.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from pydantic import ValidationError
from starlette.datastructures import Headers, State
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from paddock.web.api.asked import MoveIn, sender
from paddock.web.api.routes import Looking, move
from paddock.web.guard import with_body
from paddock.web.links import place

_TABLE = re.compile(r"/tables/([A-Za-z0-9_-]{1,32})")
_MOVES = re.compile(_TABLE.pattern + "/moves")
_PLAYER = re.compile(rb"(?:player=([0-9]{1,2}))?")
Refuse = Callable[[Request, Exception], Awaitable[Response]]


class Fast:
    """Stands before the API."""

    def __init__(self, app: ASGIApp, state: State, refuse: Refuse) -> None:
        self.app = app
        self.state = state
        self.refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        response = None
        if scope["type"] == "http":
            try:
                if scope["method"] == "POST" and (found := _MOVES.fullmatch(place(scope))):
                    body = (await receive()).get("body", b"")  # all of it: ``Guard`` has read it
                    receive = with_body(body, receive)
                    response = await self._move(scope, found[1], body)
                elif scope["method"] == "GET" and (found := _TABLE.fullmatch(place(scope))):
                    response = await self._table(scope, found[1])
            except Exception as error:
                response = await self.refuse(Request(scope), error)
        await (response or self.app)(scope, receive, send)

    async def _move(self, scope: Scope, id: str, body: bytes) -> Response | None:
        who = await sender(scope, self.state.tables)
        if who is None or Headers(scope=scope).get("content-type") != "application/json":
            return None
        try:
            asked = MoveIn.model_validate_json(body)
        except ValidationError:
            return None
        return await move(id, asked, self.state.tables, Looking(self.state), who)

    async def _table(self, scope: Scope, id: str) -> Response | None:
        query = _PLAYER.fullmatch(scope["query_string"])
        if query is None:
            return None
        who = await sender(scope, self.state.tables)
        return await Looking(self.state).table(id, who, int(query[1]) if query[1] else None)
