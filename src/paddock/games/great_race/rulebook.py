"""The Great Race: what is this game and how can it be set up?"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import field_validator, model_validator

from paddock.core.errors import BadValue, brief
from paddock.core.i18n import _, mark
from paddock.core.options import Options as CoreOptions
from paddock.core.options import option, rule_number
from paddock.core.title import Preset, Title, minutes
from paddock.core.wording import either
from paddock.games.great_race.maps import SHIPPED, read_map, word
from paddock.games.great_race.maps.board import Map

LOT = "lot"
RACE, VARIANTS = "The race", "Variants"

LEAST_PLAYERS, MOST_PLAYERS = 2, 5


class Options(CoreOptions):
    """How a race can be set up."""

    players: int = option(4, "GR-1.1", "How many race.", ge=LEAST_PLAYERS, le=MOST_PLAYERS)
    races: int = option(1, "GR-9.7", "How many races are run; prestige is added up.", ge=1, le=9)
    map: str = option(
        "usa-west",
        "GR-1.1",
        "The land to cross: half a continent in an evening, or all of it.",
        values=SHIPPED,
        write="or a map of your own as a file",
        data=True,
    )
    leaders: bool = option(
        False,
        "GR-1.5",
        "Five people lead crews, each with a power.",
        values={
            "no": ("No leaders", "All crews are alike."),
            "yes": ("Leaders", "Everybody chooses one, with a power."),
        },
    )
    start: Literal["auto", "west", "east"] = option(
        "auto",
        "GR-1.11",
        "The end where the race starts.",
        values={
            "auto": ("As the map says", "The purple city of a half map, the west of a full one."),
            "west": ("In the west", "The race goes east."),
            "east": ("In the east", "The race goes west."),
        },
    )
    finish: str = option(
        LOT,
        "GR-1.7",
        "The middle city in which a race on a half map ends, or from which it starts.",
        label="Middle city",
        values={LOT: ("At random", "")},
        write="or its two letters, as OM",
        group=RACE,
        advanced=True,
    )
    gauge_max: int = option(
        5,
        "GR-1.13",
        "The maximum of petrol, engine and chassis.",
        label="Levels of a gauge",
        group=VARIANTS,
        advanced=True,
        ge=4,
        le=8,
    )
    siphon: int = option(
        2,
        "GR-10.17",
        "How many levels of petrol a Siphoner takes.",
        label="Petrol that a Siphoner takes",
        group=VARIANTS,
        advanced=True,
        ge=1,
        le=5,
    )
    customs_danger: bool = option(
        False,
        "GR-10.18",
        "Customs is a danger, so guards and Militia avoid it.",
        label="Customs is a danger",
        group=VARIANTS,
        advanced=True,
    )
    lanes_connect: bool = option(
        False,
        "GR-6.1",
        "Lanes connect cities for scouting and clearing.",
        group=VARIANTS,
        advanced=True,
    )
    max_turns: int = option(
        60,
        "GR-9.4",
        "After so many turns the race ends, even if nobody has arrived.",
        label="Maximum number of turns",
        group=RACE,
        advanced=True,
        ge=1,
        le=200,
    )
    reactions: Literal["ask", "decline", "protect"] = option(
        "ask",
        "GR-10.21",
        "What happens when a danger card can be cancelled.",
        label="Answers to danger cards",
        values={
            "ask": ("Ask everybody who can", ""),
            "decline": ("Nobody cancels", "For games that take days."),
            "protect": (
                "Guards answer by themselves",
                "Cook's free guard first, then another, else a Militia card. For games that take days.",
            ),
        },
        group=RACE,
        advanced=True,
    )

    opening_bonus: bool = option(
        False,
        "GR-8.4",
        "The opening order is paid like a later one. Going last is less of an advantage then.",
        group=VARIANTS,
        advanced=True,
        later=True,
    )

    start_money: int = rule_number(
        80,
        "GR-1.3",
        "The money that everybody begins with.",
        least=0,
        most=200,
        step=10,
        label="Money at the start",
    )
    last_money: int = rule_number(
        70,
        "GR-1.3",
        "The money that the last player in turn order begins with.",
        least=0,
        most=200,
        step=10,
        label="Money of the last player",
    )
    petrol_city: int = rule_number(
        10,
        "GR-5.2",
        "The price of a level of petrol in a city.",
        least=5,
        most=50,
        step=5,
        label="Petrol in a city, in F",
    )
    petrol_road: int = rule_number(
        20,
        "GR-5.2",
        "The price of a level of petrol outside the cities.",
        least=5,
        most=100,
        step=5,
        label="Petrol elsewhere, in F",
    )
    part_city: int = rule_number(
        20,
        "GR-6.3",
        "The price of a level of engine or chassis in a city.",
        least=5,
        most=100,
        step=5,
        label="Repair in a city, in F",
    )
    part_road: int = rule_number(
        40,
        "GR-6.3",
        "The price of a level of engine or chassis outside the cities.",
        least=5,
        most=100,
        step=5,
        label="Repair elsewhere, in F",
    )
    funding_1: int = rule_number(
        10,
        "GR-6.7",
        "What a single assistant on Funding brings.",
        least=0,
        most=200,
        step=10,
        label="Funding by 1",
    )
    funding_2: int = rule_number(
        20,
        "GR-6.7",
        "What two assistants on Funding bring.",
        least=0,
        most=200,
        step=10,
        label="Funding by 2",
    )
    funding_3: int = rule_number(
        40,
        "GR-6.7",
        "What three assistants on Funding bring.",
        least=0,
        most=200,
        step=10,
        label="Funding by 3",
    )
    funding_4: int = rule_number(
        70,
        "GR-6.7",
        "What four assistants on Funding bring.",
        least=0,
        most=200,
        step=10,
        label="Funding by 4",
    )
    funding_5: int = rule_number(
        110,
        "GR-6.7",
        "What five or six assistants on Funding bring.",
        least=0,
        most=200,
        step=10,
        label="Funding by 5",
    )
    danger_damage: int = rule_number(
        2,
        "GR-7.3",
        "The damage of a danger that is not avoided.",
        least=0,
        most=4,
        label="Damage of a danger",
    )
    transport_worth: int = rule_number(
        50,
        "GR-7.9",
        "What a Transport card takes off the fare of a lane.",
        least=10,
        most=100,
        step=10,
        label="Francs of a Transport",
    )
    bonus_first: int = rule_number(
        20,
        "GR-8.2",
        "What the first in the new turn order gets.",
        least=0,
        most=60,
        step=10,
        label="Bonus of the first",
    )
    bonus_second: int = rule_number(
        10,
        "GR-8.2",
        "What the second of three or more in the new turn order gets.",
        least=0,
        most=60,
        step=10,
        label="Bonus of the second",
    )
    arrival_first: int = rule_number(
        5, "GR-9.3", "The prestige for arriving first.", least=0, most=9, label="Prestige for arriving first"
    )
    arrival_second: int = rule_number(
        3,
        "GR-9.3",
        "The prestige for arriving second.",
        least=0,
        most=9,
        label="Prestige for arriving second",
    )
    arrival_third: int = rule_number(
        1, "GR-9.3", "The prestige for arriving third.", least=0, most=9, label="Prestige for arriving third"
    )
    level_points: int = rule_number(
        1,
        "GR-9.3",
        "The prestige for each level of engine and chassis at the end.",
        least=0,
        most=3,
        label="Prestige of a level",
    )
    francs_a_point: int = rule_number(
        50,
        "GR-9.3",
        "So much money is a point of prestige at the end.",
        least=10,
        most=200,
        step=10,
        label="Francs for a point",
    )
    saboteur: int = rule_number(
        2, "GR-10.2", "How many levels a Saboteur takes.", least=1, most=4, label="Levels of a Saboteur"
    )
    financial: int = rule_number(
        30, "GR-10.8", "What a Financial brings.", least=10, most=100, step=10, label="Francs of a Financial"
    )
    jerrycan: int = rule_number(
        1,
        "GR-10.10",
        "How many levels of petrol a Jerrycan adds.",
        least=1,
        most=3,
        label="Petrol of a Jerrycan",
    )
    refueling: int = rule_number(
        5,
        "GR-10.11",
        "How many levels of petrol a Refueling Station adds.",
        least=1,
        most=8,
        label="Petrol of a Refueling Station",
    )
    toolbox: int = rule_number(
        3, "GR-10.14", "How many levels a Toolbox repairs.", least=1, most=6, label="Levels of a Toolbox"
    )
    ransom: int = rule_number(
        20, "GR-10.16", "What a Ransom takes.", least=10, most=100, step=10, label="Francs of a Ransom"
    )
    customs: int = rule_number(
        2,
        "GR-10.18",
        "How many cards Customs makes a rival discard.",
        least=1,
        most=4,
        label="Cards of Customs",
    )
    theft_price: int = rule_number(
        20,
        "GR-11.5",
        "What it costs to keep a card from Red Kate.",
        least=10,
        most=100,
        step=10,
        label="Price of a theft",
    )

    @field_validator("map")
    @classmethod
    def _map(cls, text: str) -> str:
        return word(text)

    @field_validator("finish")
    @classmethod
    def _finish(cls, text: str) -> str:
        return text.lower() if text.lower() == LOT else text.upper()

    @model_validator(mode="after")
    def _ends(self) -> Self:
        """GR-1.7 the finish is a middle city of the map."""
        middle = middle_cities(read_map(self.map))
        if self.finish != LOT and self.finish not in middle:
            written = _("finish={finish}: write {choices} (GR-1.7)").format(
                finish=brief(self.finish), choices=either((LOT, *middle))
            )
            raise BadValue(
                _(
                    "“{finish}” is no middle city of this map: choose one of its own, or by lot (GR-1.7)"
                ).format(finish=brief(self.finish)),
                write=written,
                about="finish",
            )
        return self


def middle_cities(map: Map) -> tuple[str, ...]:
    """GR-1.7 the codes of a half map's middle cities; empty on a full map."""
    return next((end for end in (map.west, map.east) if len(end) > 1), ())


