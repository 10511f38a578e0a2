"""The language of a request: from ``?lang=``, a cookie, or the ``Accept-Language`` header."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paddock.core import i18n
from paddock.core.i18n import _, known
from paddock.core.wording import own_name
from paddock.web.cookies import LANGUAGE, drop, keep
from paddock.web.guard import cookies_of, headers_of
from paddock.web.links import place

QUERY = "lang"
MOST = 1000  # letters of the header that are read
_ASKED = re.compile(
    r"\s*([a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*|\*)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?"
)


class Language:
    """Sets the language for each request."""

    def __init__(self, app: ASGIApp, folder: Path = i18n.LOCALE) -> None:
        self.app = app
        self.folder = folder
        self.languages = i18n.languages(folder)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        asks = QUERY.encode() in scope["query_string"]  # most requests do not
        chosen = known(Request(scope).query_params.get(QUERY, ""), self.languages) if asks else None
        before = known(cookies_of(scope).get(LANGUAGE, ""), self.languages)
        # Caches may keep what is there for everybody; and a program says its language each time.
        shared = place(scope).startswith(("/static/", "/api/"))
        code = chosen or spoken(scope, self.languages)

        async def remembering(message: Message) -> None:
            if message["type"] == "http.response.start" and chosen and chosen != before and not shared:
                cookie = Response()
                keep(Request(scope), cookie, LANGUAGE, chosen)
                MutableHeaders(scope=message).append("set-cookie", cookie.headers["set-cookie"])
            await send(message)

        here = i18n.catalogues.set(self.folder), i18n.language.set(code)
        try:
            await self.app(scope, receive, remembering)
        finally:
            i18n.catalogues.reset(here[0])
            i18n.language.reset(here[1])


def choices() -> tuple[tuple[str, str], ...]:
    """Return the languages of this server, each with its own name: «Deutsch»."""
    return _named(i18n.catalogues.get())


@cache
def _named(folder: Path) -> tuple[tuple[str, str], ...]:
    return tuple((code, own_name(code, folder)) for code in i18n.languages(folder))


def kept(request: Request) -> str:
    """Return the language that this browser has chosen; empty if it follows the browser."""
    chosen = request.query_params.get(QUERY) or request.cookies.get(LANGUAGE, "")
    return (chosen and known(chosen, [code for code, _name in choices()])) or ""


def choose(request: Request, response: Response, code: str) -> None:
    """Keep the language that the browser has chosen in a cookie; an empty one follows the browser again."""
    if not code:
        drop(response, LANGUAGE)
        return
    there = [code for code, _name in choices()]
    found = known(code, there)
    if found is None:
        words = _("“{name}” must be one of {values}.")
        raise HTTPException(400, words.format(name=QUERY, values=", ".join(there)))
    keep(request, response, LANGUAGE, found)


def spoken(scope: Scope, languages: tuple[str, ...]) -> str:
    """Return the language of a request by its cookie or its ``Accept-Language`` header."""
    kept = known(cookies_of(scope).get(LANGUAGE, ""), languages)
    return kept or asked(headers_of(scope).get("accept-language", "")[:MOST], languages)


@lru_cache(1024)
def asked(header: str, languages: tuple[str, ...]) -> str:
    """Return the preferred language of an ``Accept-Language`` header that is available, else English."""
    if not header:
        return i18n.ENGLISH
    best, most = i18n.ENGLISH, 0.0
    for part in header.split(","):
        if not (found := _ASKED.fullmatch(part)):
            continue
        code, weight = known(found[1], languages), min(1.0, float(found[2] or 1))
        if code and weight > most:
            best, most = code, weight
    return best
