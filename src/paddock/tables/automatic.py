"""Which seats move by themselves: bots, bots that stand in for a person, standing orders, only moves."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.tables import forced, lessons, orders
from paddock.tables.table import Table


def awaited(table: Table) -> dict[int, tuple[int, ...] | None]:
    """Return the seats that move automatically now: their orders or only moves, None for a bot."""
    moves_of_seats: dict[int, tuple[int, ...] | None] = {}
    if lessons.waits(table):
        return moves_of_seats
    for seat in table.awaited_seats():
        moves = orders.answer(table, seat)
        if moves is None and (only := forced.of(table, seat)):
            moves = (only.move,)
        if moves is not None or table.players[table.options.owners[seat]].automatic:
            moves_of_seats[seat] = moves
    return moves_of_seats


def asked(table: Table) -> list[int]:
    """Return the players who must decide, but for those whose only move is played at once."""
    seats = [seat for seat in table.awaited_seats() if not forced.at_once(table, seat)]
    return sorted({table.options.owners[seat] for seat in seats})


def still_moves(table: Table, seat: int, moves: Sequence[int]) -> bool:
    """Whether moves that were chosen a moment ago may still be played: the person may be back."""
    seats = awaited(table)
    return seat in seats and seats[seat] in (None, moves)
