"""GR-7 driving over known land: steps, costs, dangers, stop signs, breakdowns, progress."""

from __future__ import annotations

from typing import Any

import pytest

from .roads import road
from .scenes import scene

FIELD = """
AA .. .. .. BB
.. .. .. .. ..
"""


# GR-7.1


def test_as_many_steps_as_the_engine_has_levels() -> None:
    """GR-7.1 a drive may go as many steps as the engine has levels; then the action ends."""
    race = road("track", "track", "track", "track", engine={1: 3}, crews={1: "0-2-0-0"})
    race.run("1:drive, 1:1a, 1:2a")
    assert race.question == (1, "step")
    race.run("1:3a")
    assert (race.at(1), race.question, race.crew(1)) == ("3a", (1, "act"), "0-1-0-0")


def test_the_engine_counts_as_it_was_at_the_start_of_the_action() -> None:
    """GR-7.1 damage to the engine on the way takes no step away."""
    race = road("gravel", "gravel", "track", "track", engine={1: 3})
    race.run("1:drive, 1:1a, 1:engine, 1:2a, 1:engine")
    assert (race.engine(1), race.question) == (1, (1, "step"))
    assert race.run("1:3a").question == (1, "act")
    assert race.run("1:drive, 1:4a").question == (1, "act")  # now one step


def test_steps_go_to_adjacent_spaces() -> None:
    """GR-7.1 each step goes to an adjacent space."""
    race = scene(FIELD, at={1: "2a"}, tiles={"2a": "track", "4b": "track"}, crews={1: "0-1-0-0"})
    assert set(race.run("1:drive").legal(1)) == {"1a", "2b", "3a"}
    race = scene(FIELD, at={1: "1a"}, tiles={"1a": "track"}, crews={1: "0-1-0-0"})
    assert set(race.run("1:drive").legal(1)) == {"AA", "0b", "1b", "2a", "2b"}


def test_going_back_and_stopping_early_is_allowed() -> None:
    """GR-7.1 a driver may go back, and may stop while steps are left."""
    race = road("track", "track").run("1:drive, 1:1a, 1:2a, 1:1a, 1:halt")
    assert race.told == ["halted 1"]
    assert (race.at(1), race.question) == ("1a", (1, "act"))


def test_vehicles_share_spaces() -> None:
    """GR-7.1 a vehicle may enter a space where another one is."""
    race = road("track", "track", at={2: "1a"}).run("1:drive, 1:1a")
    assert race.at(1) == race.at(2) == "1a"
    race.run("1:2a")
    assert (race.at(1), race.at(2)) == ("2a", "1a")


# GR-7.2


def test_the_trip_of_the_rulebook() -> None:
    """GR-7.2 the rulebook's example: 1 + 2 + 1 petrol and 1 damage, which the player takes on the chassis."""
    race = road("track", "hills", "track").run("1:drive, 1:1a, 1:2a")
    assert race.question == (1, "damage")
    assert set(race.legal(1)) == {"engine", "chassis"}
    race.run("1:chassis, 1:3a")
    assert race.gauges(1) == (1, 5, 4)


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("1:engine, 1:engine", (3, 5)),
        ("1:engine, 1:chassis", (4, 4)),
        ("1:chassis, 1:engine", (4, 4)),
        ("1:chassis, 1:chassis", (5, 3)),
    ],
)
def test_each_point_of_damage_is_split(choice: str, left: tuple[int, int]) -> None:
    """GR-7.2 each point of damage goes on engine or chassis as the owner chooses."""
    race = road("scree").run("1:drive, 1:1a").run(choice)
    assert race.gauges(1) == (3, *left)
    assert race.question == (1, "step")


def test_damage_without_a_choice_is_not_asked() -> None:
    """GR-7.2 where only one gauge has levels left, it takes the rest."""
    race = road("scree", "scree", chassis={1: 1}).run("1:drive, 1:1a, 1:chassis")
    assert (race.gauges(1), race.question) == ((3, 4, 0), (1, "step"))


