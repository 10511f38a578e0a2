"""Versions of tables, who must decide at them, and the moves of answered submissions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns. Of existing running games it is not known who must decide, so all of them may."""
    op.add_column("tables", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("awaits", sa.Text))
    op.add_column("answers", sa.Column("moves", sa.Text, nullable=False, server_default=""))
