"""Tables, players, events, commitments and answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _table_id(of: str) -> sa.Column[str]:
    key = sa.ForeignKey("tables.id", name=f"fk_{of}_table_id", ondelete="CASCADE")
    return sa.Column("table_id", sa.String(32), key, nullable=False)


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("date", sa.String(10), nullable=False),
        sa.Column("maker", sa.String(64)),
        sa.Column("origin", sa.String(64)),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_maker", "tables", ["maker"])
    op.create_table(
        "players",
        _table_id("players"),
        sa.Column("index", sa.Integer, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("bot", sa.String(32)),
        sa.Column("holder", sa.String(64)),
        sa.PrimaryKeyConstraint("table_id", "index", name="pk_players"),
    )
    op.create_index("ix_players_holder", "players", ["holder"])
    op.create_table(
        "events",
        _table_id("events"),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("by", sa.Integer, nullable=False),
        sa.Column("what", sa.Integer, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("digest", sa.BigInteger, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_events"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pending",
        _table_id("pending"),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("move", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "decision", "seat", name="pk_pending"),
    )
    op.create_table(
        "answers",
        _table_id("answers"),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("sentence", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "key", name="pk_answers"),
        sqlite_with_rowid=False,
    )
