"""Standing orders at a table: visible to their owner only, carried out at the pace of a bot.

The orders of a seat are stored as one text with a line for each; the first that applies makes the move. The
options of a table can give orders to everybody: these are stored nowhere, and apply after the owner's own. A
line that begins with «#» is the reason why an order was dropped; it stays until the owner has read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paddock.core.errors import BadMove, PaddockError
from paddock.core.game import MOST_LINKS
from paddock.core.i18n import _
from paddock.core.title import Dropped, Order
from paddock.store import OrderRow, Writing
from paddock.tables.table import Table

if TYPE_CHECKING:
    from paddock.tables.service import LiveTable, Tables

MOST = 8  # orders of one seat
MARK = "# "


class StandingOrders:
    """The standing orders of every table."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def give(self, id: str, holder: str | None, seat: int, text: str) -> Order:
        """Add an order to the seat's list, and remove the reasons for dropped ones.

        Raises ``NoTable``, ``Forbidden`` or ``Frozen``, and ``BadMove`` if the order does not apply.
        """
        live = await self._mine(id, holder, seat)
        return await self._tables._finish(self._give(live, holder, seat, text))

    async def _give(self, live: LiveTable, holder: str | None, seat: int, text: str) -> Order:
        room = live.table.title.orders
        if room is None:
            raise BadMove(_("{title} knows no standing orders").format(title=live.table.title.label))
        order = room.parse(text)
        async with self._tables._writing(live) as (table, writing):
            if not table.running:
                raise BadMove(_("nothing is being played here"))
            if order not in room.describe(table.seen(table.options.owners[seat]), seat):
                raise BadMove(_("«{order}»: this does not fit now").format(order=order.label))
            lines = standing(table, seat)
            if order.text not in lines:
                lines.append(order.text)
            if len(lines) > MOST:
                raise BadMove(_("a seat has at most {n} standing orders").format(n=MOST))
            await self._write(writing, seat, lines)
        self._keep(live, holder, seat, lines)
        return order

    async def cancel(self, id: str, holder: str | None, seat: int, text: str | None = None) -> None:
        """Remove one order, or (None) all, and the reasons for dropped ones. Raises as ``give`` does."""
        live = await self._mine(id, holder, seat)
        await self._tables._finish(self._cancel(live, holder, seat, text))

    async def _cancel(self, live: LiveTable, holder: str | None, seat: int, text: str | None) -> None:
        async with self._tables._writing(live) as (table, writing):
            lines = [] if text is None else [line for line in standing(table, seat) if line != text]
            await self._write(writing, seat, lines)
        self._keep(live, holder, seat, lines)

    async def _write(self, writing: Writing, seat: int, lines: list[str]) -> None:
        if lines:
            await writing.order(OrderRow(seat, "\n".join(lines), self._tables.world.now()))
        else:
            await writing.drop_order(seat)

    async def _mine(self, id: str, holder: str | None, seat: int) -> LiveTable:
        live = await self._tables._find(id)
        self._tables._allow(live.table, holder, seat)
        return live

    def _keep(self, live: LiveTable, holder: str | None, seat: int, lines: list[str]) -> None:
        """Update the orders in memory. Only the owner's pages change, so only those are woken."""
        orders = {s: text for s, text in live.table.orders.items() if s != seat}
        live.table.orders = orders | ({seat: "\n".join(lines)} if lines else {})
        self._tables._wake(live, holder)
        self._tables._poke(live)

    async def drop(self, live: LiveTable) -> None:
        """Remove orders that were carried out, and drop those that no longer apply, with a reason."""
        for seat in list(live.table.orders):
            if _misfits(live.table, seat):
                await self._tables._finish(self._drop(live, seat))

    async def _drop(self, live: LiveTable, seat: int) -> None:
        async with self._tables._writing(live) as (table, writing):
            misfits = _misfits(table, seat)
            lines = [line for line in _lines(table, seat) if line not in misfits]
            lines += [f"{MARK}{reason}" for reason in misfits.values() if reason]
            await self._write(writing, seat, lines)
        self._keep(live, table.players[table.options.owners[seat]].holder, seat, lines)


def offered(table: Table, seat: int) -> list[Order]:
    """Return the orders that the seat can give now, without those that it has given."""
    room = table.title.orders
    if room is None or not table.running:
        return []
    have = standing(table, seat)
    seen = table.seen(table.options.owners[seat])
    return [order for order in room.describe(seen, seat) if order.text not in have]


def given(table: Table, seat: int) -> list[Order]:
    """Return the seat's active orders, in the order of precedence."""
    room = table.title.orders
    return [room.parse(line) for line in standing(table, seat)] if room else []


def dropped(table: Table, seat: int) -> list[str]:
    """Return the reasons for dropped orders that the owner has not read yet."""
    return [line.removeprefix(MARK) for line in _lines(table, seat) if line.startswith(MARK)]


def standing(table: Table, seat: int) -> list[str]:
    """Return the texts of the active orders."""
    return [line for line in _lines(table, seat) if not line.startswith(MARK)]


def answer(table: Table, seat: int) -> tuple[int, ...] | None:
    """Return the moves that the seat's orders make now, from what the owner sees; None if they wait.

    After the owner's orders come those that the title gives to everybody at this table. While a chain is
    open, the orders are asked for the next link; it ends when none has one.
    """
    room, player = table.title.orders, table.players[table.options.owners[seat]]
    if room is None or not player.person:
        return None
    always, lines = getattr(room, "always", None), standing(table, seat)
    if always is None and not lines:
        return None
    seen = table.seen(player.index)
    if always is not None:
        lines += always(seen, seat)
    legal: Sequence[int] = seen.legal(seat)
    links: list[int] = []
    while len(links) < MOST_LINKS:
        found = (room.answer(seen, seat, line) for line in lines)
        move = next((move for move in found if isinstance(move, int) and move in legal), None)
        if move is None:
            break
        links.append(move)
        after = seen.preview([move], seat)
        seen, legal = after.seen, after.legal
        if after.ended:
            break
    return tuple(links) or None


def misfit(table: Table) -> bool:
    """Whether any order was carried out or no longer applies."""
    return any(_misfits(table, seat) for seat in table.orders)


def _lines(table: Table, seat: int) -> list[str]:
    return table.orders.get(seat, "").splitlines()


def _misfits(table: Table, seat: int) -> dict[str, str]:
    """Return the orders that no longer apply, each with a sentence (empty if it was carried out)."""
    room, lines = table.title.orders, standing(table, seat)
    if room is None or not lines:
        return {}
    out = {}
    seen = table.seen(table.options.owners[seat])
    for line in lines:
        try:
            found = Dropped(_("the game is over")) if table.game.over else room.answer(seen, seat, line)
            label = room.parse(line).label
        except PaddockError as error:  # an order of an older Paddock
            found, label = Dropped(str(error)), line
        if isinstance(found, Dropped):
            words = _("«{order}» was dropped: {reason}.").format(order=label, reason=found.reason)
            out[line] = words if found.reason else ""
    return out
