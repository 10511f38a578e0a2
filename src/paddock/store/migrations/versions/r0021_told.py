"""When the secret of a day was told, who was forgotten and has raced on a day that is not told, and which
tables have played an attempt that counts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add them. Days that are over are told by the server, as soon as it looks after them."""
    op.add_column("daily_days", sa.Column("told", sa.DateTime(timezone=True)))
    op.create_table(
        "daily_raced",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("mark", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("day", "title", "mark", name="pk_daily_raced"),
        sa.ForeignKeyConstraint(
            ["day", "title"], ["daily_deals.day", "daily_deals.title"], name="fk_daily_raced_day"
        ),
    )
    op.execute(
        "UPDATE tables SET kind = 'raced' WHERE kind = 'practice'"
        " AND id IN (SELECT table_id FROM daily_attempts WHERE ended IS NOT NULL)"
    )
