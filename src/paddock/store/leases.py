"""Which server has which table: several servers share the tables of one PostgreSQL.

Each server that runs has a row in ``servers`` with a counter, and gives a sign of life by counting on.
``tables.owner`` names the server that has a table: a table is free if that server has no row. So one
statement is a sign of life for all tables of a server, however many it has, and deleting its row frees them
all: a server does that when it stops, and any other one that has seen no sign of life for ``LEASE`` seconds.

- **No two clocks are compared.** A server measures on its own monotonic clock how long it has seen the same
  number, and answers for its tables a little less long after it began to count on. So it has stopped before
  others may take anything, and setting the clock of a machine changes nothing.
- **Whoever has a row has its tables.** Counting on and deleting the row lock the same row, and it is deleted
  only as long as it has the number that was seen: a server that counted on in time lost nothing.
- **A row that was deleted never comes back.** A server that finds its own gone has lost every table; it goes
  on under another id.
- **A server that has lost a table cannot write it**: each change is stored under the condition that the
  table still has the owner that decided it (``writing.py``).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, literal, or_, select, text, tuple_, update

from paddock.store.database import postgres
from paddock.store.driver import Database
from paddock.store.errors import available
from paddock.store.schema import servers, tables

log = logging.getLogger("paddock.store")
LEASE = 5.0  # seconds without a sign of life until others may take what a server has
CHANNEL = "paddock_servers"  # tells that a server has come or stopped


@dataclass(frozen=True)
class Peer:
    """A server. Only servers of the same database know its key, by which it knows what they hand over."""

    id: str
    address: str  # HOST:PORT for other servers; empty if they cannot reach it
    key: str = field(repr=False)


def free(owner: ColumnElement[str | None] = tables.c.owner) -> ColumnElement[bool]:
    """Return the condition that no server that runs has a table, or what else has an ``owner``."""
    return or_(owner.is_(None), owner.not_in(select(servers.c.id)))


class Leases:
    """The servers of a PostgreSQL database."""

    def __init__(self, engine: Database) -> None:
        self._engine = engine
        # Connections of its own: a server must not lose its tables because its readers are busy.
        self._own = postgres(engine.url, pool_size=2, max_overflow=0)
        # A sign of life must get through where the database is slow: each statement is sent alone.
        self._bare = self._own.execution_options(isolation_level="AUTOCOMMIT")

    async def close(self) -> None:
        """Close its own connections."""
        await self._own.dispose()

    async def join(self, peer: Peer) -> None:
        """Add a server."""
        row = {"id": peer.id, "address": peer.address, "key": peer.key, "beats": 0}
        with available():
            async with asyncio.timeout(LEASE / 2), self._own.begin() as connection:
                await connection.execute(insert(servers).values(**row))
                await connection.execute(_TELL)

    async def renew(self, id: str) -> dict[str, int] | None:
        """Give a sign of life of a server. Return the number of those of every server that runs, by id; None
        if this one has been deleted."""
        with available():
            # A machine that is gone does not answer at all.
            async with asyncio.timeout(LEASE / 2), self._bare.connect() as connection:
                statement = update(servers).where(servers.c.id == id).values(beats=servers.c.beats + 1)
                if not (await connection.execute(statement)).rowcount:
                    return None
                rows = await connection.execute(select(servers.c.id, servers.c.beats))
                return {row.id: row.beats for row in rows}

    async def remove(self, late: Mapping[str, int]) -> list[str]:
        """Delete servers that have given no more signs of life than these; return the ids of the others."""
        with available():
            async with asyncio.timeout(LEASE / 2), self._own.begin() as connection:
                seen = tuple_(servers.c.id, servers.c.beats).in_(list(late.items()))
                gone = await connection.execute(delete(servers).where(seen).returning(servers.c.id))
                removed = set(gone.scalars())
                if removed:
                    await connection.execute(_TELL)
        for id in removed:
            log.warning("server %s gave no sign of life: others take its tables", id)
        return [id for id in late if id not in removed]

    async def leave(self, id: str) -> None:
        """Delete a server, which frees its tables."""
        with available():
            async with asyncio.timeout(LEASE / 2), self._own.begin() as connection:
                await connection.execute(delete(servers).where(servers.c.id == id))
                await connection.execute(_TELL)

    async def take(self, table: str, id: str) -> Peer | bool:
        """Take a table for the server ``id`` if it is free.

        Return the server that has it if that is another one; else whether it was taken now. A table that
        does not exist is not taken.
        """
        with available():
            while True:
                async with self._engine.begin() as connection:
                    row = (await connection.execute(_OWNER.where(tables.c.id == table))).first()
                    if row is None or row.owner == id:
                        return False
                    if row.id is not None:
                        return Peer(row.id, row.address, row.key)
                    # Free: but somebody else may take it first.
                    c = tables.c
                    as_seen = c.owner.is_not_distinct_from(row.owner)
                    alive = select(literal(1)).where(servers.c.id == id).exists()
                    change = update(tables).where(c.id == table, as_seen, alive).values(owner=id)
                    if (await connection.execute(change)).rowcount:
                        return True
                    if not (await connection.execute(select(alive))).scalar():
                        return False  # this server has lost everything, which it will notice

    @asynccontextmanager
    async def listening(self, on_change: Callable[[], None]) -> AsyncIterator[asyncio.Event]:
        """Call ``on_change`` whenever a server comes or stops; yield what is set if the connection ends."""
        ended = asyncio.Event()
        with available():
            async with self._own.connect() as connection:
                raw: Any = (await connection.get_raw_connection()).driver_connection
                raw.add_termination_listener(lambda _connection: ended.set())
                await raw.add_listener(CHANNEL, lambda *_what: on_change())
                try:
                    yield ended
                finally:
                    await connection.invalidate()  # it listens: nobody else may get it


_TELL = text(f"NOTIFY {CHANNEL}")
_OWNER = select(tables.c.owner, servers.c.id, servers.c.address, servers.c.key).select_from(
    tables.outerjoin(servers, servers.c.id == tables.c.owner)
)
