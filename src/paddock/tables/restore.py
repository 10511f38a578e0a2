"""Restores a table from the store."""

from __future__ import annotations

from dataclasses import asdict

from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.title import title as find_title
from paddock.store import Stored
from paddock.tables.fold import Broken, fold, heading
from paddock.tables.table import Player, Table


def restore(stored: Stored) -> Table:
    """Restore a table from its stored players and log; freeze it if the log is damaged."""
    row = stored.table
    title = find_title(row.title)
    options = title.options.read_text(row.options, revision=row.revision, find=stored.data.get)
    head = heading(row.title, row.revision, row.options)
    players = [Player(**asdict(player)) for player in stored.players]
    game = Game(title, options, None, [p.name for p in players])
    frozen, rows = None, len(stored.events)
    try:
        if not title.oldest <= row.revision <= title.revision:
            reason = _("This table was played by revision {old} of the rules, and this Paddock has {new}.")
            raise Broken(reason.format(old=row.revision, new=title.revision), game)
        fold(game, stored.events, head, 0)
        if rows != row.length:
            raise Broken(
                _("This table cannot go on: of its {n} entries only {m} are stored.").format(
                    n=row.length, m=rows
                ),
                game,
                rows,
            )
    except Broken as broken:
        game, rows, frozen = broken.game, broken.rows, str(broken)
    table = Table(
        row.id, title, options, players, game, row.kind, row.pace, row.created, row.date, row.origin
    )
    table.frozen, table.rows, table.head = frozen, rows, head
    for line in stored.pending:
        if not frozen and line.decision == table.decision:
            try:
                if fault := game.why(line.seat, line.move):
                    raise fault
            except PaddockError as error:
                sentence = _("This table cannot go on: a stored commitment is not possible ({reason}).")
                table.frozen = sentence.format(reason=error)
                continue
            table.pending[line.seat] = line.move
    return table
