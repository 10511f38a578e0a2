"""GR-10 resource cards that help their player, and Customs."""

from __future__ import annotations

from typing import Any

import pytest

from .roads import road
from .scenes import Race, scene

FIELD = """
AA .. .. .. BB
.. .. .. .. ..
"""


def test_every_kind_of_card_has_its_time() -> None:
    """GR-10 before an assistant C cards and Jerrycans are played; parts in a repair; the others not."""
    hand = "financial jerrycan militia transport guide engine-parts chassis-parts toolbox"
    race = road("track", gauge_max=8, hands={1: hand}, petrol={1: 3}, engine={1: 3}, crews={1: "0-2-0-0"})
    assert race.plays(1) == {"financial", "jerrycan"}
    assert race.run("1:drive").plays(1) == {"jerrycan"}
    race.run("1:1a, 1:halt, 1:repair")
    assert race.plays(1) == {"engine-parts", "toolbox", "jerrycan"}  # the chassis is full


# GR-10.3, GR-10.13, GR-10.14


def test_a_repairman_repairs_without_an_assistant() -> None:
    """GR-10.3 Repairman: any parts, Toolboxes and bought levels in one action; the sequence goes on."""
    race = road(engine={1: 2}, hands={1: "repairman 2*engine-parts"}, crews={1: "0-1-0-0"}).run(
        "1:play repairman"
    )
    assert race.question == (1, "mend")
    assert set(race.legal(1)) == {"play engine-parts", "buy-engine"}
    race.run("1:play engine-parts, 1:play engine-parts, 1:buy-engine")
    assert (race.engine(1), race.money(1), race.question) == (5, 60, (1, "act"))
    assert (race.crew(1), race.discard) == ("0-1-0-0", "repairman engine-parts engine-parts")


def test_a_repairman_pays_40_in_the_wild() -> None:
    """GR-10.3, GR-6.3 a bought level costs 40 F outside cities."""
    race = road("track", at={1: "1a"}, engine={1: 2}, hands={1: "repairman"})
    race.run("1:play repairman, 1:buy-engine, 1:buy-engine")
    assert (race.engine(1), race.money(1), race.legal(1)) == (4, 0, ["done"])


def test_parts_raise_their_gauge_by_one() -> None:
    """GR-10.13 Engine Parts raise the engine, Chassis Parts the chassis, by one, and nothing that is full."""
    race = road(engine={1: 3}, chassis={1: 4}, hands={1: "engine-parts 2*chassis-parts"})
    race.run("1:repair, 1:play engine-parts, 1:play chassis-parts")
    assert (race.gauges(1), race.hand(1)) == ((5, 4, 5), "chassis-parts")
    assert set(race.legal(1)) == {"buy-engine", "done"}


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("1:engine, 1:engine, 1:engine", (5, 2)),
        ("1:engine, 1:chassis, 1:engine", (4, 3)),
        ("1:chassis, 1:chassis, 1:chassis", (2, 5)),
    ],
)
def test_a_toolbox_raises_three_levels(choice: str, left: tuple[int, int]) -> None:
    """GR-10.14 a Toolbox raises three levels, split freely."""
    race = (
        road(engine={1: 2}, chassis={1: 2}, hands={1: "toolbox"}).run("1:repair, 1:play toolbox").run(choice)
    )
    assert (race.gauges(1)[1:], race.question, race.discard) == (left, (1, "mend"), "toolbox")


def test_a_toolbox_stops_at_the_maximum() -> None:
    """GR-10.14, GR-6.10 what has no room is lost."""
    race = road(engine={1: 4}, chassis={1: 4}, hands={1: "toolbox"}).run("1:repair, 1:play toolbox, 1:engine")
    assert (race.gauges(1), race.question) == ((5, 5, 5), (1, "act"))


# GR-10.4


def test_a_driver_drives_without_an_assistant() -> None:
    """GR-10.4 Driver: a drive as GR-7; the sequence goes on, and the card is spent."""
    race = road("track", "track", "track", engine={1: 2}, hands={1: "driver"}, crews={1: "0-1-0-0"})
    race.run("1:play driver, 1:1a, 1:2a")
    assert (race.at(1), race.crew(1), race.question) == ("2a", "0-1-0-0", (1, "act"))
    assert race.discard == "driver"
    assert race.run("1:drive, 1:3a").at(1) == "3a"


# GR-10.5, GR-10.10


