"""Orders that a table gives to everybody: The Great Race's option ``reactions``."""

from __future__ import annotations

from typing import Any

import pytest

from paddock.games.great_race.rules.state import CANCEL, COOK_GUARD, DECLINE, GUARD, MILITIA, PLAY
from paddock.kernel.source import Seeded
from paddock.tables import Terms
from tables.clockwork import HandRuntime, play_on, quiet
from tables.harness import ANA, service

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("reactions", ["ask", "decline", "protect"])
async def test_the_table_answers_at_the_pace_of_a_bot(database: str, reactions: str) -> None:
    """GR-10.21 an answer at once would tell that nobody was asked."""
    runtime = HandRuntime()
    async with service(database, Seeded(1), runtime) as tables:
        options: dict[str, Any] = {"players": 2, "reactions": reactions}
        table = await tables.making.create(
            "great_race", options, ["me", "me"], holder=ANA, terms=Terms(pace="instant")
        )

        def asked() -> bool:
            return bool(table.game._state.stage == CANCEL)

        await play_on(tables, table, asked)
        decision, (seat,) = table.decision, table.game.deciders
        moves = table.game.legal(seat).ids
        tables.start_bots()
        await quiet(tables)
        assert table.decision == decision
        await runtime.let(tables, 3)
        if reactions == "ask":
            assert table.decision == decision
            return
        assert table.decision > decision
        entry = next(entry for entry in table.game.log[decision:] if entry.by == seat)
        best = next(m for m in (COOK_GUARD, GUARD, PLAY + MILITIA, DECLINE) if m in moves)
        assert entry.what == (DECLINE if reactions == "decline" else best)
