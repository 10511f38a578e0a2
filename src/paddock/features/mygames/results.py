"""How the players of a game ended, and what an analysis says of them: what is stored of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import TypeAdapter

from paddock.bots.analysis import Analysis, costs, ledger, turns
from paddock.bots.ledger import LedgerAccount
from paddock.features.mygames.rows import ResultRow
from paddock.features.mygames.store import Judged
from paddock.tables.played import Played
from paddock.tables.table import Player, Table

ACCOUNT = TypeAdapter(LedgerAccount)


def results_of(table: Table, at: datetime) -> list[ResultRow]:
    """Return how each player of a game that ended ``at`` this time ended; nothing if it does not count."""
    result = table.game.result
    if not table.kind.race or result is None:
        return []
    lines = {line.who: line for line in result.standings.players}
    return [
        ResultRow(player.index, lines[player.index].rank, lines[player.index].total, at, _kept(player))
        for player in table.players
        if player.index in lines
    ]


def _kept(player: Player) -> bool | None:
    """Whether a person has never run out of time; None for bots, and at tables without a clock."""
    return None if player.bot or player.bank_ms is None else not player.late


def played_at(table: Table, parts: Sequence[Played]) -> Mapping[int, Played]:
    """Return what the people of each player decided; nothing of a bot is asked."""
    players = zip(table.players, parts, strict=True)
    return {player.index: Played() if player.bot else part for player, part in players}


def judged_in(table: Table, analysis: Analysis) -> dict[int, Judged]:
    """Return for each player how many decisions an analysis has judged, what they cost, and the account.

    Pure: it takes long for a long game.
    """
    accounts = {one.player: ACCOUNT.dump_json(one).decode() for one in ledger(analysis, table.game)}
    costs_of = costs(turns(analysis, table.game), tuple(table.options.owners))
    return {one.player: (one.decisions, one.cost, accounts.get(one.player)) for one in costs_of}
