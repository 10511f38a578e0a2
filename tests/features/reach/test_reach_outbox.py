"""Messages that wait to be sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from paddock.features.reach.calls import REMINDER
from paddock.features.reach.rows import ReachRow, outbox
from paddock.features.reach.store import ReachStore
from paddock.store import Store
from store.databases import both
from store.test_others import ME, NOW
from store.test_others import _full as full

pytestmark = pytest.mark.anyio


@both
async def test_messages_that_nobody_can_take_now_are_not_looked_at(database: str) -> None:
    store = await Store.open(database)
    await full(store)
    ways, until = store.part(ReachStore), NOW + timedelta(minutes=1)
    row, later = ReachRow(ME, "en", "https://club.example", remind=60), NOW + timedelta(hours=5)
    await ways.keep(row, NOW)

    def remind(connection: Any) -> None:
        message = {"channel_id": "w1", "about": "t1/9", "kind": REMINDER, "holder": ME, "table_id": "t1"}
        connection.execute(insert(outbox).values(**message, made_at=NOW, due=later))

    await store.keeping()._writer.run(remind)
    await ways.keep(replace(row, language="de", calendar="c" * 64), NOW)
    assert await ways.next_due(None) == NOW, "the turn"
    assert await ways.next_due(None, [ME]) is await ways.next_due(None, (), ["w1"]) is None
    assert await ways.claim("c", NOW, until, 9, None, [ME]) == []
    assert await ways.claim("c", NOW, until, 9, None, (), ["w1"]) == []
    assert [one.row.kind for one in await ways.claim("c", NOW, until, 9, None, ["x"], ["w2"])] == ["turn"]
    assert await ways.next_due(None) == until, "the reminder is due later"
    await ways.keep(replace(row, remind=120), NOW)
    assert await ways.next_due(None) == NOW, "it may be earlier now"
    await store.close()
