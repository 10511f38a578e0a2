"""LACORSA: its options, and ``TITLE``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, Self, cast

from pydantic import TypeAdapter, ValidationError, field_validator, model_validator

from paddock.core.errors import BadValue
from paddock.core.i18n import _
from paddock.core.options import Options as CoreOptions
from paddock.core.options import option, rule_number
from paddock.core.title import Preset, Title, minutes

Part = Literal["auto", "yes", "no"]
MOST_DRIVERS = 12
BASE = 6  # drivers at most without the expansion
PARTS = ("grid_hands", "pit_stops", "incidents", "special_drafting")  # the parts that ``large_grid`` turns on
_BOOLEAN = TypeAdapter(bool)
_PAIRS = re.compile(r"[1-9]\d?-[1-9]\d?(/[1-9]\d?-[1-9]\d?)*", re.ASCII)


POINTS, EXPANSION, VARIANTS = "Championship and points", "Parts of the Large Grid", "Variants"
AS_GRID = {"auto": ("As the Large Grid", ""), "yes": ("On", ""), "no": ("Off", "")}


class Options(CoreOptions):
    """The options of a LACORSA championship."""

    drivers: int = option(
        4, "LX-1.1", "How many drivers race; more than 6 with the Large Grid's hands.", ge=2, le=MOST_DRIVERS
    )
    races: int = option(7, "LC-2.4", "How many races the championship has.", ge=1, le=99)
    championship: Literal["auto", "teams", "drivers"] = option(
        "auto",
        "LC-2.1",
        "Who the standings are for.",
        label="Cars of a driver",
        values={
            "auto": ("As the number of drivers allows", "Two cars each for 2 or 3 drivers, else one."),
            "teams": ("Two cars each", "For 2 or 3 drivers; with bigger hands up to 6."),
            "drivers": ("One car each", "For 4 to 6 drivers; with bigger hands up to 12."),
        },
        group=POINTS,
        advanced=True,
    )
    pairs: str = option(
        "no",
        "LC-2.2",
        "In a drivers' championship, teams of two with standings of their own. A driver without a partner is "
        "a team of one.",
        label="Teams of two",
        values={
            "no": ("No teams", "Everybody drives alone."),
            "yes": ("Neighbours", "Drivers 1 and 2, 3 and 4, 5 and 6 …"),
        },
        write="or name them: 1-3/2-5 are drivers 1 and 3, and 2 and 5",
        group=POINTS,
        advanced=True,
    )
    extra_suits: int = option(
        0,
        "LC-1.3",
        "Suits added to the deck. Some cards are then not dealt, and nobody knows which.",
        group=VARIANTS,
        advanced=True,
        ge=0,
        le=6,
    )
    double_redline: Literal["refused", "void"] = option(
        "refused",
        "LC-3.5",
        "Two Redlines at once.",
        label="Two Redlines",
        values={
            "refused": ("Not allowed", ""),
            "void": ("Allowed, and void", "Worth 0, and both cards are lost."),
        },
        group=VARIANTS,
        advanced=True,
    )
    points: tuple[int, ...] = option(
        (9, 6, 4, 3, 2, 1),
        "LC-7.2",
        "The points for each finishing place.",
        values={
            "9,6,4,3,2,1": ("Six score", "9, 6, 4, 3, 2 and 1: the usual table."),
            "12,11,10,9,8,7,6,5,4,3,2,1": ("Everybody scores", "From 12 for the winner down to 1."),
            "5,3,1": ("The podium", "5, 3 and 1."),
            "1": ("The winner only", "A win is a point, and nothing else counts."),
        },
        write="whole numbers separated by commas, the first place first",
        group=POINTS,
        advanced=True,
    )
    large_grid: bool = option(
        False,
        "LX-1.4",
        "The expansion: bigger hands for up to 12 cars, pit stops, incidents and drafting.",
        label="Grid",
        values={
            "no": ("The classic grid", "Two to six cars, and no pit stops."),
            "yes": (
                "The Large Grid",
                "Up to twelve cars with bigger hands, pit stops, incidents and drafting.",
            ),
        },
        later=True,
    )
    grid_hands: Part = option(
        "auto",
        "LX-1.2",
        "13 to 15 cards per car, depending on how many cars race, from a deck of 6 to 12 suits.",
        label="Bigger hands",
        values=AS_GRID,
        group=EXPANSION,
        advanced=True,
        later=True,
    )
    pit_stops: Part = option(
        "auto",
        "LX-2.0",
        "Once per race a car may draw a card from the discard pile, at the risk of losing spaces.",
        values=AS_GRID,
        group=EXPANSION,
        advanced=True,
        later=True,
    )
    pit_draw: Literal["random", "choose"] = option(
        "random",
        "LX-2.1",
        "Which card of the discard pile a pit stop brings.",
        label="Card of a pit stop",
        values={"random": ("Drawn at random", ""), "choose": ("Chosen by the driver", "")},
        group=EXPANSION,
        advanced=True,
        later=True,
    )
    pit_refill: bool = option(
        False,
        "LX-2.2",
        "A pit stop refills the hand to its size at the start.",
        label="Pit stops refill the hand",
        group=EXPANSION,
        advanced=True,
        later=True,
    )
    pit_timing: Literal["start", "turn"] = option(
        "start",
        "LX-2.0",
        "When a car may pit.",
        label="Time of a pit stop",
        values={"start": ("At the start of its turn", ""), "turn": ("Also after a pass in its turn", "")},
        group=EXPANSION,
        advanced=True,
        later=True,
    )
    incidents: Part = option(
        "auto",
        "LX-3.0",
        "A tied challenge with a Redline is an accident, and a die decides the outcome.",
        values=AS_GRID,
        group=EXPANSION,
        advanced=True,
        later=True,
    )
    off_adjacent: bool = option(
        False,
        "LX-3.3",
        "Two cars that go off stay where they are, unless a car is directly behind them.",
        label="Cars that go off stay",
        group=EXPANSION,
        advanced=True,
        later=True,
    )
    special_drafting: Part = option(
        "auto",
        "LX-5.1",
        "A car that closes a gap with a 3 may challenge in the same turn.",
        values=AS_GRID,
        group=EXPANSION,
        advanced=True,
        later=True,
    )
    one_draft: bool = option(
        False,
        "LX-5.2",
        "Only the first 3 of a turn drafts: any further extend ends the turn.",
        label="One draft a turn",
        group=EXPANSION,
        advanced=True,
        later=True,
    )

    hand: int = rule_number(
        13,
        "LC-1.2",
        "How many cards each car is dealt, without the bigger hands of the Large Grid. If the deck is too "
        "small, suits are added until it is not.",
        least=4,
        most=15,
        label="Cards in a hand",
    )
    grid_fewer: int = rule_number(
        0,
        "LX-1.2",
        "How many cards fewer each car is dealt than the table of the bigger hands says.",
        least=0,
        most=8,
        label="Fewer cards in bigger hands",
    )
    redlines: int = rule_number(
        1, "LC-1.1", "How many Redlines a suit has.", least=1, most=3, label="Redlines in a suit"
    )
    champions: int = rule_number(
        1, "LC-1.1", "How many 12s a suit has.", least=1, most=3, label="Champions in a suit"
    )
    grid_gap: int = rule_number(
        0,
        "LC-3.3",
        "How many empty spaces are between two cars on the grid.",
        least=0,
        most=2,
        label="Empty spaces on the grid",
    )
    redline_bonus: int = rule_number(
        2,
        "LC-5.1",
        "What a Redline adds to a card, in qualifying and in a challenge.",
        least=0,
        most=6,
        label="Bonus of the Redline",
    )
    redline_alone: int = rule_number(
        0, "LC-3.2", "What a Redline is worth that is played alone.", least=0, most=12, label="Redline alone"
    )
    win_by: int = rule_number(
        1,
        "LC-5.2",
        "By how much the challenger's value must be higher; 0: a tie goes to the challenger.",
        least=0,
        most=4,
        label="A challenger wins by",
    )
    most_passes: int = rule_number(
        2, "LC-5.4", "After how many passes a turn ends.", least=1, most=6, label="Passes in a turn"
    )
    extend_cards: int = rule_number(
        3, "LC-6.1", "Up to which rank cards extend.", least=1, most=3, label="Highest card that extends"
    )
    extend_spaces: int = rule_number(
        1,
        "LC-6.1",
        "How many spaces an extend moves the car forward, as far as they are empty.",
        least=1,
        most=2,
        label="Spaces of an extend",
    )
    leader_extends: int = rule_number(
        2,
        "LC-6.2",
        "Up to which rank cards extend for the leader; 0: none does.",
        least=0,
        most=3,
        label="Highest card that extends for the leader",
    )
    pit_lap: int = rule_number(
        2, "LX-2.0", "From which lap on a car may pit.", least=1, most=9, label="First lap of pit stops"
    )
    pit_cards: int = rule_number(
        1,
        "LX-2.1",
        "How many cards a stop brings that does not refill the hand; the hand never gets bigger than it was "
        "dealt.",
        least=1,
        most=5,
        label="Cards of a stop",
    )
    pit_low: int = rule_number(
        2,
        "LX-2.3",
        "How many spaces a 1 or 2 on the die of a stop costs.",
        least=0,
        most=3,
        label="A stop with 1 or 2 costs",
    )
    pit_middle: int = rule_number(
        1,
        "LX-2.3",
        "How many spaces a 3 or 4 on the die of a stop costs.",
        least=0,
        most=3,
        label="A stop with 3 or 4 costs",
    )
    safe_face: int = rule_number(
        6,
        "LX-3.4",
        "From which face of the die on nothing happens in an accident.",
        least=1,
        most=6,
        label="Safe face of the die",
    )
    drafts_from: int = rule_number(
        3,
        "LX-5.1",
        "From which rank on a card drafts that extends.",
        least=1,
        most=3,
        label="Lowest card that drafts",
    )

    @field_validator(*PARTS, mode="before")
    @classmethod
    def _yes_or_no(cls, value: object) -> object:
        return ("yes" if value else "no") if isinstance(value, bool) else value

    @field_validator("pairs", mode="before")
    @classmethod
    def _one_way_to_write(cls, value: object) -> str:
        """LC-2.2 normalise to no, yes, or the pairs in order, with the lower number first."""
        if (boolean := _boolean(value)) is not None:
            return "yes" if boolean else "no"
        if not isinstance(value, str) or not _PAIRS.fullmatch(value):
            raise BadValue(
                _("choose drivers of this race as partners (LC-2.2)"),
                write=_("write no, yes, or pairs of drivers, as in 1-3/2-5 (LC-2.2)"),
            )
        pairs = read_pairs(value)
        if len({driver for pair in pairs for driver in pair}) < 2 * len(pairs):
            raise ValueError(_("name each driver once (LC-2.2)"))
        return "/".join(f"{first}-{second}" for first, second in sorted(map(sorted, pairs)))

    @field_validator("points", mode="before")
    @classmethod
    def _one_number(cls, value: object) -> object:
        return (value,) if isinstance(value, (str, int)) else value

    @field_validator("points")
    @classmethod
    def _falling(cls, points: tuple[int, ...]) -> tuple[int, ...]:
        """LC-7.2 no place earns fewer points than a worse one."""
        if not 1 <= len(points) <= MOST_DRIVERS:
            raise BadValue(
                _("give points to 1 to 12 places (LC-7.2)"),
                write=_("write 1 to 12 numbers, one for each place (LC-7.2)"),
            )
        if any(not 0 <= p <= 1000 for p in points):
            raise ValueError(_("a place earns from 0 to 1000 points (LC-7.2)"))
        if list(points) != sorted(points, reverse=True):
            raise ValueError(_("a better place cannot earn fewer points (LC-7.2)"))
        return points

    @model_validator(mode="after")
    def _fits(self) -> Self:
        """Check options that depend on each other; each fault names its clause."""
        hands, bigger = _("set grid_hands=yes"), _("switch “Bigger hands” on")
        if not self.large_grid:
            hands = _("set grid_hands=yes, or large_grid=yes for the whole expansion")
            bigger = _("choose the Large Grid, or switch “Bigger hands” on")
        if self.drivers > BASE and not self.on("grid_hands"):
            raise BadValue(
                _("more than 6 drivers need bigger hands: {set} (LX-1.1)").format(set=bigger),
                write=_("LX-1.1 drivers={n}: more than 6 drivers need bigger hands: {set}").format(
                    n=self.drivers, set=hands
                ),
            )
        if self.championship == "teams" and self.drivers > 6:
            raise BadValue(
                _("with two cars each, there are 2 to 6 drivers (LX-1.1)"),
                write=_("LX-1.1 a teams' championship has 2 to 6 drivers, two cars each"),
                about="championship",
            )
        if self.championship == "teams" and self.drivers > 3 and not self.on("grid_hands"):
            sentence = _(
                "LC-2.1 a teams' championship has 2 or 3 drivers: set drivers=2 or drivers=3; "
                "4 to 6 drivers with two cars each need bigger hands: {set}"
            )
            plain = _(
                "with two cars each, there are 2 or 3 drivers; 4 to 6 need bigger hands: {set} (LC-2.1)"
            )
            raise BadValue(plain.format(set=bigger), write=sentence.format(set=hands), about="championship")
        if self.championship == "drivers" and self.drivers < 4:
            raise BadValue(
                _("with one car each, there are 4 drivers or more (LC-2.2)"),
                write=_("LC-2.2 a drivers' championship has 4 drivers or more: set drivers=4"),
                about="championship",
            )
        if self.pairs != "no" and self.cars_each == 2:
            raise BadValue(
                _("there are teams of two only where every driver has one car (LC-2.2)"),
                write=_("LC-2.2 only a drivers' championship, with one car each, has pairs"),
                about="pairs",
            )
        if any(driver > self.drivers for pair in read_pairs(self.pairs) for driver in pair):
            sentence = _("LC-2.2 pairs={pairs}: there are only {n} drivers")
            raise BadValue(
                _("there are only {n} drivers: choose partners among them (LC-2.2)").format(n=self.drivers),
                write=sentence.format(pairs=self.pairs, n=self.drivers),
                about="pairs",
            )
        for asked, part, clause, name, needs in (
            (self.pit_draw == "choose", "pit_stops", "LX-2.1", "pit_draw=choose", _("pit stops")),
            (self.pit_refill, "pit_stops", "LX-2.2", "pit_refill=yes", _("pit stops")),
            (self.pit_timing == "turn", "pit_stops", "LX-2.0", "pit_timing=turn", _("pit stops")),
            (self.off_adjacent, "incidents", "LX-3.3", "off_adjacent=yes", _("incidents")),
            (self.one_draft, "special_drafting", "LX-5.2", "one_draft=yes", _("special drafting")),
        ):
            if asked and not self.on(part):
                sentence = _("{clause} {name} needs {what}: set {part}=yes")
                raise BadValue(
                    _("this needs {what}: switch them on ({clause})").format(what=needs, clause=clause),
                    write=sentence.format(clause=clause, name=name, what=needs, part=part),
                    about=name.partition("=")[0],
                )
        return self

    @classmethod
    def of_revision(cls, revision: int, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """LX-5.2 in revision 1 only the first 3 of a turn could draft."""
        value_text = cls._plain_value("special_drafting", values.get("special_drafting", "auto"))
        if value_text == "auto":
            value_text = cls._plain_value("large_grid", values.get("large_grid", False))
        return {**values, "one_draft": True} if revision == 1 and _boolean(value_text) else values

    @classmethod
    def implied(cls, values: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """LX-1.1 more drivers than the base game has switch the Large Grid on, unless its hands are."""
        drivers = values.get("drivers", "")
        large_field = (
            drivers.isascii()
            and drivers.isdigit()
            and len(drivers) < 3
            and BASE < int(drivers) <= MOST_DRIVERS
        )
        hands = _boolean(values.get("large_grid", "no")) or _boolean(values.get("grid_hands", "no"))
        if not large_field or hands:
            return {}
        sentence = _(
            "More than {n} drivers need the bigger hands of the Large Grid, so the Large Grid is now on. "
            "For its hands alone, switch “Bigger hands” on."
        )
        return {"large_grid": ("yes", sentence.format(n=BASE))}

    def on(self, part: str) -> bool:
        """LX-1.4 return whether a part of the expansion is on; ``auto`` means as ``large_grid``."""
        setting = cast(Part, getattr(self, part))
        return self.large_grid if setting == "auto" else setting == "yes"

    @cached_property
    def cars_each(self) -> int:
        """LC-2.1, LC-2.2, LX-1.1 the number of cars of each driver: 2 in a teams' championship, else 1."""
        return 2 if self.drivers <= 3 or self.championship == "teams" else 1

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
        for driver_number, partner in read_pairs(self.pairs):
            first[partner - 1] = driver_number - 1
        return tuple(sorted(set(first)).index(driver) for driver in first)

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


def read_pairs(text: str) -> list[list[int]]:
    """Return the pairs of drivers (from 1) that the option names; none for no and yes."""
    return [list(map(int, pair.split("-"))) for pair in text.split("/")] if "-" in text else []


# Decisions in a race of Clubs, which docs/look.md counts: 42 with four cars, 119 with eight on the Large Grid
PRESETS = (
    Preset("race", "A single race", "Four cars, one Grand Prix.", minutes(42), "races=1"),
    Preset(
        "evening", "A family evening", "Three races; the points are added up.", minutes(3 * 42), "races=3"
    ),
    Preset("championship", "The championship", "Seven races for the title.", minutes(7 * 42), "races=7"),
    Preset(
        "grid",
        "The Large Grid",
        "Eight cars with bigger hands, pit stops, incidents and drafting.",
        minutes(119),
        "drivers=8 races=1 large_grid=yes",
    ),
)

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
    kernel=("rules.state", "rules.race", "rules.large_grid", "rules.rules"),
    presets=PRESETS,
)
