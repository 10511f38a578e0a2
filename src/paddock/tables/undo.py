"""Undo of the last move, with the consent of the others, unless it has revealed something."""

from __future__ import annotations

from paddock.core.i18n import _, mark
from paddock.core.words import CHANCE
from paddock.store import EventRow, UndoRow
from paddock.tables import clock, orders
from paddock.tables.change import EVERYBODY, Change
from paddock.tables.context import Context
from paddock.tables.errors import Forbidden
from paddock.tables.fold import UNDO, begins_decision, digest, undo_to
from paddock.tables.forced import last_chosen
from paddock.tables.table import Table

PATIENCE = 60.0  # seconds that bots wait for answers


def request(table: Table, context: Context, holder: str | None, decision: int | None = None) -> Change[str]:
    """Request an undo of the last move. It happens at once if nobody else must agree.

    ``decision`` is the open decision that the player saw: so a request that is sent twice cannot undo two
    moves (None: whatever is open now). The answer is "asked" or "undone". Raises ``Frozen`` and
    ``Forbidden``.
    """
    change = Change(table, context.now, "asked")
    _still_open(table, decision)
    player = last_mover(table, holder)
    if table.undo:
        raise Forbidden(_("you have already asked for this: the others must agree"))
    _undo_if_agreed(change, context, UndoRow(last_chosen(table), player, tuple(table.players_of(holder))))
    if not change.events:
        change.announce(mark("{name} asks to take the last move back."), name=table.players[player].name)
        change.touch()
    return change


def agree(table: Table, context: Context, holder: str | None, decision: int | None = None) -> Change[str]:
    """Agree to an undo. It happens when everybody has agreed.

    The answer is "agreed" or "undone". Raises the same errors as ``request``.
    """
    change = Change(table, context.now, "agreed")
    old = _open(table, holder, decision)
    consents = {*old.consents, *table.players_of(holder)}
    _undo_if_agreed(change, context, UndoRow(old.rows, old.player, tuple(sorted(consents))))
    return change


def refuse(table: Table, context: Context, holder: str | None, decision: int | None = None) -> Change[None]:
    """Decline a request, or withdraw your own. Raises the same errors as ``request``."""
    change = Change(table, context.now, None)
    old, own_players = _open(table, holder, decision), table.players_of(holder)
    change.no_undo = True
    if old.player in own_players:
        change.announce(mark("{name} withdrew the undo request."), name=table.players[old.player].name)
    else:
        change.announce(mark("{name} declined the undo request."), name=table.players[own_players[0]].name)
    return change


def settle(table: Table, context: Context) -> Change[str]:
    """Undo the move if nobody is left who must agree. The answer is "undone" or ""."""
    change = Change(table, context.now, "")
    if table.undo and agreed(table):
        _undo_if_agreed(change, context, table.undo)
    return change


def _open(table: Table, holder: str | None, decision: int | None) -> UndoRow:
    """Return the open request; raise ``Forbidden`` if there is none, or the browser has no player."""
    _still_open(table, decision)
    if not table.players_of(holder):
        raise Forbidden(_("only players of this table can do this"))
    if table.undo is None:
        raise Forbidden(_("this request is out of date: the game moved on"))
    return table.undo


def _undo_if_agreed(change: Change[str], context: Context, row: UndoRow) -> None:
    """Undo the move if everybody agrees; else keep the request."""
    table = change.before
    if awaited_consents(table, row):
        change.undo, change.audience = row, EVERYBODY
        return
    game = table.game.fork()
    undo_to(game, row.rows)
    line = EventRow(table.rows, UNDO, row.rows, table.rows, digest(game, table.hash_prefix))
    orders.revive(change, game)
    change.play(game, [line])
    banks = clock.charged(table, context.spent)
    for player in table.players:
        bank = banks.get(player.index, player.bank_ms)
        change.player(player.index, read_up_to=min(player.read_up_to, row.rows), bank_ms=bank)
    change.announce(mark("{name} took back the last move."), name=table.players[row.player].name)
    change.answer = "undone"


def _still_open(table: Table, decision: int | None) -> None:
    """Raise ``Forbidden`` if another decision is open than the one that the player saw."""
    if decision is not None and decision > table.decision:  # open before a restore
        raise Forbidden(_("this request is out of date: the game went back"))
    if decision not in (None, table.decision):
        raise Forbidden(_("this request is out of date: the game moved on"))


def last_mover(table: Table, holder: str | None) -> int:
    """Return the player of this browser who made the last submission, if it can be undone.

    Raises ``Forbidden`` with the reason otherwise: it must be a move that one seat decided alone, without
    chance or a reveal after it. Forced moves that followed from it are undone with it.
    """
    own_players, log, start = table.players_of(holder), table.game.log, last_chosen(table)
    if not own_players:
        raise Forbidden(_("only players of this table can do this"))
    if not table.running or not table.kind.undo:
        raise Forbidden(_("moves cannot be taken back here"))
    if not log or log[-1].by == CHANCE:
        raise Forbidden(_("a move cannot be taken back after a random draw"))
    player = table.options.owners[log[start].by]
    if player not in own_players:
        raise Forbidden(_("the last move is not yours"))
    if not begins_decision(table.game, start):
        raise Forbidden(_("a revealed move cannot be taken back"))
    return player


def possible(table: Table, holder: str | None) -> bool:
    """Whether this browser may request an undo."""
    try:
        last_mover(table, holder)
    except Forbidden:
        return False
    return table.undo is None


def agreed(table: Table) -> bool:
    """Whether nobody is left who must agree to the open request: bots play for those who had not."""
    return table.running and table.undo is not None and not awaited_consents(table, table.undo)


def awaited_consents(table: Table, row: UndoRow) -> list[int]:
    """Return the players who have not agreed yet. Bots and players with a stand-in always agree."""
    return [p.index for p in table.players if p.person and not p.stand_in and p.index not in row.consents]
