"""Messages that wait to be sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from paddock.features.reach.calls import REMINDER
from paddock.features.reach.rows import ChannelRow, ReachRow, outbox
from paddock.features.reach.store import ReachStore
from paddock.kernel.source import Seeded
from paddock.store import Keeping, Store
from paddock.tables import Tables
from store.databases import both
from store.test_others import ME, NOW
from store.test_others import _full as full
from tables.clockwork import PEOPLE, friends, play_on
from tables.harness import CountedRuntime, Monkeys

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

    await store.part(Keeping)._writer.run(remind)
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


async def test_without_the_feature_turns_are_played_and_nothing_is_written(database: str) -> None:
    """What browsers have said before stays, for a server that has the feature again."""
    store = await Store.open(database)
    ways = store.part(ReachStore)
    for who in PEOPLE[:2]:
        channel = ChannelRow(f"w{who[0]}", who, "ntfy", "https://ntfy.example/a", NOW, confirmed_at=NOW)
        assert await ways.add(ReachRow(who, "en", "https://club.example"), channel, NOW, 9) is None
    tables = Tables(store, Monkeys(), Seeded(7), CountedRuntime())
    table = await friends(tables, 2)
    first = table.decision
    await play_on(tables, table, lambda: table.decision > first)
    assert not table.callers
    assert await ways.next_due(None) is None
    await tables.close()
    await store.close()
