"""Personal access tokens, with which programs act for a browser or for themselves."""

from __future__ import annotations

import secrets
from datetime import timedelta

from paddock.core.errors import BadOption
from paddock.core.hashed import hashed
from paddock.core.i18n import _
from paddock.store import Store, TokenRow
from paddock.tables.make import clean
from paddock.tables.runtime import Runtime

MOST = 20  # tokens of one holder
CACHED = 10.0  # seconds for which this process trusts a token that it has read
MOST_KNOWN = 10_000  # tokens in memory
FRESH = timedelta(hours=1)  # the time of last use is saved at most this often


class Tokens:
    """The tokens of all browsers. Only their hashes are stored."""

    def __init__(self, store: Store, runtime: Runtime) -> None:
        self._store = store
        self._runtime = runtime
        self._known: dict[str, tuple[str, float]] = {}  # holders by hash, and when they were read

    async def make(self, holder: str, label: str) -> tuple[str, str]:
        """Create a token of 256 bits; return its cleaned label and the token, which is not stored.

        Raises ``BadOption`` for an invalid label.
        """
        name = clean(label)
        if not name.strip("."):  # a URL cannot end in a segment of dots
            raise BadOption([_("give the token a label, so that you can recognise it later")])
        if len(await self.of(holder)) >= MOST:
            raise BadOption([_("you have {n} tokens: delete one first").format(n=MOST)])
        token = f"paddock_{secrets.token_urlsafe(32)}"
        row = TokenRow(hashed(token), holder, name, self._runtime.now())
        if not await self._store.add_token(row):
            raise BadOption([_("you already have a token “{label}”: delete it first").format(label=name)])
        return name, token

    async def holder(self, digest: str) -> str | None:
        """Return the holder of the token with this SHA-256 (hex); None if there is no such token."""
        elapsed = self._runtime.elapsed()
        if (known := self._known.get(digest)) and elapsed < known[1] + CACHED:
            return known[0]
        cache = self._known  # ``drop`` makes a new one, so that nothing stays that was read before it
        row = await self._store.token(digest)
        if row is None:
            cache.pop(digest, None)
            return None
        now = self._runtime.now()
        if row.used_at is None or row.used_at < now - FRESH:
            await self._store.use_token(digest, now)
        if len(cache) >= MOST_KNOWN:
            cache.clear()
        cache[digest] = row.holder, elapsed
        return row.holder

    async def of(self, holder: str) -> list[TokenRow]:
        """Return the tokens of a holder, sorted by label."""
        return await self._store.tokens_of(holder)

    def forget(self, holder: str) -> None:
        """Trust no token of this holder any more that was read before."""
        self._known = {digest: known for digest, known in self._known.items() if known[0] != holder}

    async def drop(self, holder: str, label: str) -> None:
        """Revoke a token. Raises ``BadOption`` if there is no such token."""
        if not await self._store.drop_token(holder, clean(label)):
            raise BadOption([_("you have no token “{label}”").format(label=clean(label))])
        self.forget(holder)
