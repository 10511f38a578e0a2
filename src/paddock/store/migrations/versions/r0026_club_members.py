"""Clubs: colours, who shows the races of the day, and who is barred; what people decided in a deal."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Add the columns and the table. Of old deals nobody knows what their people decided."""
    op.add_column("clubs", sa.Column("colours", sa.String(16), nullable=False, server_default=""))
    op.add_column(
        "evening_entrants", sa.Column("barred", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("evening_seats", sa.Column("asked", sa.Integer))
    op.add_column("evening_seats", sa.Column("own", sa.Integer))
    op.create_table(
        "club_racers",
        sa.Column("club", sa.String(32), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("club", "holder", name="pk_club_racers"),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name="fk_club_racers_club", ondelete="CASCADE"),
    )
    op.create_index("ix_club_racers_holder", "club_racers", ["holder"])
