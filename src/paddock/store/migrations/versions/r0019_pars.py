"""The pars of daily races that are being measured: which server does it, and how far it is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "daily_pars",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("level", sa.String(32), nullable=False),
        sa.Column("log", sa.Text, nullable=False),
        sa.Column("owner", sa.String(32)),
        sa.PrimaryKeyConstraint("day", "title", name="pk_daily_pars"),
        sa.ForeignKeyConstraint(
            ["day", "title"], ["daily_deals.day", "daily_deals.title"], name="fk_daily_pars_day"
        ),
    )
