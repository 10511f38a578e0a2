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
    bot_from: int | None = None  # after how many entries of the log a bot first played on; None: it did not
    entries: int = 0  # of the whole log, where a bot played on
    level: str = ""  # of the bot
    asked: int | None = None  # where a bot played on: decisions with a choice; None: not counted
    own: int | None = None  # and how many of them the entrant made

    @property
    def own_part(self) -> float:
        """The part of the deal that the entrant played, by their decisions: 1 for all of it.

        Where those are not counted, by the entries of the log until a bot first played on.
        """
        if self.entrant is None:
            return 0.0
        if self.bot_from is None:
            return 1.0
        if self.asked and self.own is not None:
            return self.own / self.asked
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
