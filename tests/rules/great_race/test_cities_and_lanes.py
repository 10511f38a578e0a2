"""GR-7 entering cities, and lanes by sea and air between them."""

from __future__ import annotations

from typing import Any

import pytest

from .roads import road
from .scenes import Race, scene

LANE = "AA .. CC .. .. BB"
LANES = ("AA CC air 100",)


def lane(*lanes: str, crew: str = "0-2-0-0", **more: Any) -> Race:
    """A race on ``LANE``; unless it says otherwise there is a lane by air from AA to CC for 100 F."""
    return scene(LANE, lanes=lanes or LANES, **{"crews": {1: crew}, **more})


# GR-7.8, GR-7.16


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_city_costs_one_petrol_ends_the_action_and_gives_cards(number: int) -> None:
    """GR-7.8 a city costs 1 petrol, ends the action, and its number of cards is drawn."""
    race = road("track", grid="AA .. CC .. BB", numbers={"CC": number}).run("1:drive, 1:1a, 1:CC")
    for _ in range(number):
        assert race.question == (0, "draw card")
        race.run("0:guide" if race.hand(1) != "guide guide" else "0:militia")
    assert (race.at(1), race.petrol(1), race.question) == ("CC", 3, (1, "act"))
    assert (race.s.cards[0], race.crew(1)) == (number, "0-2-0-0")


def test_only_the_drawer_sees_the_cards_of_a_city() -> None:
    """GR-7.8, GR-1.10 the others see how many were drawn."""
    race = road("track", grid="AA .. CC .. BB").run("1:drive, 1:1a, 1:CC, 0:militia")
    assert race.told == ["drew 1 militia (to [1])"]
    assert (race.hand(1), race.known(1)) == ("militia", "")


def test_the_hand_limit_comes_after_the_cards_of_a_city() -> None:
    """GR-7.8 FAQ: also a full hand draws; the player chooses which cards to keep, and may play a Jerrycan."""
    race = road(
        "track",
        grid="AA .. CC .. BB",
        numbers={"CC": 2},
        chassis={1: 2},
        hands={1: "guide driver"},
    ).run("1:drive, 1:1a, 1:CC, 0:jerrycan")
    assert race.question == (0, "draw card")  # both are drawn first
    race.run("0:militia")
    assert race.question == (1, "discard")
    assert set(race.legal(1)) == {f"discard {c}" for c in ("guide", "driver", "jerrycan", "militia")} | {
        "play jerrycan"
    }
    race.run("1:play jerrycan, 1:discard guide")
    assert (race.hand(1), race.discard, race.petrol(1)) == ("militia driver", "jerrycan guide", 4)
    assert race.question == (1, "act")


def test_a_city_token_replaces_the_number() -> None:
    """GR-7.8, GR-1.7 a middle city gives the number on its token."""
    grid = """
    AA .. .. CC
    .. .. .. ..
    .. .. .. DD
    """
    for number in (1, 2):
        race = scene(
            grid,
            numbers={"CC": 3},
            tokens=[number],
            finish="DD",
            at={1: "2a"},
            tiles={"2a": "track"},
            crews={1: "0-2-0-0"},
        ).run("1:drive, 1:CC")
        for _ in range(number):
            race.run("0:jerrycan")
        assert race.question == (1, "act")


def test_every_entry_draws_again_and_the_start_city_too() -> None:
    """GR-7.16 a city gives its cards at every entry, the start city as well."""
    race = road("track", at={1: "1a"}).run("1:drive, 1:AA, 0:guide, 1:drive, 1:1a, 1:AA, 0:militia")
    assert (race.hand(1), race.petrol(1)) == ("militia guide", 2)


def test_the_destination_gives_no_cards() -> None:
    """GR-7.8, GR-9.1 the destination costs 1 petrol; no cards are drawn."""
    race = road("track", grid="AA .. BB", numbers={"BB": 3}, at={1: "1a"}, crews={1: "0-1-0-0"})
    race.run("1:drive, 1:BB")
    assert (race.petrol(1), race.hand(1), race.question) == (4, "", (-1, "nothing"))


