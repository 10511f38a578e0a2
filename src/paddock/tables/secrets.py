"""The secrets of the database, which only its servers know."""

from __future__ import annotations

import hmac

from paddock.store.sealed import DERIVING, SIGNING, SealedStore


class Secrets:
    """Keys for whatever needs one. They are read once."""

    def __init__(self, store: SealedStore) -> None:
        self._store = store
        self._read: dict[str, str] = {}

    async def _one(self, name: str) -> str:
        if not self._read:
            self._read = await self._store.read()
        return self._read[name]

    async def key(self, purpose: str) -> bytes:
        """Return a key for a purpose."""
        return hmac.digest((await self._one(DERIVING)).encode(), purpose.encode(), "sha256")

    async def signing(self) -> str:
        """Return the private number of a key of the curve P-256, as base64."""
        return await self._one(SIGNING)
