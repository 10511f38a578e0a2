"""The daily race: its days with their secrets, what is raced, and who has tried."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0013"


def upgrade() -> None:
    """Create the tables, and the column that says which day a table plays."""
    op.add_column("tables", sa.Column("deal", sa.String(10)))
    op.create_table(
        "daily_days",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_daily_days"),
    )
    op.create_table(
        "daily_deals",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("level", sa.String(32), nullable=False),
        sa.Column("par", sa.Integer),
        sa.Column("par_level", sa.String(32)),
        sa.PrimaryKeyConstraint("day", "title", name="pk_daily_deals"),
        sa.ForeignKeyConstraint(["day"], ["daily_days.day"], name="fk_daily_deals_day"),
    )
    op.create_table(
        "daily_attempts",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
        sa.Column("table_id", sa.String(32)),
        sa.Column("ended", sa.DateTime(timezone=True)),
        sa.Column("points", sa.Integer),
        sa.Column("place", sa.Integer),
        sa.Column("settled", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("day", "title", "holder", name="pk_daily_attempts"),
        sa.ForeignKeyConstraint(
            ["day", "title"], ["daily_deals.day", "daily_deals.title"], name="fk_daily_attempts_day"
        ),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_daily_attempts_table_id", ondelete="SET NULL"
        ),
    )
    op.create_index("ix_daily_attempts_holder", "daily_attempts", ["holder"])
    op.create_index("ix_daily_attempts_table_id", "daily_attempts", ["table_id"])
