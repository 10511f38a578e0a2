"""Addresses of this server, which may run below a path of its host such as ``/games``: ``PADDOCK_BASE_PATH``.

Every address that a page, a script, a cookie or a header names is made by ``link``; ``place`` returns the
path of a request without the base path. In ASGI's words, the base path is the ``root_path``, and ``path``
contains it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from urllib.parse import urlencode

from starlette.datastructures import URL
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_base: ContextVar[str] = ContextVar("base", default="")


def link(path: str) -> str:
    """Return the address of a page, such as ``/games/t/abc`` for ``/t/abc``, during a request."""
    return _base.get() + path


def rules_link(title: str, clause: str = "", changed: Mapping[str, int] = MappingProxyType({})) -> str:
    """Return the address of the rules of a title, or of a clause, with ``Options.changed``."""
    query, anchor = f"?{urlencode(changed)}" if changed else "", f"#{clause}" if clause else ""
    return link(f"/rules/{title}{query}{anchor}")


def host(request: HTTPConnection) -> str:
    """Return the scheme and the host by which a request came, such as ``https://club.example``."""
    return f"{request.url.scheme}://{request.url.netloc}"


def whole(request: HTTPConnection, path: str) -> str:
    """Return the address of a page for other sites and people, with the scheme and the host."""
    return host(request) + link(path)


def place(scope: Scope) -> str:
    """Return the path of a request below the base path and below what an application is mounted at."""
    return within(scope.get("root_path", ""), scope["path"])


def within(base: str, path: str) -> str:
    """Return a path without the base path, if it begins with it."""
    return path[len(base) :] if path.startswith(f"{base}/") else path


class Base:
    """Serves an application below a path.

    A proxy may pass the base path on or remove it: a path without it counts as one below it. So health checks
    that ask the server itself need not know it either.
    """

    def __init__(self, app: ASGIApp, path: str) -> None:
        self.app = app
        self.path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["path"] == self.path:
            query = scope["query_string"].decode("latin-1")
            away = RedirectResponse(URL(path=f"{self.path}/", query=query), 308)
            await away(scope, receive, send)
            return
        below = within(self.path, scope["path"])
        inside: dict[str, str | bytes] = {"root_path": self.path, "path": self.path + below}
        if raw := scope.get("raw_path"):
            inside["raw_path"] = (self.path + within(self.path, raw.decode("latin-1"))).encode("latin-1")
        before = _base.set(self.path)
        try:
            await self.app({**scope, **inside}, receive, send)
        finally:
            _base.reset(before)
