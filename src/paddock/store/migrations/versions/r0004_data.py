"""A table for data that options refer to by digest."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table. Options of existing tables contain their data, and stay as they are."""
    op.create_table(
        "data",
        sa.Column("digest", sa.String(16), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_data"),
    )
