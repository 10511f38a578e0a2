"""Restores tables from the rows of the store."""

from __future__ import annotations

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence
from paddock.store import Stored
from paddock.tables.fold import hash_prefix
from paddock.tables.replaying import Replayed, rules_changed
from paddock.tables.table import Player, Table

CLOSED = Sentence(
    "The operator of this server has closed this table. Nobody can play on; its record can be downloaded."
)


def restore(stored: Stored, replayed: Replayed) -> Table:
    """Restore a table from its stored rows and its replayed log; freeze it if they are damaged."""
    row, game, fault = stored.table, replayed.game, replayed.fault
    players = [Player(**vars(player)) for player in stored.players]
    table = Table(
        **row.shared(),
        title=game.title,
        options=game.options,
        players=players,
        game=game,
        rows=replayed.rows,
        hash_prefix=hash_prefix(row.title, row.revision, row.options),
        fault=fault,
        orders={line.seat: line.text for line in stored.orders},
        undo=stored.undo,
        talk=stored.talk,
        banned=stored.banned,
        claims=stored.claims,
        said=stored.said,
        callers=stored.callers,
        answers={answer.key: answer for answer in stored.answers},
    )
    if row.closed and not fault:
        table.fault = CLOSED
    for line in stored.pending:
        if not fault and line.decision == table.decision:
            try:
                if illegal := game.why(line.seat, line.move):
                    raise illegal
            except PaddockError as error:
                table.fault = (
                    rules_changed(game.title, row.revision)
                    if row.revision != game.title.revision
                    else Sentence(
                        "This table cannot go on: a stored commitment is not legal ({reason}).",
                        reason=error.message,
                    )
                )
            else:
                table.pending[line.seat] = line.move
    return table
