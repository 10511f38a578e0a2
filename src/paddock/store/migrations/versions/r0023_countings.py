"""Which games are being counted, and how often that has failed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the table, and an index of the games that are not counted yet."""
    uncounted = sa.column("asked").is_(None)
    op.create_index(
        "ix_results_uncounted",
        "results",
        ["table_id"],
        sqlite_where=uncounted,
        postgresql_where=uncounted,
    )
    op.create_table(
        "countings",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("table_id", name="pk_countings"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_countings_table_id", ondelete="CASCADE"
        ),
    )
