"""LACORSA: what is this game and how can it be set up?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, Self, cast

from pydantic import TypeAdapter, ValidationError, field_validator, model_validator

from paddock.core.options import Options as CoreOptions
from paddock.core.options import option
from paddock.core.title import Title

Part = Literal["auto", "yes", "no"]
PARTS = ("grid_hands", "pit_stops", "incidents", "special_drafting")  # that ``large_grid`` turns on
LARGE_GRID = (
    "large_grid", *PARTS, "pit_draw", "pit_refill", "pit_timing", "off_adjacent", "one_draft"
)  # fmt: skip
_BOOLEAN = TypeAdapter(bool)
_PAIRS = re.compile(r"[1-9]\d?-[1-9]\d?(/[1-9]\d?-[1-9]\d?)*", re.ASCII)


class Options(CoreOptions):
    """How a LACORSA championship can be set up."""

    drivers: int = option(
        4, "LX-1.1", "How many drivers race; more than 6 with the Large Grid's hands.", ge=2, le=12
    )
    races: int = option(7, "LC-2.4", "How many races the championship has.", ge=1, le=99)
    championship: Literal["auto", "teams", "drivers"] = option(
        "auto",
        "LC-2.1",
        "teams: 2 or 3 drivers with two cars each; drivers: 4 to 6 with one car each; "
        "auto takes the one that the number of drivers allows. On a Large Grid teams may have "
        "6 drivers, and drivers 12.",
        advanced=True,
    )
    pairs: str = option(
        "no",
        "LC-2.2",
        "In a drivers' championship, teams of two with a table of their own: yes for neighbours, or who "
        "drives with whom, as in 1-3/2-5; a driver who is not named is a team of one.",
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

    large_grid: bool = option(
        False, "LX-1.4", "Large Grid: bigger hands for up to 12 cars, pit stops, incidents and drafting."
    )
    grid_hands: Part = option(
        "auto",
        "LX-1.2",
        "13 to 15 cards by the number of cars, from a deck of 6 to 12 suits; auto: as large_grid.",
        advanced=True,
    )
    pit_stops: Part = option(
        "auto",
        "LX-2.0",
        "Once a race a car may draw a card from the discard pile, at the risk of losing spaces; "
        "auto: as large_grid.",
        advanced=True,
    )
    pit_draw: Literal["random", "choose"] = option(
        "random",
        "LX-2.1",
        "The card of a pit stop: drawn blind from the discard pile, or any card that the driver chooses.",
        advanced=True,
    )
    pit_refill: bool = option(
        False, "LX-2.2", "A pit stop fills the hand up to what it was at the start.", advanced=True
    )
    pit_timing: Literal["start", "turn"] = option(
        "start",
        "LX-2.0",
        "start: a car pits at the start of its turn; turn: after a pass in its turn, too.",
        advanced=True,
    )
    incidents: Part = option(
        "auto",
        "LX-3.0",
        "A challenge tied with a Redline is an accident: a die says what comes of it; auto: as large_grid.",
        advanced=True,
    )
    off_adjacent: bool = option(
        False,
        "LX-3.3",
        "Two cars that go off stay where they are unless a car is directly behind them.",
        advanced=True,
    )
    special_drafting: Part = option(
        "auto",
        "LX-5.1",
        "A car that closes up with a 3 may challenge in the same turn; auto: as large_grid.",
        advanced=True,
    )
    one_draft: bool = option(
        False,
        "LX-5.2",
        "Only the first 3 of a turn drafts: any further extend ends the turn.",
        advanced=True,
    )

    @field_validator(*PARTS, mode="before")
    @classmethod
    def _yes_or_no(cls, value: object) -> object:
        return ("yes" if value else "no") if isinstance(value, bool) else value

    @field_validator("pairs", mode="before")
    @classmethod
    def _one_way_to_write(cls, value: object) -> str:
        """LC-2.2 no, yes, or the pairs in order, the lower number of each first."""
        if (said := _boolean(value)) is not None:
            return "yes" if said else "no"
        if not isinstance(value, str) or not _PAIRS.fullmatch(value):
            raise ValueError("write no, yes, or who drives with whom, as in 1-3/2-5 (LC-2.2)")
        pairs = _read_pairs(value)
        if len({driver for pair in pairs for driver in pair}) < 2 * len(pairs):
            raise ValueError("name each driver once (LC-2.2)")
        return "/".join(f"{one}-{other}" for one, other in sorted(map(sorted, pairs)))

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
        hands = "bigger hands: set grid_hands=yes"
        if not self.large_grid:
            hands += ", or large_grid=yes for the whole expansion"
        if self.drivers > 6 and not self.on("grid_hands"):
            raise ValueError(f"LX-1.1 drivers={self.drivers}: more than 6 drivers need {hands}")
        if self.championship == "teams" and self.drivers > 6:
            raise ValueError("LX-1.1 a teams' championship has 2 to 6 drivers, two cars each")
        if self.championship == "teams" and self.drivers > 3 and not self.on("grid_hands"):
            raise ValueError(
                "LC-2.1 a teams' championship has 2 or 3 drivers: set drivers=2 or drivers=3; "
                f"4 to 6 drivers with two cars each need {hands}"
            )
        if self.championship == "drivers" and self.drivers < 4:
            raise ValueError("LC-2.2 a drivers' championship has 4 drivers or more: set drivers=4")
        if self.pairs != "no" and self.cars_each == 2:
            raise ValueError("LC-2.2 pairs belong to a drivers' championship, one car each")
        if any(driver > self.drivers for pair in _read_pairs(self.pairs) for driver in pair):
            raise ValueError(f"LC-2.2 pairs={self.pairs}: there are {self.drivers} drivers")
        for asked, part, clause, name, what in (
            (self.pit_draw == "choose", "pit_stops", "LX-2.1", "pit_draw=choose", "pit stops"),
            (self.pit_refill, "pit_stops", "LX-2.2", "pit_refill=yes", "pit stops"),
            (self.pit_timing == "turn", "pit_stops", "LX-2.0", "pit_timing=turn", "pit stops"),
            (self.off_adjacent, "incidents", "LX-3.3", "off_adjacent=yes", "incidents"),
            (self.one_draft, "special_drafting", "LX-5.2", "one_draft=yes", "special drafting"),
        ):
            if asked and not self.on(part):
                raise ValueError(f"{clause} {name} needs {what}: set {part}=yes")
        return self

    @classmethod
    def of_revision(cls, revision: int, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """LX-5.2 in revision 1 only the first 3 of a turn drafted."""
        said = cls._plain("special_drafting", values.get("special_drafting", "auto"))
        if said == "auto":
            said = cls._plain("large_grid", values.get("large_grid", False))
        return {**values, "one_draft": True} if revision == 1 and _boolean(said) else values

    def on(self, part: str) -> bool:
        """LX-1.4 whether a part of the expansion is played: as it says itself, or as ``large_grid``."""
        said = cast(Part, getattr(self, part))
        return self.large_grid if said == "auto" else said == "yes"

    def _is_written(self, name: str) -> bool:
        """An option of the expansion where it differs from its default.

        So a text from before the expansion still is the one way to write those options.
        """
        return name not in LARGE_GRID or getattr(self, name) != type(self).model_fields[name].default

    @property
    def cars_each(self) -> int:
        """LC-2.1, LC-2.2, LX-1.1 cars of every driver: 2 in a teams' championship, else 1."""
        return 2 if self.drivers <= 3 or self.championship == "teams" else 1

    @property
    def players(self) -> int:
        return self.drivers

    @property
    def owners(self) -> tuple[int, ...]:
        return tuple(driver for driver in range(self.drivers) for _ in range(self.cars_each))

    @property
    def teams(self) -> tuple[int, ...]:
        """LC-2.3 with two cars a driver is a team; LC-2.2 pairs; LC-2.5 who has none is a team of one."""
        if self.cars_each == 2:
            return tuple(range(self.drivers))
        if self.pairs == "no":
            return ()
        if self.pairs == "yes":
            return tuple(driver // 2 for driver in range(self.drivers))
        first = list(range(self.drivers))  # of each driver's team
        for one, other in _read_pairs(self.pairs):
            first[other - 1] = one - 1
        return tuple(sorted(set(first)).index(driver) for driver in first)

    @property
    def rounds(self) -> int:
        return self.races

    @property
    def countback(self) -> bool:
        """LC-7.3 most wins, then most seconds, thirds, …"""
        return True


def _boolean(value: object) -> bool | None:
    """What a value says, if it is a way of writing yes or no."""
    try:
        return _BOOLEAN.validate_python(value)
    except ValidationError:
        return None


def _read_pairs(text: str) -> list[list[int]]:
    """The pairs of drivers, from 1, that the option names; none for no and yes."""
    return [list(map(int, pair.split("-"))) for pair in text.split("/")] if "-" in text else []


TITLE = Title(
    name="lacorsa",
    label="LACORSA",
    tagline="A Grand Prix of cards: challenge, extend, and keep a Redline for the last lap.",
    package="paddock.games.lacorsa",
    revision=2,
    round_name="race",
    player_name="driver",
    seat_name="car",
    options=Options,
    kernel=("state", "race", "large_grid", "rules"),
)
