"""Whose a line of chat is: the browsers that say it, or that it names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the column; nobody knows it of the lines that are there."""
    op.add_column("talk", sa.Column("about", sa.Text, nullable=False, server_default=""))
