"""The puzzles of each browser, and when they come back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "puzzles",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("puzzle", sa.String(64), nullable=False),
        sa.Column("theme", sa.String(16), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True)),
        sa.Column("right", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("stability", sa.Float),
        sa.Column("difficulty", sa.Float),
        sa.Column("table_id", sa.String(32)),
        sa.PrimaryKeyConstraint("holder", "puzzle", name="pk_puzzles"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_puzzles_table_id", ondelete="CASCADE"),
    )
    op.create_index("ix_puzzles_table_id", "puzzles", ["table_id"])