def test_a_militia_answers_a_danger_only() -> None:
    """GR-10.5 a Militia ignores a danger on a tile or a card; there is no other time for it."""
    race = road("outlaws", hands={1: "militia"}).run("1:drive, 1:1a, 1:play militia")
    assert (race.gauges(1), race.discard) == ((4, 5, 5), "militia")
    race = road(hands={1: "saboteur", 2: "militia"}).run("1:play saboteur, 1:player 2, 1:engine, 1:engine")
    race.run("2:play militia")
    assert (race.gauges(2), race.discard) == ((5, 5, 5), "saboteur militia")


def test_a_jerrycan_is_one_level_of_petrol() -> None:
    """GR-10.10 Jerrycan: +1 petrol, while there is room, and the same question again."""
    race = road(petrol={1: 3}, hands={1: "3*jerrycan"}).run("1:play jerrycan, 1:play jerrycan")
    assert (race.petrol(1), race.hand(1), race.question) == (5, "jerrycan", (1, "act"))
    assert "play jerrycan" not in race.legal(1)


def test_a_jerrycan_is_played_in_the_turn_of_another() -> None:
    """GR-10.10 it is an any-time card: whoever is asked may play it."""
    race = road(petrol={2: 3}, hands={1: "siphoner", 2: "2*jerrycan"}).run("1:play siphoner, 1:player 2")
    assert set(race.legal(2)) == {"decline", "play jerrycan"}
    race.run("2:play jerrycan, 2:decline")
    assert (race.petrol(2), race.hand(2), race.question) == (2, "jerrycan", (1, "act"))


# GR-10.7, GR-10.8, GR-10.11, GR-10.12


def test_a_cartographer_places_three_tiles() -> None:
    """GR-10.7 FAQ: three tiles are drawn and all are placed, in the order and where the player likes."""
    race = scene(FIELD, hands={1: "cartographer"}).run("1:play cartographer, 0:track, 0:mud")
    assert (race.question, race.tiles) == ((0, "draw tile"), {})
    race.run("0:track")
    assert (race.question, set(race.legal(1))) == ((1, "place tile"), {"tile track", "tile mud"})
    race.run("1:tile mud")
    assert set(race.legal(1)) == {"0b", "1a"}
    race.run("1:1a")
    assert set(race.legal(1)) == {"0b", "1b", "2a", "2b"}
    race.run("1:0b, 1:2b")
    assert race.tiles == {"0b": "track", "1a": "mud", "2b": "track"}
    assert (race.question, race.crew(1), race.discard) == ((1, "act"), "1-2-1-1", "cartographer")


def test_a_financial_brings_30() -> None:
    """GR-10.8 Financial: 30 F."""
    race = road(hands={1: "financial"}).run("1:play financial")
    assert (race.money(1), race.discard, race.question) == (110, "financial", (1, "act"))


@pytest.mark.parametrize(("gauge_max", "petrol", "then"), [(5, 0, 5), (5, 4, 5), (8, 1, 6), (8, 5, 8)])
def test_a_refueling_station_brings_five_levels(gauge_max: int, petrol: int, then: int) -> None:
    """GR-10.11 Refueling Station: +5 petrol, to the maximum."""
    race = road(gauge_max=gauge_max, petrol={1: petrol}, hands={1: "refueling-station"})
    assert race.run("1:play refueling-station").petrol(1) == then


def test_a_refueling_station_needs_room() -> None:
    """GR-10.11, GR-5.10 with a full tank it cannot be played."""
    assert road(hands={1: "refueling-station"}).plays(1) == set()


def test_a_guide_belongs_to_a_drive() -> None:
    """GR-10.12 a Guide ignores a stop sign, also in a drive by a Driver card."""
    race = road("ford", "track", hands={1: "driver guide"})
    assert race.plays(1) == {"driver"}
    race.run("1:play driver, 1:1a, 1:play guide, 1:2a, 1:halt")
    assert (race.at(1), race.discard) == ("2a", "driver guide")


# GR-10.15, GR-10.25, GR-10.29


def test_a_tracker_keeps_two_of_three() -> None:
    """GR-10.15 Tracker: three cards are drawn, two kept, the third is discarded."""
    race = road(hands={1: "tracker"}).run("1:play tracker, 0:militia, 0:guide")
    assert race.question == (0, "draw card")
    race.run("0:militia")
    assert (race.question, set(race.legal(1))) == ((1, "keep"), {"discard militia", "discard guide"})
    race.run("1:discard militia")
    assert (race.hand(1), race.discard, race.question) == ("militia guide", "militia tracker", (1, "act"))


