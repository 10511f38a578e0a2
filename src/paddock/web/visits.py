"""Notes who asks for something, so that each visitor has one long piece of work at a time."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from paddock.tables.workers import Visitor, visitor
from paddock.web.guard import address, bearer, holder_of


def note(scope: Scope) -> None:
    """Set the ``visitor`` of a request."""
    visitor.set(Visitor(address(scope), bearer(scope) or holder_of(scope)))


class Visits:
    """Sets the ``visitor`` of every request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "http":
            note(scope)
        await self.app(scope, receive, send)
