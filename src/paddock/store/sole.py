"""One server for each database: a server keeps its tables in memory, and nobody tells it of other changes.

On SQLite it is a lock beside the file. On PostgreSQL it is an advisory lock of the connection that writes: a
server that loses this connection takes the lock again before it writes again, or does not write.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from filelock import FileLock, Timeout

from paddock.core.i18n import _
from paddock.core.settings import variable
from paddock.store.database import database_url, make_folder
from paddock.store.errors import InUse, StoreError

_SERVER_LOCK = 0x7061_6465  # key of the PostgreSQL advisory lock of the server


@contextmanager
def only_server(url: str | None) -> Iterator[None]:
    """Keep other servers off an SQLite database (None: the default one) while the context lasts.

    The operating system releases the lock when the process ends, however it ends. PostgreSQL is not locked
    here. Raises ``StoreError`` if another server holds the database.
    """
    where = database_url(url)
    if where.get_backend_name() != "sqlite":
        yield
        return
    make_folder(where)
    lock = FileLock(f"{os.path.realpath(str(where.database))}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError(
            _(
                "another server uses the database {file}: stop it, or choose another file with {variable}"
            ).format(file=where.database, variable=variable("database_url"))
        ) from None
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(_("the database cannot be opened: {reason}").format(reason=reason)) from error
    try:
        yield
    finally:
        lock.release()


def lock_postgres(connection: Any, _record: object = None) -> None:
    """Take the lock of the server for a new connection, which keeps it to its end.

    Raises ``InUse`` if another connection has it.
    """
    cursor = connection.cursor()
    cursor.execute(f"SELECT pg_try_advisory_lock({_SERVER_LOCK})")
    (taken,) = cursor.fetchone()
    cursor.close()
    connection.commit()
    if not taken:
        raise InUse(
            _(
                "another server uses this database, and it takes only one: stop the other server, or choose "
                "another database with {variable}"
            ).format(variable=variable("database_url"))
        )
