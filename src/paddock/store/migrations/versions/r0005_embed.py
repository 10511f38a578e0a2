"""Whether other sites may show a table in a frame."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; no site may show existing tables."""
    embed = sa.Column("embed", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("tables", embed)
