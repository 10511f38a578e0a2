"""The language of a request: from ``?lang=``, a cookie, or the ``Accept-Language`` header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paddock.core import i18n
from paddock.web.guard import cookies_of, headers_of, keep

COOKIE = "paddock_lang"
QUERY = "lang"
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
        kept = known(cookies_of(scope).get(COOKIE, ""), self.languages)
        code = chosen or spoken(scope, self.languages)

        async def remembering(message: Message) -> None:
            if message["type"] == "http.response.start" and chosen and chosen != kept:
                cookie = Response()
                keep(Request(scope), cookie, COOKIE, chosen)
                MutableHeaders(scope=message).append("set-cookie", cookie.headers["set-cookie"])
            await send(message)

        here = i18n.catalogues.set(self.folder), i18n.language.set(code)
        try:
            await self.app(scope, receive, remembering)
        finally:
            i18n.catalogues.reset(here[0])
            i18n.language.reset(here[1])


def spoken(scope: Scope, languages: tuple[str, ...]) -> str:
    """Return the language of a request by its cookie or its ``Accept-Language`` header."""
    kept = known(cookies_of(scope).get(COOKIE, ""), languages)
    return kept or asked(headers_of(scope).get("accept-language", ""), languages)


def known(tag: str, languages: Sequence[str]) -> str | None:
    """Return the available language for a tag such as ``de`` or ``pt-BR``; None if there is none."""
    if not tag:
        return None
    words = tag.lower().replace("-", "_").split("_")
    there = {code.lower(): code for code in languages}
    for end in range(len(words), 0, -1):
        if found := there.get("_".join(words[:end])):
            return found
    return None


@lru_cache(1024)
def asked(header: str, languages: tuple[str, ...]) -> str:
    """Return the preferred language of an ``Accept-Language`` header that is available, else English."""
    if not header:
        return i18n.ENGLISH
    best, most = i18n.ENGLISH, 0.0
    for part in header[:1000].split(","):
        if not (found := _ASKED.fullmatch(part)):
            continue
        code, weight = known(found[1], languages), min(1.0, float(found[2] or 1))
        if code and weight > most:
            best, most = code, weight
    return best
