"""Scorepads and results of matches for the terminal, with Rich."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rich.cells import cell_len
from rich.table import Table

from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.series import Standing

FRAME = 3  # columns of the terminal that each column of a table adds to its contents
EDGE = 1  # and the table itself


def scorepads(game: Game, width: int) -> list[Table]:
    """Return tables of scores for the players, and for the teams if there are any.

    If the rounds do not fit into ``width`` columns of a terminal, several tables have a part of them each.
    """
    title, tables = game.title, game.standings()
    pads = _pads(_(title.player_name).capitalize(), tables.players, game.names, width)
    if len(tables.teams) < len(game.names) and tables.teams:
        pads += _pads(_("Team"), tables.teams, game.team_names, width)
    return pads


class Results(Protocol):
    """The results of a match, or of an arena."""

    @property
    def title(self) -> str:
        """The name of the title."""

    @property
    def options(self) -> str:
        """Its options."""

    @property
    def cells(self) -> list[list[str]]:
        """A table: the heads of its columns, then its rows."""

    @property
    def notes(self) -> list[str]:
        """The lines below the table."""


def results(match: Results, width: int) -> list[str | Table]:
    """Return the results of a match; as a table that breaks its cells if the text is too wide."""
    head, *rows = match.cells
    if sum(2 + max(map(cell_len, column)) for column in zip(head, *rows, strict=True)) - 2 <= width:
        return [str(match)]
    table = Table()
    for n, word in enumerate(head):
        whole = max(map(cell_len, word.split()), default=0)
        table.add_column(word, justify="right" if n else "left", overflow="fold", min_width=whole)
    for row in rows:
        table.add_row(*row)
    return [f"{match.title} {match.options}", table, *match.notes]


def _pads(head: str, lines: Sequence[Standing], names: Sequence[str], width: int) -> list[Table]:
    """Return the standings as tables, each with as many rounds as fit; the last one has the totals."""
    rounds = len(lines[0].rounds)
    ranks = [str(line.rank or "–") for line in lines]
    words = [word for name in (head, *names) for word in name.split()]
    scores = [[str(n + 1), *(str(line.rounds[n]) for line in lines)] for n in range(rounds)]
    totals = [_("Total"), *(str(line.total) for line in lines)]
    fixed = EDGE + sum(FRAME + max(map(cell_len, column)) for column in (ranks, words, totals))
    parts, free = [list[int]()], width - fixed
    for n, column in enumerate(scores):
        needed = FRAME + max(map(cell_len, column))
        if needed > free and parts[-1]:
            parts.append([])
            free = width - fixed
        parts[-1].append(n)
        free -= needed
    return [_pad(head, lines, names, part, totals=part is parts[-1]) for part in parts]


def _pad(
    head: str, lines: Sequence[Standing], names: Sequence[str], rounds: Sequence[int], *, totals: bool
) -> Table:
    """Return one table of the standings, with these rounds."""
    table = Table()
    table.add_column("", no_wrap=True)
    table.add_column(head, overflow="fold")
    for n in rounds:
        table.add_column(str(n + 1), justify="right", no_wrap=True)
    if totals:
        table.add_column(_("Total"), justify="right", style="bold", no_wrap=True)
    for line in lines:
        cells = [str(line.rounds[n]) for n in rounds] + [str(line.total)][: int(totals)]
        table.add_row(str(line.rank or "–"), names[line.who], *cells)
    return table
