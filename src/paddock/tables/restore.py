"""Converts tables to rows of the store, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import Sentence
from paddock.core.title import title as find_title
from paddock.store import PlayerRow, Stored, TableRow
from paddock.tables.fold import Broken, fold, hash_prefix
from paddock.tables.table import Player, Table

_SHARED = (
    "phase", "host", "listed", "clock", "grace", "touched_at", "rematch_of", "rematch", "abandoned", "embed"
)  # fmt: skip


def table_row(table: Table, maker: str, length: int) -> TableRow:
    """Return the row of a new table that the browser ``maker`` created, with ``length`` rows in its log."""
    return TableRow(
        id=table.id,
        title=table.title.name,
        revision=table.title.revision,
        options=table.options.short,
        kind=table.kind,
        pace=table.pace,
        created=table.created,
        date=table.date,
        maker=maker,
        origin=table.origin,
        length=length,
        over=table.game.over,
        phase=table.phase,
        host=table.host,
        listed=table.listed,
        clock=table.clock,
        grace=table.grace,
        opened_at=table.opened_at,
        touched_at=table.touched_at or table.created,
        rematch_of=table.rematch_of,
        rematch=table.rematch,
        abandoned=table.abandoned,
        embed=table.embed,
    )


def take_in(table: Table, row: TableRow, players: Sequence[PlayerRow], started: datetime) -> None:
    """Copy the stored settings and players to the table. ``started`` is when this server started."""
    for name in _SHARED:
        setattr(table, name, getattr(row, name))
    # Clocks run from when the decision was opened, but not while this server was down.
    table.opened_at = max(row.opened_at, started) if row.opened_at else None
    for player, stored in zip(table.players, players, strict=True):
        for name, value in asdict(stored).items():
            setattr(player, name, value)
    table.game.names = tuple(player.name for player in table.players)


def restore(stored: Stored) -> Table:
    """Restore a table from its stored players and log; freeze it if the log is damaged."""
    row = stored.table
    title = find_title(row.title)
    options = title.options.read_text(row.options, revision=row.revision, find=stored.data.get)
    prefix = hash_prefix(row.title, row.revision, row.options)
    players = [Player(**asdict(player)) for player in stored.players]
    game = Game(title, options, None, [p.name for p in players])
    fault: Sentence | None = None
    rows = len(stored.events)
    try:
        if not title.oldest <= row.revision <= title.revision:
            reason = Sentence(
                "This table was played by revision {old} of the rules, but this version of Paddock has "
                "revision {new}.",
                old=row.revision,
                new=title.revision,
            )
            raise Broken(reason, game)
        fold(game, stored.events, prefix, 0)
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
