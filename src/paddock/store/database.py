"""Finds, opens and migrates the database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_dir
from sqlalchemy import (
    Connection,
    Engine,
    Pool,
    QueuePool,
    StaticPool,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, InvalidatePoolError

from paddock.core.errors import brief
from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.settings import variable
from paddock.core.threaded import THREADED
from paddock.store.driver import Database, Driver, Transactions
from paddock.store.errors import InUse, Newer, StoreError
from paddock.store.schema import HEAD
from paddock.store.writer import InLoop, InThread

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}
FRESH = 5.0  # seconds in which a connection to PostgreSQL that was used is taken for a good one
LOCKED = 5.0  # seconds that a statement waits for a lock of another process
_UPGRADING = 30.0  # the same, while a process waits for another one to migrate the database
_PATIENCE = 200  # retries when a new file is opened for the first time
_UPGRADE_LOCK = 0x7061_6464  # key of the PostgreSQL advisory lock for migrations
SERVER_LOCK = 0x7061_6465  # the same for servers: all that run share it, and a migration needs it alone


def database_url(address: str | None = None) -> URL:
    """The database: as given, else a file in the user's data folder.

    Raises ``StoreError`` for an invalid URL or an unsupported database.
    """
    if not address:
        return URL.create(
            "sqlite+aiosqlite", database=str(Path(user_data_dir("paddock")) / "paddock.sqlite3")
        )
    try:
        url = make_url(address)
    except ArgumentError:
        # Do not show the URL: it may contain a password.
        raise StoreError(
            _("the address of the database is not valid: write sqlite:///FILE or postgresql://USER@HOST/NAME")
        ) from None
    driver = _DRIVERS.get(url.drivername, url.drivername)
    if driver not in _DRIVERS.values():
        raise StoreError(
            _("Paddock does not support “{kind}” databases: choose sqlite or postgresql").format(kind=driver)
        )
    if driver.startswith("sqlite") and url.database in (None, "", ":memory:"):
        raise StoreError(_("a database in memory would be lost: write sqlite:///FILE"))
    return url.set(drivername=driver)


def connect(url: URL) -> AsyncEngine:
    """Create an engine without connecting, and the folder of an SQLite file."""
    if url.drivername.startswith("postgresql"):
        return postgres(url)
    from sqlalchemy.ext.asyncio import create_async_engine  # imported late: it needs greenlets

    make_folder(url)
    # What was used last is used next: each connection keeps up to 2 MB of the file, so that few of them do.
    engine = create_async_engine(url, hide_parameters=True, pool_use_lifo=True)
    _configure(engine.sync_engine)
    return engine


def transactions(url: URL, connected: Callable[[Any, Any], None] | None = None) -> Transactions:
    """Return what runs the write transactions of this database, on a connection of its own.

    ``connected`` is called with each new connection to PostgreSQL, and may refuse it.
    """
    if url.drivername.startswith("postgresql"):
        writing = postgres(url, pool_size=1, max_overflow=0)
        if connected:
            event.listen(writing.sync_engine, "connect", connected)
        return InLoop(writing)
    return InThread(sqlite(url, StaticPool), THREADED.executor(1, "paddock-writer"))


def sqlite(url: URL, pool: type[Pool] = QueuePool) -> Engine:
    """Create an engine of SQLAlchemy's core for an SQLite file without connecting, and the file's folder."""
    make_folder(url)
    engine = create_engine(url.set(drivername="sqlite"), poolclass=pool, hide_parameters=True)
    _configure(engine)
    return engine


def postgres(url: URL, **pool: int) -> AsyncEngine:
    """Create an engine for PostgreSQL without connecting."""
    need("postgres", "PostgreSQL")
    from sqlalchemy.ext.asyncio import create_async_engine

    settings = {
        "lock_timeout": str(round(LOCKED * 1000)),  # in milliseconds
        # The locks of a machine that is gone end after a minute and a half (here in seconds).
        "tcp_keepalives_idle": "60",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
    }
    engine = create_async_engine(
        url, connect_args={"server_settings": settings}, hide_parameters=True, **pool
    )
    _check_connections(engine.sync_engine)
    return engine


THREADS = Driver(connect, transactions)


def _check_connections(engine: Engine) -> None:
    """Check connections to PostgreSQL before they are used again.

    ``pool_pre_ping`` asks the database each time, which is a quarter of what a short transaction costs. Here
    it is asked on a connection that was not used for a while; one that it has closed is known without that.
    """

    @event.listens_for(engine, "checkin")
    def note(_connection: Any, record: Any) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def check(connection: Any, record: Any, _proxy: Any) -> None:
        """Raise ``InvalidatePoolError`` if a connection is lost. One that was used just now is not asked."""
        used = record.info.get("used")  # None: it is new
        try:
            lost = connection.driver_connection.is_closed()
            if not lost and used is not None and time.monotonic() - used > FRESH:
                lost = not engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error
        if lost:
            raise InvalidatePoolError


def _configure(engine: Engine) -> None:
    """Set up the connections and transactions of an SQLite engine."""

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        """Set what every connection to SQLite needs."""
        connection.isolation_level = None  # transactions are started by ``begin`` below, not by the driver
        cursor = connection.cursor()
        cursor.execute(_busy(LOCKED))
        _write_ahead(cursor)
        cursor.execute("PRAGMA synchronous = FULL")  # acknowledged writes survive a power cut
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # Take the write lock at once: a transaction that starts as a reader may fail to get it later.
        options = connection.get_execution_options()
        if options.get("paddock_upgrading"):
            connection.exec_driver_sql(_busy(_UPGRADING))
        connection.exec_driver_sql("BEGIN" if options.get("paddock_reading") else "BEGIN IMMEDIATE")


def _busy(seconds: float) -> str:
    """Return the statement that sets how long SQLite waits for a lock."""
    return f"PRAGMA busy_timeout = {round(seconds * 1000)}"


def make_folder(url: URL) -> None:
    """Create the folder of an SQLite file. Raises ``StoreError``."""
    try:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            _("the folder of the database cannot be created ({reason}): set {variable}").format(
                reason=error.strerror, variable=variable("database_url")
            )
        ) from None


def _write_ahead(cursor: Any) -> None:
    """Switch to write-ahead logging, so that readers and the writer do not block each other.

    Retry: SQLite refuses the change without waiting while another process opens the file.
    """
    for patience in range(_PATIENCE, -1, -1):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if not patience:
                raise
            time.sleep(0.02)


async def bring_up(engine: Database) -> None:
    """Migrate the schema to the newest revision; a single query if it is up to date.

    Raises ``StoreError`` for a database of a newer Paddock, and ``InUse`` if a server uses an older one.
    """
    async with engine.execution_options(paddock_reading=True).connect() as connection:
        stored_revision = await connection.run_sync(revision)
    if stored_revision == HEAD:
        return
    async with engine.execution_options(paddock_upgrading=True).begin() as connection:
        await connection.run_sync(upgrade)


def check_there(url: URL) -> None:
    """Raise ``StoreError`` if there is no SQLite file; nothing is created."""
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        raise StoreError(no_database(str(url.database)))


async def check_current(engine: Database) -> None:
    """Raise ``StoreError`` if a database does not have the current schema."""
    async with engine.execution_options(paddock_reading=True).connect() as connection:
        check_revision(await connection.run_sync(revision))


def check_revision(stored_revision: str | None) -> None:
    """Raise ``StoreError`` if the schema of a database is not the current one."""
    if stored_revision is not None and stored_revision > HEAD:
        raise newer(stored_revision)
    if stored_revision != HEAD:
        raise StoreError(
            _(
                "this database has no tables, or those of an older version: start the server once, which"
                " makes them"
            )
        )


def no_database(file: str) -> str:
    """Return the sentence for an SQLite file that does not exist."""
    words = _("there is no database {file}: does {variable} say where it is?")
    return words.format(file=file, variable=variable("database_url"))


def cannot_open(reason: object) -> str:
    """Return the sentence for a database that does not open."""
    words = _("the database of {variable} cannot be opened: {reason}")
    return words.format(variable=variable("database_url"), reason=reason)


def revision(connection: Connection) -> str | None:
    """Return the revision of the schema; None if there is no schema yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    stored_revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return stored_revision


