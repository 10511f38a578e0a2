"""One server for each SQLite database: a lock beside its file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from paddock.core.i18n import _
from paddock.core.settings import variable
from paddock.store.database import database_url, make_folder
from paddock.store.errors import StoreError


@contextmanager
def only_server(url: str | None) -> Iterator[None]:
    """Keep other servers off an SQLite database (None: the default one) while the context lasts.

    A server keeps its tables in memory, and SQLite cannot tell it what another server has changed. The
    operating system releases the lock when the process ends, however it ends. PostgreSQL is not locked.
    Raises ``StoreError`` if another server holds the database.
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
                "another server uses the database {file}: stop it, choose another file with {variable}, or "
                "use PostgreSQL"
            ).format(file=where.database, variable=variable("database_url"))
        ) from None
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(_("the database cannot be opened: {reason}").format(reason=reason)) from error
    try:
        yield
    finally:
        lock.release()
