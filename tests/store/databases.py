"""Fresh databases for tests, SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Executable, text

from paddock.store import Store

KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def fresh(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the URL of an empty database; the fixture's parameter says which kind."""
    if request.param == "sqlite":
        return f"sqlite:///{folder / 'paddock.sqlite3'}"
    url: str = request.getfixturevalue("postgres_url")

    async def empty() -> None:
        import asyncpg

        connection = await asyncpg.connect(url.replace("+asyncpg", ""))
        await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        await connection.close()

    asyncio.run(empty())
    return url


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