def test_a_city_needs_petrol() -> None:
    """GR-7.8, GR-7.4 the last level of petrol is enough for a city; without it the city cannot be entered."""
    race = road("track", "track", grid="AA .. .. BB", petrol={1: 2}).run("1:drive, 1:1a")
    assert "AA" in race.legal(1)
    assert "AA" not in race.run("1:2a").legal(1)


# GR-7.9


@pytest.mark.parametrize("way", ["air", "sea"])
def test_a_lane_goes_to_its_other_end_for_its_fare(way: str) -> None:
    """GR-7.9 a driver pays the lane's price and 1 petrol and draws the city's cards; the action ends."""
    race = lane(f"AA CC {way} 70", engine={1: 1}).run("1:drive, 1:CC")
    assert race.told[0] == "flew 1 CC 70"
    assert race.question == (0, "draw card")
    race.run("0:guide")
    assert (race.at(1), race.gauges(1), race.money(1)) == ("CC", (4, 1, 5), 10)
    assert (race.question, race.crew(1)) == ((1, "act"), "0-1-0-0")


def test_a_lane_leads_both_ways() -> None:
    """GR-7.9 a lane is taken from either end."""
    race = lane(at={1: "CC"}, money={1: 100}).run("1:drive, 1:AA")
    assert (race.at(1), race.money(1)) == ("AA", 0)


def test_a_lane_needs_its_fare() -> None:
    """GR-7.9 without the fare the lane cannot be taken."""
    assert lane(money={1: 99}).run("1:drive").legal(1) == ["1a"]
    assert set(lane(money={1: 100}).run("1:drive").legal(1)) == {"1a", "CC"}


def test_a_lane_needs_petrol_engine_and_a_driver() -> None:
    """GR-7.9 FAQ: it takes a driver, assistant or card; it needs 1 petrol, and engine 1."""
    rich: dict[str, Any] = {"money": {1: 100}}
    assert "drive" in lane(**rich).legal(1)
    assert "drive" not in lane(petrol={1: 0}, **rich).legal(1)
    assert "drive" not in lane(engine={1: 0}, **rich).legal(1)
    race = lane(crew="0-0-0-1", hands={1: "driver"}, **rich)
    assert not {"drive", "CC"} & set(race.legal(1))
    assert race.run("1:play driver, 1:CC").at(1) == "CC"


def test_the_last_petrol_is_enough_for_a_lane() -> None:
    """GR-7.9 a lane takes 1 petrol, however far it goes; also one that a Transport pays for."""
    race = lane(petrol={1: 1}, money={1: 100}).run("1:drive, 1:CC")
    assert (race.at(1), race.petrol(1)) == ("CC", 0)
    race = lane(petrol={1: 1}, money={1: 50}, hands={1: "transport"}).run("1:drive")
    assert "play transport" in race.legal(1)
    assert race.run("1:play transport, 1:CC").petrol(1) == 0


def test_a_lane_alone_makes_a_drive() -> None:
    """GR-7.9, GR-5.10 a lane is a step that can be tried, with the Transport cards of the hand."""
    empty: dict[str, Any] = {
        "bag": "",
        "money": {1: 50},
    }  # without tiles unknown land cannot be entered (GR-1.9)
    assert "drive" not in lane(**empty).legal(1)
    race = lane(hands={1: "transport"}, **empty).run("1:drive")
    assert race.legal(1) == ["play transport"]
    race = lane("AA CC sea 50", **empty).run("1:drive")
    assert race.legal(1) == ["CC"]


def test_a_lane_is_the_whole_action() -> None:
    """GR-7.9 only the first step of a drive may be a lane, and it is the only one."""
    race = lane("AA CC air 10", at={1: "1a"}, tiles={"1a": "track"}).run("1:drive, 1:AA, 0:guide")
    assert race.question == (1, "act")
    race.run("1:drive, 1:CC, 0:guide")
    assert (race.at(1), race.engine(1), race.told[0]) == ("CC", 5, "drew 1 guide (to [1])")
    assert race.question == (0, "deal")  # it was the last mechanic


