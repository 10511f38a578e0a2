"""Checks every request (host, price, origin, size), sets security headers, and reads the browser's secret."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, HTTPConnection, cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paddock.core.addresses import HOST as _HOST
from paddock.core.hashed import hashed
from paddock.core.i18n import _
from paddock.core.settings import variable
from paddock.web.limits import WEIGHED, Limits, block, weight
from paddock.web.links import link, place
from paddock.web.prices import Prices

COOKIE = "paddock_browser"
# In the scope of a request: what was found in its headers
HEADERS, KEPT, HOLDER = "paddock.headers", "paddock.bearer", "paddock.holder"
INSIDE = "paddock.inside"  # in the scope of a request that another server has checked, and handed over
API = "/api/"
LONGEST_HOST = 260  # characters: a name of 253 and a port; a QR code has room for it
AGAIN = 30  # seconds after which a refused stream may be tried again
_NONE = "'none'"
_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'"


def policy(sites: Collection[str] = ()) -> str:
    """Return the Content-Security-Policy of a page that these sites may show in a frame; by default none."""
    return f"{_POLICY}; frame-ancestors {' '.join(sorted(sites)) or _NONE}"


POLICY = policy()
_SECURE = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


class Hosts:
    """The host names that this server answers to; others could be used for DNS rebinding.

    The setting ``hosts`` lists them, perhaps with ports for links; * allows any name. By default, all IP
    addresses, this machine's name, ``localhost`` and the reserved ``.test`` names are allowed: nobody else
    can point them at this server.
    """

    def __init__(self, given: Collection[str] = ()) -> None:
        self._listed: dict[str, set[str]] = {}  # ports by name
        for text in given:
            found = _HOST.fullmatch(text)  # None for *, and for an IPv6 address without brackets
            ports = self._listed.setdefault(_name(found) if found else text, set())
            if found and found["port"]:
                ports.add(found["port"])
        self._first = min((text if _HOST.fullmatch(text) else f"[{text}]" for text in given), default="")
        self._names = {*self._listed, "localhost", "127.0.0.1", "::1"}
        self._any = "*" in self._names
        self._usual = not given
        if self._usual:
            machine = socket.gethostname().lower()
            self._names |= {machine, f"{machine.partition('.')[0]}.local"}

    def __contains__(self, host: object) -> bool:
        """Whether a ``Host`` header, with or without a port, is allowed."""
        if not isinstance(host, str) or len(host) > LONGEST_HOST:
            return False
        if not (found := _HOST.fullmatch(host.lower())):
            return False
        name = _name(found)
        if self._any or name in self._names:
            return True
        return self._usual and (name.endswith((".localhost", ".test")) or _is_address(name))

    def linked(self, host: str, port: int | None) -> str:
        """Return where links in messages lead, for the ``Host`` of a request that came in at ``port``.

        Where names are listed, no stranger chooses another one, or a port at which another service answers.
        """
        found = _HOST.fullmatch(host.lower())
        if self._usual or self._any or not found:
            return host
        name = _name(found)
        if name not in self._listed:  # such as localhost
            return self._first
        known = found["port"] in (None, str(port), *self._listed[name])
        return host if known else host[: found.start("port") - 1]


def _name(found: re.Match[str]) -> str:
    return (found["six"] or found["name"]).rstrip(".")


def site(request: HTTPConnection) -> str:
    """Return the address of this server for messages, as its browser knows it, without a slash at its end."""
    hosts: Hosts = request.app.state.checks.hosts
    server = request.scope.get("server")
    host = hosts.linked(request.url.netloc, server[1] if server else None)
    return f"{request.url.scheme}://{host}{link('')}"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Checks:
    """What each request from outside must pass: its host, its rate, its origin and the size of its body."""

    def __init__(self, limits: Limits, hosts: Hosts, prices: Prices) -> None:
        self.limits = limits
        self.hosts = hosts
        self.prices = prices

    async def refusal(self, scope: Scope, receive: Receive) -> tuple[Response | None, bytes | None]:
        """Return the refusal (None if the request is fine), and the body if it was read.

        Raises ``ClientDisconnect`` if the rest of the body does not come.
        """
        headers, path = headers_of(scope), place(scope)
        if headers.get("host", "") not in self.hosts:
            words = _("This server does not accept this host name. Its operator can allow it with {setting}.")
            return refuse(scope, 421, words.format(setting=variable("hosts"))), None
        odd = path.startswith(API) and not scope["path"].isprintable()
        if odd or scope["path"].endswith("\n"):  # which routes match, and limits do not
            return refuse(scope, 404, _("There is no such address.")), None
        price = self.prices.of(scope)
        if price.asked and (
            seconds := self._wait(
                scope, price.asked + weight(len(scope["path"]) + len(scope["query_string"]))
            )
        ):
            return _too_many(scope, seconds), None
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return None, None
        if not _same_site(headers):
            words = _("This was sent from another site. Open the page itself and try again.")
            return refuse(scope, 403, words), None
        body = await _body(receive, headers, price.most)
        if body is None:
            words = _("This is too big: send at most {n} kB.").format(n=price.most // 1024)
            return refuse(scope, 413, words), None
        if (more := weight(len(body))) and (seconds := self._wait(scope, more)):
            return _too_many(scope, seconds), None
        if price.calls and (seconds := self.limits.calls.take(address(scope))):
            return _too_many_calls(scope, seconds), None
        return None, body

    def sending(self, scope: Scope, send: Send) -> Send:
        """Return what sends an answer, and charges its size if that is part of its price."""
        if not self.prices.of(scope).by_size:
            return send

        async def charged(message: Message) -> None:
            self._owe(scope, len(message.get("body", b"")) / WEIGHED)
            await send(message)

        return charged

    def _owe(self, scope: Scope, price: float) -> None:
        self.limits.address.owe(address(scope), price)
        if me := bearer(scope) or holder_of(scope):
            self.limits.holder.owe(me, price)

    def _wait(self, scope: Scope, price: float) -> int:
        """Charge this address and browser; return the seconds that they must wait first, 0 if none."""
        limits = self.limits
        seconds = limits.address.take(address(scope), price) if limits.address.rate else 0
        if not seconds and limits.holder.rate and (me := bearer(scope) or holder_of(scope)):
            seconds = limits.holder.take(me, price)
        return seconds


def secured(message: Message) -> None:
    """Add the security headers to the beginning of an answer, where it has not its own."""
    given: list[tuple[bytes, bytes]] = list(message.get("headers", ()))
    names = {name.lower() for name, _value in given}
    message["headers"] = given + [header for header in _SECURE if header[0] not in names]


class Guard:
    """Refuses what does not pass the checks. Adds the security headers to every response."""

    def __init__(self, app: ASGIApp, checks: Checks) -> None:
        self.app = app
        self.checks = checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or INSIDE in scope:
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                secured(message)
            await send(message)

        try:
            refusal, body = await self.checks.refusal(scope, receive)
        except ClientDisconnect:
            return
        if refusal is not None:
            await refusal(scope, receive, guarded)
        elif self.checks.prices.of(scope).stream:
            await self._stream(scope, receive, guarded)
        else:
            priced = self.checks.sending(scope, guarded)
            await self.app(scope, receive if body is None else with_body(body, receive), priced)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run an event stream, or refuse it if the address has too many."""
        with self.checks.limits.streams.one(address(scope)) as allowed:
            if allowed:
                await self.app(scope, receive, send)
                return
        words = _("Too many tables are open from your network address: close some pages or programs.")
        await refuse(scope, 429, words, {"Retry-After": str(AGAIN)})(scope, receive, send)


