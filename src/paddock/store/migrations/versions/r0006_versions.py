"""Versions of tables, who must decide at them, the moves of answered submissions, and requests for seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns. Of existing running games it is not known who must decide, so all of them may."""
    op.add_column("tables", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("awaits", sa.Text))
    op.add_column("answers", sa.Column("moves", sa.Text, nullable=False, server_default=""))
    op.add_column("players", sa.Column("last_holder", sa.String(64)))
    op.add_column("players", sa.Column("opened_by", sa.String(64)))
    op.create_table(
        "claims",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("player", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("consents", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_claims"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_claims_table_id", ondelete="CASCADE"),
    )