def test_costs_are_due_on_every_entry_by_anyone() -> None:
    """GR-7.2 petrol and damage are paid again on the way back, and by another player too."""
    race = road("gravel", "track", crews={1: "0-2-0-0", 2: "0-2-0-0"})
    race.run("1:drive, 1:1a, 1:engine, 1:2a, 1:1a, 1:chassis, 1:halt")
    assert race.gauges(1) == (2, 4, 4)
    race.run("2:drive, 2:1a, 2:engine")
    assert race.gauges(2) == (4, 4, 5)


# GR-7.3


def test_a_danger_is_two_more_damage() -> None:
    """GR-7.3 without Militia and guard a danger is 2 more damage; who has neither is not asked."""
    race = road("outlaws").run("1:drive, 1:1a")
    assert race.question == (1, "damage")
    race.run("1:engine, 1:chassis")
    assert (race.gauges(1), race.question) == ((4, 4, 4), (1, "step"))
    race = road("ambush-gully").run("1:drive, 1:1a, 1:engine, 1:engine, 1:engine")
    assert (race.gauges(1), race.question) == ((4, 2, 5), (1, "step"))


def test_a_guard_avoids_the_danger_but_not_the_damage() -> None:
    """GR-7.3, GR-6.5 a guard leaves the dashboard and avoids the 2 points; the tile's own damage is taken."""
    race = road("ambush-gully", crews={1: "0-1-2-0"}).run("1:drive, 1:1a")
    assert race.question == (1, "danger")
    race.run("1:guard")
    assert (race.question, race.s.left) == ((1, "damage"), 1)
    race.run("1:engine")
    assert (race.gauges(1), race.crew(1), race.question) == ((4, 4, 5), "0-0-1-0", (1, "step"))


def test_a_militia_avoids_the_danger() -> None:
    """GR-7.3, GR-10.5 a Militia card is discarded and avoids the danger."""
    race = road("outlaws", hands={1: "militia guide"}).run("1:drive, 1:1a")
    assert set(race.legal(1)) == {"play militia", "decline"}
    race.run("1:play militia")
    assert (race.gauges(1), race.hand(1), race.discard) == ((4, 5, 5), "guide", "militia")


def test_a_hand_of_other_cards_is_asked_too() -> None:
    """GR-7.3, GR-10.21 whether the driver is asked depends on the hand's size, not on what it holds."""
    race = road("outlaws", hands={1: "guide"}).run("1:drive, 1:1a")
    assert (race.question, race.legal(1)) == ((1, "danger"), ["decline"])
    assert race.run("1:decline").question == (1, "damage")


# GR-7.4


def test_petrol_must_suffice() -> None:
    """GR-7.4 a step onto a known tile is legal only if its petrol can be paid."""
    for petrol, steps in ((1, {"AA"}), (2, {"AA", "2a"})):
        race = road("track", "mud", at={1: "1a"}, petrol={1: petrol})
        assert set(race.run("1:drive").legal(1)) == steps


def test_damage_must_not_exceed_the_levels() -> None:
    """GR-7.4 the damage must be within the levels of engine and chassis together."""
    for engine, chassis, legal in ((1, 0, False), (2, 0, True), (1, 1, True)):
        race = road("track", "scree", at={1: "1a"}, engine={1: engine}, chassis={1: chassis})
        assert ("2a" in race.run("1:drive").legal(1)) == legal
    assert race.run("1:2a, 1:engine").gauges(1) == (3, 0, 0)


def test_the_danger_counts_as_damage() -> None:
    """GR-7.4 the 2 points of a danger must be payable too."""
    for levels, legal in ((2, False), (3, True)):
        race = road("track", "ambush-gully", at={1: "1a"}, engine={1: 1}, chassis={1: levels - 1})
        assert ("2a" in race.run("1:drive").legal(1)) == legal


@pytest.mark.parametrize(
    ("crew", "hand", "way"), [("0-1-1-0", "", "guard"), ("0-1-0-0", "militia", "play militia")]
)
def test_a_guard_that_was_counted_on_must_be_used(crew: str, hand: str, way: str) -> None:
    """GR-7.4 a guard or Militia makes the step legal where the danger cannot be paid, and must be used."""
    more = {"engine": {1: 1}, "chassis": {1: 1}}
    race = road("ambush-gully", crews={1: crew}, hands={1: hand}, **more)
    race.run("1:drive, 1:1a")
    assert (race.question, race.legal(1)) == ((1, "danger"), [way])
    race.run(f"1:{way}, 1:chassis")
    assert (race.at(1), race.gauges(1)) == ("1a", (4, 1, 0))
    assert "drive" not in road("ambush-gully", crews={1: "0-1-0-0"}, **more).legal(1)