def test_two_transports_take_off_100() -> None:
    """GR-7.9 FAQ: two Transport cards combine for a reduction of 100 F."""
    race = lane("AA CC sea 160", hands={1: "2*transport"}, money={1: 60}).run("1:drive")
    assert set(race.legal(1)) == {"1a", "play transport"}
    race.run("1:play transport")
    assert race.legal(1) == ["play transport"]
    race.run("1:play transport")
    assert race.legal(1) == ["CC"]
    race.run("1:CC")
    assert (race.money(1), race.hand(1), race.discard) == (0, "", "transport transport")


def test_a_transport_takes_off_50() -> None:
    """GR-7.9, GR-10.9 one Transport card takes off 50 F."""
    race = lane(hands={1: "transport"}, money={1: 80}).run("1:drive, 1:play transport, 1:CC")
    assert (race.money(1), race.told[0]) == (30, "flew 1 CC 50")


def test_no_change_is_given() -> None:
    """GR-7.9 FAQ: the fare is never below 0, and a card that lowers it no more cannot be played."""
    race = lane("AA CC air 60", hands={1: "3*transport"}, money={1: 5}).run("1:drive, 1:play transport")
    assert race.legal(1) == ["play transport"]
    race.run("1:play transport")
    assert race.legal(1) == ["CC"]
    race.run("1:CC")
    assert (race.money(1), race.hand(1)) == (5, "transport")


def test_a_transport_that_pays_the_whole_fare_is_enough() -> None:
    """GR-7.9 a second one would be lost, whether the fare is 50 F or less."""
    for fare in (50, 40):
        race = lane(f"AA CC air {fare}", hands={1: "2*transport"}).run("1:drive, 1:play transport")
        assert race.legal(1) == ["CC"]


def test_transports_need_a_lane_that_they_make_affordable() -> None:
    """GR-7.9, GR-5.10 a Transport card cannot be played where all of them together do not pay the lane."""
    assert lane("AA CC air 160", hands={1: "transport"}, money={1: 109}).run("1:drive").legal(1) == ["1a"]
    race = lane("AA CC air 160", hands={1: "transport"}, money={1: 110}).run("1:drive")
    assert set(race.legal(1)) == {"1a", "play transport"}
    race = lane(at={1: "1a"}, tiles={"1a": "track"}, hands={1: "transport"}, money={1: 200}).run("1:drive")
    assert set(race.legal(1)) == {"AA", "CC"}  # no city, so no lane


def test_after_a_transport_only_lanes_are_left() -> None:
    """GR-7.9 a Transport belongs to a lane: the drive cannot go over land, nor end, once one was played."""
    lanes = ("AA CC air 60", "AA BB sea 70", "BB CC sea 10")
    race = lane(*lanes, hands={1: "transport"}, money={1: 20}).run("1:drive")
    assert set(race.legal(1)) == {"1a", "play transport"}
    assert set(race.run("1:play transport").legal(1)) == {"CC", "BB"}


def test_no_transport_in_the_midst_of_a_drive() -> None:
    """GR-7.9, GR-10.9 a Transport is no convoy card, and is of no use after the first step."""
    race = lane(hands={1: "transport"}, tiles={"1a": "track"}, money={1: 200})
    assert "play transport" not in race.legal(1)
    assert set(race.run("1:drive, 1:1a").legal(1)) == {"AA", "CC", "halt"}


def test_a_lane_into_the_destination_finishes() -> None:
    """GR-7.9, GR-9.1 a vehicle may arrive by a lane; it pays the fare and 1 petrol."""
    race = lane("AA BB air 50", crew="0-1-0-0").run("1:drive, 1:BB")
    assert race.told[:2] == ["flew 1 BB 50", "arrived 1 1"]
    assert (race.petrol(1), race.money(1), race.question) == (4, 30, (-1, "nothing"))


def test_a_lane_moves_the_progress_token() -> None:
    """GR-7.9, GR-7.11 the token goes to the progress of the city."""
    race = lane(money={1: 100, 2: 100}, crew="0-1-0-0", stack=[1, 2], at={2: "CC"})
    race.run("1:drive, 1:CC, 0:guide")
    assert race.stack == [2, 1]
    assert race.order == [2, 1]