# Decisions in a race of four Clubs: scripts/balance.py counts them, docs/great-race.md has the table
DECISIONS = {
    "usa-west": 271,
    "usa-east": 271,
    "asia-west": 272,
    "asia-east": 292,
    "usa": 582,
    "asia": 668,
}
PRESETS = (
    Preset(
        "short",
        mark("A short race"),
        mark("Half of the USA: from San Francisco to a middle city."),
        minutes(DECISIONS["usa-west"]),
        "map=usa-west",
    ),
    Preset(
        "leaders",
        mark("A short race with leaders"),
        mark("Half of Asia, from Beirut to a middle city, and everybody has a leader with a power."),
        minutes(278),
        "map=asia-west leaders=yes",
    ),
    Preset(
        "crossing",
        mark("The full crossing"),
        mark("From San Francisco to New York."),
        minutes(DECISIONS["usa"]),
        "map=usa",
    ),
    Preset(
        "crossing-leaders",
        mark("The full crossing with leaders"),
        mark("From Beirut to Beijing, and everybody has a leader with a power."),
        minutes(665),
        "map=asia leaders=yes",
    ),
)

TITLE = Title(
    name="great_race",
    label="The Great Race",
    tagline="Half-tracks across unknown land: scout, repair, drive, and mind the petrol.",
    package="paddock.games.great_race",
    revision=1,
    round_name="race",
    player_name="player",
    seat_name="player",
    options=Options,
    kernel=(
        "rules.state",
        "rules.hands",
        "rules.crew",
        "rules.resources",
        "rules.land",
        "rules.scouting",
        "rules.driving",
        "rules.repair",
        "rules.effects",
        "rules.bivouac",
        "rules.lots",
        "rules.ending",
        "rules.convoy",
        "rules.rules",
    ),
    policy=("bots.outlook", "bots.policy", "bots.estimate"),
    presets=PRESETS,
)
