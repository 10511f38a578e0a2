"""Who waits for somebody to play with, and how many watch the tables of other servers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the tables. One browser at most waits for each game: whoever comes next plays with it."""
    op.create_table(
        "waiting",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("table_id", sa.String(32)),
        sa.PrimaryKeyConstraint("holder", "title", "pace", name="pk_waiting"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_waiting_table_id", ondelete="CASCADE"),
    )
    alone = sa.column("table_id").is_(None)
    op.create_index(
        "ix_waiting_game",
        "waiting",
        ["title", "pace"],
        unique=True,
        sqlite_where=alone,
        postgresql_where=alone,
    )
    op.create_index("ix_waiting_table_id", "waiting", ["table_id"])
    op.create_table(
        "watching",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_watching"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_watching_table_id", ondelete="CASCADE"),
    )
