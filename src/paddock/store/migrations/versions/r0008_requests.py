"""A counter of the requests for seats, which numbers them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column. Requests that are open keep their numbers, so the next ones are higher."""
    op.add_column("tables", sa.Column("requests", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        "UPDATE tables SET requests = (SELECT max(number) FROM claims WHERE claims.table_id = tables.id)"
        " WHERE tables.id IN (SELECT table_id FROM claims)"
    )
