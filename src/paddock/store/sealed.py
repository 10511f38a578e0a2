"""The secrets of a database, made with it: a key that signs messages, and one for other purposes."""

from __future__ import annotations

import base64
import secrets

from sqlalchemy import Connection, select

from paddock.store.inserting import insert_new
from paddock.store.part import StorePart
from paddock.store.schema import sealed

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256
SIGNING, DERIVING = "push", "links"  # named by what needed them first


def new_secrets() -> dict[str, str]:
    """Return new ones by name: the private number of a key of P-256, and 32 random bytes, as base64."""
    numbers = {SIGNING: 1 + secrets.randbelow(ORDER - 1), DERIVING: secrets.randbits(256)}
    return {
        name: base64.urlsafe_b64encode(number.to_bytes(32)).decode().rstrip("=")
        for name, number in numbers.items()
    }


class SealedStore(StorePart):
    """The stored secrets."""

    async def read(self) -> dict[str, str]:
        """Return the secrets of this database; those that somebody has deleted are made anew."""
        stored = await self._stored()
        if missing := {name: value for name, value in new_secrets().items() if name not in stored}:

            def work(connection: Connection) -> None:
                for name, secret in missing.items():
                    insert_new(connection, sealed, {"name": name, "secret": secret})

            await self._writer.run(work)
            stored = await self._stored()
        return stored

    async def _stored(self) -> dict[str, str]:
        return dict(map(tuple, await self._read(select(sealed.c.name, sealed.c.secret))))
