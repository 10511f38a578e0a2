"""Which turns a change opens for people who may want to be called: see ``paddock.tables.reach``."""

from __future__ import annotations

from datetime import datetime, timedelta

from paddock.store import Turn
from paddock.tables import automatic
from paddock.tables.context import Context
from paddock.tables.presence import HERE
from paddock.tables.table import Player, Table


def opened(before: Table, after: Table, context: Context) -> tuple[Turn, ...]:
    """Return the turns of browsers that had none before.

    Where a standing order or the only possible move answers, nobody is called. ``after.callers`` are the
    browsers in question; where they are not known, all are. A game against bots alone calls nobody.
    """
    if after.kind != "race" or not after.running:
        return ()
    if len({who.holder for who in after.players if who.person}) < 2:
        return ()
    same = before.decision == after.decision and before.running
    if same and before.players is after.players and before.orders is after.orders:
        return ()
    found = _open(after)
    for holder in _open(before) if same else ():
        found.pop(holder, None)
    return tuple(
        Turn(holder, after.decision, _due(holder, context), any(who.bank_ms is not None for who in mine))
        for holder, mine in found.items()
        if after.callers is None or holder in after.callers
    )


def _open(table: Table) -> dict[str, list[Player]]:
    """Return the people who must decide by themselves, by browser."""
    found: dict[str, list[Player]] = {}
    moving = automatic.awaited(table)
    for seat in table.awaited_seats():
        who = table.players[table.options.owners[seat]]
        if seat not in moving and who.holder is not None:
            found.setdefault(who.holder, []).append(who)
    return found


def _due(holder: str, context: Context) -> datetime:
    """Return when to call a browser: at once, or when it has been away from the table for a minute."""
    return context.now + timedelta(seconds=context.presence.stays(holder, context.elapsed, HERE))