def test_a_guard_does_not_help_where_the_rest_cannot_be_paid() -> None:
    """GR-7.4 with a guard the tile's own damage and petrol must still be payable."""
    assert "drive" not in road("rebel-valley", petrol={1: 1}, crews={1: "0-1-1-0"}).legal(1)
    tiles, crew = ("track", "landslide"), {1: "0-1-1-0"}
    race = road(*tiles, at={1: "1a"}, engine={1: 1}, chassis={1: 0}, crews=crew)
    assert "2a" in race.run("1:drive").legal(1)


def test_jerrycans_are_played_before_the_step() -> None:
    """GR-7.4 a Jerrycan in the hand does not make the step legal; played before, its petrol does."""
    race = road("track", "mud", petrol={1: 2}, hands={1: "jerrycan"}).run("1:drive, 1:1a")
    assert set(race.legal(1)) == {"AA", "halt", "play jerrycan"}
    race.run("1:play jerrycan")
    assert set(race.legal(1)) == {"AA", "2a", "halt"}


# GR-7.6, GR-7.19


def test_a_stop_sign_ends_the_action() -> None:
    """GR-7.6 a stop sign ends the action, whatever the engine has left; who has no card is not asked."""
    race = road("herd-crossing", "track").run("1:drive, 1:1a")
    assert race.told[-1] == "stopped 1"
    assert (race.at(1), race.gauges(1), race.question) == ("1a", (4, 5, 5), (1, "act"))


def test_a_guide_ignores_a_stop_sign() -> None:
    """GR-7.6, GR-10.12 with a Guide the drive goes on, with the steps that are left."""
    race = road("herd-crossing", "track", "track", engine={1: 2}, hands={1: "guide"}).run("1:drive, 1:1a")
    assert (race.question, set(race.legal(1))) == ((1, "stop sign"), {"play guide", "decline"})
    race.run("1:play guide")
    assert (race.question, race.hand(1), race.discard) == ((1, "step"), "", "guide")
    race.run("1:2a")
    assert (race.at(1), race.question) == ("2a", (1, "act"))


def test_a_guide_need_not_be_played() -> None:
    """GR-7.6 its owner may also stop."""
    race = road("herd-crossing", "track", hands={1: "guide"}).run("1:drive, 1:1a, 1:decline")
    assert race.told == ["stopped 1"]
    assert (race.hand(1), race.question) == ("guide", (1, "act"))


def test_two_stop_signs_need_two_guides() -> None:
    """GR-7.6 a Guide ignores one stop sign."""
    race = road("herd-crossing", "herd-crossing", "track", hands={1: "2*guide"})
    race.run("1:drive, 1:1a, 1:play guide, 1:2a")
    assert race.question == (1, "stop sign")
    race.run("1:play guide, 1:3a")
    assert (race.at(1), race.hand(1)) == ("3a", "")


def test_every_hand_is_asked_at_a_stop_sign() -> None:
    """GR-7.19 whether the question comes depends on the hand's size, not on what it holds."""
    race = road("herd-crossing", "track", hands={1: "militia"}).run("1:drive, 1:1a")
    assert (race.question, race.legal(1)) == ((1, "stop sign"), ["decline"])


def test_a_guide_needs_a_step_that_is_left() -> None:
    """GR-7.19 with no step left nobody is asked."""
    race = road("herd-crossing", "track", engine={1: 1}, hands={1: "guide"}).run("1:drive, 1:1a")
    assert (race.question, race.hand(1)) == ((1, "act"), "guide")


def test_a_guide_needs_a_step_that_can_be_tried() -> None:
    """GR-7.19 without petrol for any step a Guide cannot be played, though its player is asked."""
    race = road("herd-crossing", "track", petrol={1: 1}, hands={1: "guide jerrycan"}).run("1:drive, 1:1a")
    assert (race.question, set(race.legal(1))) == ((1, "stop sign"), {"decline", "play jerrycan"})
    assert set(race.run("1:play jerrycan").legal(1)) == {"play guide", "decline"}


