"""What is stored of those who watch: how many there are at each table, as its server says."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table

from paddock.store.columns import UtcTime
from paddock.store.schema import metadata, table_id

watching = Table(
    "watching",
    metadata,
    table_id(),
    Column("people", Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
)
