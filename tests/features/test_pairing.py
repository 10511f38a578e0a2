"""Play with whoever comes next."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from paddock.core.errors import BadOption, PaddockError
from paddock.core.title import title
from paddock.features.pairing.service import AGAIN as SAME
from paddock.features.pairing.service import PACES, PATIENCE, Pairing
from tables.harness import ANA, BEN, CountedRuntime, service

pytestmark = pytest.mark.anyio
CLEO = "c" * 64


async def test_two_who_ask_for_the_same_game_get_a_table_at_once(database: str) -> None:
    async with service(database) as tables:
        asked = tables.service(Pairing)
        assert await asked.join(ANA, "lacorsa", "live", "Ana", 3) is None
        assert await asked.join(ANA, "lacorsa", "live", "Ana", 3) is None, "not with oneself"
        assert await asked.join(BEN, "lacorsa", "days") is None, "another game"
        assert [row.holder for row in await asked.open(BEN)] == [ANA]
        table = await asked.join(BEN, "lacorsa", "live", "Ana", 3)
        assert table and table.running and table.terms.listed and table.terms.clock
        people = {p.holder: p for p in table.players if p.holder}
        assert people[ANA].index == 2, "whoever waited gets the seat that they like"
        assert {p.name for p in people.values()} == {"Ana", "Ana (2)"}
        assert [p.bot for p in table.players if not p.holder] == ["rookie", "club"]
        assert table.host == ANA
        (row,) = await asked.of(ANA)
        assert row.table_id == table.id
        await asked.met(row)
        assert await asked.of(ANA) == []
        assert [row.pace for row in await asked.of(BEN)] == ["days"]
        assert table in await tables.listed()


async def test_a_double_click_leads_to_the_same_table(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        asked = tables.service(Pairing)
        assert await asked.join(ANA, "lacorsa", "days") is None
        first, second = await asyncio.gather(*(asked.join(BEN, "lacorsa", "days") for _click in "ab"))
        assert first and second and first.id == second.id, "whoever came second"
        for _click in "ab":
            again = await asked.join(ANA, "lacorsa", "days")
            assert again and again.id == first.id, "whoever waited, and was not led to the table yet"
        assert await asked.of(ANA) == await asked.of(BEN) == []
        runtime.time += SAME.total_seconds()
        assert await asked.join(ANA, "lacorsa", "days") is None, "another game"
        assert [row.holder for row in await asked.open(None)] == [ANA]


async def test_who_is_not_seen_waits_no_longer(database: str) -> None:
    """Live for a minute or so without a sign of life, over days for a week."""
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        asked = tables.service(Pairing)
        for pace in PACES:
            assert await asked.join(ANA, "lacorsa", pace) is None
        for _minute in range(5):
            runtime.time += 60
            await asked.seen(await asked.of(ANA))
        assert await asked.join(BEN, "lacorsa", "live") is not None
        assert await asked.join(ANA, "rasant", "live") is None
        runtime.time += PATIENCE["live"].total_seconds() + 1
        assert await asked.open(BEN) == [row for row in await asked.of(ANA) if row.pace == "days"]
        assert await asked.join(BEN, "rasant", "live") is None, "nobody is there any more"
        assert await asked.leave(BEN, "rasant", "live")
        assert await asked.join(BEN, "lacorsa", "days") is not None
        assert await asked.join(CLEO, "lacorsa", "days") is None
        runtime.time += timedelta(days=9).total_seconds()
        assert await asked.join(BEN, "lacorsa", "days") is None
        assert await asked.of(CLEO) == [], "deleted after a while"


async def test_wrong_games_and_names_are_refused(database: str) -> None:
    async with service(database) as tables:
        asked = tables.service(Pairing)
        for title, pace, name in (("lacorsa", "soon", ""), ("lacorsa", "live", "Admin")):
            with pytest.raises(BadOption):
                await asked.join(ANA, title, pace, name)
        with pytest.raises(PaddockError):
            await asked.join(ANA, "monopoly", "live")
        for name, pace in (("\0", "live"), ("lacorsa", "\0")):  # PostgreSQL refuses such letters
            assert not await asked.leave(ANA, name, pace)
        assert await asked.of(ANA) == [] and await asked.of(None) == []


async def test_who_waits_for_a_title_that_was_removed_meets_nobody(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database) as tables:
        asked = tables.service(Pairing)
        assert await asked.join(ANA, "lacorsa", "days") is None
        assert await asked.join(ANA, "rasant", "days") is None
        monkeypatch.setattr("paddock.features.pairing.service.titles", lambda: {"lacorsa": title("lacorsa")})
        assert [row.title for row in await asked.of(ANA)] == ["lacorsa"]
        assert [row.title for row in await asked.open(BEN)] == ["lacorsa"]
