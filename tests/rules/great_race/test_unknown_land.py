"""GR-7 driving onto unknown land: what is drawn, who is asked, and when the vehicle goes back."""

from __future__ import annotations

import pytest

from .roads import road

# GR-7.5


def test_the_tile_is_drawn_on_arrival_and_lies_there() -> None:
    """GR-7.5 on unknown land a tile of the bag is drawn, by its share, and lies on the space."""
    race = road(bag="3*track mud").run("1:drive, 1:1a")
    assert (race.question, race.outcomes()) == ((0, "draw tile"), {"track": 3, "mud": 1})
    race.run("0:mud")
    assert (race.at(1), race.petrol(1), race.tiles, race.bag) == ("1a", 3, {"1a": "mud"}, "track track track")


def test_driving_may_go_on() -> None:
    """GR-7.5 when it is paid the drive goes on, over known and unknown land, as far as the engine allows."""
    race = road("", "track", engine={1: 3}).run("1:drive, 1:1a, 0:gravel, 1:chassis, 1:2a")
    assert race.question == (1, "step")
    race.run("1:3a, 0:track")
    assert (race.at(1), race.gauges(1), race.question) == ("3a", (2, 3, 4), (1, "act"))


def test_what_can_be_paid_must_be_paid() -> None:
    """GR-7.5 the driver cannot go back from a tile that it can pay, even if that breaks the vehicle."""
    race = road(engine={1: 1}, chassis={1: 1}, hands={1: "guide"}).run("1:drive, 1:1a, 0:outlaws")
    assert (race.question, race.legal(1)) == ((1, "arrival"), ["decline"])
    race.run("1:decline")
    assert (race.question, race.legal(1)) == ((1, "damage"), ["engine", "chassis"])
    race.run("1:engine")
    assert (race.at(1), race.gauges(1)) == ("1a", (4, 0, 0))


@pytest.mark.parametrize(
    ("tile", "petrol", "engine", "chassis", "back"),
    [
        ("deep-sand", 2, 5, 5, True),
        ("deep-sand", 3, 5, 5, False),
        ("scree", 5, 1, 0, True),
        ("scree", 5, 1, 1, False),
        ("outlaws", 5, 1, 0, True),
        ("ambush-gully", 5, 2, 0, True),
        ("ambush-gully", 5, 2, 1, False),
    ],
)
def test_what_cannot_be_paid_sends_the_vehicle_back(
    tile: str, petrol: int, engine: int, chassis: int, back: bool
) -> None:
    """GR-7.5 without the petrol, or the levels for all damage, the vehicle goes back and pays nothing."""
    race = road(petrol={1: petrol}, engine={1: engine}, chassis={1: chassis}).run(f"1:drive, 1:1a, 0:{tile}")
    assert race.tiles == {"1a": tile}
    assert ("turned back 1 AA" in race.told) == back
    if back:
        assert (race.at(1), race.gauges(1), race.question) == ("AA", (petrol, engine, chassis), (1, "act"))
    else:
        while race.stage == "damage":
            race.run(f"1:{race.legal(1)[0]}")
        assert race.at(1) == "1a"


def test_going_back_keeps_the_earlier_steps() -> None:
    """GR-7.5 FAQ: the aborted step costs nothing and ends the action; the tile stays, earlier steps stand."""
    race = road("gravel", petrol={1: 3}, crews={1: "0-2-0-0"})
    race.run("1:drive, 1:1a, 1:chassis, 1:2a, 0:deep-sand")
    assert race.told[-1] == "turned back 1 1a"
    assert (race.at(1), race.gauges(1), race.question) == ("1a", (2, 5, 4), (1, "act"))
    assert race.tiles == {"1a": "gravel", "2a": "deep-sand"}
    assert race.crew(1) == "0-1-0-0"
    assert set(race.run("1:drive").legal(1)) == {"AA"}  # it is known land now


def test_a_jerrycan_on_arrival_pays() -> None:
    """GR-7.5 Jerrycans may be played when the tile is seen, as many as are needed."""
    race = road(petrol={1: 1}, hands={1: "2*jerrycan"}).run("1:drive, 1:1a, 0:deep-sand")
    assert (race.question, set(race.legal(1))) == ((1, "arrival"), {"decline", "play jerrycan"})
    race.run("1:play jerrycan")
    assert race.question == (1, "arrival")
    race.run("1:play jerrycan")
    assert (race.at(1), race.petrol(1), race.question) == ("1a", 0, (1, "step"))


def test_what_was_played_is_gone_also_when_the_vehicle_goes_back() -> None:
    """GR-7.5 a Jerrycan played in vain is spent, and its petrol stays in the tank."""
    race = road(petrol={1: 1}, hands={1: "jerrycan"}).run("1:drive, 1:1a, 0:deep-sand, 1:play jerrycan")
    assert race.told[-1] == "turned back 1 AA"
    assert (race.petrol(1), race.hand(1), race.discard) == (2, "", "jerrycan")


@pytest.mark.parametrize(
    ("crew", "hand", "way"), [("0-1-1-0", "", "guard"), ("0-1-0-0", "militia", "play militia")]
)
def test_a_guard_or_militia_on_arrival_avoids_the_danger(crew: str, hand: str, way: str) -> None:
    """GR-7.5 guard and Militia may be used at that moment, and save a vehicle that would have to go back."""
    more = {"engine": {1: 1}, "chassis": {1: 1}, "crews": {1: crew}, "hands": {1: hand}}
    race = road(**more).run("1:drive, 1:1a, 0:ambush-gully")
    assert set(race.legal(1)) == {way, "decline"}
    race.run(f"1:{way}, 1:chassis")
    assert (race.at(1), race.gauges(1), race.hand(1)) == ("1a", (4, 1, 0), "")


