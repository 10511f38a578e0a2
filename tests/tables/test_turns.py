"""Whom a change calls to a table, and the calendar of a browser, which lists its turns."""

from __future__ import annotations

import pytest

from paddock.core.i18n import Sentence
from paddock.tables.turns import opened
from tables.clockwork import PEOPLE, friends
from tables.harness import BEN, service
from tables.reached import SITE

pytestmark = pytest.mark.anyio


async def test_a_game_that_did_not_run_calls_everybody_who_must_decide(database: str) -> None:
    """Also at the same decision: a fault was mended, or a lobby became a game that begins without chance."""
    async with service(database) as tables:
        table = await friends(tables, 3)
        context = tables.engine.context(await tables.registry.find(table.id))
        after, faulty, lobby = table.copy(), table.copy(), table.copy()
        after.callers, faulty.fault, lobby.phase = None, Sentence("a fault"), "lobby"
        assert opened(table, after, context) == ()
        for before in (faulty, lobby):
            assert [turn.holder for turn in opened(before, after, context)] == PEOPLE[:3]


async def test_a_new_secret_of_a_calendar_replaces_the_old_one(database: str) -> None:
    async with service(database) as tables:
        wishes = tables.wishes
        old = await wishes.new_calendar(BEN, SITE)
        row = await wishes.calendar(old)
        assert row and row.holder == BEN
        new = await wishes.new_calendar(BEN, SITE)
        assert await wishes.calendar(old) is None and await wishes.calendar(new)
        await wishes.no_calendar(BEN, SITE)
        assert await wishes.calendar(new) is None
