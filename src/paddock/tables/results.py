"""How the players of a finished game ended: the rows that are stored with its last move."""

from __future__ import annotations

from datetime import datetime

from paddock.store import ResultRow
from paddock.tables.table import Player, Table


def results_of(table: Table, at: datetime) -> list[ResultRow]:
    """Return how each player of a game that ended ``at`` this time ended; nothing if it does not count."""
    result = table.game.result
    if not table.kind.race or result is None:
        return []
    lines = {line.who: line for line in result.standings.players}
    return [
        ResultRow(player.index, lines[player.index].rank, lines[player.index].total, at, _kept_time(player))
        for player in table.players
        if player.index in lines
    ]


def _kept_time(player: Player) -> bool | None:
    """Whether a person has never run out of time; None for bots, and at tables without a clock."""
    return None if player.bot or player.bank_ms is None else not player.late
