"""GR: each number of the rules, changed alone, changes what its clause says. About 1 s."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from paddock.core.game import Game
from paddock.games.great_race.rulebook import TITLE, Options
from paddock.games.great_race.words.names import CARDS, card_effect, card_number
from paddock.kernel.source import Seeded

from .scenes import Race, fresh, scene

ROAD = "AA .. .. BB"


def road(**given: Any) -> Race:
    """The first player's sequence in the city where the race began."""
    return scene(ROAD, **given)


def begun(seat: int) -> Callable[..., int]:
    """The money at the start; the first player goes first."""
    return lambda **chosen: fresh(ROAD, **chosen).take("1").money(seat)


def petrol_paid(where: str) -> Callable[..., int]:
    def paid(**chosen: int) -> int:
        race = road(at={1: where}, tiles={"1a": "track"}, petrol={1: 1}, money={1: 200}, **chosen)
        return 200 - race.run("1:buy 1").money(1)

    return paid


def part_paid(where: str) -> Callable[..., int]:
    def paid(**chosen: int) -> int:
        race = road(at={1: where}, tiles={"1a": "track"}, engine={1: 1}, money={1: 200}, **chosen)
        return 200 - race.run("1:repair, 1:buy-engine").money(1)

    return paid


def funded(number: int) -> Callable[..., int]:
    crews = {1: f"0-0-0-{number}", 2: "0-0-0-1"}
    return lambda **chosen: road(crews=crews, **chosen).run("1:fund").money(1) - 80


def harmed(**chosen: int) -> int:
    """The levels that an outlaw's tile takes, its own damage left out."""
    race = road(tiles={"1a": "outlaws"}, crews={1: "0-2-0-0"}, **chosen).run("1:drive, 1:1a")
    while race.stage == "damage":
        race.run("1:engine" if race.engine(1) > 1 else "1:chassis")
    return 10 - race.engine(1) - race.chassis(1)


def flown(**chosen: int) -> int:
    """What one Transport takes off a fare of 100 F."""
    race = scene("AA .. BB", lanes=["AA BB air 100"], hands={1: "transport"}, money={1: 200}, **chosen)
    return 100 - (200 - race.run("1:drive, 1:play transport, 1:BB").money(1))


def ordered(place: int) -> Callable[..., int]:
    """The bonus in the maintenance; the order stays."""

    def bonus(**chosen: int) -> int:
        race = road(players=3, **chosen).run("1:pass")
        (line,) = (line for line in race.told if line.startswith(f"ordered {place} {place}"))
        return int(line.split()[-1])

    return bonus


def arrived(place: int) -> Callable[..., int]:
    """The prestige for the place alone: engines of one level, no chassis, no money."""

    def points(**chosen: int) -> int:
        nothing = dict.fromkeys((1, 2, 3), 0)
        race = scene(
            "AA .. BB",
            players=3,
            at=dict.fromkeys((1, 2, 3), "1a"),
            tiles={"1a": "track"},
            crews=dict.fromkeys((1, 2, 3), "0-1-0-0"),
            engine=dict.fromkeys((1, 2, 3), 1),
            chassis=nothing,
            money=nothing,
            level_points=0,
            **chosen,
        )
        return race.run(", ".join(f"{seat}:drive, {seat}:BB" for seat in (1, 2, 3))).scores[place]

    return points


def scored(money: int, **chosen: int) -> int:
    """The prestige of who arrives first with two levels and so much money."""
    levels, at = {1: 1}, {1: "1a"}
    crews, tiles = {1: "0-1-0-0"}, {"1a": "track"}
    race = scene(
        "AA .. BB", at=at, tiles=tiles, crews=crews, engine=levels, chassis=levels, money={1: money}, **chosen
    )
    return race.run("1:drive, 1:BB").scores[1] - 5


def sabotaged(**chosen: int) -> int:
    race = road(hands={1: "saboteur"}, engine={2: 5}, chassis={2: 0}, **chosen)
    return 5 - race.run("1:play saboteur, 1:player 2").engine(2)


def earned(**chosen: int) -> int:
    return road(hands={1: "financial"}, **chosen).run("1:play financial").money(1) - 80


def filled(card: str) -> Callable[..., int]:
    def levels(**chosen: int) -> int:
        race = road(hands={1: card}, petrol={1: 0}, gauge_max=8, **chosen)
        return race.run(f"1:play {card}").petrol(1)

    return levels