# GR-7.7


def test_a_risk_zone_takes_one_petrol_more() -> None:
    """GR-7.7 a tile in a risk zone costs 1 petrol more; the same tile beside it does not."""
    race = road("track", "track", grid="AA ## .. .. BB").run("1:drive, 1:1a")
    assert (race.told, race.petrol(1)) == (["drove 1 1a 2"], 3)
    assert race.run("1:2a").petrol(1) == 2


def test_a_risk_zone_takes_more_from_everybody_and_every_time() -> None:
    """GR-7.7, GR-7.2 also on the way back, and the petrol must be there (GR-7.4)."""
    race = road("track", "track", grid="AA ## .. .. BB", petrol={1: 4}).run("1:drive, 1:1a, 1:2a")
    assert (race.petrol(1), set(race.legal(1))) == (1, {"3a", "halt"})


def test_a_city_beside_a_risk_zone_costs_one() -> None:
    """GR-7.7 entering a city from a risk zone is not affected."""
    race = road("", "track", grid="AA .. ## BB", at={1: "2a"}).run("1:drive, 1:BB")
    assert race.petrol(1) == 4


# GR-7.10, GR-7.15


def test_a_broken_engine_ends_the_action() -> None:
    """GR-7.10 with the engine at 0 the vehicle has broken down: the action ends, though steps are left."""
    race = road("scree", "track", engine={1: 2}).run("1:drive, 1:1a, 1:engine, 1:engine")
    assert race.told[-1] == "broke down 1"
    assert (race.at(1), race.gauges(1), race.question) == ("1a", (3, 0, 5), (1, "act"))


def test_no_driving_until_repaired_and_everything_else_is_allowed() -> None:
    """GR-7.10 with the engine at 0 nobody drives, by assistant or card; all else goes on; a repair helps."""
    race = road(
        "track",
        "track",
        at={1: "1a"},
        engine={1: 0},
        petrol={1: 4},
        money={1: 100},
        crews={1: "1-2-1-1"},
        hands={1: "driver financial repairman"},
    )
    legal = set(race.legal(1))
    assert not legal & {"drive", "play driver"}
    assert {"scout", "supply", "repair", "clear", "fund", "pass", "buy 1", "play financial"} <= legal
    race.run("1:play repairman, 1:buy-engine, 1:done")
    assert {"drive", "play driver"} <= set(race.legal(1))


def test_a_chassis_at_0_keeps_driving() -> None:
    """GR-7.10 with the chassis at 0 the hand limit is 0, and driving goes on."""
    race = road("gravel", "track", chassis={1: 1}, hands={1: "guide"}).run("1:drive, 1:1a, 1:chassis")
    assert (race.chassis(1), race.question) == (0, (1, "discard"))
    race.run("1:discard guide")
    assert race.question == (1, "step")
    assert race.run("1:2a").at(1) == "2a"


def test_without_petrol_there_is_no_further_step() -> None:
    """GR-7.10 with petrol at 0 no step is left, not even into a city; the driver can only halt."""
    race = road("track", "track", petrol={1: 1}).run("1:drive, 1:1a")
    assert (race.question, race.legal(1)) == ((1, "step"), ["halt"])
    assert "drive" not in race.run("1:halt").legal(1)


def test_damage_may_break_the_engine_by_choice() -> None:
    """GR-7.15 the last engine level may go though the chassis has levels; the tile is then entered."""
    race = road("gravel", "track", engine={1: 1}).run("1:drive, 1:1a")
    assert set(race.legal(1)) == {"engine", "chassis"}
    race.run("1:engine")
    assert (race.at(1), race.gauges(1)) == ("1a", (4, 0, 5))


def test_a_broken_engine_comes_before_a_stop_sign() -> None:
    """GR-7.10, GR-7.12 a Guide does not carry a broken vehicle on: its driver is not asked."""
    race = road("warlords-gorge", "track", engine={1: 2}, hands={1: "guide"})
    race.run("1:drive, 1:1a, 1:decline, 1:engine, 1:engine")
    assert (race.told[-1], race.question, race.hand(1)) == ("broke down 1", (1, "act"), "guide")


