"""What is stored of the analyses of finished games."""

from __future__ import annotations

from sqlalchemy import Column, Table, Text

from paddock.store.columns import UtcTime
from paddock.store.schema import metadata, table_id

# ``paddock.bots.analysis`` says what is in the text.
analyses = Table(
    "analyses",
    metadata,
    table_id(),
    Column("made_at", UtcTime, nullable=False),
    Column("text", Text, nullable=False),
)
