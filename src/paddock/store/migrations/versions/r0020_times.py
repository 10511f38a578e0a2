"""When somebody who asked for a game was led to its table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the column."""
    op.add_column("waiting", sa.Column("led_at", sa.DateTime(timezone=True)))
