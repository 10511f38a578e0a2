"""The stored analyses of finished games in both databases."""

from __future__ import annotations

import pytest

from paddock.features.analyses.store import AnalysisStore
from store.databases import both
from store.ended import DAY, NOW, stored

pytestmark = [pytest.mark.anyio, both]


async def test_an_analysis_replaces_an_earlier_one(database: str) -> None:
    store = await stored(database)
    analyses = store.part(AnalysisStore)
    assert await analyses.text("t1") is None
    for at, words in ((NOW, "one"), (NOW + DAY, "two «ü»")):
        await analyses.keep("t1", at, words)
        assert await analyses.text("t1") == words
    await store.close()
