"""Personal access tokens, with which programs act for a browser or for themselves."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.store import TokenRow
from paddock.tables.make import clean

if TYPE_CHECKING:
    from paddock.tables.service import Tables

MOST = 20  # tokens of one holder
FRESH = timedelta(hours=1)  # the time of last use is saved at most this often


class Tokens:
    """The tokens of all browsers. Only their hashes are stored."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def make(self, holder: str, label: str) -> tuple[str, str]:
        """Create a token of 256 bits; return its cleaned label and the token, which is not stored.

        Raises ``BadOption`` for an invalid label.
        """
        name = clean(label)
        if not name.strip("."):  # a URL cannot end in a segment of dots
            raise BadOption([_("give the token a label, so that you can recognise it later")])
        tables = self._tables
        if len(await self.of(holder)) >= MOST:
            raise BadOption([_("you have {n} tokens: delete one first").format(n=MOST)])
        token = f"paddock_{secrets.token_urlsafe(32)}"
        row = TokenRow(hashlib.sha256(token.encode()).hexdigest(), holder, name, tables.runtime.now())
        if not await tables._finish(tables._store.add_token(row)):
            raise BadOption([_("you already have a token «{label}»: delete it first").format(label=name)])
        return name, token

    async def holder(self, digest: str) -> str | None:
        """Return the holder of the token with this SHA-256 (hex); None if there is no such token."""
        tables = self._tables
        row = await tables._finish(tables._store.token(digest))
        if row is None:
            return None
        now = tables.runtime.now()
        if row.used_at is None or row.used_at < now - FRESH:
            await tables._finish(tables._store.use_token(digest, now))
        return row.holder

    async def of(self, holder: str) -> list[TokenRow]:
        """Return the tokens of a holder, sorted by label."""
        return await self._tables._finish(self._tables._store.tokens_of(holder))

    async def drop(self, holder: str, label: str) -> None:
        """Revoke a token. Raises ``BadOption`` if there is no such token."""
        if not await self._tables._finish(self._tables._store.drop_token(holder, clean(label))):
            raise BadOption([_("you have no token «{label}»").format(label=clean(label))])
