"""Which turns a change opens for people who may want to be called."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from paddock.store import OpenTurn
from paddock.tables import automatic
from paddock.tables.context import Context
from paddock.tables.presence import HERE
from paddock.tables.table import Player, Table

# How long whoever has just got a table, with a page open, may take to come to it before they are called there
ON_THE_WAY = timedelta(seconds=15)


def opened(before: Table, after: Table, context: Context) -> tuple[OpenTurn, ...]:
    """Return the turns of browsers that had none before.

    Where a standing order or the only possible move answers, nobody is called. ``after.callers`` are the
    browsers in question; where they are not known, all are. A game against bots alone calls nobody.
    """
    if not _calls(after):
        return ()
    same = before.decision == after.decision and before.running
    if same and before.players is after.players and before.orders is after.orders:
        return ()
    deciders = _open(after)
    for holder in _open(before) if same else ():
        deciders.pop(holder, None)
    return tuple(
        OpenTurn(holder, after.decision, _due(holder, context), _timed(players))
        for holder, players in deciders.items()
        if after.callers is None or holder in after.callers
    )


def begun(table: Table) -> tuple[OpenTurn, ...]:
    """Return the turns that are open when a table is made, for those who had agreed to play and are away."""
    if not _calls(table):
        return ()
    due = table.created + ON_THE_WAY
    return tuple(OpenTurn(who, table.decision, due, _timed(players)) for who, players in _open(table).items())


def _calls(table: Table) -> bool:
    """Whether a table calls anybody: a game of at least two people that is running."""
    people = {who.holder for who in table.players if who.person}
    return table.kind.race and table.running and len(people) > 1


def _timed(players: Sequence[Player]) -> bool:
    return any(who.bank_ms is not None for who in players)


def _open(table: Table) -> dict[str, list[Player]]:
    """Return the people who must decide by themselves, by browser."""
    deciders: dict[str, list[Player]] = {}
    moving = automatic.awaited(table)
    for seat in table.awaited_seats():
        who = table.players[table.options.owners[seat]]
        if seat not in moving and who.holder is not None:
            deciders.setdefault(who.holder, []).append(who)
    return deciders


def _due(holder: str, context: Context) -> datetime:
    """Return when to call a browser: at once, or when it has been away from the table for a minute."""
    return context.now + timedelta(seconds=context.presence.stays(holder, context.served, HERE))
