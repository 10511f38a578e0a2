"""LACORSA: what is this game and how can it be set up?"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import field_validator, model_validator

from paddock.core.options import Options as CoreOptions
from paddock.core.options import option
from paddock.core.title import Title


class Options(CoreOptions):
    """How a LACORSA championship can be set up."""

    drivers: int = option(4, "LC-2.1", "How many drivers race.", ge=2, le=6)
    races: int = option(7, "LC-2.4", "How many races the championship has.", ge=1, le=99)
    championship: Literal["auto", "teams", "drivers"] = option(
        "auto",
        "LC-2.1",
        "teams: 2 or 3 drivers with two cars each; drivers: 4 to 6 with one car each; "
        "auto takes the one that the number of drivers allows.",
        advanced=True,
    )
    pairs: bool = option(
        False,
        "LC-2.2",
        "In a drivers' championship, neighbours form teams of two with a table of their own.",
        advanced=True,
    )
    extra_suits: int = option(
        0,
        "LC-1.3",
        "Suits added to the deck: some cards then take no part, and nobody knows which.",
        advanced=True,
        ge=0,
        le=6,
    )
    double_redline: Literal["refused", "void"] = option(
        "refused",
        "LC-3.5",
        "Two Redlines at once: refused, or void: allowed as a play worth 0 that costs both cards.",
        advanced=True,
    )
    points: tuple[int, ...] = option(
        (9, 6, 4, 3, 2, 1),
        "LC-7.2",
        "The points by finishing place, first to last, separated by commas.",
        advanced=True,
    )

    @field_validator("points", mode="before")
    @classmethod
    def _one_number(cls, value: object) -> object:
        return (value,) if isinstance(value, (str, int)) else value

    @field_validator("points")
    @classmethod
    def _falling(cls, points: tuple[int, ...]) -> tuple[int, ...]:
        if not 1 <= len(points) <= 12:
            raise ValueError("give 1 to 12 numbers, one a place (LC-7.2)")
        if any(not 0 <= p <= 1000 for p in points):
            raise ValueError("points lie between 0 and 1000 (LC-7.2)")
        if list(points) != sorted(points, reverse=True):
            raise ValueError("a better place never earns fewer points (LC-7.2)")
        return points

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.championship == "teams" and self.drivers > 3:
            raise ValueError("LC-2.1 a teams' championship has 2 or 3 drivers: set drivers=2 or drivers=3")
        if self.championship == "drivers" and self.drivers < 4:
            raise ValueError("LC-2.2 a drivers' championship has 4 to 6 drivers: set drivers=4, 5 or 6")
        if self.pairs and self.cars_each == 2:
            raise ValueError("LC-2.2 pairs belong to a drivers' championship: set drivers=4, 5 or 6")
        return self

    @property
    def cars_each(self) -> int:
        """LC-2.1, LC-2.2 cars of every driver: 2 in a teams' championship, else 1."""
        return 2 if self.drivers <= 3 else 1

    @property
    def players(self) -> int:
        return self.drivers

    @property
    def owners(self) -> tuple[int, ...]:
        return tuple(driver for driver in range(self.drivers) for _ in range(self.cars_each))

    @property
    def teams(self) -> tuple[int, ...]:
        """LC-2.3 with two cars a driver is a team; LC-2.2 pairs; LC-2.5 an odd driver is a team of one."""
        if self.cars_each == 2:
            return tuple(range(self.drivers))
        return tuple(driver // 2 for driver in range(self.drivers)) if self.pairs else ()

    @property
    def rounds(self) -> int:
        return self.races

    @property
    def countback(self) -> bool:
        """LC-7.3 most wins, then most seconds, thirds, …"""
        return True


TITLE = Title(
    name="lacorsa",
    label="LACORSA",
    tagline="A Grand Prix of cards: challenge, extend, and keep a Redline for the last lap.",
    package="paddock.games.lacorsa",
    revision=1,
    round_name="race",
    series_name="championship",
    player_name="driver",
    seat_name="car",
    options=Options,
)
