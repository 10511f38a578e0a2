"""Whom a change calls to a table."""

from __future__ import annotations

import pytest

from paddock.core.i18n import Sentence
from paddock.tables.turns import opened
from tables.clockwork import PEOPLE, friends
from tables.harness import service

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
