"""Lobbies and hosts, clocks and absence, talk, standing orders, undo, personal tokens.

Columns are only added: where SQLite has to copy a table it drops the old one, and the cascade
would take every log with it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def _table_id(of: str) -> sa.Column[str]:
    key = sa.ForeignKey("tables.id", name=f"fk_{of}_table_id", ondelete="CASCADE")
    return sa.Column("table_id", sa.String(32), key, nullable=False)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())


def _moment(name: str, default: str | None = None) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=default is None, server_default=default)


def upgrade() -> None:
    """Add columns, with defaults that suit existing tables, and create the new tables."""
    for column in (
        sa.Column("phase", sa.String(8), nullable=False, server_default="play"),
        sa.Column("host", sa.String(64)),
        _flag("listed"),
        sa.Column("clock", sa.String(32), nullable=False, server_default=""),
        sa.Column("grace", sa.Integer, nullable=False, server_default="0"),
        _moment("opened_at"),
        _moment("touched_at", "1970-01-01 00:00:00"),
        sa.Column("rematch_of", sa.String(32)),
        sa.Column("rematch", sa.String(32)),
        _flag("abandoned"),
    ):
        op.add_column("tables", column)
    latest = "SELECT max(at) FROM events WHERE events.table_id = tables.id"
    op.execute(f"UPDATE tables SET host = maker, touched_at = coalesce(({latest}), created)")
    op.create_index("ix_tables_touched_at", "tables", ["touched_at"])
    for column in (
        _flag("ready"),
        _flag("stand_in"),
        sa.Column("bank_ms", sa.BigInteger),
        sa.Column("recovery", sa.String(64)),
        _flag("muted"),
        sa.Column("read", sa.Integer, nullable=False, server_default="0"),
    ):
        op.add_column("players", column)
    op.create_table(
        "banned",
        _table_id("banned"),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "holder", name="pk_banned"),
    )
    op.create_table(
        "talk",
        _table_id("talk"),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("player", sa.Integer),
        sa.Column("channel", sa.String(16), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_talk"),
    )
    op.create_table(
        "orders",
        _table_id("orders"),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_orders"),
    )
    op.create_table(
        "undo",
        _table_id("undo"),
        sa.Column("rows", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("consents", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_undo"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
        sa.UniqueConstraint("holder", "label", name="uq_tokens_holder"),
    )
