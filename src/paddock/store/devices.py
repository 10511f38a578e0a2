"""Links by which a browser becomes usable on another device. Each browser has one at most, the newest.

The database has the hash of the link's secret, and the browser's secret sealed with it: from neither does
anybody get the other, or into the browser.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, select, update

from paddock.store.inserting import insert_into
from paddock.store.part import StorePart
from paddock.store.rows import LinkRow
from paddock.store.schema import device_links


class DeviceStore(StorePart):
    """The stored links."""

    async def keep(self, row: LinkRow) -> None:
        """Store a link in place of the one that its browser had."""

        def work(connection: Connection) -> None:
            statement = insert_into(connection, device_links).values(asdict(row))
            connection.execute(statement.on_conflict_do_update(index_elements=["holder"], set_=asdict(row)))

        await self._writer.run(work)

    async def of(self, holder: str) -> LinkRow | None:
        """Return the link of a browser, used or not; None if it has none."""
        return await self._link_where(device_links.c.holder == holder)

    async def open(self, hash: str, since: datetime) -> LinkRow | None:
        """Return the link with this hash if it was made after ``since``, and not used yet."""
        c = device_links.c
        return await self._link_where((c.hash == hash) & (c.made_at > since) & c.used_at.is_(None))

    async def _link_where(self, condition: ColumnElement[bool]) -> LinkRow | None:
        rows = await self._read(select(device_links).where(condition))
        return LinkRow(**rows[0]._mapping) if rows else None

    async def use(self, hash: str, since: datetime, at: datetime) -> bool:
        """Use a link up: it opens nothing any more. Return False if somebody was faster, or it is too old."""
        c = device_links.c
        unused_link = (c.hash == hash) & (c.made_at > since) & c.used_at.is_(None)
        statement = (
            update(device_links)
            .where(unused_link)
            .values(hash=None, sealed="", name="", number=0, used_at=at)
        )
        return await self._writer.run(lambda connection: connection.execute(statement).rowcount > 0)
