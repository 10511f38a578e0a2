"""Fresh databases for tests, SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

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
