"""When somebody who asked for a game was led to its table, when a browser last said how it is called, and
where the points of players came from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the columns. What was said before counts as said now."""
    op.add_column("waiting", sa.Column("led_at", sa.DateTime(timezone=True)))
    op.add_column("results", sa.Column("account", sa.Text))
    kept = sa.Column(
        "kept_at", sa.DateTime(timezone=True), nullable=False, server_default="1970-01-01 00:00:00"
    )
    op.add_column("reach", kept)
    op.execute("UPDATE reach SET kept_at = CURRENT_TIMESTAMP")
