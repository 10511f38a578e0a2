"""Decisions that are none: the only move that is possible is played by itself, with the reason.

That happens only where everybody can tell that nothing else was possible, from what a spectator sees and from
the move itself. Elsewhere a move that comes by itself would tell the others something of a hand. Only the
first one against bots does so: why it came is told to its player alone.
"""

from __future__ import annotations

from collections.abc import Collection

from paddock.core.game import Game
from paddock.core.i18n import Sentence, mark
from paddock.core.title import notation
from paddock.core.words import CHANCE
from paddock.tables.table import ForcedMove, Table

_FIRST = mark("{name}: nothing else is possible, so the only possible move is played.")


def of(table: Table, seat: int) -> ForcedMove | None:
    """Return the forced move of a person's seat that must decide; None if there is a choice or a secret."""
    if table.kind.lesson or not table.players[table.options.owners[seat]].person:
        return None
    if (only := _only(table, table.game, seat)) is None:
        return None
    place = sorted(table.game.deciders).index(seat)
    return ForcedMove(len(table.game.log) + place, seat, *only)


def _only(table: Table, game: Game, seat: int) -> tuple[int, Sentence] | None:
    """Return the move that is played by itself for a seat that must decide in ``game``, with the reason."""
    return game.only(seat) or _first(table, game, seat)


def _first(table: Table, game: Game, seat: int) -> tuple[int, Sentence] | None:
    """Return the only move of somebody who plays bots and has chosen nothing yet, with the reason.

    A game does not begin with a question that has one answer.
    """
    owner = table.options.owners[seat]
    if any(not player.bot for player in table.players if player.index != owner):
        return None
    by_itself = {it.entry for it in table.forced}
    own = set(table.seats_of(owner))
    if any(entry.by in own and n not in by_itself for n, entry in enumerate(game.log)):
        return None
    legal = game.legal(seat)
    return (legal.ids[0], Sentence(_FIRST, name=game.seen(0).seat_name(seat))) if len(legal) == 1 else None


def told(table: Table, seats: Collection[int]) -> tuple[ForcedMove, ...]:
    """Return the forced moves that the player of ``seats`` is told of: none that tells of another hand."""
    return tuple(it for it in table.forced if it.sentence.template != _FIRST or it.seat in seats)


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
    only = _only(table, game, seat) if seat in game.deciders else None
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
