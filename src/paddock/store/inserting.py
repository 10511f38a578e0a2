"""Insertions that say what happens if the row is there already: SQLite and PostgreSQL have their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insertion with ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    on_postgres = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if on_postgres else sqlite.insert(table)


def insert_new(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless one with its key is there already; return whether it was inserted."""
    statement = insert_into(connection, table).values(row).on_conflict_do_nothing()
    return connection.execute(statement).rowcount > 0
