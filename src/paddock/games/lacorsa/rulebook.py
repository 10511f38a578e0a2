"""LACORSA: its options, and ``TITLE``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, Self, cast

from pydantic import TypeAdapter, ValidationError, field_validator, model_validator

from paddock.core.i18n import _
from paddock.core.options import Options as CoreOptions
from paddock.core.options import option
from paddock.core.title import Title

Part = Literal["auto", "yes", "no"]
BASE = 6  # drivers at most without the expansion
PARTS = ("grid_hands", "pit_stops", "incidents", "special_drafting")  # the parts that ``large_grid`` turns on
LARGE_GRID = (
    "large_grid", *PARTS, "pit_draw", "pit_refill", "pit_timing", "off_adjacent", "one_draft"
)  # fmt: skip
_BOOLEAN = TypeAdapter(bool)
_PAIRS = re.compile(r"[1-9]\d?-[1-9]\d?(/[1-9]\d?-[1-9]\d?)*", re.ASCII)


class Options(CoreOptions):
    """The options of a LACORSA championship."""

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
        "In a drivers' championship, teams of two with standings of their own. yes: neighbours; 1-3/2-5: "
        "drivers 1 and 3, and 2 and 5. A driver without a partner is a team of one.",
        advanced=True,
    )
    extra_suits: int = option(
        0,
        "LC-1.3",
        "Suits added to the deck. Some cards are then not dealt, and nobody knows which.",
        advanced=True,
        ge=0,
        le=6,
    )
    double_redline: Literal["refused", "void"] = option(
        "refused",
        "LC-3.5",
        "Two Redlines at once. refused: not allowed; void: allowed, worth 0, and both cards are lost.",
        advanced=True,
    )
    points: tuple[int, ...] = option(
        (9, 6, 4, 3, 2, 1),
        "LC-7.2",
        "The points for each finishing place, first to last, separated by commas.",
        advanced=True,
    )

    large_grid: bool = option(
        False, "LX-1.4", "Large Grid: bigger hands for up to 12 cars, pit stops, incidents and drafting."
    )
    grid_hands: Part = option(
        "auto",
        "LX-1.2",
        "13 to 15 cards per car, depending on how many cars race, from a deck of 6 to 12 suits; "
        "auto: same as large_grid.",
        advanced=True,
    )
    pit_stops: Part = option(
        "auto",
        "LX-2.0",
        "Once per race a car may draw a card from the discard pile, at the risk of losing spaces; "
        "auto: same as large_grid.",
        advanced=True,
    )
    pit_draw: Literal["random", "choose"] = option(
        "random",
        "LX-2.1",
        "The card of a pit stop: drawn at random from the discard pile, or chosen by the driver.",
        advanced=True,
    )
    pit_refill: bool = option(
        False, "LX-2.2", "A pit stop refills the hand to its size at the start.", advanced=True
    )
    pit_timing: Literal["start", "turn"] = option(
        "start",
        "LX-2.0",
        "start: a car pits at the start of its turn; turn: also after a pass in its turn.",
        advanced=True,
    )
    incidents: Part = option(
        "auto",
        "LX-3.0",
        "A tied challenge with a Redline is an accident, and a die decides the outcome; "
        "auto: same as large_grid.",
        advanced=True,
    )
    off_adjacent: bool = option(
        False,
        "LX-3.3",
        "Two cars that go off stay where they are, unless a car is directly behind them.",
        advanced=True,
    )
    special_drafting: Part = option(
        "auto",
        "LX-5.1",
        "A car that closes a gap with a 3 may challenge in the same turn; auto: same as large_grid.",
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
        """LC-2.2 normalise to no, yes, or the pairs in order, with the lower number first."""
        if (said := _boolean(value)) is not None:
            return "yes" if said else "no"
        if not isinstance(value, str) or not _PAIRS.fullmatch(value):
            raise ValueError(_("write no, yes, or pairs of drivers, as in 1-3/2-5 (LC-2.2)"))
        pairs = _read_pairs(value)
        if len({driver for pair in pairs for driver in pair}) < 2 * len(pairs):
            raise ValueError(_("name each driver once (LC-2.2)"))
        return "/".join(f"{one}-{other}" for one, other in sorted(map(sorted, pairs)))

    @field_validator("points", mode="before")
    @classmethod
    def _one_number(cls, value: object) -> object:
        return (value,) if isinstance(value, (str, int)) else value

    @field_validator("points")
    @classmethod
    def _falling(cls, points: tuple[int, ...]) -> tuple[int, ...]:
        if not 1 <= len(points) <= 12:
            raise ValueError(_("write 1 to 12 numbers, one for each place (LC-7.2)"))
        if any(not 0 <= p <= 1000 for p in points):
            raise ValueError(_("write points from 0 to 1000 (LC-7.2)"))
        if list(points) != sorted(points, reverse=True):
            raise ValueError(_("a better place cannot earn fewer points (LC-7.2)"))
        return points

    @model_validator(mode="after")
    def _fits(self) -> Self:
        hands = _("set grid_hands=yes")
        if not self.large_grid:
            hands = _("set grid_hands=yes, or large_grid=yes for the whole expansion")
        if self.drivers > BASE and not self.on("grid_hands"):
            sentence = _("LX-1.1 drivers={n}: more than 6 drivers need bigger hands: {set}")
            raise ValueError(sentence.format(n=self.drivers, set=hands))
        if self.championship == "teams" and self.drivers > 6:
            raise ValueError(_("LX-1.1 a teams' championship has 2 to 6 drivers, two cars each"))
        if self.championship == "teams" and self.drivers > 3 and not self.on("grid_hands"):
            sentence = _(
                "LC-2.1 a teams' championship has 2 or 3 drivers: set drivers=2 or drivers=3; "
                "4 to 6 drivers with two cars each need bigger hands: {set}"
            )
            raise ValueError(sentence.format(set=hands))
        if self.championship == "drivers" and self.drivers < 4:
            raise ValueError(_("LC-2.2 a drivers' championship has 4 drivers or more: set drivers=4"))
        if self.pairs != "no" and self.cars_each == 2:
            raise ValueError(_("LC-2.2 only a drivers' championship, with one car each, has pairs"))
        if any(driver > self.drivers for pair in _read_pairs(self.pairs) for driver in pair):
            sentence = _("LC-2.2 pairs={pairs}: there are only {n} drivers")
            raise ValueError(sentence.format(pairs=self.pairs, n=self.drivers))
        for asked, part, clause, name, what in (
            (self.pit_draw == "choose", "pit_stops", "LX-2.1", "pit_draw=choose", _("pit stops")),
            (self.pit_refill, "pit_stops", "LX-2.2", "pit_refill=yes", _("pit stops")),
            (self.pit_timing == "turn", "pit_stops", "LX-2.0", "pit_timing=turn", _("pit stops")),
            (self.off_adjacent, "incidents", "LX-3.3", "off_adjacent=yes", _("incidents")),
            (self.one_draft, "special_drafting", "LX-5.2", "one_draft=yes", _("special drafting")),
        ):
            if asked and not self.on(part):
                sentence = _("{clause} {name} needs {what}: set {part}=yes")
                raise ValueError(sentence.format(clause=clause, name=name, what=what, part=part))
        return self

    @classmethod
    def of_revision(cls, revision: int, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """LX-5.2 in revision 1 only the first 3 of a turn could draft."""
        said = cls._plain("special_drafting", values.get("special_drafting", "auto"))
        if said == "auto":
            said = cls._plain("large_grid", values.get("large_grid", False))
        return {**values, "one_draft": True} if revision == 1 and _boolean(said) else values

    @classmethod
    def implied(cls, values: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """LX-1.1 more drivers than the base game has switch the Large Grid on, unless its hands are."""
        drivers = values.get("drivers", "")
        many = drivers.isascii() and drivers.isdigit() and len(drivers) < 3 and BASE < int(drivers) <= 12
        hands = _boolean(values.get("large_grid", "no")) or _boolean(values.get("grid_hands", "no"))
        if not many or hands:
            return {}
        sentence = _(
            "More than {n} drivers need the bigger hands of the Large Grid, so the Large Grid is now on. "
            "For its hands alone, set grid hands to yes."
        )
        return {"large_grid": ("yes", sentence.format(n=BASE))}

    def on(self, part: str) -> bool:
        """LX-1.4 return whether a part of the expansion is on; ``auto`` means as ``large_grid``."""
        said = cast(Part, getattr(self, part))
        return self.large_grid if said == "auto" else said == "yes"

    def _is_written(self, name: str) -> bool:
        """An option of the expansion where it differs from its default.

        So a text from before the expansion is still the one way to write those options.
        """
        return name not in LARGE_GRID or getattr(self, name) != type(self).model_fields[name].default

    @cached_property
    def cars_each(self) -> int:
        """LC-2.1, LC-2.2, LX-1.1 the number of cars of each driver: 2 in a teams' championship, else 1."""
        return 2 if self.drivers <= 3 or self.championship == "teams" else 1

    @property
    def players(self) -> int:
        return self.drivers

    @cached_property
    def owners(self) -> tuple[int, ...]:
        return tuple(driver for driver in range(self.drivers) for _ in range(self.cars_each))

    @cached_property
    def teams(self) -> tuple[int, ...]:
        """LC-2.3 a driver of two cars is a team; LC-2.2 pairs; LC-2.5 a driver alone is a team."""
        if self.cars_each == 2:
            return tuple(range(self.drivers))
        if self.pairs == "no":
            return ()
        if self.pairs == "yes":
            return tuple(driver // 2 for driver in range(self.drivers))
        first = list(range(self.drivers))  # the first driver of each driver's team
        for one, other in _read_pairs(self.pairs):
            first[other - 1] = one - 1
        return tuple(sorted(set(first)).index(driver) for driver in first)

    @property
    def rounds(self) -> int:
        return self.races

    @property
    def countback(self) -> bool:
        """LC-7.3 most wins, then most seconds, thirds, …; LC-7.5 of all cars of a driver or team."""
        return True


def _boolean(value: object) -> bool | None:
    """Return the boolean that a value stands for; None if it is not yes or no."""
    try:
        return _BOOLEAN.validate_python(value)
    except ValidationError:
        return None


def _read_pairs(text: str) -> list[list[int]]:
    """Return the pairs of drivers (from 1) that the option names; none for no and yes."""
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
