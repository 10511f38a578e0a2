"""Which e-mail addresses were asked lately whether they may be written to, and which refused for good.

These rows stay whatever becomes of the channel, so that removing it or forgetting the browser asks nobody
again. Of an address they have a hash with a key of the server.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, delete, func, select

from paddock.features.reach.rows import asked_addresses
from paddock.store.inserting import insert_into

ONCE = timedelta(hours=1)  # in which one address is not asked twice, whoever wants it
MOST = 100  # questions in that time, to all addresses together
STOPPED = timedelta(days=365)  # in which nobody asks an address that has stopped its messages
Refusal = Literal["asked", "stopped", "busy"]


def ask(connection: Connection, digest: str, now: datetime) -> Refusal | None:
    """Note that an address is asked now; return why it must not be."""
    c, since = asked_addresses.c, now - ONCE
    at = connection.execute(select(c.at).where(c.address_hash == digest)).scalar()
    if at is not None and at > since:
        return "stopped" if at > now else "asked"
    lately = select(func.count()).select_from(asked_addresses).where((c.at > since) & (c.at <= now))
    if connection.execute(lately).scalar_one() >= MOST:
        return "busy"
    # Another server may ask it at the same moment: one of them finds the row of the other.
    new = insert_into(connection, asked_addresses).values(address_hash=digest, at=now)
    new = new.on_conflict_do_update(index_elements=["address_hash"], set_={"at": now}, where=c.at <= since)
    return None if connection.execute(new.returning(c.at)).first() else "asked"


def stop(connection: Connection, digest: str, now: datetime) -> None:
    """Note that nobody shall ask an address for a year."""
    new = insert_into(connection, asked_addresses).values(address_hash=digest, at=now + STOPPED)
    connection.execute(new.on_conflict_do_update(index_elements=["address_hash"], set_={"at": now + STOPPED}))


def sweep(connection: Connection, now: datetime) -> None:
    """Delete what refuses no question any more."""
    connection.execute(delete(asked_addresses).where(asked_addresses.c.at <= now - ONCE))