# GR-7.11, GR-7.14, GR-7.21


def test_the_token_moves_with_the_vehicle() -> None:
    """GR-7.11 the token goes on top of those on the progress space of the vehicle, also on the way back."""
    race = road("track", "track", "track", players=3, stack=[1, 2, 3], at={1: "2a", 2: "1a", 3: "1a"})
    race.run("1:drive, 1:1a, 1:halt")
    assert race.stack == [2, 3, 1]
    race = road("track", "track", players=3, stack=[1, 3, 2], at={2: "1a", 3: "1a"})
    assert race.run("1:drive, 1:1a").stack == [3, 2, 1]


def test_arriving_later_means_going_later_in_the_next_turn() -> None:
    """GR-7.11, GR-8.1 who reached the same progress space first is ahead in the next turn's order."""
    race = road("track", "track", crews={1: "0-1-0-0", 2: "0-1-0-0"})
    race.run("1:drive, 1:1a, 1:halt, 2:drive, 2:1a, 2:2a, 2:halt")
    assert race.order == [2, 1]
    race = road("track", "track", crews={1: "0-1-0-0", 2: "0-1-0-0"})
    race.run("1:drive, 1:1a, 1:2a, 1:1a, 1:halt, 2:drive, 2:1a, 2:halt")
    assert race.order == [1, 2]


def test_a_step_within_one_progress_value_does_not_restack() -> None:
    """GR-7.14 a step to a space of the same progress leaves the token where it is in the stack."""
    tiles = {"1a": "track", "1b": "track", "2b": "track"}
    more: dict[str, Any] = {
        "tiles": tiles,
        "at": {1: "1a", 2: "1a"},
        "stack": [1, 2],
        "crews": {1: "0-1-0-0"},
    }
    race = scene(FIELD, **more).run("1:drive, 1:1b, 1:halt")
    assert (race.at(1), race.stack) == ("1b", [1, 2])
    assert scene(FIELD, **more).run("1:drive, 1:2b, 1:halt").stack == [2, 1]


def test_a_return_does_not_move_the_token() -> None:
    """GR-7.14 a vehicle that goes back from unknown land keeps its token's place in the stack."""
    race = road(petrol={1: 1}, stack=[1, 2], bag="mud").run("1:drive, 1:1a, 0:mud")
    assert (race.at(1), race.stack) == ("AA", [1, 2])


def test_leaving_and_coming_back_puts_the_token_on_top() -> None:
    """GR-7.21 who leaves a progress value and comes back to it within one action lies on top there."""
    race = road("track", "track", at={1: "1a", 2: "1a"}, stack=[1, 2]).run("1:drive, 1:2a, 1:1a, 1:halt")
    assert race.stack == [2, 1]


# GR-7.12, GR-7.13, GR-7.20


def test_the_order_on_a_tile() -> None:
    """GR-7.12 the tile is drawn; Jerrycans; the danger; the costs; the hand limit; the stop sign."""
    hand = "2*jerrycan 2*guide militia"
    race = road(petrol={1: 4}, hands={1: hand}, crews={1: "0-1-1-0"}, bag="avalanche")
    asked = [race.run(moves).question for moves in ("1:drive, 1:1a", "0:avalanche", "1:play jerrycan")]
    assert asked == [(0, "draw tile"), (1, "arrival"), (1, "arrival")]
    assert set(race.legal(1)) == {"guard", "play militia", "decline"}
    assert (race.run("1:decline").question, race.petrol(1)) == ((1, "damage"), 2)
    assert race.run("1:chassis, 1:chassis, 1:chassis").question == (1, "discard")
    race.run("1:discard militia, 1:discard guide")
    assert race.question == (1, "stop sign")
    assert set(race.legal(1)) == {"play guide", "decline", "play jerrycan"}


def test_a_guide_that_was_discarded_helps_no_more() -> None:
    """GR-7.12 a Guide must still be in the hand after the discard."""
    race = road("canyon", "track", chassis={1: 2}, hands={1: "guide militia"})
    race.run("1:drive, 1:1a, 1:chassis, 1:discard guide")
    assert (race.question, race.legal(1)) == ((1, "stop sign"), ["decline"])


