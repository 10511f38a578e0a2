"""The database schema after the newest migration: the columns of ``rows.py``, and the keys and indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from paddock.store import rows
from paddock.store.columns import BROWSER, UtcTime, columns

_VERSIONS = Path(__file__).parent / "migrations/versions"
KEEPS = "keeps"  # in ``info`` of a table: the condition of rows whose browser waits for something here
DATED = "dated"  # in ``info`` of a table: its dates that follow when the clock of the machine is set
# (in a tuple of them, the others follow the first)
COUNTED = "counted"  # in ``info`` of a table: what to say of the number of rows that go with a browser
# In ``info`` of a table: what else is done with a connection, in the same transaction, when
FORGET = "forget"  # a browser is forgotten, before that; gets its hash
REKEY = "rekey"  # a browser gets another secret; gets both hashes
PURGE = "purge"  # what is old is deleted; gets the date before which that is
# And after that, browser by browser: from such a date, what returns the browsers, and what deletes rows of
# one, which may lock its tables
PURGE_EACH = "purge each"
HEAD = max(file.name[1:5] for file in _VERSIONS.glob("r*.py"))  # the newest revision

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

_KEY = {"primary_key": True, "autoincrement": False}
_FIRST = {"primary_key": True}
_BARE = {"server_default": None}  # a column that every version has had


def table_id() -> Column[str]:
    """Return the column of the table to which a row belongs, and with which it goes; a part of its key."""
    return Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


def _holder() -> Column[str]:
    return Column("holder", String(64), primary_key=True, info={BROWSER: True})


tables = Table(
    "tables",
    metadata,
    *columns(rows.TableRow, id={"primary_key": True}, pace=_BARE),
    Column("owner", String(32)),  # the server that has it, if that one is in ``servers``: see ``leases.py``
    Index("ix_tables_maker", "maker"),
    Index("ix_tables_touched_at", "touched_at"),
)
_LISTED = tables.c.listed & ~tables.c.over & ~tables.c.abandoned
Index("ix_tables_listed", tables.c.created, sqlite_where=_LISTED, postgresql_where=_LISTED)

players = Table(
    "players",
    metadata,
    table_id(),
    *columns(
        rows.PlayerRow,
        index=_KEY,
        read_up_to={"name": "read"},
        removed_by={"name": "opened_by"},  # older versions also set it for a bot's seat
    ),
    Index("ix_players_holder", "holder"),
)

# Append-only. The key prevents two writers from writing the same ``seq``.
events = Table(
    "events",
    metadata,
    table_id(),
    *columns(rows.EventRow, seq=_KEY),
    Column("at", UtcTime, nullable=False),
    sqlite_with_rowid=False,
)

pending = Table(
    "pending",
    metadata,
    table_id(),
    *columns(rows.PendingRow, decision=_KEY, seat=_KEY),
    Column("at", UtcTime, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    table_id(),
    *columns(rows.AnswerRow, key={"primary_key": True}),
    sqlite_with_rowid=False,
)

# Browsers that a host has banned from a table.
banned = Table("banned", metadata, table_id(), _holder())

# Chat; ``player`` is null for lines of the table itself.
talk = Table("talk", metadata, table_id(), *columns(rows.TalkRow, seq=_KEY))

orders = Table("orders", metadata, table_id(), *columns(rows.OrderRow, seat=_KEY))

# The open undo request of a table.
undo = Table("undo", metadata, table_id(), *columns(rows.UndoRow))

# Open requests to play an open seat of a running game.
claims = Table("claims", metadata, table_id(), *columns(rows.ClaimRow, player=_KEY, consents=_BARE))

tokens = Table(
    "tokens",
    metadata,
    *columns(rows.TokenRow, hash={"primary_key": True}),
    UniqueConstraint("holder", "label", name="uq_tokens_holder"),
)


# The secrets of this database: see ``paddock.store.sealed``.
sealed = Table(
    "sealed",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("secret", Text, nullable=False),
)


device_links = Table(
    "device_links",
    metadata,
    *columns(rows.LinkRow, holder={"primary_key": True}),
    Index("ix_device_links_hash", "hash", unique=True),
)

# The servers that run, on PostgreSQL, and how often each has given a sign of life. See ``leases.py``.
servers = Table(
    "servers",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("address", Text, nullable=False),
    Column("key", String(64), nullable=False),
    Column("beats", Integer, nullable=False),
)

# Data that options refer to by digest: see ``Options.short``.
data = Table(
    "data",
    metadata,
    Column("digest", String(16), primary_key=True),
    Column("text", Text, nullable=False),
)


def holders() -> tuple[Column[Any], ...]:
    """Return every column that has the hash of a browser, besides ``talk.about``, which may have several."""
    return tuple(c for rows in metadata.sorted_tables for c in rows.c if c.info.get(BROWSER))


def own() -> tuple[Table, ...]:
    """Return the tables whose rows are about one browser and nobody else: they go when it is forgotten."""
    return tuple({c.table: None for c in holders() if c.table not in (tables, players)})[::-1]
