"""Marks moves that were submitted together with the previous one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; every existing move was a submission of its own."""
    linked = sa.Column("linked", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("events", linked)