def test_reactions_are_optional_on_known_land() -> None:
    """GR-7.13 where the danger can be paid the driver may keep guard and Militia."""
    race = road("outlaws", crews={1: "0-1-1-0"}, hands={1: "militia"}).run("1:drive, 1:1a")
    assert set(race.legal(1)) == {"guard", "play militia", "decline"}
    race.run("1:decline, 1:engine, 1:engine")
    assert (race.gauges(1), race.crew(1), race.hand(1)) == ((4, 3, 5), "0-0-1-0", "militia")


def test_reactions_need_the_rest_to_be_payable() -> None:
    """GR-7.13 on unknown land guard and Militia are not offered where petrol or damage is too much anyway."""
    race = road(petrol={1: 1}, crews={1: "0-1-1-0"}, hands={1: "militia jerrycan"}, bag="raiders-hills")
    race.run("1:drive, 1:1a, 0:raiders-hills")
    assert set(race.legal(1)) == {"play jerrycan", "decline"}
    assert set(race.run("1:play jerrycan").legal(1)) == {"guard", "play militia", "decline"}
    broken = {"engine": {1: 1}, "chassis": {1: 0}, "crews": {1: "0-1-1-0"}, "bag": "gravel outlaws"}
    assert set(road(**broken).run("1:drive, 1:1a, 0:outlaws").legal(1)) == {"guard", "decline"}


def test_no_reaction_without_a_danger() -> None:
    """GR-7.13 there is nothing to avoid on a tile without a danger."""
    race = road(crews={1: "0-1-1-0"}, hands={1: "militia"}, bag="gravel").run("1:drive, 1:1a, 0:gravel")
    assert (race.question, race.legal(1)) == ((1, "arrival"), ["decline"])
    race = road("gravel", crews={1: "0-1-1-0"}, hands={1: "militia"}).run("1:drive, 1:1a")
    assert race.question == (1, "damage")


def test_petrol_then_damage_then_the_hand_limit_once() -> None:
    """GR-7.20 the petrol is gone when the damage is asked; nothing is discarded between two points."""
    hand = "guide militia financial driver tracker"
    race = road("scree", hands={1: hand}).run("1:drive, 1:1a")
    assert (race.question, race.petrol(1)) == ((1, "damage"), 3)
    race.run("1:chassis")
    assert race.question == (1, "damage")
    race.run("1:chassis")
    assert race.question == (1, "discard")
    race.run("1:discard guide")
    assert race.question == (1, "discard")
    assert race.run("1:discard driver").question == (1, "step")


# GR-7.17


def test_the_first_step_must_be_tried() -> None:
    """GR-7.17 a drive cannot be ended before its first step."""
    race = road("track").run("1:drive")
    assert race.legal(1) == ["1a"]
    assert "halt" in race.run("1:1a").legal(1)


def test_a_driver_is_asked_also_without_petrol() -> None:
    """GR-7.17 with petrol 0 the drive has not ended: a Jerrycan may follow, and then a step."""
    race = road("track", "track", petrol={1: 1}, hands={1: "jerrycan"}).run("1:drive, 1:1a")
    assert (race.question, set(race.legal(1))) == ((1, "step"), {"halt", "play jerrycan"})
    race.run("1:play jerrycan")
    assert set(race.legal(1)) == {"AA", "2a", "halt"}
    assert race.run("1:2a").at(1) == "2a"


def test_a_driver_is_asked_also_where_no_step_can_be_tried() -> None:
    """GR-7.17 a drive ends by nothing else than its clauses say: not by neighbours that cost too much."""
    race = scene(
        "AA .. ..\n~~ ~~ BB", tiles={"1a": "mud", "2a": "mud"}, petrol={1: 3}, crews={1: "0-2-0-0"}
    ).run("1:drive, 1:1a")
    assert set(race.legal(1)) == {"AA", "BB", "halt"}
    race = road("mud", "mud", "mud", at={1: "1a"}, petrol={1: 3}).run("1:drive, 1:2a")
    assert (race.question, race.legal(1)) == ((1, "step"), ["halt"])
