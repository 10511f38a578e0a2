"""Results of finished games, games of other servers, links to other devices, phrases in the chat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the tables and columns. The results of older games are filled in when somebody asks for them."""
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("player", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kept", sa.Boolean),
        sa.Column("judged", sa.Integer),
        sa.Column("cost", sa.Float(53)),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_results"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_results_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "archives",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("holder", name="pk_archives"),
    )
    op.create_table(
        "device_links",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64)),
        sa.Column("sealed", sa.String(100), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.Column("name", sa.String(100), nullable=False, server_default=""),
        sa.Column("number", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("holder", name="pk_device_links"),
    )
    op.create_index("ix_device_links_hash", "device_links", ["hash"], unique=True)
    op.add_column("players", sa.Column("late", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("talk", sa.Column("phrase", sa.String(16), nullable=False, server_default=""))
