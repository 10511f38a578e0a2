"""The follower that moves for bots, for people whom a bot stands in for, for standing orders and only moves.

All of them move at the pace of a bot, so that the time of an answer tells nothing. It also takes a move back
once bots play for all who had not agreed to that.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from paddock.bots import usual
from paddock.core.i18n import mark
from paddock.store import Unavailable
from paddock.tables import automatic, forced, lessons, moves, orders, undo
from paddock.tables.change import EVERYBODY
from paddock.tables.engine import Engine
from paddock.tables.errors import Elsewhere
from paddock.tables.live import LiveTable
from paddock.tables.runtime import MoveChooser, Runtime
from paddock.tables.submission import OpenChain
from paddock.tables.table import Table
from paddock.tables.tasks import background

log = logging.getLogger("paddock.tables")
STALLED = mark(
    "The bots at this table stopped because of an error; the server's log has the details. Nothing is lost."
)
LOOK = 0.5  # seconds between two checks whether an undo request is still open
AGAIN = 5.0  # seconds before a move is tried again after the database did not answer
FAILED = 60.0  # seconds before the bots of a table try again after another error


class AutoPlay:
    """Runs one task for every table with automatic moves to make, once ``moving`` is set."""

    def __init__(self, engine: Engine, bots: MoveChooser, runtime: Runtime) -> None:
        self._engine = engine
        self._bots = bots
        self._runtime = runtime
        self.moving = False

    def changed(self, live: LiveTable, audience: str) -> None:
        """Start the table's task if there is something to do for it and none is running."""
        table = live.table
        if not self.moving or (live.bots and not live.bots.done()):
            return
        if undo.agreed(table) or orders.misfit(table) or automatic.awaited(table):
            live.bots = background(self._move(live), f"bots of {table.id}")

    async def _move(self, live: LiveTable) -> None:
        """Make automatic moves until only people must decide.

        A database that is gone is waited for. Another error stops the bots for a while, and is shown.
        """
        while True:
            try:
                return await self._move_on(live)
            except Elsewhere:
                return None
            except Unavailable:
                await self._runtime.sleep(AGAIN)
            except Exception:
                log.exception("the bots of table %s stopped", live.table.id)
                live.table.stalled = STALLED
                self._engine.tell(live, EVERYBODY)
                await self._runtime.sleep(FAILED)
                live.table.stalled = None
                self._engine.tell(live, EVERYBODY)

    async def _move_on(self, live: LiveTable) -> None:
        """Play for the seats that move by themselves, one move after the other, until none does."""
        table, runtime = live.table, self._runtime
        decision, due = -1, dict[int, float]()
        while not table.fault:
            for seat in [seat for seat in table.orders if orders.misfits(table, seat)]:
                await self._engine.run_live(live, orders.drop, seat)
            if undo.agreed(table):
                await self._engine.run_live(live, undo.settle)
                continue
            if not (seats := automatic.awaited(table)):
                return
            if decision != table.decision:
                decision, due = table.decision, {}
            # Draw every pause before looking at hands and choices, so that it reveals nothing.
            now = runtime.served()
            due |= {seat: now + self._pause(table, seat, seats[seat]) for seat in seats if seat not in due}
            # A move that is known does not wait until a bot has chosen.
            seat = min(seats, key=lambda seat: (due[seat], seats[seat] is None))
            chosen = seats[seat]
            if chosen is None:
                chosen = await self._choose(table, seat)
            await runtime.sleep(max(0.0, due[seat] - runtime.served()))
            await self._be_patient(table)
            if undo.agreed(table):
                continue
            await self._engine.run_live(live, moves.move_automatically, seat, chosen, decision)

    async def _choose(self, table: Table, seat: int) -> tuple[int, ...]:
        """Return what the bot of a seat submits: a move, and more links while the chain is open."""
        player = table.players[table.options.owners[seat]]
        if (scripted := lessons.reply(table, seat)) is not None:
            return (scripted,)
        dealer = self._engine.dealers.get(table.kind) if table.deal else None
        level = player.bot or (await dealer.level(table) if dealer else usual(table.title))
        # With the chance of a deal a bot does not know who has answered already: that depends on the time.
        seen = table.game.seen(table.eyes(player.index)) if dealer else table.seen(player.index)
        chain = OpenChain(seen, seat)
        while chain.open:
            seed = await dealer.bot_seed(table, chain.seen, seat) if dealer else self._runtime.bot_seed()
            chain.add(await self._bots.choose(level, chain.seen, seat, chain.legal, seed))
        return tuple(chain.links)

    def _pause(self, table: Table, seat: int, moves: Sequence[int] | None) -> float:
        """Return the pause in seconds. An order never answers at once: that would reveal it."""
        if table.terms.pace == "instant" and (moves is None or forced.of(table, seat)):
            return 0.0
        return self._runtime.pause()

    async def _be_patient(self, table: Table) -> None:
        """Wait for the answers to an open undo request, at most ``undo.PATIENCE`` seconds."""
        until = self._runtime.served() + undo.PATIENCE
        while table.undo and not undo.agreed(table) and self._runtime.served() < until:
            await self._runtime.sleep(LOOK)
