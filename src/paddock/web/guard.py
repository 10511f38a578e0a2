"""What every request passes: origin checks, size limits, security headers; and the browser's secret."""

from __future__ import annotations

import hashlib
import re
import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "paddock_browser"
YEAR = 365 * 24 * 3600
MOST_FORM = 64 * 1024
MOST_UPLOAD = 2 * 1024 * 1024  # a record of 99 races is far below
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


class Guard:
    """Refuses what comes from another site or is too big, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                out.setdefault("Content-Security-Policy", POLICY)
                out.setdefault("X-Content-Type-Options", "nosniff")
                out.setdefault("Referrer-Policy", "same-origin")
                out.setdefault("Cross-Origin-Opener-Policy", "same-origin")
                out.setdefault("Cross-Origin-Resource-Policy", "same-origin")
                out.setdefault("Cache-Control", "no-store")
            await send(message)

        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            if not _same_site(scope, headers):
                refusal = PlainTextResponse(
                    "This was sent from another site. Open the page itself and try again.", 403
                )
                await refusal(scope, receive, guarded)
                return
            limit = MOST_UPLOAD if scope["path"] == "/records" else MOST_FORM
            body = await _body(receive, headers, limit)
            if body is None:
                await PlainTextResponse(f"This is too big: send at most {limit // 1024} kB.", 413)(
                    scope, receive, guarded
                )
                return
            receive = _again(body, receive)
        await self.app(scope, receive, guarded)


def _same_site(scope: Scope, headers: Headers) -> bool:
    """Whether a form came from our own pages. Clients that are no browsers send neither header."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return bool(origin != "null" and urlsplit(origin).netloc == headers.get("host"))
    except ValueError:
        return False


async def _body(receive: Receive, headers: Headers, limit: int) -> bytes | None:
    """The whole body, or None where it is bigger than the limit, whatever its headers promise."""
    length = headers.get("content-length", "0")
    if re.fullmatch(r"\d{1,12}", length) and int(length) > limit:
        return None
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body
        body += bytes(message.get("body", b""))
        if len(body) > limit:
            return None
        if not message.get("more_body", False):
            return body


def _again(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives the body once more, then what the connection says."""
    waiting = [body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again


def holder(request: Request) -> str | None:
    """Who this browser is: the digest of its secret, as seats keep it; None where it has none yet."""
    secret = request.cookies.get(COOKIE, "")
    return hashlib.sha256(secret.encode()).hexdigest() if re.fullmatch(r"[\w-]{43}", secret) else None


def new_secret() -> tuple[str, str]:
    """A new browser's secret of 256 bits, and its digest."""
    secret = secrets.token_urlsafe(32)
    return secret, hashlib.sha256(secret.encode()).hexdigest()


def keep(
    request: Request, response: Response, name: str, value: str, *, path: str = "/", age: int = YEAR
) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send with a form."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=age, path=path, httponly=True, samesite="lax", secure=secure)
