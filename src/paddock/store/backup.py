"""Backups: all rows of a database as one SQLite file with the same schema, which a server could use as it is.

An SQLite database is copied by its online backup, a PostgreSQL one row by row in a single snapshot. So a
backup is consistent while people play, and holds every change that was acknowledged before it began. A backup
of either kind can be restored into either kind.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import (
    Connection,
    delete,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from paddock.core.i18n import _
from paddock.store.database import (
    SERVER_LOCK,
    bring_up,
    cannot_open,
    check_revision,
    connect,
    database_url,
    make_folder,
    no_database,
    postgres,
    revision,
    upgrade,
)
from paddock.store.errors import InUse, StoreError
from paddock.store.given import DAMAGED, PIECE, copy_rows, file_engine, foreign, not_ours
from paddock.store.schema import HEAD, metadata, servers, tables
from paddock.store.sole import only_server

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True)
class Copied:
    """What a backup or a restore has copied."""

    tables: int
    moves: int  # rows of their logs
    size: int  # bytes of the file
    refusal: str = ""  # why this backup would not be restored


async def write_backup(url: str | None, file: Path, *, replace: bool = False) -> Copied:
    """Write a backup of the database (None: the default one) to a file, which appears when it is whole.

    Raises ``StoreError``: for a file that exists, unless ``replace``, and for a database that cannot be read.
    """
    address = database_url(url)
    with _renamed_at_end(file, replace) as part:
        if address.drivername.startswith("sqlite"):
            await asyncio.to_thread(_copy_file, address, part)
            refusal = not_ours(file, await asyncio.to_thread(foreign, part))
            return dataclasses.replace(await asyncio.to_thread(_counted, part), refusal=refusal)
        async with _reading(address) as source:
            with _new_file(part) as target:
                await source.run_sync(_copy_all, target)
        return await asyncio.to_thread(_counted, part)


async def restore_backup(file: Path, url: str | None, *, replace: bool = False) -> Copied:
    """Restore a backup into a database that no server uses (None: the default one).

    A backup of an older version is brought to the current schema first. Raises ``StoreError``, and changes
    nothing: for a file that is no backup, one of a newer version and one that has more than rows, for a
    database in use, and, unless ``replace``, for one that has tables.
    """
    address = database_url(url)
    async with current_copy(file) as copy:
        if address.drivername.startswith("sqlite"):
            file = Path(str(address.database))
            owner = _owner(file)
            try:
                with only_server(url):
                    await asyncio.to_thread(_into_file, copy, address, replace)
            finally:
                _give(file, owner)
        else:
            await _into_postgres(copy, address, replace)
        return await asyncio.to_thread(_counted, copy)


@asynccontextmanager
async def current_copy(file: Path) -> AsyncIterator[Path]:
    """Yield a copy of the rows of a backup with the current schema, in a temporary folder.

    Raises ``StoreError`` as ``copy_rows`` does.
    """
    with TemporaryDirectory(prefix="paddock-restore-") as folder:
        copy = Path(folder) / "backup.sqlite3"
        await asyncio.to_thread(copy_rows, file, copy)
        engine = connect(_url(copy))
        try:
            await bring_up(engine)
        finally:
            await engine.dispose()
        yield copy


def _url(file: Path) -> URL:
    return URL.create("sqlite+aiosqlite", database=str(file))


@contextmanager
def _renamed_at_end(file: Path, replace: bool) -> Iterator[Path]:
    """Yield the name of a file that gets its right name when the context ends well, and is durable then."""
    if file.exists() and not replace:
        raise StoreError(_("{file} exists already: choose another file").format(file=file))
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        # It has the names of people, and what they wrote. Others may have put a link here meanwhile.
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        yield part
        with part.open("rb+") as whole:
            os.fsync(whole.fileno())
        part.replace(file)
        _flush_folder(file.parent)
    except OSError as error:
        raise StoreError(f"{file}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def _flush_folder(folder: Path) -> None:
    """Write a folder to the disk, so that a new file in it survives a power cut."""
    if os.name == "posix":  # elsewhere a folder cannot be opened
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


# SQLite


def _opened(file: Path) -> sqlite3.Connection:
    """Open an SQLite file that exists, to read it."""
    if not file.exists():
        raise StoreError(no_database(str(file)))
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=30)


def _copy_file(source: URL, file: Path) -> None:
    """Copy an SQLite database as it is at one moment, and close the copy: it has no other files beside it."""
    try:
        with closing(_opened(Path(str(source.database)))) as old, closing(sqlite3.connect(file)) as new:
            if not old.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
                raise StoreError(_("{file} is no database of Paddock").format(file=source.database))
            old.backup(new)  # in one step: one snapshot, for which no writer waits
            new.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise StoreError(f"{source.database}: {error}") from error


def _counted(file: Path) -> Copied:
    """Count what a backup holds, after a check that it can be read."""
    with closing(sqlite3.connect(file)) as connection:
        if connection.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise StoreError(_("{file} is no backup: {reason}").format(file=file, reason=_(DAMAGED)))
        (count,) = connection.execute("SELECT count(*) FROM tables").fetchone()
        (moves,) = connection.execute("SELECT count(*) FROM events").fetchone()
    return Copied(count, moves, file.stat().st_size)


def _into_file(copy: Path, address: URL, replace: bool) -> None:
    """Replace an SQLite database, in one transaction of it."""
    make_folder(address)
    try:
        with closing(sqlite3.connect(str(address.database), timeout=30)) as new:
            if not replace and new.execute("SELECT 1 FROM sqlite_master WHERE name = 'tables'").fetchone():
                (count,) = new.execute("SELECT count(*) FROM tables").fetchone()
                _check_empty(count, replace)
            with closing(sqlite3.connect(copy)) as old:
                old.backup(new)
    except sqlite3.Error as error:
        raise StoreError(f"{address.database}: {error}") from error


def _owner(file: Path) -> tuple[int, int] | None:
    """Return who owns a database, or else its folder, if this process may give files to others."""
    if os.name != "posix" or os.geteuid():
        return None
    while not file.exists():
        file = file.parent
    return file.stat().st_uid, file.stat().st_gid


def _give(file: Path, owner: tuple[int, int] | None) -> None:
    """Give the files of a database to its owner: where root has made them, no server could write them."""
    for name in (file, *(Path(f"{file}{end}") for end in ("-wal", "-shm", ".lock"))):
        if owner and name.exists():
            os.chown(name, *owner)


def _check_empty(count: int, replace: bool) -> None:
    if count and not replace:
        words = _("the database has {n} tables, which would be lost: write --replace if you want that")
        raise StoreError(words.format(n=count))


# PostgreSQL


@contextmanager
def _new_file(file: Path) -> Iterator[Connection]:
    """Yield a transaction in a new SQLite file that has the current schema."""
    engine = file_engine(file)
    try:
        with engine.begin() as connection:
            metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text(f"INSERT INTO alembic_version VALUES ('{HEAD}')"))
            yield connection
    finally:
        engine.dispose()


@asynccontextmanager
async def _reading(address: URL) -> AsyncIterator[AsyncConnection]:
    """Yield a connection to PostgreSQL that sees one snapshot. Raises ``StoreError``."""
    engine = postgres(address)
    try:
        async with engine.connect() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ")
            check_revision(await connection.run_sync(revision))
            yield connection
    except (DBAPIError, OSError) as error:
        raise _unreadable(error) from error
    finally:
        await engine.dispose()


def _unreadable(error: Exception) -> StoreError:
    reason = getattr(error, "orig", None) or error
    return StoreError(cannot_open(reason))


async def _into_postgres(copy: Path, address: URL, replace: bool) -> None:
    """Replace the rows of a PostgreSQL database, in one transaction, which brings an older schema up too."""
    engine = postgres(address)
    try:
        async with engine.begin() as connection:
            alone = await connection.execute(text(f"SELECT pg_try_advisory_xact_lock({SERVER_LOCK})"))
            if not alone.scalar():
                raise InUse(_("a server uses this database: stop it first"))
            if await connection.run_sync(revision) is not None:
                _check_empty(
                    (await connection.execute(select(func.count()).select_from(tables))).scalar_one(), replace
                )
            await connection.run_sync(upgrade)
            await connection.run_sync(_replace_all, copy)
    except (DBAPIError, OSError) as error:
        raise _unreadable(error) from error
    finally:
        await engine.dispose()


def _replace_all(target: Connection, copy: Path) -> None:
    """Delete all rows, and copy those of the backup."""
    for rows in reversed(metadata.sorted_tables):
        target.execute(delete(rows))
    engine = file_engine(copy)
    try:
        with engine.connect() as source:
            _copy_all(source, target)
    finally:
        engine.dispose()


def _copy_all(source: Connection, target: Connection) -> None:
    """Copy all rows, but not which servers run."""
    for rows in metadata.sorted_tables:
        if rows is servers:
            continue
        rows_read = source.execute(select(rows), execution_options={"yield_per": PIECE}).mappings()
        for piece in rows_read.partitions():
            target.execute(insert(rows), [dict(row) for row in piece])
