"""Fair cards at any table: whether it has them, its secret, and the numbers of the browsers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Add the columns. Tables that exist have no fair cards."""
    op.add_column("tables", sa.Column("fair", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("secret", sa.String(64)))
    op.add_column("players", sa.Column("lot", sa.String(64), nullable=False, server_default=""))
