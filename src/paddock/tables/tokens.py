"""Personal tokens: a program that shows one is the browser, or the program, that it was made for."""

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

MOST = 20  # of one holder
FRESH = timedelta(hours=1)  # its use is noted no more often than that


class Tokens:
    """The tokens of every browser. Only their digests are stored."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def make(self, holder: str, label: str) -> tuple[str, str]:
        """The label as it is kept, and a new token of 256 bits, which is shown this once.

        Raises ``BadOption`` for a label that does not do.
        """
        name = clean(label)
        if not name.strip("."):  # an address cannot end in dots alone
            raise BadOption([_("give the token a label, so that you know it again")])
        tables = self._tables
        if len(await self.of(holder)) >= MOST:
            raise BadOption([_("you have {n} tokens: delete one first").format(n=MOST)])
        token = f"paddock_{secrets.token_urlsafe(32)}"
        row = TokenRow(hashlib.sha256(token.encode()).hexdigest(), holder, name, tables.world.now())
        if not await tables._finish(tables._store.add_token(row)):
            raise BadOption([_("you have a token «{label}» already: delete it first").format(label=name)])
        return name, token

    async def holder(self, digest: str) -> str | None:
        """Whom the token with this digest (SHA-256, hex) stands for; None where there is none."""
        tables = self._tables
        row = await tables._finish(tables._store.token(digest))
        if row is None:
            return None
        now = tables.world.now()
        if row.used_at is None or row.used_at < now - FRESH:
            await tables._finish(tables._store.use_token(digest, now))
        return row.holder

    async def of(self, holder: str) -> list[TokenRow]:
        """A holder's tokens, by label."""
        return await self._tables._finish(self._tables._store.tokens_of(holder))

    async def drop(self, holder: str, label: str) -> None:
        """Forget a token: from now on it opens nothing. Raises ``BadOption`` where there is none."""
        if not await self._tables._finish(self._tables._store.drop_token(holder, clean(label))):
            raise BadOption([_("you have no token «{label}»").format(label=clean(label))])
