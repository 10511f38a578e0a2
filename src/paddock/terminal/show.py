"""Scorepads for the terminal, with Rich."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.series import Standing


def scorepads(game: Game) -> list[Table]:
    """Return a table of scores for the players, and one for the teams if there are any."""
    title, tables = game.title, game.standings()
    pads = [_pad(title.player_name.capitalize(), tables.players, game.names)]
    if len(tables.teams) < len(game.names) and tables.teams:
        pads.append(_pad(_("Team"), tables.teams, game.team_names))
    return pads


def _pad(head: str, lines: Sequence[Standing], names: Sequence[str]) -> Table:
    table = Table("", head)
    for i in range(len(lines[0].rounds)):
        table.add_column(str(i + 1), justify="right")
    table.add_column(_("Total"), justify="right", style="bold")
    for line in lines:
        table.add_row(str(line.rank or "–"), names[line.who], *map(str, line.rounds), str(line.total))
    return table
