"""Commands that move: a person's submission, an automatic move, and «read up to here»."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from paddock.core.errors import BadMove
from paddock.core.i18n import Sentence, _
from paddock.core.title import Preview, notation
from paddock.store import AnswerRow, PendingRow
from paddock.tables import automatic, clock, forced, lessons, orders
from paddock.tables.change import NOBODY, Change
from paddock.tables.context import Context
from paddock.tables.errors import Forbidden, Frozen
from paddock.tables.fold import decision_rows, draw_due_chance
from paddock.tables.presence import returns
from paddock.tables.rights import allow
from paddock.tables.submission import Submission, checked, late
from paddock.tables.table import Table


def submit(
    table: Table,
    context: Context,
    holder: str | None,
    seat: int,
    moves: Sequence[str],
    decision: int,
    key: str,
    known: AnswerRow | None = None,
) -> Change[Submission]:
    """Commit or play a move, or a chain of moves as in ``Game.play``, for the decision ``decision``.

    Moves are in notation. A retry with the same ``key`` gets the same answer; ``known`` is the stored answer
    to a submission with it. A commitment can be replaced, and nobody else can notice. Raises ``Forbidden``,
    ``Frozen``, ``BadMove`` or ``IllegalMove``.
    """
    allow(table, holder, seat)
    change = Change(table, context.now, late(decision, table.decision))
    submission = " ".join(moves)
    if old := table.answers.get(key) or known:
        if (old.seat, old.decision, old.moves or submission) != (seat, decision, submission):
            raise BadMove(_("this key was used for another submission: send a new key"))
        change.answer = Submission(old.status, Sentence.load(old.sentence))
    elif decision == table.decision:
        _decide(change, context, seat, moves, by_person=True)
        answer = change.answer
        change.submission = AnswerRow(key, seat, decision, answer.status, answer.stored, submission)
    elif forced.played(table, seat, submission, decision):
        answer = change.answer = _played(submission)
        change.submission = AnswerRow(key, seat, decision, answer.status, answer.stored, submission)
    return change


def move_automatically(
    table: Table, context: Context, seat: int, moves: Sequence[int], decision: int
) -> Change[Submission]:
    """Play what a bot or a standing order chose, or the only possible move.

    Nothing is played if the seat no longer moves by itself: the person may be back.
    """
    change = Change(table, context.now, late(decision, table.decision))
    if decision == table.decision and automatic.still_moves(table, seat, moves):
        _decide(change, context, seat, moves, by_person=False)
        change.forced = forced.of(table, seat)
        if orders.decides(table, seat, moves):  # it is a decision of the person: see ``played.py``
            answer, submission = change.answer, notation(table.title, table.game.setup, moves)
            key = secrets.token_hex(16)
            change.submission = AnswerRow(key, seat, decision, answer.status, answer.stored, submission)
    return change


def _decide(
    change: Change[Submission], context: Context, seat: int, moves: Sequence[str | int], *, by_person: bool
) -> None:
    """Commit the moves of a seat; play them if no other seat must still decide. Sets the answer."""
    table = change.before
    if lessons.waits(table):
        raise BadMove(_("the lesson waits: take your move back, or go on"))
    game, pending = table.game, dict(table.pending)
    ids = checked(game, seat, moves)
    submission = notation(table.title, game.setup, ids)
    owner = table.players[table.options.owners[seat]]
    replaces = seat in pending
    if pending.get(seat) == ids[0]:
        change.answer = Submission("duplicate", Sentence("{move} is already committed.", move=submission))
        return
    pending[seat] = ids[0]
    if len(pending) < len(game.deciders):
        change.answer = Submission("committed", Sentence("Committed: {move}.", move=submission))
        change.commit, change.pending = PendingRow(table.decision, seat, ids[0]), pending
    else:
        change.answer = _played(submission)
        start, game = len(game.log), game.fork()
        for s in sorted(pending):
            game.play(s, ids if s == seat else pending[s])
        lessons.draw_scripted(table, game)
        draw_due_chance(game, context.chance)
        change.play(game, decision_rows(game, start, table.decision, table.hash_prefix, table.rows))
    if replaces:  # only its owner sees that a commitment was replaced
        change.audience = owner.holder or NOBODY
        return
    change.touch()
    if by_person:
        change.player(owner.index, read_up_to=len(table.game.log))
    bank, awaited = owner.bank_ms, [s for s in table.awaited_seats() if s != seat]
    if owner.index not in {table.options.owners[s] for s in awaited}:
        bank = clock.answered(table, owner.index, context.spent)
        if bank != owner.bank_ms:
            change.player(owner.index, bank_ms=bank)
    if owner.stand_in and returns(table, context, owner, bank):
        change.player(owner.index, stand_in=False)


def _played(submission: str) -> Submission:
    return Submission("played", Sentence("Played: {move}.", move=submission))


def read(
    table: Table, context: Context, holder: str | None, player: int, decision: int | None = None
) -> Change[None]:
    """Mark all events as read by the player: see ``Table.since``. Tells nobody. Raises ``Forbidden``.

    ``decision`` is the open decision that the player saw: what has happened since then, they have not read,
    and nothing is marked (None: whatever is open now).
    """
    if player not in table.players_of(holder):
        raise Forbidden(_("this player does not belong to this browser"))
    change = Change(table, context.now, None, at_frozen=True)
    length = len(table.game.log)
    if decision in (None, table.decision) and table.players[player].read_up_to != length and not table.fault:
        change.player(player, read_up_to=length)
    return change


def preview(table: Table, holder: str | None, seat: int, moves: Sequence[str]) -> Preview:
    """Return the position after a chain of moves, as far as the player can predict it.

    Nothing is played or stored. Raises the same errors as ``submit``.
    """
    allow(table, holder, seat)
    if table.frozen:
        raise Frozen(table.frozen)
    if not table.running:
        raise BadMove(_("no game is running at this table"))
    return table.choosing(table.options.owners[seat]).preview(moves, seat)
