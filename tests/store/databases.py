"""Fresh databases for tests, SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import Connection, Executable, select, text

import paddock.features  # their rows are in the schema, too
import paddock.store
from paddock.store import Store
from paddock.store.schema import HEAD, metadata
from sampling import some

KINDS: list[object] = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


both = pytest.mark.parametrize("database", KINDS, indirect=True)  # what depends on how a database behaves
sqlite_only = pytest.mark.parametrize("database", KINDS[:1], indirect=True)
FILE = "sqlite:///"


def either(test: str) -> pytest.MarkDecorator:
    """Run a test on both kinds; in a sample on one of them, which depends on the test and the seed."""
    return pytest.mark.parametrize("database", some(KINDS, 1, test), indirect=True)


def fresh(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the URL of an empty database; the fixture's parameter says which kind."""
    if request.param == "sqlite":
        return f"{FILE}{folder / 'paddock.sqlite3'}"
    url: str = request.getfixturevalue("postgres_url")
    asyncio.run(empty_postgres(url))
    return url


def ready(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the URL of a database that has the schema, and no rows."""
    if request.param == "sqlite":
        return prepared(f"{FILE}{folder / 'paddock.sqlite3'}")
    url: str = request.getfixturevalue("postgres_url")
    asyncio.run(_without_rows(url))
    return url


def prepared(url: str) -> str:
    """Give a new SQLite file the schema, as ``Store.open`` leaves it; return the URL."""
    path = Path(url.removeprefix(FILE))
    if url.startswith(FILE) and not path.exists():
        path.write_bytes(_schema())
    return url


@cache
def _schema() -> bytes:
    """Return an SQLite file with the schema: the migrations run once."""

    async def migrate(path: Path) -> None:
        await (await Store.open(f"{FILE}{path}")).close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:  # here, a loop may be running
        path = Path(folder) / "paddock.sqlite3"
        thread.submit(asyncio.run, migrate(path)).result()
        return path.read_bytes()


def migrate_to(connection: Connection, revision: str) -> None:
    """Give an empty database the schema of an older version."""
    from alembic import command  # imported late: processes that play for tests import this module too
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(paddock.store.__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def empty_postgres(url: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await connection.close()


async def _without_rows(url: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        rows = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        whole = {row["tablename"] for row in rows} == {*metadata.tables, "alembic_version"}
        if whole and await connection.fetchval("SELECT version_num FROM alembic_version") == HEAD:
            names = [table.name for table in reversed(metadata.sorted_tables)]
            await connection.execute("; ".join(f"DELETE FROM {name}" for name in names))
            return
    finally:
        await connection.close()
    await empty_postgres(url)
    await (await Store.open(url)).close()


async def execute(store: Store, *statements: Executable) -> None:
    """Run statements in the database of a store, which knows nothing of it."""
    async with store._engine.begin() as connection:
        for statement in statements:
            await connection.execute(statement)


@asynccontextmanager
async def without(store: Store, table: str) -> AsyncIterator[None]:
    """Take a table of the schema away meanwhile, so that the database refuses what needs it."""
    await execute(store, text(f"ALTER TABLE {table} RENAME TO away"))
    try:
        yield
    finally:
        await execute(store, text(f"ALTER TABLE away RENAME TO {table}"))


async def rows_of(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that a database holds, but not who has which table at the moment."""
    store = await Store.open(url)
    found = {}
    async with store._engine.connect() as connection:
        for table in metadata.sorted_tables:
            if table.name != "servers":
                columns = [column for column in table.c if column.name != "owner"]
                rows = await connection.execute(select(*columns).order_by(*table.primary_key))
                found[table.name] = [tuple(row) for row in rows]
    await store.close()
    return found
