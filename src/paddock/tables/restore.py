"""Restores tables from the rows of the store."""

from __future__ import annotations

from datetime import datetime

from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import Sentence
from paddock.core.title import title as find_title
from paddock.store import Stored
from paddock.tables.fold import Broken, fold, hash_prefix
from paddock.tables.table import Player, Table

_SHARED = (
    "maker", "phase", "host", "listed", "clock", "grace", "touched_at", "rematch_of", "rematch", "abandoned",
    "embed", "version",
)  # fmt: skip


def restore(stored: Stored, started: datetime, known: Table | None = None) -> Table:
    """Restore a table from its stored rows; freeze it if they are damaged.

    ``started`` is when this server started: clocks do not run while it is down. ``known`` is the table as
    this server knows it, if the stored log begins where that one ends.
    """
    row = stored.table
    title = find_title(row.title)
    prefix = hash_prefix(row.title, row.revision, row.options)
    players = [Player(**vars(player)) for player in stored.players]
    names = [player.name for player in players]
    fault: Sentence | None = None
    if known:
        options, game, first = known.options, known.game.fork(), known.rows
        game.names = tuple(names)
    else:
        options = title.options.read_text(row.options, revision=row.revision, find=stored.data.get)
        game, first = Game(title, options, None, names), 0
    rows = first + len(stored.events)
    try:
        if not title.oldest <= row.revision <= title.revision:
            reason = Sentence(
                "This table was played by revision {old} of the rules, but this version of Paddock has "
                "revision {new}.",
                old=row.revision,
                new=title.revision,
            )
            raise Broken(reason, game)
        fold(game, stored.events, prefix, first)
        if rows != row.length:
            raise Broken(
                Sentence(
                    "This table cannot go on: only {m} of its {n} entries are stored.", n=row.length, m=rows
                ),
                game,
                rows,
            )
    except Broken as broken:
        game, rows, fault = broken.game, broken.rows, broken.sentence
    table = Table(
        row.id, title, options, players, game, row.kind, row.pace, row.created, row.date, row.origin
    )
    table.fault, table.rows, table.hash_prefix = fault, rows, prefix
    for name in _SHARED:
        setattr(table, name, getattr(row, name))
    table.opened_at = max(row.opened_at, started) if row.opened_at else None
    table.orders = {line.seat: line.text for line in stored.orders}
    table.undo, table.talk, table.banned = stored.undo, stored.talk, stored.banned
    table.claims = stored.claims
    table.answers = {answer.key: answer for answer in stored.answers}
    for line in stored.pending:
        if not fault and line.decision == table.decision:
            try:
                if illegal := game.why(line.seat, line.move):
                    raise illegal
            except PaddockError as error:
                table.fault = Sentence(
                    "This table cannot go on: a stored commitment is not legal ({reason}).",
                    reason=error.message,
                )
                continue
            table.pending[line.seat] = line.move
    return table
