"""The way in to the pages of the operator: the token of the settings, or a cookie that was made with it.

Programs send the token as ``Authorization: Bearer``; a browser gets a cookie for it.
"""

from __future__ import annotations

import hmac
import secrets
from datetime import timedelta
from time import time

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.i18n import _
from paddock.features.operating.guesses import Guesses
from paddock.tables import Tables
from paddock.web.cookies import CookieKind, declare, drop, keep
from paddock.web.guard import address

LASTS = timedelta(hours=12)
ADMIN = declare("paddock_admin", CookieKind("/admin", LASTS))


class TokenEntry:
    """The way in at this process."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._left: dict[str, float] = {}  # cookies of browsers that have left, until they would have ended
        self.guesses = Guesses()

    async def knows(self, request: Request, tables: Tables | None) -> bool:
        """Whether a request comes from the operator. Raises a 429 after some wrong tokens."""
        scheme, _space, said = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(request, said.strip()):
            return True
        return await self.remembers(request, tables)

    def is_token(self, request: Request, said: str) -> bool:
        """Whether this is the token. Wrong ones are counted: after some, their address must wait (a 429)."""
        if seconds := self.guesses.locked_for(here := address(request.scope)):
            words = _("Too many wrong tokens came from your network address: wait {n} s and try again.")
            raise HTTPException(429, words.format(n=seconds), {"Retry-After": str(seconds)})
        if hmac.compare_digest(said.encode(), self._token.encode()):
            return True
        self.guesses.wrong(here)
        return False

    async def remembers(self, request: Request, tables: Tables | None) -> bool:
        """Whether the cookie was made here with the token, is not too old, and its browser has not left."""
        cookie = request.cookies.get(ADMIN)
        if not cookie or tables is None:
            return False
        said = cookie.rpartition(".")[0]
        if not hmac.compare_digest(cookie.encode(), (await self._signed(tables, said)).encode()):
            return False
        self._left = {gone: until for gone, until in self._left.items() if until > time()}
        return float(said.partition(".")[0]) > time() and cookie not in self._left

    async def remember(self, request: Request, tables: Tables, response: Response) -> None:
        """Give a browser that has sent the token a cookie."""
        until = f"{time() + LASTS.total_seconds():.0f}.{secrets.token_hex(8)}"
        keep(request, response, ADMIN, await self._signed(tables, until))

    async def leave(self, request: Request, tables: Tables, response: Response) -> None:
        """Forget a browser, and end its cookie."""
        if await self.remembers(request, tables):
            self._left[request.cookies[ADMIN]] = time() + LASTS.total_seconds()
        drop(response, ADMIN)

    async def _signed(self, tables: Tables, said: str) -> str:
        """Return a cookie that says this: only this server can make it, and only while it has the token.

        The key of the database is in it too, so that nobody can guess the token by making cookies.
        """
        key = self._token.encode() + await tables.secrets.key("admin session")
        return f"{said}.{hmac.new(key, said.encode(), 'sha256').hexdigest()}"
