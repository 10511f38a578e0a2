"""Insertions that say what happens if the row is there already: SQLite and PostgreSQL have their own."""

from __future__ import annotations

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insertion with ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    on_postgres = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if on_postgres else sqlite.insert(table)