def tooled(**chosen: int) -> int:
    race = road(hands={1: "toolbox"}, engine={1: 0}, gauge_max=8, **chosen)
    return race.run("1:repair, 1:play toolbox").engine(1)


def ransomed(**chosen: int) -> int:
    race = road(hands={1: "ransom"}, money={2: 150}, **chosen).run("1:play ransom, 1:player 2")
    return 150 - race.money(2)


def searched(**chosen: int) -> int:
    race = road(hands={1: "customs", 2: "5*guide"}, **chosen).run("1:play customs, 1:player 2")
    discarded = 0
    while race.stage == "customs":
        race.run("2:discard guide")
        discarded += 1
    return discarded


def stolen(**chosen: int) -> int:
    """What Kate's victim pays to keep its card."""
    race = road(leaders=("kate", "li"), hands={2: "guide"}, money={2: 150}, **chosen)
    return 150 - race.run("1:steal, 1:player 2, 2:pay").money(2)


# Each number: what its clause makes of it, which is the number itself
MEASURES: dict[str, Callable[..., int]] = {
    "start_money": begun(1),
    "last_money": begun(2),
    "petrol_city": petrol_paid("AA"),
    "petrol_road": petrol_paid("1a"),
    "part_city": part_paid("AA"),
    "part_road": part_paid("1a"),
    **{f"funding_{number}": funded(number) for number in range(1, 6)},
    "danger_damage": harmed,
    "transport_worth": flown,
    "bonus_first": ordered(1),
    "bonus_second": ordered(2),
    "arrival_first": arrived(1),
    "arrival_second": arrived(2),
    "arrival_third": arrived(3),
    "level_points": lambda **chosen: scored(0, **chosen) // 2,
    "francs_a_point": lambda **chosen: next(money for money in range(999) if scored(money, **chosen) == 3),
    "saboteur": sabotaged,
    "financial": earned,
    "jerrycan": filled("jerrycan"),
    "refueling": filled("refueling-station"),
    "toolbox": tooled,
    "ransom": ransomed,
    "customs": searched,
    "theft_price": stolen,
}
ROWS = {row.name: row for row in Options.describe() if row.rulebook}


def test_every_number_is_measured() -> None:
    assert MEASURES.keys() == ROWS.keys()


@pytest.mark.parametrize("name", MEASURES)
def test_a_number_is_what_its_clause_makes_of_it(name: str) -> None:
    """GR-1.3, GR-5.2, GR-6.3, GR-6.7, GR-7.3, GR-7.9, GR-8.2, GR-9.3, GR-10.2, GR-10.8, GR-10.10, GR-10.11,
    GR-10.14, GR-10.16, GR-10.18, GR-11.5: the rulebook's without an option, else what the option says."""
    row, measure = ROWS[name], MEASURES[name]
    assert measure() == int(row.default)
    for number in {row.numbers[0], row.numbers[-1]}:
        assert measure(**{name: number}) == number


def test_six_assistants_bring_what_five_do() -> None:
    """GR-6.7 as in the rulebook."""
    race = road(leaders=("li", "kate"), crews={1: "0-0-0-6", 2: "0-0-0-1"}, funding_5=150)
    assert race.run("1:fund").money(1) == 230


def test_cards_say_their_numbers_in_words_and_on_their_pictures() -> None:
    """GR-10 what a card says is what the option says."""
    g = TITLE.setup_of(Options.read({"financial": 60, "toolbox": 1, "customs": 3, "transport_worth": 20}))
    says = {word: (card_effect(g, kind), card_number(g, kind)) for kind, word in enumerate(CARDS)}
    assert says["financial"] == ("brings 60 F", "60")
    assert says["toolbox"] == ("repairs 1 level", "+1")
    assert says["customs"] == ("makes a rival discard 3 cards", "")
    assert says["transport"] == ("takes 20 F off the fare of a lane", "")
    drawn = TITLE.draw.card
    assert drawn is not None
    assert drawn("financial", "30") == drawn("financial") != drawn("financial", "60")


def test_cards_of_a_race_are_drawn_with_its_numbers() -> None:
    """GR-10.8 hands, reveals and pictures draw what the cards bring in this race."""
    view = TITLE.view.view(Game(TITLE, Options.read({"financial": 60}), Seeded(1)).seen(1))
    assert TITLE.room("draw").card_in(view)("financial") == TITLE.room("draw").card("financial", "60")
