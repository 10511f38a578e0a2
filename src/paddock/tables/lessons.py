"""A lesson at a table: the others and chance follow its script, and the learner can go back, or on."""

from __future__ import annotations

from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.lesson import Script, script
from paddock.store import EventRow
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.errors import Forbidden
from paddock.tables.fold import UNDO, digest, grow, undo_to
from paddock.tables.table import Table


def script_of(table: Table) -> Script | None:
    """Return the script that this table follows, or has left; None if it is no lesson.

    A lesson that was begun with an older script is a game without one.
    """
    known = script(table.title) if table.kind.lesson else None
    if known is None or known.options != table.options or known.trace(table.game.log) is None:
        return None
    return known


def waits(table: Table) -> bool:
    """Whether the learner has left the script: nobody moves until that is taken back, or goes on."""
    known = script_of(table)
    return known is not None and not table.game.over and known.missed(table.game.log)


def reply(table: Table, seat: int) -> int | None:
    """Return the scripted move of a seat that must decide; None if there is none."""
    known = script_of(table)
    return known.reply(table.game.log, seat, len(table.game.deciders)) if known else None


def draw_scripted(table: Table, game: Game) -> None:
    """Append to ``game``, a later position of the table, the scripted outcomes that are due."""
    known = script_of(table)
    while known and game.chance_due and (entry := known.drawn(game.log)):
        game.append(entry)


def turn(
    table: Table, context: Context, holder: str | None, where: str, decision: int | None = None
) -> Change[None]:
    """Go to the decision of this step ("again"), or of the step before ("back") or after it ("on").

    "again" and "back" take moves back, "on" goes on with the lesson's own move.

    ``decision`` is the open decision that the learner saw: so a click that is sent twice goes one step
    (None: whatever is open now). Raises ``Frozen`` and ``Forbidden``.
    """
    change = Change(table, context.now, None)
    lesson_script = script_of(table)
    if lesson_script is None or not table.running:
        raise Forbidden(_("no lesson is running at this table"))
    if not table.players_of(holder):
        raise Forbidden(_("only players of this table can do this"))
    change_of_log = lesson_script.way(table.game.log, where)
    if change_of_log is None or decision not in (None, table.decision):
        raise Forbidden(_("this step of the lesson is out of date: look at the table again"))
    entries_kept, added = change_of_log
    game, rows = table.game.fork(), list[EventRow]()
    if entries_kept < len(game.log):
        undo_to(game, entries_kept)
        rows.append(EventRow(table.rows, UNDO, entries_kept, table.rows, digest(game, table.hash_prefix)))
    rows += grow(game, added, table.hash_prefix, table.rows + len(rows))
    change.play(game, rows)
    for player in table.players:
        change.player(player.index, read_up_to=min(player.read_up_to, entries_kept))
    return change