def test_only_the_rejected_card_of_a_tracker_is_seen() -> None:
    """GR-10.29, GR-1.10 what is rejected lies face up; what is kept only its owner sees."""
    race = road(players=3, hands={1: "tracker"}).run(
        "1:play tracker, 0:militia, 0:guide, 0:driver, 1:discard guide"
    )
    assert race.told == ["discarded 1 guide", "kept 1 militia (to [1])", "kept 1 driver (to [1])"]
    assert (race.known(1), race.hide(2).s.discard) == ("", race.s.discard)


def test_the_cards_of_a_tracker_are_kept_before_the_hand_limit() -> None:
    """GR-10.25 the two are kept first; then the whole hand obeys the chassis."""
    race = road(chassis={1: 2}, hands={1: "tracker driver"})
    race.run("1:play tracker, 0:militia, 0:guide, 0:financial, 1:discard guide")
    assert race.question == (1, "discard")
    assert set(race.legal(1)) == {"discard militia", "discard driver", "discard financial"}
    assert race.run("1:discard driver").hand(1) == "militia financial"


@pytest.mark.parametrize(
    ("deck", "drawn", "hand"),
    [("militia", ["militia"], "militia"), ("guide militia", ["guide", "militia"], "militia guide")],
)
def test_a_tracker_keeps_all_if_fewer_were_drawn(deck: str, drawn: list[str], hand: str) -> None:
    """GR-10.29 if only one or two cards are left all are kept; the Tracker is not shuffled in (GR-1.8)."""
    race = road(hands={1: "tracker"}, deck=deck).run("1:play tracker")
    for card in drawn:
        race.run(f"0:{card}")
    assert (race.hand(1), race.discard, race.question) == (hand, "tracker", (1, "act"))


def test_a_jerrycan_counts_once_it_is_kept() -> None:
    """GR-10.29 a Jerrycan among the drawn cards cannot be played before it is kept."""
    race = road(petrol={1: 3}, hands={1: "tracker"}).run("1:play tracker, 0:jerrycan, 0:guide, 0:driver")
    assert set(race.legal(1)) == {"discard jerrycan", "discard guide", "discard driver"}
    race.run("1:discard guide")
    assert "play jerrycan" in race.legal(1)
    race = road(petrol={1: 3}, hands={1: "tracker jerrycan"}).run(
        "1:play tracker, 0:guide, 0:guide, 0:driver"
    )
    assert set(race.legal(1)) == {"discard guide", "discard driver", "play jerrycan"}


# GR-10.18, GR-10.28


def test_customs_takes_two_cards_of_the_choice_of_the_target() -> None:
    """GR-10.18 Customs: the target, not the player of the card, chooses two cards to discard."""
    race = road(hands={1: "customs", 2: "2*guide militia driver"}).run("1:play customs, 1:player 2")
    assert (race.question, set(race.legal(2))) == (
        (2, "customs"),
        {"discard guide", "discard militia", "discard driver"},
    )
    race.run("2:discard guide, 2:discard driver")
    assert (race.hand(2), race.discard, race.question) == (
        "militia guide",
        "driver guide customs",
        (1, "act"),
    )


def test_customs_takes_what_is_there() -> None:
    """GR-10.18, GR-5.13 of one card it takes one; who has none cannot be the target."""
    race = road(players=3, hands={1: "customs", 2: "guide"}).run("1:play customs")
    assert race.legal(1) == ["player 2"]
    race.run("1:player 2, 2:discard guide")
    assert (race.hand(2), race.question) == ("", (1, "act"))
    assert road(players=3, hands={1: "customs"}).plays(1) == set()


def test_customs_is_no_danger() -> None:
    """GR-10.18 neither guards nor a Militia avoid Customs, unless the option ``customs_danger`` says so."""
    more = {"hands": {1: "customs", 2: "militia guide"}, "crews": {1: "0-1-0-0", 2: "0-0-1-0"}}
    race = road(**more).run("1:play customs, 1:player 2")
    assert (race.question, set(race.legal(2))) == ((2, "customs"), {"discard militia", "discard guide"})
    race = road(customs_danger=True, **more).run("1:play customs, 1:player 2")
    assert (race.question, set(race.legal(2))) == ((2, "cancel"), {"guard", "play militia", "decline"})
    assert race.copy().run("2:guard").question == (1, "act")
    race.run("2:decline, 2:discard militia, 2:discard guide")
    assert (race.hand(2), race.crew(2), race.question) == ("", "0-0-1-0", (1, "act"))


