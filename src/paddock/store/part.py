"""A part of the store: what one feature stores. ``Store.part`` returns it."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncEngine

from paddock.store.writer import Writer


class StorePart:
    """Reads by ``_reading``, and writes by ``_writer``, which runs one transaction after another."""

    def __init__(self, engine: AsyncEngine, writer: Writer) -> None:
        self._reading = engine.execution_options(paddock_reading=True)
        self._writer = writer
