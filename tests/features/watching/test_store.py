"""How many watch tables, and which public games go on, in both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from paddock.features.watching.store import WatchingStore
from paddock.store.terms import Terms
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


@both
async def test_public_games_that_go_on_are_found_however_many_wait(database: str) -> None:
    store = await stored(database)
    games: dict[str, dict[str, Any]] = {
        "calm": {},
        "newest": {"touched_at": NOW + timedelta(days=1)},
        "over": {"over": True},
        "closed": {"closed": True},
        "abandoned": {"abandoned": True},
        "private": {"terms": Terms()},
    } | {f"lobby{n}": {"phase": "lobby", "created": NOW + timedelta(hours=1)} for n in range(21)}
    for id, facts in games.items():
        usual = {"id": id, "terms": Terms(listed=True), "over": False}
        await store.create(replace(TABLE, **(usual | facts)), WHO, [])
    watching = store.part(WatchingStore)
    assert [*(await watching.live()).items()] == [
        ("newest", NOW + timedelta(days=1)),
        ("calm", TABLE.touched_at),
    ]
    assert await watching.over([*games]) == ["over"]
    assert len(await store.listed(30, "lobby")) == 21 and "lobby0" in [
        row.id for row in await store.listed(99)
    ]
    await store.close()
