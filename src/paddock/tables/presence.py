"""Presence: a bot stands in for a person who is away or out of time, until they return."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.tables import clock
from paddock.tables.change import EVERYBODY, Change
from paddock.tables.context import Context
from paddock.tables.table import Player, Table

HERE = 60.0  # seconds; presence timeout when no grace is set


def here(table: Table, context: Context, who: Player) -> bool:
    """Whether the player is present. After a restart nobody is until their first request."""
    presence = context.presence
    known = who.person and presence.knows(who.holder)
    return known and presence.away(who.holder, context.served) < (table.terms.grace or HERE)


def returns(table: Table, context: Context, who: Player, bank_left: int | None) -> bool:
    """Whether a player takes over from the bot: present, and with time left (milliseconds; None: untimed)."""
    return here(table, context, who) and bank_left != 0


def settle(table: Table, context: Context) -> Change[None]:
    """Save the running clocks, and decide for each player whether a bot stands in."""
    change = Change(table, context.now, None)
    if not table.running:
        return change
    banks = clock.charged(table, context.spent)
    for player in table.players:
        bank_left = banks.get(player.index, player.bank_ms)
        stand = _stands_in(table, context, player, bank_left)
        if stand == player.stand_in and player.index not in banks:
            continue
        change.player(
            player.index, bank_ms=bank_left, stand_in=stand, late=player.late or (stand and bank_left == 0)
        )
        if stand == player.stand_in:
            continue
        change.audience = EVERYBODY
        if player.stand_in:
            change.announce(mark("{name} is back."), name=player.name)
        elif bank_left == 0:
            change.announce(mark("{name} is out of time: a bot plays on."), name=player.name)
        else:
            change.announce(mark("{name} is away: a bot plays until they are back."), name=player.name)
    if table.terms.clock:
        change.table(opened_at=context.now)
    return change


def _stands_in(table: Table, context: Context, who: Player, bank_left: int | None) -> bool:
    """Whether a bot must stand in for the player now."""
    if not who.person:
        return False
    if who.stand_in:
        return not returns(table, context, who, bank_left)
    if who.index not in table.awaited():
        return False
    away = context.presence.away(who.holder, context.served)
    return bank_left == 0 or bool(table.terms.grace and away >= table.terms.grace)


def timed(table: Table) -> bool:
    """Whether a clock may run out or a player be away for too long."""
    return bool(table.terms.clock or table.terms.grace) and table.running


def due(table: Table, context: Context) -> float | None:
    """Return the seconds until the table must be settled; None if there is no clock and nobody leaves."""
    if not timed(table):
        return None
    delays = []
    if running := clock.charged(table, context.spent):
        delays += [ms / 1000 for ms in running.values()] + [clock.rhythm(table) - context.spent / 1000]
    if table.terms.grace:
        delays += [
            table.terms.grace - context.presence.away(table.players[player].holder, context.served)
            for player in table.awaited()
            if _may_leave(table.players[player], context)
        ]
    return max(0.0, min(delays)) if delays else None


def _may_leave(who: Player, context: Context) -> bool:
    """Whether a bot may have to stand in for a person, who has no stream open."""
    return who.person and not who.stand_in and who.holder not in context.presence.streams
