"""How many watch tables, in both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from paddock.features.watching.store import WatchingStore
from store.databases import both
from store.ended import NOW, TABLE, WHO, stored

pytestmark = pytest.mark.anyio


@both
async def test_numbers_of_those_who_watch(database: str) -> None:
    store = await stored(database)
    await store.create(replace(TABLE, id="t2"), WHO, [])
    watching = store.part(WatchingStore)
    await watching.note({"t1": 3, "t2": 1, "gone": 2}, NOW)
    before = NOW - timedelta(seconds=1)
    assert await watching.of(["t1", "t2", "gone"], before) == {"t1": 3, "t2": 1}
    assert await watching.of(["t1"], NOW) == {}
    await watching.note({"t1": 0}, NOW)
    assert await watching.of(["t1", "t2"], before) == {"t2": 1}
    await store.close()
