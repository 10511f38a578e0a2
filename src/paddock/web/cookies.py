"""All cookies of Paddock: how long each lasts, and what renews it.

A browser that is used gets its cookies again a month after it got them last: else whoever plays every day
would be forgotten on the day on which they end. A cookie that lasts for that month says that they are fresh.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from starlette.datastructures import MutableHeaders, State
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paddock.tables import Unavailable
from paddock.web.guard import COOKIE, cookies_of, headers_of, holder_of
from paddock.web.links import link
from paddock.web.prices import Prices

NAME, NUMBER, LANGUAGE = "paddock_name", "paddock_number", "paddock_lang"
FRESH = "paddock_fresh"  # it is there: the cookies were set this month
AT, FRESH_AT = "at_", "fresh_"  # of one table: its id follows
SETTINGS = {  # each in a cookie; the first value is the default
    "theme": ("auto", "light", "dark"),
    "motion": ("auto", "normal", "fast", "off"),
    "confirm": ("secret", "always", "never"),  # which choices wait for a button
    "sound": ("off", "on", "all"),  # on: when it is the reader's turn
    "volume": ("normal", "quiet", "loud"),
    "notify": ("off", "on"),
    "others": ("on", "off"),  # off: no chat, reactions, live tables and pairing
}
LONG = timedelta(days=400)  # Chromium keeps none longer; whoever plays once a year comes in time
MONTH = timedelta(days=30)


@dataclass(frozen=True)
class CookieKind:
    """What is true of a cookie, or of those whose names begin alike."""

    path: str = "/"
    lasts: timedelta = LONG
    fresh: str = ""  # the cookie that is there while it needs no renewal; empty: it is never renewed
    scripts: bool = False  # whether scripts change it


_TABLE = "/t/{id}"
KINDS = {
    COOKIE: CookieKind(fresh=FRESH),
    NAME: CookieKind(fresh=FRESH),
    NUMBER: CookieKind(fresh=FRESH),
    LANGUAGE: CookieKind(fresh=FRESH),
    **{name: CookieKind(fresh=FRESH, scripts=True) for name in SETTINGS},
    FRESH: CookieKind(
        lasts=MONTH, scripts=True
    ),  # what a script has set needs renewal: Safari keeps it for a week
    AT: CookieKind(_TABLE, fresh=FRESH_AT),
    FRESH_AT: CookieKind(_TABLE, MONTH),
}
_OF_TABLE = re.compile("([a-z]+_)([A-Za-z0-9_-]{1,32})")


def declare(name: str, kind: CookieKind) -> str:
    """Declare a cookie of a feature; return its name."""
    KINDS[name] = kind
    return name


def of_table(prefix: str) -> str:
    """Declare the cookies of a feature that are of one table, whose id follows the prefix; return this."""
    return declare(prefix, KINDS[AT])


def _kind(name: str) -> tuple[CookieKind, str] | None:
    """Return the kind of a cookie, and the id of its table; None if it is not one of ours."""
    found = _OF_TABLE.fullmatch(name)
    if found and found[1] in KINDS:
        return KINDS[found[1]], found[2]
    kind = KINDS.get(name)
    return (kind, "") if kind and kind.path != _TABLE else None


def keep(request: Request, response: Response, name: str, value: str) -> None:
    """Set a cookie that other sites cannot send with a form. Scripts read it only where its kind says so."""
    known = _kind(name)
    assert known, name
    kind, id = known
    response.set_cookie(
        name,
        value,
        max_age=int(kind.lasts.total_seconds()),
        path=link(kind.path.format(id=id)),
        httponly=not kind.scripts,
        samesite="lax",
        secure=request.url.scheme == "https" and not kind.scripts,
    )


def drop(response: Response, name: str) -> None:
    """Delete a cookie."""
    known = _kind(name)
    assert known, name
    response.delete_cookie(name, path=link(known[0].path.format(id=known[1])))


def due(cookies: Mapping[str, str]) -> dict[str, str]:
    """Return those of a browser's cookies that are to be set again, with what says that they are fresh."""
    found: dict[str, str] = {}
    for name, value in cookies.items():
        known = _kind(name)
        if known and (fresh := known[0].fresh) and fresh + known[1] not in cookies:
            found |= {name: value, fresh + known[1]: "1"}
    return found


class Renewal:
    """Sets the cookies of a browser again, with a page that it gets."""

    def __init__(self, app: ASGIApp, state: State, prices: Prices) -> None:
        self.app = app
        self.state = state
        self.prices = prices

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        asks = scope["type"] == "http" and scope["method"] == "GET"
        again = due(cookies_of(scope)) if asks and not self.prices.of(scope).framed else {}
        if not again:
            await self.app(scope, receive, send)
            return

        async def renewing(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    _renew(scope, headers, again)
                    await self._seen(scope, again)
            await send(message)

        await self.app(scope, receive, renewing)

    async def _seen(self, scope: Scope, again: Mapping[str, str]) -> None:
        """Tell features that a browser is used."""
        if COOKIE in again and (me := holder_of(scope)):
            with suppress(Unavailable):
                for told in self.state.tables.used:
                    await told(me)


def _renew(scope: Scope, headers: MutableHeaders, again: Mapping[str, str]) -> None:
    """Add cookies to an answer, unless it sets them itself.

    A cookie that comes twice stays as it is: another site of the same domain may have set one of the two, and
    must not replace the browser's own.
    """
    sent = headers_of(scope).get("cookie", "").split(";")
    twice = {name for name, n in Counter(one.partition("=")[0].strip() for one in sent).items() if n > 1}
    own = {one.partition("=")[0] for one in headers.getlist("set-cookie")}
    made = Response()
    for name, value in again.items():
        if name not in own | twice:
            keep(Request(scope), made, name, value)
    for one in made.headers.getlist("set-cookie"):
        headers.append("set-cookie", one)
