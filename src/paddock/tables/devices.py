"""Links by which a browser is used on another device too: the device gets the browser's secret.

A link works once, for a few minutes, and only the newest one does. Whoever opens it becomes this browser:
they see its hands and play its seats. So it is used by a button, never by looking at it; the page behind it
says what it does; the page of the browser says when it was used, and can shut all other devices out.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime, timedelta

from paddock.core.hashed import hashed
from paddock.store import DeviceStore, LinkRow
from paddock.tables.runtime import Runtime

LASTS = timedelta(minutes=10)
_SECRET = re.compile(r"[\w-]{43}", re.ASCII)  # of browsers and links: 256 bits


class Devices:
    """The links of all browsers."""

    def __init__(self, store: DeviceStore, runtime: Runtime) -> None:
        self._store = store
        self._runtime = runtime

    async def make(self, secret: str, name: str, number: int) -> str:
        """Return the secret of a new link for the browser with this secret. It replaces an earlier link.

        The name and the number (0: none) that the browser likes go along.
        """
        link = secrets.token_urlsafe(32)
        now = self._runtime.now()
        row = LinkRow(hashed(secret), hashed(link), _sealed(secret, link), now, None, name, number)
        await self._store.keep(row)
        return link

    async def of(self, holder: str) -> LinkRow | None:
        """Return the newest link of a browser, also if it was used; None if it has none, or it is too old."""
        row = await self._store.of(holder)
        if row is None or (row.used_at is None and not row.made_at > self._since()):
            return None
        return row

    async def find(self, link: str) -> LinkRow | None:
        """Return what a link leads to, without using it; None if it leads nowhere, or no longer."""
        if not _SECRET.fullmatch(link):
            return None
        return await self._store.open(hashed(link), self._since())

    async def open(self, link: str) -> str | None:
        """Use a link up; return the secret of its browser. None if it leads nowhere, or no longer."""
        row = await self.find(link)
        if row is None or not await self._store.use(hashed(link), self._since(), self._runtime.now()):
            return None
        secret = _opened(row.sealed, link)
        return secret if hashed(secret) == row.holder else None

    def _since(self) -> datetime:
        return self._runtime.now() - LASTS


def _pad(link: str) -> bytes:
    """Return 64 bytes that nobody knows who has not the link; each link is used for one secret alone."""
    return hashlib.sha512(b"paddock device\0" + link.encode()).digest()


def _sealed(secret: str, link: str) -> str:
    return bytes(a ^ b for a, b in zip(secret.encode(), _pad(link), strict=False)).hex()


def _opened(sealed: str, link: str) -> str:
    return bytes(a ^ b for a, b in zip(bytes.fromhex(sealed), _pad(link), strict=False)).decode(
        "ascii", "replace"
    )
