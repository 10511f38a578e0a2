"""Data that options name by a digest: stored once, with a table or by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from paddock.core.options import digest_of_data
from paddock.store import PlayerRow, Store, StoreError, TableRow
from paddock.store.kinds import RACE
from paddock.store.schema import data
from paddock.store.terms import Terms

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
WORD = "a+map+" * 20
NAME = digest_of_data(WORD)
TABLE = TableRow(
    id="t1",
    title="rasant",
    revision=1,
    options=f"players=2 deck=~{NAME} line=shuffled",
    kind=RACE,
    terms=Terms(),
    created=NOW,
    date="2026-03-01",
    length=0,
    over=False,
)
WHO = [PlayerRow(0, "Ana", None, None)]


async def test_data_is_kept_once_with_the_tables_that_use_it(database: str) -> None:
    store = await Store.open(database)
    await store.create(TABLE, WHO, [], {NAME: WORD})
    await store.create(replace(TABLE, id="t2"), WHO, [], {NAME: WORD})
    await store.create(replace(TABLE, id="t3", options="players=2 deck=standard"), WHO, [])
    loaded = [await store.load(id) for id in ("t1", "t2", "t3")]
    assert [stored and stored.data for stored in loaded] == [{NAME: WORD}, {NAME: WORD}, {}]
    async with store._engine.connect() as connection:
        assert (await connection.execute(select(func.count()).select_from(data))).scalar() == 1
    await store.close()


async def test_data_is_found_by_its_digest(database: str) -> None:
    store = await Store.open(database)
    other = digest_of_data("other")
    await store.keep({NAME: WORD, other: "other"})
    await store.keep({})
    assert await store.data([NAME, other, "x" * 16]) == {NAME: WORD, other: "other"}
    assert await store.data(["x" * 16]) == await store.data([]) == {}
    await store.close()


async def test_what_is_kept_is_never_replaced(database: str) -> None:
    """A second file with the same digest does not change a table that uses the first."""
    store = await Store.open(database)
    await store.create(TABLE, WHO, [], {NAME: WORD})
    with pytest.raises(StoreError, match="another file with the same digest"):
        await store.create(replace(TABLE, id="t2"), WHO, [], {NAME: "another"})
    assert await store.load("t2") is None
    assert await store.data([NAME]) == {NAME: WORD}
    await store.close()
