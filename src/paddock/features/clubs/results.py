"""What seats make of deals, and what all results say together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What a seat made of a deal at a table."""

    entrant: str | None  # who began; None: a bot
    deal: int  # its number in the evening or season
    table: int  # its number among those that played this deal
    seat: int
    points: float
    bot_from: int | None = None  # after how many entries of the log a bot played on; None: it did not
    entries: int = 0  # of the whole log, where a bot played on
    level: str = ""  # of the bot

    @property
    def own_part(self) -> float:
        """The part of the deal that the entrant played: 1 for all of it."""
        if self.entrant is None:
            return 0.0
        if self.bot_from is None:
            return 1.0
        return min(1.0, self.bot_from / self.entries) if self.entries else 0.0


@dataclass(frozen=True)
class Strength:
    """Points a deal over the mean of all entrants, and half the width of the 95 % interval."""

    value: float
    error: float


@dataclass(frozen=True)
class Fit:
    """What the results say together."""

    entrants: Mapping[str, Strength]
    bots: Mapping[str, Strength]  # by level
    seats: tuple[float, ...]  # what each is worth, 0 together
    spread: float  # standard deviation of the strengths of people
    deal: float  # standard deviation of what a deal gives to a seat
    noise: float  # standard deviation of what is left
