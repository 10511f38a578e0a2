"""A part of the store: what one feature stores. ``Store.part`` returns it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddock.store.driver import Database
from paddock.store.errors import available
from paddock.store.writer import Writer


class StorePart:
    """Reads by ``_reading``, and writes by ``_writer``, which runs one transaction after another."""

    def __init__(self, engine: Database, writer: Writer) -> None:
        self._reading = engine.execution_options(paddock_reading=True)
        self._writer = writer

    async def _read(self, query: Any) -> Sequence[Any]:
        """Return the rows of a query."""
        with available():
            async with self._reading.connect() as connection:
                return (await connection.execute(query)).all()
