"""Notes on finished games: whose name they have, and where and how many are written."""

from __future__ import annotations

import pytest

from paddock.core.errors import BadOption
from paddock.features.reviews import service as reviewing
from paddock.features.reviews.service import Reviews
from paddock.records import Note
from paddock.tables import Forbidden
from tables.clockwork import CAT
from tables.harness import ANA, BEN
from tables.test_after import finished

pytestmark = pytest.mark.anyio


async def test_a_note_has_the_name_of_a_seat_or_one_that_is_free_here(database: str) -> None:
    async with finished(database, races=1) as (service_, table):
        name = service_.service(Reviews).name
        assert name(table, ANA, "Zoe") == "Ana" and name(table, BEN, " Zoe ") == "Zoe"
        replay = await service_.making.upload(await service_.record(table.id), BEN)
        assert name(replay, BEN, "Ana") == "Ana", "who has brought the record may be one of its players"
        wrong = [(table, BEN, "ana"), (replay, CAT, "Ana"), (table, BEN, "admin"), (replay, BEN, "admin")]
        for where, who, given in wrong:
            with pytest.raises(BadOption, match="is not allowed here"):
                name(where, who, given)
        with pytest.raises(BadOption, match="write your name"):
            name(table, BEN, " ")


async def test_notes_are_written_at_moments_of_the_game_and_not_without_end(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviewing, "MOST", 3)
    monkeypatch.setattr(reviewing, "NAMELESS", 1)
    async with finished(database, races=1) as (service_, table):
        reviews, last = service_.service(Reviews), len(table.game.log)
        for at in (-1, last + 1):
            with pytest.raises(BadOption, match=f"no moment {at} in this game"):
                await reviews.write(table, ANA, Note(at, "Ana", "Too early?"))
        at_end = await reviews.write(table, ANA, Note(last, "Ana", "Too early?"))
        at_start = await reviews.write(table, BEN, Note(0, "Ben", "Too late?"))
        assert await reviews.notes(table) == [at_start, at_end]
        with pytest.raises(Forbidden, match="you have written 1 notes here"):
            await reviews.write(table, BEN, Note(0, "Ben", "Far too late."))
        await reviews.write(table, ANA, Note(0, "Ana", "Pass here."))
        with pytest.raises(Forbidden, match="at most 3 notes"):
            await reviews.write(table, ANA, Note(0, "Ana", "Here, too."))
