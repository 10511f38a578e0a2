"""What was chosen in moments of each kind, in finished games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "situations",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("moments", sa.Integer, nullable=False),
        sa.Column("chosen", sa.Integer, nullable=False),
        sa.Column("level", sa.String(16), nullable=False),
        sa.Column("expected", sa.Float(53), nullable=False),
        sa.Column("judged", sa.Integer, nullable=False, server_default="0"),
        sa.Column("cost", sa.Float(53), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("table_id", "player", "kind", name="pk_situations"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_situations_table_id", ondelete="CASCADE"
        ),
    )
