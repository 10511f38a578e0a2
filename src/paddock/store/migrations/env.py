"""Alembic's entry: the connection, in its transaction, comes from ``paddock.store.database``."""

from __future__ import annotations

from alembic import context

from paddock.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
context.run_migrations()
