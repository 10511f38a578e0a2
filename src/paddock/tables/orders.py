"""Standing orders at a table: visible to their owner only, carried out at the pace of a bot.

The orders of a seat are stored as one text with a line for each; the first that applies makes the move. The
options of a table can give orders to everybody: these are stored nowhere, and apply after the owner's own. A
line that begins with «#» is a dropped order with the reason; it stays until the owner has read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paddock.core.errors import BadMove, PaddockError
from paddock.core.i18n import Sentence, _, mark
from paddock.core.title import Dropped, Order, Seen, Title
from paddock.store import OrderRow, Writing
from paddock.tables.submission import OpenChain
from paddock.tables.table import Table

if TYPE_CHECKING:
    from paddock.tables.live import LiveTable
    from paddock.tables.service import Tables

MOST = 8  # orders of one seat
MARK = "# "
DROPPED = mark("«{order}» was dropped: {reason}.")


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
            raise BadMove(_("{title} has no standing orders").format(title=live.table.title.label))
        order = room.parse(text)
        async with self._tables._writing(live) as (table, writing):
            if not table.running:
                raise BadMove(_("no game is running at this table"))
            if order not in room.describe(table.seen(table.options.owners[seat]), seat):
                raise BadMove(_("«{order}»: this order is not possible now").format(order=order.label))
            lines = standing(table, seat)
            if order.text not in lines:
                lines.append(order.text)
            if len(lines) > MOST:
                raise BadMove(_("a seat has at most {n} standing orders").format(n=MOST))
            await self._write(writing, seat, lines)
        self._keep(live, holder, seat, lines)
        return order

    async def cancel(self, id: str, holder: str | None, seat: int, text: str | None = None) -> None:
        """Remove an order (None: all) and the reasons of dropped ones. Raises the same errors as ``give``."""
        live = await self._mine(id, holder, seat)
        await self._tables._finish(self._cancel(live, holder, seat, text))

    async def _cancel(self, live: LiveTable, holder: str | None, seat: int, text: str | None) -> None:
        async with self._tables._writing(live) as (table, writing):
            lines = [] if text is None else [line for line in standing(table, seat) if line != text]
            await self._write(writing, seat, lines)
        self._keep(live, holder, seat, lines)

    async def _write(self, writing: Writing, seat: int, lines: list[str]) -> None:
        if lines:
            await writing.order(OrderRow(seat, "\n".join(lines), self._tables.runtime.now()))
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
            lines += [f"{MARK}{why.dump()}" for why in misfits.values() if why]
            await self._write(writing, seat, lines)
        self._keep(live, table.players[table.options.owners[seat]].holder, seat, lines)


def offered(table: Table, seat: int) -> list[Order]:
    """Return the orders that the seat can give now, without those that it has given."""
    seen = table.seen(table.options.owners[seat])
    return on_offer(seen, seat, standing(table, seat)) if table.running else []


def on_offer(seen: Seen, seat: int, given: Sequence[str]) -> list[Order]:
    """Return the orders that a seat can give in a running game, without those with the texts ``given``."""
    room = seen.title.orders
    return [order for order in room.describe(seen, seat) if order.text not in given] if room else []


def given(table: Table, seat: int) -> list[Order]:
    """Return the seat's active orders, in the order of precedence."""
    return parsed(table.title, standing(table, seat))


def parsed(title: Title, lines: Sequence[str]) -> list[Order]:
    """Return the orders with these texts."""
    room = title.orders
    return [room.parse(line) for line in lines] if room else []


def dropped(table: Table, seat: int) -> list[str]:
    """Return a sentence for each dropped order that the owner has not read yet."""
    return [dropped_words(table.title, why) for why in reasons(table, seat)]


def reasons(table: Table, seat: int) -> list[Sentence | str]:
    """Return the stored sentences for the dropped orders; ``dropped_words`` formats one."""
    texts = [line.removeprefix(MARK) for line in _lines(table, seat) if line.startswith(MARK)]
    return [Sentence.load(text) for text in texts]


def dropped_words(title: Title, why: Sentence | str) -> str:
    """Return the sentence with the label of the order, of which the store has the notation."""
    if isinstance(why, str):  # formatted by an older version
        return why
    order = str(why.words["order"])
    return str(Sentence(why.template, **{**why.words, "order": _label(title, order)}))


def _label(title: Title, order: str) -> str:
    """Return the text of the order's button; the notation itself if the title no longer knows it."""
    try:
        return title.orders.parse(order).label if title.orders else order
    except PaddockError:
        return order


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
    chain = OpenChain(seen, seat)
    while chain.open:
        found = (room.answer(chain.seen, seat, line) for line in lines)
        move = next((move for move in found if isinstance(move, int) and move in chain.legal), None)
        if move is None:
            break
        chain.add(move)
    return tuple(chain.links) or None


def misfit(table: Table) -> bool:
    """Whether any order was carried out or no longer applies."""
    return any(_misfits(table, seat) for seat in table.orders)


def _lines(table: Table, seat: int) -> list[str]:
    return table.orders.get(seat, "").splitlines()


def _misfits(table: Table, seat: int) -> dict[str, Sentence | None]:
    """Return the orders that no longer apply, each with a sentence (None if it was carried out)."""
    room, lines = table.title.orders, standing(table, seat)
    if room is None or not lines:
        return {}
    out: dict[str, Sentence | None] = {}
    seen = table.seen(table.options.owners[seat])
    over = Dropped(Sentence("the game is over"))
    for line in lines:
        try:
            found = over if table.game.over else room.answer(seen, seat, line)
        except PaddockError as error:  # an order of an older version of the title
            found = Dropped(error.message)
        if isinstance(found, Dropped):
            out[line] = Sentence(DROPPED, order=line, reason=found.reason) if found.reason else None
    return out