def test_the_levels_count_as_they_are_after_the_reactions() -> None:
    """GR-7.5 whether it can be paid is seen with the danger that is left after the reactions."""
    race = road(engine={1: 1}, chassis={1: 1}, crews={1: "0-1-1-0"}).run("1:drive, 1:1a, 0:ambush-gully")
    race.run("1:guard")
    assert race.question == (1, "damage")
    race = road(engine={1: 1}, chassis={1: 1}, crews={1: "0-1-1-0"}).run("1:drive, 1:1a, 0:ambush-gully")
    race.run("1:decline")
    assert race.told == ["turned back 1 AA"]
    assert race.crew(1) == "0-0-1-0"


def test_a_risk_zone_counts_on_arrival() -> None:
    """GR-7.5, GR-7.7 on unknown land too a tile in a risk zone takes 1 petrol more."""
    for petrol, place in ((1, "AA"), (2, "1a")):
        race = road(grid="AA ## .. BB", petrol={1: petrol}).run("1:drive, 1:1a, 0:track")
        assert race.at(1) == place


def test_a_stop_sign_counts_on_arrival() -> None:
    """GR-7.5, GR-7.6 a stop sign on a tile just drawn ends the action, unless a Guide is played."""
    race = road(hands={1: "guide"}).run("1:drive, 1:1a, 0:herd-crossing")
    assert (race.at(1), race.question) == ("1a", (1, "stop sign"))
    assert race.run("1:play guide").question == (1, "step")
    assert road().run("1:drive, 1:1a, 0:ford").question == (1, "act")


def test_the_next_one_finds_known_land() -> None:
    """GR-7.5 the tile stays for everybody: what sent one vehicle back is known land for the next."""
    race = road(petrol={1: 1, 2: 2}, crews={1: "0-1-0-0", 2: "0-1-0-0"}).run("1:drive, 1:1a, 0:deep-sand")
    assert race.question == (2, "act")
    assert "drive" not in race.legal(2)


# GR-7.18


@pytest.mark.parametrize(
    ("tile", "petrol", "hand", "crew", "asked"),
    [
        ("track", 5, "", "0-3-0-0", False),
        ("track", 5, "jerrycan", "0-3-0-0", False),  # the tank is full
        ("track", 4, "", "0-3-0-0", False),
        ("track", 4, "jerrycan", "0-3-0-0", True),
        ("track", 4, "guide", "0-3-0-0", True),
        ("track", 5, "", "0-3-1-0", True),
        ("outlaws", 5, "guide", "0-3-0-0", True),
        ("outlaws", 5, "", "0-3-0-0", False),
        ("outlaws", 4, "", "0-3-0-0", False),
        ("deep-sand", 1, "guide", "0-3-0-0", True),
    ],
)
def test_who_is_asked_on_an_unknown_tile(tile: str, petrol: int, hand: str, crew: str, asked: bool) -> None:
    """GR-7.18 the driver is asked by public facts: room for petrol or a danger, and a hand; or guards."""
    race = road(petrol={1: petrol}, hands={1: hand}, crews={1: crew}).run(f"1:drive, 1:1a, 0:{tile}")
    assert (race.question == (1, "arrival")) == asked


def test_being_asked_tells_nothing() -> None:
    """GR-7.18 with a hand that helps nothing the only answer is to decline."""
    race = road(petrol={1: 4}, hands={1: "2*guide"}).run("1:drive, 1:1a, 0:track")
    assert race.legal(1) == ["decline"]
    assert race.run("1:decline").at(1) == "1a"


def test_the_question_ends_with_its_reason() -> None:
    """GR-7.18 after a Jerrycan it comes again only as long as there is room for petrol and a hand."""
    race = road(petrol={1: 4}, hands={1: "2*jerrycan"}).run("1:drive, 1:1a, 0:track, 1:play jerrycan")
    assert (race.question, race.hand(1), race.petrol(1)) == ((1, "step"), "jerrycan", 4)


def test_declining_and_going_back_is_legal() -> None:
    """GR-7.18 a driver may keep its guard and its Jerrycan, and go back."""
    more = {"petrol": {1: 1}, "hands": {1: "jerrycan"}}
    race = road(**more).run("1:drive, 1:1a, 0:mud, 1:decline")
    assert (race.at(1), race.petrol(1), race.hand(1)) == ("AA", 1, "jerrycan")
    weak = {"engine": {1: 1}, "chassis": {1: 0}, "crews": {1: "0-2-1-0"}}
    race = road(**weak).run("1:drive, 1:1a, 0:outlaws, 1:decline")
    assert (race.at(1), race.crew(1), race.question) == ("AA", "0-1-1-0", (1, "act"))


def test_the_driver_is_asked_once() -> None:
    """GR-7.18, GR-7.13 after a reaction the tile is paid; nobody is asked for a second one."""
    race = road(petrol={1: 4}, crews={1: "0-1-2-0"}, hands={1: "jerrycan"}).run("1:drive, 1:1a, 0:outlaws")
    race.run("1:guard")
    assert (race.question, race.petrol(1), race.crew(1)) == ((1, "step"), 3, "0-0-1-0")
