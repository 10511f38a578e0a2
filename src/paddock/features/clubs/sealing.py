"""What an evening does at its tables: it opens them when all have played, and ends their time."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.store.kinds import Kind
from paddock.tables.change import EVERYBODY, Change
from paddock.tables.context import Context
from paddock.tables.table import Table

TIME_UP = mark("The time of this deal is up: bots play it to the end.")


def unseal(table: Table, context: Context, kind: Kind) -> Change[None]:
    """Open a table for everybody."""
    change = Change(table, context.now, None, at_frozen=True)
    if table.kind != kind:
        change.table(kind=kind)
        change.audience = EVERYBODY
    return change


def out_of_time(table: Table, context: Context) -> Change[None]:
    """End the clocks of everybody: bots play the game to its end."""
    change = Change(table, context.now, None)
    late = [player for player in table.players if player.person and not player.late]
    if not table.running or not late:
        return change
    for player in late:
        change.player(player.index, bank_ms=0, stand_in=True, late=True)
    change.announce(TIME_UP)
    change.touch()
    return change