def upgrade(connection: Connection, to: str = HEAD) -> None:
    """Migrate the schema to a revision in this transaction; raise as ``bring_up`` does."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = {round(_UPGRADING * 1000)}"))
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})"))
    else:
        connection.exec_driver_sql(_busy(LOCKED))  # for what the connection does later
    from alembic import command  # slow to import, and rarely needed
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    stored_revision = revision(connection)  # check again: another process may have been faster
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    for name in (stored_revision, to):
        if name is not None and name not in known:
            raise newer(name)
    if stored_revision not in (None, HEAD) and connection.dialect.name == "postgresql":
        alone = connection.execute(text(f"SELECT pg_try_advisory_xact_lock({SERVER_LOCK})")).scalar()
        if not alone:
            raise in_use()
    command.upgrade(config, to)


def newer(stored_revision: str) -> Newer:
    """Return the error of a database or a backup whose schema is from a newer version."""
    return Newer(
        _(
            "this database was created by a newer version of Paddock (its schema is {found}, this "
            "version knows {head}): update Paddock, or choose another database with {variable}"
        ).format(found=brief(stored_revision), head=HEAD, variable=variable("database_url"))
    )


def in_use() -> InUse:
    """Return the error of a PostgreSQL database that a server of another version uses."""
    return InUse(
        _(
            "a server of another version of Paddock uses this database: stop it first, or choose another "
            "database with {variable}"
        ).format(variable=variable("database_url"))
    )
