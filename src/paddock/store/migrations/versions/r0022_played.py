"""How many of the decisions of a finished game its people made, and who left it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Add the columns. A server counts older games by their logs, as that needs the rules, while it runs."""
    op.add_column("results", sa.Column("asked", sa.Integer))
    op.add_column("results", sa.Column("made", sa.Integer))
    op.add_column("results", sa.Column("left_game", sa.Boolean))
