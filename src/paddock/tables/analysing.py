"""Analyses of finished games, for whoever needs them. A feature makes them: see ``Analyst``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from paddock.bots.analysis import Analysis, Cost, JudgedSubmission, costs, ledger, swings, turns
from paddock.bots.ledger import LedgerAccount, LedgerChange, changes
from paddock.tables.table import Table


@dataclass(frozen=True)
class Analysed:
    """An analysis, or what there is of it while it runs, and what follows from it."""

    analysis: Analysis
    turns: list[JudgedSubmission]
    ledger: list[LedgerAccount]  # by player; empty without moments
    changes: list[LedgerChange]  # in the order of the log; empty without moments
    owners: tuple[int, ...]
    rough: bool = False  # whether it still runs: its moments are rough, and there is no ledger yet
    # Why moves were mistakes, by language and entry: kept, as each takes a look back, and a page shows ten
    reasons: dict[tuple[str, int], str] = field(default_factory=dict)

    @classmethod
    def of(cls, analysis: Analysis, table: Table, *, rough: bool = False) -> Analysed:
        """Return the analysis of a table with what follows from it."""
        game = table.game
        made = [] if rough else changes(analysis.moments, game.log)
        accounts = [] if rough else ledger(analysis, game)
        return cls(analysis, turns(analysis, game), accounts, made, tuple(table.options.owners), rough)

    @cached_property
    def swings(self) -> list[JudgedSubmission]:
        """The mistakes that cost most, the worst first."""
        return swings(self.turns)

    @cached_property
    def costs(self) -> list[Cost]:
        """The cost of every player."""
        return costs(self.turns, self.owners)


Reader = Callable[[Table, Analysis], Awaitable[None]]


class Analyst(Protocol):
    """Makes analyses, and remembers them."""

    async def of(self, table: Table) -> Analysed | None:
        """Return the analysis of a table; None if there is none yet.

        Raises ``Forbidden`` while the game is being played.
        """


class Analysing:
    """There are no analyses, unless a feature that makes them is the ``analyst``."""

    def __init__(self) -> None:
        self.analyst: Analyst | None = None
        self.readers: list[Reader] = []  # who uses every analysis; told again of one that was stored

    async def of(self, table: Table) -> Analysed | None:
        """Return the analysis of a table, as the analyst does; None without one."""
        return await self.analyst.of(table) if self.analyst else None

    async def tell(self, table: Table, analysis: Analysis) -> None:
        """Tell the readers of an analysis."""
        for reader in self.readers:
            await reader(table, analysis)
