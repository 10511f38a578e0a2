"""The database schema after the newest migration."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

HEAD = "0008"  # the newest revision in migrations/versions

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


def _table_id() -> Column[str]:
    return Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("title", String(64), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("pace", String(16), nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("date", String(10), nullable=False),
    Column("maker", String(64)),
    Column("origin", String(64)),
    Column("length", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("phase", String(8), nullable=False, server_default="play"),
    Column("host", String(64)),
    Column("listed", Boolean, nullable=False, server_default=false()),
    Column("clock", String(32), nullable=False, server_default=""),
    Column("grace", Integer, nullable=False, server_default="0"),
    Column("opened_at", DateTime(timezone=True)),
    Column("touched_at", DateTime(timezone=True), nullable=False, server_default="1970-01-01 00:00:00"),
    Column("rematch_of", String(32)),
    Column("rematch", String(32)),
    Column("abandoned", Boolean, nullable=False, server_default=false()),
    Column("embed", Boolean, nullable=False, server_default=false()),
    Column("version", Integer, nullable=False, server_default="0"),
    Column("awaits", Text),
    Column("requests", Integer, nullable=False, server_default="0"),
    Index("ix_tables_maker", "maker"),
    Index("ix_tables_touched_at", "touched_at"),
)

players = Table(
    "players",
    metadata,
    _table_id(),
    Column("index", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("bot", String(32)),
    Column("holder", String(64)),
    Column("ready", Boolean, nullable=False, server_default=false()),
    Column("stand_in", Boolean, nullable=False, server_default=false()),
    Column("bank_ms", BigInteger),
    Column("recovery", String(64)),
    Column("muted", Boolean, nullable=False, server_default=false()),
    Column("read", Integer, key="read_up_to", nullable=False, server_default="0"),
    Column("last_holder", String(64)),
    Column("opened_by", String(64), key="removed_by"),  # older versions also set it for a bot's seat
    Index("ix_players_holder", "holder"),
)

# Append-only. The key prevents two writers from writing the same ``seq``.
events = Table(
    "events",
    metadata,
    _table_id(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("by", Integer, nullable=False),
    Column("what", Integer, nullable=False),
    Column("decision", Integer, nullable=False),
    Column("digest", BigInteger, nullable=False),  # SQL has only signed integers: see ``signed``
    Column("at", DateTime(timezone=True), nullable=False),
    Column("linked", Boolean, nullable=False, server_default=false()),
    sqlite_with_rowid=False,
)

pending = Table(
    "pending",
    metadata,
    _table_id(),
    Column("decision", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("move", Integer, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
)

answers = Table(
    "answers",
    metadata,
    _table_id(),
    Column("key", String(64), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("decision", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("sentence", Text, nullable=False),
    Column("moves", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# Browsers that a host has banned from a table.
banned = Table("banned", metadata, _table_id(), Column("holder", String(64), primary_key=True))

# Chat; ``player`` is null for lines of the table itself.
talk = Table(
    "talk",
    metadata,
    _table_id(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("player", Integer),
    Column("channel", String(16), nullable=False),
    Column("text", Text, nullable=False),
)

orders = Table(
    "orders",
    metadata,
    _table_id(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("made_at", DateTime(timezone=True), nullable=False),
)

# The open undo request of a table.
undo = Table(
    "undo",
    metadata,
    _table_id(),
    Column("rows", Integer, nullable=False),
    Column("player", Integer, nullable=False),
    Column("consents", Text, nullable=False),
)

# Open requests to play an open seat of a running game.
claims = Table(
    "claims",
    metadata,
    _table_id(),
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("holder", String(64), nullable=False),
    Column("name", String(100), nullable=False),
    Column("consents", Text, nullable=False),
)

# The analysis of a finished game: see ``paddock.bots.analysis``.
analyses = Table(
    "analyses",
    metadata,
    _table_id(),
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("text", Text, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("label", String(64), nullable=False),
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("used_at", DateTime(timezone=True)),
    UniqueConstraint("holder", "label", name="uq_tokens_holder"),
)

# Data that options refer to by digest: see ``Options.short``.
data = Table(
    "data",
    metadata,
    Column("digest", String(16), primary_key=True),
    Column("text", Text, nullable=False),
)


def signed(number: int) -> int:
    """Convert 64 unsigned bits to the signed integer of a column."""
    return number - (1 << 64) if number >> 63 else number


def unsigned(number: int) -> int:
    """Convert the signed integer of a column to 64 unsigned bits."""
    return number % (1 << 64)