@pytest.mark.parametrize(
    ("moves", "petrol", "hand"),
    [
        ("2:discard guide, 2:discard militia", 3, "jerrycan"),
        ("2:play jerrycan, 2:discard guide, 2:discard militia", 4, ""),
        ("2:discard guide, 2:play jerrycan, 2:discard militia", 4, ""),
    ],
)
def test_a_jerrycan_before_either_card_of_customs(moves: str, petrol: int, hand: str) -> None:
    """GR-10.28 the two are discarded one after the other; a Jerrycan played before either is none of them."""
    race = road(petrol={2: 3}, hands={1: "customs", 2: "guide militia jerrycan"})
    race.run("1:play customs, 1:player 2").run(moves)
    assert (race.petrol(2), race.hand(2), race.question) == (petrol, hand, (1, "act"))


def test_a_jerrycan_may_leave_customs_nothing() -> None:
    """GR-10.28 who plays its last card, a Jerrycan, has nothing to discard."""
    race = road(petrol={2: 3}, hands={1: "customs", 2: "jerrycan"}).run("1:play customs, 1:player 2")
    race.run("2:play jerrycan")
    assert (race.petrol(2), race.hand(2), race.question) == (4, "", (1, "act"))


# GR-10.19, GR-10.24


def mapped(bag: str, drawn: str, **more: Any) -> Race:
    """A race after a Topographer has drawn these tiles of the bag."""
    race = scene(FIELD, hands={1: "topographer"}, bag=bag, **more).run("1:play topographer")
    for tile in drawn.split():
        assert race.question == (0, "draw tile")
        race.run(f"0:{tile}")
    return race


@pytest.mark.parametrize("card", ["cartographer", "topographer"])
def test_maps_need_no_pathfinder(card: str) -> None:
    """GR-10.7, GR-10.19, GR-5.9 any assistant is enough to play either card, and none is used up."""
    race = scene(FIELD, hands={1: card}, crews={1: "0-0-0-1"})
    assert race.plays(1) == {card}
    assert race.run(f"1:play {card}").crew(1) == "0-0-0-1"


def test_a_topographer_places_two_of_four() -> None:
    """GR-10.19, GR-10.24 four are drawn, two picked first, then placed; the other two leave the game."""
    race = mapped("9*track mud ford hills", "track mud ford hills")
    assert (race.question, len(race.legal(1))) == ((1, "pick tile"), 4)
    race.run("1:tile mud")
    assert (race.question, set(race.legal(1))) == (
        (1, "pick tile"),
        {"tile track", "tile ford", "tile hills"},
    )
    race.run("1:tile track")
    assert race.removed == "ford hills"
    assert (race.question, set(race.legal(1))) == ((1, "place tile"), {"tile track", "tile mud"})
    race.run("1:tile track, 1:1a, 1:2b")
    assert (race.tiles, race.removed) == ({"1a": "track", "2b": "mud"}, "ford hills")
    assert (race.question, race.discard) == ((1, "act"), "topographer")


def test_a_topographer_may_pick_two_alike() -> None:
    """GR-10.19 of tiles of one kind as many can be picked as were drawn."""
    race = mapped("2*track mud ford", "track mud ford track").run("1:tile track, 1:tile track")
    assert (race.question, race.removed) == ((1, "place"), "mud ford")
    assert race.run("1:1a, 1:0b").tiles == {"1a": "track", "0b": "track"}


def test_a_topographer_with_three_tiles_rejects_one() -> None:
    """GR-10.19, GR-1.9 of fewer tiles still two are placed."""
    race = mapped("track mud ford", "track mud ford").run("1:tile mud, 1:tile ford")
    assert race.removed == "track"
    assert race.run("1:tile mud, 1:1a, 1:2a").tiles == {"1a": "mud", "2a": "ford"}


def test_a_topographer_with_two_tiles_places_both() -> None:
    """GR-10.19, GR-1.9 of two tiles or one nothing is picked."""
    race = mapped("track mud", "track mud")
    assert race.question == (1, "place tile")
    assert mapped("track", "track").run("1:1a").tiles == {"1a": "track"}
