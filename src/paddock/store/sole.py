"""Keeps servers apart that must not run at the same time.

SQLite takes one server: a server keeps its tables in memory, and nobody tells it of changes by another one.
It holds a lock beside the file. On PostgreSQL servers share the tables (see ``leases.py``), but not with a
server of a version that knows nothing of that, and no server runs while the schema changes: the connection
that writes holds an advisory lock, which servers share.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from paddock.core.i18n import _
from paddock.core.settings import variable
from paddock.store.database import SERVER_LOCK, cannot_open, database_url, in_use, make_folder
from paddock.store.errors import StoreError


def takes_several(url: str | None) -> bool:
    """Whether several servers may use a database (None: the default one). Raises ``StoreError``."""
    return database_url(url).get_backend_name() == "postgresql"


def database_file(url: str | None) -> Path | None:
    """Return the file of an SQLite database (None: the default one); None for PostgreSQL."""
    address = database_url(url)
    return None if takes_several(url) else Path(str(address.database))


@contextmanager
def only_server(url: str | None) -> Iterator[None]:
    """Keep other servers off an SQLite database (None: the default one) while the context lasts.

    The operating system releases the lock when the process ends, however it ends. PostgreSQL is not locked
    here. Raises ``StoreError`` if another server holds the database.
    """
    address = database_url(url)
    if takes_several(url):
        yield
        return
    make_folder(address)
    lock = FileLock(f"{os.path.realpath(str(address.database))}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError(
            _(
                "another server uses the database {file}: stop it, or choose another file with {variable}; "
                "only PostgreSQL takes several servers"
            ).format(file=address.database, variable=variable("database_url"))
        ) from None
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(cannot_open(reason)) from error
    try:
        yield
    finally:
        lock.release()


def lock_postgres(connection: Any, _record: object = None) -> None:
    """Share the lock of servers for a new connection, which keeps it to its end.

    Raises ``InUse`` if another connection has it alone.
    """
    cursor = connection.cursor()
    cursor.execute(f"SELECT pg_try_advisory_lock_shared({SERVER_LOCK})")
    (taken,) = cursor.fetchone()
    cursor.close()
    connection.commit()
    if not taken:
        raise in_use()