def _too_many(scope: Scope, seconds: int) -> Response:
    words = _("Too many requests at once: wait {n} s and try again.").format(n=seconds)
    return refuse(scope, 429, words, {"Retry-After": str(seconds)})


def _too_many_calls(scope: Scope, seconds: int) -> Response:
    words = _(
        "Too many ways to be notified were added or tested from your network address: try again in {n} min."
    )
    return refuse(scope, 429, words.format(n=-(-seconds // 60)), {"Retry-After": str(seconds)})


def address(scope: Scope) -> str:
    """Return the key of the client's address, for limits; never empty."""
    client = scope.get("client")
    return block(client[0] if client else "unknown")


def refuse(scope: Scope, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error response: JSON for the API, else plain text."""
    if place(scope).startswith(API):
        return JSONResponse({"error": sentence, "clause": None}, status, dict(headers or {}))
    return PlainTextResponse(sentence, status, dict(headers or {}))


def bearer(scope: Scope) -> str | None:
    """Return the SHA-256 (hex) of the request's personal token, valid or not; None without a token."""
    if KEPT not in scope:  # asked several times for each request
        scope[KEPT] = _bearer(scope)
    digest: str | None = scope[KEPT]
    return digest


def _bearer(scope: Scope) -> str | None:
    scheme, _space, token = headers_of(scope).get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    return hashed(token.strip())


def _same_site(headers: Mapping[str, str]) -> bool:
    """Whether a form was sent from our own pages. Other programs than browsers send no such headers."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return bool(origin != "null" and urlsplit(origin).netloc == headers.get("host"))
    except ValueError:
        return False


async def _body(receive: Receive, headers: Mapping[str, str], limit: int) -> bytes | None:
    """Return the whole body, or None if it is larger than the limit. ``Content-Length`` may be wrong.

    Raises ``ClientDisconnect`` if the client leaves before the end: half a form must not be processed.
    """
    length = headers.get("content-length", "0")
    if re.fullmatch(r"\d{1,12}", length) and int(length) > limit:
        return None
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientDisconnect
        body += bytes(message.get("body", b""))
        if len(body) > limit:
            return None
        if not message.get("more_body", False):
            return body


def with_body(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that first returns the body that was already read."""
    waiting = [body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again


def headers_of(scope: Scope) -> Mapping[str, str]:
    """Return the headers of a request, read once: of those with the same name the first."""
    given, kept = scope["headers"], scope.get(HEADERS)
    if kept is None or kept[0] is not given:  # another server's request has lost some
        found = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(list(given))}
        kept = scope[HEADERS] = given, found
    headers: Mapping[str, str] = kept[1]
    return headers


def cookies_of(scope: Scope) -> Mapping[str, str]:
    """Return the cookies of a request."""
    text = headers_of(scope).get("cookie")
    return cookie_parser(text) if text else {}


def holder(request: HTTPConnection) -> str | None:
    """Return the digest of the browser's secret, as stored with seats; None if it has no secret."""
    return holder_of(request.scope)


def holder_of(scope: Scope) -> str | None:
    """Return the ``holder`` of a request."""
    if HOLDER not in scope:  # asked several times for each request
        secret = cookies_of(scope).get(COOKIE, "")
        valid = re.fullmatch(r"[\w-]{43}", secret)
        scope[HOLDER] = hashed(secret) if valid else None
    digest: str | None = scope[HOLDER]
    return digest


def new_secret() -> tuple[str, str]:
    """Return a new secret of 256 bits for a browser, and its digest."""
    secret = secrets.token_urlsafe(32)
    return secret, hashed(secret)
