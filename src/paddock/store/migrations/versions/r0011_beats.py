"""Servers count their signs of life; public tables are found by an index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Replace the times by counters: no server runs meanwhile. Add the index."""
    op.drop_table("servers")
    op.create_table(
        "servers",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("beats", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_servers"),
    )
    listed, over, abandoned = (sa.column(name, sa.Boolean) for name in ("listed", "over", "abandoned"))
    shown = listed & ~over & ~abandoned
    op.create_index("ix_tables_listed", "tables", ["created"], sqlite_where=shown, postgresql_where=shown)
