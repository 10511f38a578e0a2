"""The stored analyses of finished games."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from paddock.features.analyses.rows import analyses
from paddock.store.inserting import insert_into
from paddock.store.part import StorePart


class AnalysisStore(StorePart):
    """The stored analyses."""

    async def keep(self, table_id: str, at: datetime, text: str) -> None:
        """Store the analysis of a finished game; it replaces an earlier one."""

        def work(connection: Connection) -> None:
            columns = {"made_at": at, "text": text}
            row = insert_into(connection, analyses).values(table_id=table_id, **columns)
            connection.execute(row.on_conflict_do_update(index_elements=["table_id"], set_=columns))

        await self._writer.run(work)

    async def text(self, table_id: str) -> str | None:
        """Return the stored analysis of a table; None if there is none."""
        rows = await self._read(select(analyses.c.text).where(analyses.c.table_id == table_id))
        return next((text for (text,) in rows), None)
