"""Decisions that are none: the only move that is possible is played by itself, with the reason.

That happens only where everybody can tell that nothing else was possible, from what a spectator sees and from
the move itself. Elsewhere a move that comes by itself would tell the others something of a hand.
"""

from __future__ import annotations

from paddock.core.title import notation
from paddock.core.words import CHANCE
from paddock.tables.table import ForcedMove, Table


def of(table: Table, seat: int) -> ForcedMove | None:
    """Return the forced move of a person's seat that must decide; None if there is a choice or a secret."""
    if table.kind.lesson or not table.players[table.options.owners[seat]].person:
        return None
    if (only := table.game.only(seat)) is None:
        return None
    place = sorted(table.game.deciders).index(seat)
    return ForcedMove(len(table.game.log) + place, seat, *only)


def at_once(table: Table, seat: int) -> bool:
    """Whether the only move of this seat is played at once, so that its player is not asked."""
    waits = table.stalled or table.undo
    return table.terms.pace == "instant" and not waits and of(table, seat) is not None


def played(table: Table, seat: int, submission: str, decision: int) -> bool:
    """Return whether a submission comes too late for a decision whose only move it was: that was played.

    After an undo that is not known.
    """
    if not 0 <= decision < table.decision == len(table.game.log):
        return False
    game = table.game.at(decision)
    only = game.only(seat) if seat in game.deciders else None
    return only is not None and notation(table.title, game.setup, [only[0]]) == submission


def last_chosen(table: Table) -> int:
    """Return where the last submission begins that was not forced; −1 if there is none.

    A forced one after a random draw counts: what came before cannot be undone.
    """
    log, forced = table.game.log, {forced_move.entry for forced_move in table.forced}
    start = log.submission()
    while start in forced and start and log[start - 1].by != CHANCE:
        start = log.submission(before=start)
    return start
