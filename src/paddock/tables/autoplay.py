"""Automatic moves: bots, bots that stand in for a person, and standing orders, all at the pace of a bot."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from paddock.bots import levels
from paddock.core.i18n import mark
from paddock.tables import lessons, orders
from paddock.tables.submission import OpenChain
from paddock.tables.table import Table
from paddock.tables.tasks import background
from paddock.tables.undo import PATIENCE

if TYPE_CHECKING:
    from paddock.tables.live import LiveTable
    from paddock.tables.service import Tables

log = logging.getLogger("paddock.tables")
STALLED = mark(
    "The bots at this table stopped because of an error; the server's log has the details. Nothing is lost."
)
LOOK = 0.5  # seconds between two checks whether an undo request is still open


class AutoPlay:
    """Runs one task for every table with automatic moves to make."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def poke(self, live: LiveTable) -> None:
        """Start the table's task if there is an automatic move to make and none is running."""
        table = live.table
        if not self._tables._moving or table.stalled:
            return
        if (live.bots is None or live.bots.done()) and (orders.misfit(table) or self.awaited(table)):
            live.bots = background(self._move(live), f"bots of {table.id}")

    def awaited(self, table: Table) -> dict[int, tuple[int, ...] | None]:
        """Return the seats that move automatically now: the moves of standing orders, None for a bot."""
        found: dict[int, tuple[int, ...] | None] = {}
        if lessons.waits(table):
            return found
        for seat in table.awaited_seats():
            moves = orders.answer(table, seat)
            if moves is not None or table.players[table.options.owners[seat]].automatic:
                found[seat] = moves
        return found

    def may(self, table: Table, seat: int, moves: Sequence[str | int]) -> bool:
        """Whether moves that were chosen a moment ago may still be played: the person may be back."""
        awaited = self.awaited(table)
        return seat in awaited and awaited[seat] in (None, moves)

    async def _move(self, live: LiveTable) -> None:
        """Make automatic moves until only people must decide. An error stops the bots and is shown."""
        tables, table, runtime = self._tables, live.table, self._tables.runtime
        try:
            decision, due = -1, dict[int, float]()
            while True:
                await tables.orders.drop(live)
                if not (seats := self.awaited(table)):
                    return
                if decision != table.decision:
                    decision, due = table.decision, {}
                # Draw every pause before looking at hands and choices, so that it reveals nothing.
                now = runtime.elapsed()
                due |= {
                    seat: now + self._pause(table, moves) for seat, moves in seats.items() if seat not in due
                }
                seat = min(seats, key=lambda seat: due[seat])
                moves = seats[seat]
                if moves is None:
                    moves = await self._choose(table, seat)
                await runtime.sleep(max(0.0, due[seat] - runtime.elapsed()))
                await self._be_patient(table)
                await tables._finish(tables._decide(live, seat, moves, decision, None))
        except Exception:
            log.exception("the bots of table %s stopped", table.id)
            table.stalled = STALLED
            tables._wake(live)

    async def _choose(self, table: Table, seat: int) -> tuple[int, ...]:
        """Return what the bot of a seat submits: a move, and more links while the chain is open."""
        tables, player = self._tables, table.players[table.options.owners[seat]]
        level = player.bot or levels(table.title)[-1].name
        if (scripted := lessons.reply(table, seat)) is not None:
            return (scripted,)
        chain = OpenChain(table.seen(player.index), seat)
        while chain.open:
            seed = tables.runtime.bot_seed()
            chain.add(await tables._bots.choose(level, chain.seen, seat, chain.legal, seed))
        return tuple(chain.links)

    def _pause(self, table: Table, order: Sequence[int] | None) -> float:
        """Return the pause in seconds. An order never answers at once: that would reveal it."""
        return 0.0 if table.pace == "instant" and order is None else self._tables.runtime.pause()

    async def _be_patient(self, table: Table) -> None:
        """Wait for the answers to an open undo request, at most ``PATIENCE`` seconds."""
        until = self._tables.runtime.elapsed() + PATIENCE
        while table.undo and self._tables.runtime.elapsed() < until:
            await self._tables.runtime.sleep(LOOK)
