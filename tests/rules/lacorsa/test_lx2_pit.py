"""LX-2 The pit stop: when, what it brings, what it costs, and what all know of the hand afterwards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from paddock.games.lacorsa.rules.race import can_pit

from ..harness import draw_all, rng
from .harness import OUTCOMES, Race, on_road, qualifying
from .test_lc1_cards import PUBLIC

HAND = "3 5 8 R"
PILE = "4 4 7 12 R 1 6 9 10 11"


def race_at(road: str, car: int = 0, **options: Any) -> Race:
    """Lap 2 at the turn of ``car`` (the last one, unless told), the same four cards in each hand."""
    cars = [int(word) for word in road.split() if word != "."]
    values: dict[str, Any] = {"pit": True, "lap": 2, "discard": PILE, "turn": car} | options
    return on_road(road, values.pop("hands", dict.fromkeys(sorted(cars), HAND)), **values)


# When


def test_lx_2_0_a_stop_or_a_challenge() -> None:
    """LX-2.0 with a car directly ahead the driver says first whether it pits."""
    race = race_at("1 2")
    assert (race.phase, race.asked, race.turn) == ("pits", {1}, 1)
    assert race.legal(1) == {"pit", "stay"}
    assert race.why(1, "pit") == race.why(1, "stay") == ""
    assert race.why(1, "5") == race.why(1, "x5") == race.why(1, "^3") == "LX-2.0"
    assert race.why(1, "take-7") == "LX-2.1"
    race.run("1:stay")
    assert race.told == ["stayed 1 2"]
    assert (race.phase, race.asked) == ("challenge", {1, 2})
    assert race.legal(1) == {"3", "5", "8", "R", "3+R", "5+R", "8+R"}
    assert race.why(1, "pit") == race.why(1, "stay") == "LX-2.0"
    race.run("1:8 2:5")  # passed: the rest of the turn knows no stop
    assert (race.phase, race.turn, race.s.passes) == ("road", 1, 1)
    assert race.legal(1) == {"x3", "x5", "xR", "x3+R", "x5+R"}
    assert race.why(1, "pit") == "LX-2.0"


def test_lx_2_0_a_stop_on_a_free_road() -> None:
    """LX-2.0 one more thing to do, for the leader too."""
    race = race_at("1 . 2")
    road = {"x3", "x5", "x8", "xR", "x3+R", "x5+R", "x8+R"}
    assert race.legal(1) == road | {"^3", "pit"}
    assert (race.why(1, "pit"), race.why(1, "stay")) == ("", "LC-4.3")
    assert race.said(1, "stay") == "no car is directly ahead: extend, discard or pit"
    assert race.said(1, "5") == "no car is directly ahead: extend, discard or pit"
    race.run("1:x5")
    assert race.turn == 2
    assert race.legal(2) == road | {"pit"}


def test_lx_2_0_not_in_the_first_lap() -> None:
    """LX-2.0 from the second lap on, and then with all cars."""
    race = race_at("1 2 . 3", lap=1)
    assert (race.phase, race.asked) == ("challenge", {1, 2})
    race.run("1:5 2:5")
    assert "pit" not in race.legal(2)
    assert race.why(2, "pit") == "LX-2.0"
    race.run("2:x3 3:x3 /")
    assert (race.s.lap, race.phase, race.asked) == (2, "pits", {1})
    assert race.s.stops == 0b111


def test_lx_2_0_not_without_the_option() -> None:
    """LX-2.0 the base game knows no stop."""
    race = race_at("1 2 . 3", pit=False)
    assert race.phase == "challenge"
    race.run("1:5 2:5")
    assert "pit" not in race.legal(2)
    assert {race.why(2, move) for move in ("pit", "stay", "take-7")} == {"LX-2.0"}


def test_lx_2_0_once_a_race_and_without_playing_a_card() -> None:
    """LX-2.0 the stop is the whole turn; the car's next turns have none."""
    race = race_at("1 2 . 3", hands={1: HAND, 2: "3 5 8 8", 3: "5 6 7 9"}).run("1:pit")
    assert race.told == ["pitted 1"]
    assert (race.phase, race.asked, race.turn) == ("pit-draw", {0}, 1)
    race.take("7")
    assert (race.phase, race.asked, race.told) == ("pit-die", {0}, ["drew 1 7"])
    race.take("die 6")
    assert race.told == ["rolled 1 6", "dropped 1 0"]
    assert (race.hand(1), race.road, race.turn) == ("R 3 5 7 8", "1 2 . 3", 2)
    assert (race.s.stops, race.s.cards[:3]) == (0b110, [5, 4, 4])
    race.run("2:x3 3:x5 /")
    assert (race.s.lap, race.phase, race.asked) == (3, "challenge", {1, 2})
    race.run("1:5 2:5 2:pit").take("4").take("die 5").run("3:x6 /")
    assert race.s.stops == 0b100
    assert race.phase == "challenge"
    race.run("1:8 2:8")
    assert race.turn == 2
    assert race.why(2, "pit") == "LX-2.0"
    assert "pit" not in race.legal(2)
    race.run("2:x4")
    assert "pit" in race.legal(3)  # once for each car


def test_lx_2_0_a_defender_that_held_may_pit_in_its_own_turn() -> None:
    """LX-2.0 its turn starts after the challenge."""
    race = race_at("1 2 3").run("1:stay 1:5 2:5")
    assert (race.turn, race.phase, race.asked) == (2, "pits", {2})
    race.run("2:pit").take("R").take("die 5")
    assert (race.turn, race.hand(2)) == (3, "R R 3 8")


def test_lx_2_0_not_after_a_pass() -> None:
    """LX-2.0 having passed, a car directly ahead is challenged at once."""
    race = race_at("1 2 3").run("1:stay 1:8 2:3")
    assert (race.road, race.phase, race.asked) == ("2 1 3", "challenge", {1, 3})
    assert can_pit(race.s, race.g, 0) == 0
    assert race.said(1, "pit") == "a car can pit only at the start of its own turn"
    race.run("1:5 3:8")
    assert (race.turn, can_pit(race.s, race.g, 2), can_pit(race.s, race.g, 0)) == (3, 1, 1)


def test_lx_2_0_after_a_pass_by_the_option() -> None:
    """LX-2.0 pit_timing=turn: instead of the next challenge, too; the stop ends the turn (LX-2.4)."""
    race = race_at("1 2 3 4", late=True).run("1:stay 1:8 2:3")
    assert (race.road, race.phase, race.asked, race.s.passes) == ("2 1 3 4", "pits", {1}, 1)
    assert race.legal(1) == {"pit", "stay"}
    stays = race.copy().run("1:stay")
    assert (stays.phase, stays.asked, stays.s.passes) == ("challenge", {1, 3}, 1)
    assert stays.why(1, "pit") == "LX-2.0"
    assert stays.said(1, "pit") == "a car can pit only at the start of its own turn, or after a pass in it"
    race.run("1:pit")
    assert (race.phase, race.turn, race.s.passes) == ("pit-draw", 1, 1)
    race.take("7").take("die 3")  # back through the car that it has passed
    assert (race.road, race.turn, race.s.passes, race.phase) == ("1 2 3 4", 3, 0, "pits")


def test_lx_2_0_after_a_pass_on_a_free_road_by_the_option() -> None:
    """LX-2.0 pit_timing=turn: instead of an extend or a discard; not once two passes have ended the turn."""
    race = race_at("1 2 . 3", late=True).run("1:stay 1:8 2:3")
    assert (race.phase, race.asked, "pit" in race.legal(1)) == ("road", {1}, True)
    assert race.said(1, "5") == "no car is directly ahead: extend, discard or pit"
    race.run("1:x5")
    assert (race.turn, "pit" in race.legal(3)) == (3, True)
    race = race_at("1 2 3 . 4", late=True).run("1:stay 1:8 2:3 1:stay 1:5 3:3")
    assert (race.road, race.turn) == ("2 3 1 . 4", 4)
    race = race_at("1 2 . 3", late=True, lap=1).run("1:8 2:3")
    assert race.why(1, "pit") == "LX-2.0"  # not in the first lap
    race = race_at("1 2 . 3", late=True, hands={1: "8", 2: "3 5", 3: "5"}).run("1:stay 1:8 2:3")
    assert race.turn == 3  # LX-2.5
    race = race_at("1 2 . 3").run("1:stay 1:8 2:3")
    assert (race.why(1, "pit"), "pit" in race.legal(1)) == ("LX-2.0", False)  # without the option
    assert race.said(1, "5") == "no car is directly ahead: extend or discard"


def test_lx_2_0_once_a_race_after_a_pass_too() -> None:
    """LX-2.0 a car that has pitted is asked no more."""
    race = race_at("1 2 3", late=True).run("1:pit").take("7").take("die 6").run("2:stay 2:8 3:3 2:x3 /")
    assert (race.road, race.phase, race.asked) == ("1 3 2", "challenge", {1, 3})
    race.run("1:8 3:5")
    assert (race.phase, race.asked, race.s.passes) == ("challenge", {1, 2}, 1)


def test_lx_2_0_after_the_pass_of_a_draft_by_the_option() -> None:
    """LX-2.0, LX-5.2 it is a pass like any other; the choice after the 3 itself has no stop."""
    hands = dict.fromkeys((1, 2, 3), "3 5 8 12")
    race = race_at("1 . 2 3", hands=hands, late=True, drafting=True).run("1:^3")
    assert (race.phase, race.legal(1)) == ("draft", {"attack", "stop"})
    assert race.why(1, "pit") == "LX-2.0"
    race.run("1:attack 1:8 2:5")
    assert (race.phase, race.legal(1), race.s.passes) == ("pits", {"pit", "stay"}, 1)


# What is foreseen


def test_lc_1_4_what_is_open_on_the_road_is_foreseen() -> None:
    """LC-1.4 and so is what is done in the pits, but not what a commitment leads to: a chain ends there."""
    race = race_at("1 2 . 3", choose=True, drafting=True)
    assert [race.foreseen(1, move) for move in ("pit", "stay")] == [1, 1]
    stop = race.copy().run("1:pit")
    assert {stop.foreseen(1, move) for move in stop.legal(1)} == {1}
    race.run("1:stay")
    assert race.foreseen(1, "8") == race.foreseen(2, "8") == 0
    race.run("1:5 2:5")
    assert {race.foreseen(2, move) for move in race.legal(2)} == {1}
    race.run("2:^3")
    assert [race.foreseen(2, move) for move in ("attack", "stop")] == [1, 1]
    assert qualifying({1: "3 4", 2: "5 6"}).foreseen(1, "3") == 0


# What it brings


def test_lx_2_1_random_is_a_blind_draw_from_the_pile() -> None:
    """LX-2.1 each card of the pile as likely as another; it leaves the pile."""
    race = race_at("1 . 2").run("1:pit")
    ones = dict.fromkeys(("R", "1", "6", "7", "9", "10", "11", "12"), 1)
    assert race.outcomes() == {**ones, "4": 2}
    race.take("12")
    assert race.discard == "R 1 4 4 6 7 9 10 11"
    assert race.hand(1) == "R 3 5 8 12"
    assert race.outcomes() == {f"die {face}": 1 for face in range(1, 7)}


def test_lx_2_1_choose_is_any_card_of_the_pile() -> None:
    """LX-2.1 the driver takes it, in the open."""
    race = race_at("1 2", choose=True).run("1:pit")
    assert (race.phase, race.asked) == ("pit-draw", {1})
    assert race.legal(1) == {f"take-{card}" for card in ("R", "1", "4", "6", "7", "9", "10", "11", "12")}
    assert race.why(1, "take-4") == ""
    assert race.why(1, "take-3") == race.why(1, "x5") == race.why(1, "pit") == race.why(1, "7") == "LX-2.1"
    assert race.why(1, "stay") == "LX-2.0"
    assert [race.seen(eyes, 1, "take-R") for eyes in ({1}, {2}, set())] == ["take-R"] * 3
    race.run("1:take-R")
    assert race.told == ["drew 1 R"]
    assert (race.hand(1), race.discard) == ("R R 3 5 8", "1 4 4 6 7 9 10 11 12")
    assert (race.phase, race.asked) == ("pit-die", {0})


def test_lx_2_1_what_is_drawn_is_public() -> None:
    """LX-2.1 the card of a blind draw, and the die, are seen by everyone."""
    race = race_at("1 2").run("1:pit")
    assert [race.seen(eyes, 0, "12") for eyes in ({1}, {2}, set())] == ["12"] * 3
    race.take("12")
    assert [race.seen(eyes, 0, "die 3") for eyes in ({1}, {2}, set())] == ["die 3"] * 3
    assert [race.seen(eyes, 1, "pit") for eyes in ({1}, {2}, set())] == ["pit"] * 3


def known(race: Race, car: int) -> dict[str, int]:
    """What all know of a hand."""
    return {OUTCOMES[k]: n for k in range(13) if (n := race.s.known[car - 1, k])}


def test_lx_2_1_a_drawn_card_is_known() -> None:
    """LX-2.1 to everyone: nobody's eyes hide it, be it of a spectator."""
    race = race_at("1 2 . 3").run("1:pit").take("12").take("die 5")
    assert (known(race, 1), known(race, 2)) == ({"12": 1}, {})
    race.run("2:pit").take("4").take("die 3").run("3:x5 /")
    assert (known(race, 1), known(race, 2)) == ({"12": 1}, {"4": 1})
    for eyes in ((), (1,), (3,), (1, 2, 3)):
        seen = race.hide(*eyes)
        assert (known(seen, 1), known(seen, 2), known(seen, 3)) == ({"12": 1}, {"4": 1}, {})


def test_lx_2_1_a_known_card_is_used_up_by_one_of_its_kind() -> None:
    """LX-2.1 whichever of the two was meant, and not by another kind."""
    race = race_at("1 . 2", hands={1: "5 5 8 R", 2: "9 9 9 9"}).run("1:pit").take("4").take("die 5")
    race.run("2:x9 1:x5 2:x9")
    assert known(race, 1) == {"4": 1}
    race.run("1:x4+R 2:x9")
    assert known(race, 1) == {}
    race = race_at("1 . 2", hands={1: "5 5 8 R", 2: "9 9 9"}, discard="5 5").run("1:pit").take("5")
    race.take("die 5").run("2:x9 1:x5")
    assert (known(race, 1), race.hand(1)) == ({}, "R 5 5 8")
    race.run("2:x9 1:x5")  # none left to use up
    assert known(race, 1) == {}


@pytest.mark.parametrize(
    ("drawn", "play", "left"),
    [
        ("R", "x5+R", {}),
        ("R", "xR", {}),
        ("R", "x5", {"R": 1}),
        ("12", "x12+R", {}),
        ("1", "^1", {}),
        ("1", "^3", {"1": 1}),
        ("1", "x3+R", {"1": 1}),
    ],
)
def test_lx_2_1_used_up_on_the_road(drawn: str, play: str, left: dict[str, int]) -> None:
    """LX-2.1 by discarding and by extending, a Redline added counts too."""
    race = race_at("1 . . . 2").run("1:pit").take(drawn).take("die 5").run(f"2:x5 1:{play}")
    assert known(race, 1) == left


@pytest.mark.parametrize(("drawn", "left"), [("R", {}), ("1", {}), ("5", {"5": 1})])
def test_lx_2_1_used_up_by_a_1_with_a_redline(drawn: str, left: dict[str, int]) -> None:
    """LX-2.1 the least of the plays of two cards uses up both kinds."""
    race = race_at("1 . 2", hands={1: "1 9 R", 2: "9 9"}, discard="R 1 5").run("1:pit").take(drawn)
    assert known(race.take("die 5").run("2:x9 1:x1+R"), 1) == left


def test_lx_2_1_used_up_when_a_commitment_is_turned_up() -> None:
    """LX-2.1 not before; that of the challenger and of the defender, and two Redlines at once."""
    race = race_at("1 2 . 3").run("1:pit").take("12").take("die 5").run("2:pit").take("9").take("die 5")
    race.run("3:x5 1:12")
    assert known(race, 1) == {"12": 1}
    race.run("2:9+R")
    assert race.told[0] == "revealed 1 12 12"
    assert (known(race, 1), known(race, 2)) == ({}, {})
    race = race_at("1 2 . 3", hands=dict.fromkeys((1, 2, 3), "R 5 8"), discard="R R 7", void=True)
    race.run("1:pit").take("R").take("die 5").run("2:x5 3:x5 1:R+R 2:8")
    assert known(race, 1) == {}


def test_lx_2_1_two_known_redlines_go_together() -> None:
    """LX-2.1 with LC-3.5, a play of two uses up two."""
    race = race_at("1 2", hands={1: "5", 2: "8 9"}, discard="R R", cards=3, refill=True, void=True)
    race.run("1:pit").take("R").take("R").take("die 5")
    assert known(race, 1) == {"R": 2}
    race.run("2:x8 1:R+R 2:9")
    assert known(race, 1) == {}
    assert race.hand(1) == "5"


def test_lx_2_1_a_redeal_keeps_what_is_known() -> None:
    """LX-2.1 the known cards lie in their hand in every world, the others as chance deals them."""
    race = (
        race_at("1 . 2", hands={1: "5 6", 2: "7 8"}, aside="3 3", discard="12 12 9").run("1:pit").take("12")
    )
    race.take("die 5")
    for seed in range(60):
        new = race.redeal(2, seed=seed)
        new.check()
        assert new.hand(1).endswith("12") and len(new.hand(1).split()) == 3
        assert new.hand(2) == "7 8"
        assert new.hide(2).fields() == race.hide(2).fields()
        assert race.redeal(1, seed=seed).hand(1) == "5 6 12"
    found = Counter(race.redeal(2, seed=seed).hand(1) for seed in range(1200))
    assert {hand: round(6 * n / 1200) for hand, n in found.items()} == {
        "3 3 12": 1,
        "3 5 12": 2,
        "3 6 12": 2,
        "5 6 12": 1,
    }


def test_lx_2_1_a_redeal_leaves_the_own_hand_alone() -> None:
    """LX-2.1 of two equal cards one is known to all, and both to their driver."""
    hands = {1: "9 9", 2: "5 5 6", 3: "9 9"}
    race = race_at("1 . 2 . 3", 2, hands=hands, discard="5 7").run("2:pit").take("5").take("die 5")
    for eyes in ((2,), (2, 3), (1, 2, 3)):
        new = race.redeal(*eyes)
        new.check()
        assert new.hand(2) == "5 5 5 6"


def test_lx_2_1_a_hidden_play_may_be_a_known_card() -> None:
    """LX-2.1 a redeal commits any legal move of the hand it has dealt."""
    race = race_at("1 2", hands={1: "5", 2: "7 8 9"}, discard="12").run("1:pit").take("12").take("die 5")
    race.run("2:x7 1:5")
    found = Counter(race.redeal(2, seed=seed).s.commit[0] - 1 for seed in range(300))
    assert set(found) == {5, 12}
    assert all(110 < n < 190 for n in found.values())


def test_lx_2_2_a_refill_is_drawn_card_by_card() -> None:
    """LX-2.2, LX-2.6 up to the number dealt, and then the die."""
    race = race_at("1 2", refill=True, cards=7).run("1:pit")
    for n, card in enumerate(("4", "4", "12")):
        assert (race.phase, race.asked, race.s.cards[0]) == ("pit-draw", {0}, 4 + n)
        race.take(card)
    assert "4" not in race.discard.split()
    assert (race.phase, race.hand(1), known(race, 1)) == ("pit-die", "R 3 4 4 5 8 12", {"4": 2, "12": 1})


def test_lx_2_2_a_refill_chosen_card_by_card() -> None:
    """LX-2.6 each card as ``pit_draw`` says."""
    race = race_at("1 2", refill=True, choose=True, cards=6, discard="9 9 R").run("1:pit 1:take-9")
    assert (race.phase, race.asked, race.legal(1)) == ("pit-draw", {1}, {"take-9", "take-R"})
    race.run("1:take-9")
    assert (race.phase, race.asked, race.hand(1)) == ("pit-die", {0}, "R 3 5 8 9 9")


def test_lx_2_6_one_card_without_a_refill() -> None:
    """LX-2.6 and then the die, however many are missing."""
    race = race_at("1 2", choose=True, cards=9).run("1:pit 1:take-4")
    assert (race.phase, race.s.cards[0]) == ("pit-die", 5)


# What it costs


@pytest.mark.parametrize(
    ("road", "car", "one", "two"),
    [
        # through cars: each that is passed moves one space forward
        ("1 2 3 4", 3, "1 3 2 4", "3 1 2 4"),
        ("1 2 3 4", 4, "1 2 4 3", "1 4 2 3"),
        ("1 2 . 3", 3, "1 2 3", "1 3 2"),
        # a car, then an empty space
        ("1 . 2 3", 3, "1 . 3 2", "1 3 . 2"),
        ("1 . 2 3 . 4", 3, "1 . 3 2 . 4", "1 3 . 2 . 4"),
        # an empty space, then a car
        ("1 . 2 . 3", 2, "1 2 . . 3", "2 1 . . 3"),
        ("1 2 . 3 . . 4", 3, "1 2 3 . . . 4", "1 3 2 . . . 4"),
        # empty spaces: nobody moves
        ("1 . . 2 3", 2, "1 . 2 . 3", "1 2 . . 3"),
        ("1 . . . 2", 2, "1 . . 2", "1 . 2"),
        # behind the last car
        ("1 2 3", 1, "1 . 2 3", "1 . . 2 3"),
        ("1 . 2 3", 1, "1 . . 2 3", "1 . . . 2 3"),
        ("1 2 . 3", 2, "2 1 . 3", "2 . 1 . 3"),
    ],
)
def test_lx_2_3_the_die_costs_spaces(road: str, car: int, one: str, two: str) -> None:
    """LX-2.3 1 and 2 two spaces, 3 and 4 one, 5 and 6 none; whoever it drops through moves up."""
    before = race_at(road, car).run(f"{car}:pit").take("7")
    for face, after in ((1, two), (2, two), (3, one), (4, one), (5, road), (6, road)):
        race = before.copy().take(f"die {face}")
        assert race.road == after, face
        spaces = {1: 2, 2: 2, 3: 1, 4: 1, 5: 0, 6: 0}[face]
        assert race.told[:2] == [f"rolled {car} {face}", f"dropped {car} {spaces}"]


def test_lx_2_3_whoever_moves_up_is_told() -> None:
    """LX-2.3 the nearest first; dropping through an empty space tells of nobody."""
    race = race_at("1 2 3 4", 3).run("3:pit").take("7").take("die 1")
    assert race.told == ["rolled 3 1", "dropped 3 2", "moved_up 2", "moved_up 1"]
    race = race_at("1 . 2 3 4", 3).run("3:pit").take("7").take("die 2")
    assert race.told == ["rolled 3 2", "dropped 3 2", "moved_up 2"]


@pytest.mark.parametrize("face", range(1, 7))
def test_lx_2_4_play_goes_on_ahead_of_where_the_car_stood(face: int) -> None:
    """LX-2.4 and not behind: whoever moved up has had its turn."""
    race = race_at("1 2 3 4", 2).run("2:pit").take("7").take(f"die {face}")
    assert (race.s.lap, race.turn, race.s.passes) == (2, 3, 0)
    race = race_at("1 2 3 . 4", 3).run("3:pit").take("7").take(f"die {face}")
    assert (race.s.lap, race.turn) == (2, 4)


def test_lx_2_4_after_the_leaders_stop_the_lap_is_over() -> None:
    """LX-2.4 the next begins with the last car, which may be the one that has pitted."""
    race = race_at("1 . 2 3", 3).run("3:pit").take("7").take("die 1")
    assert race.told[-1] == "lap 3"
    assert (race.road, race.turn) == ("1 3 . 2", 1)
    race = race_at("1 2", 2).run("2:pit").take("7").take("die 3")
    assert (race.road, race.turn, race.s.lap) == ("2 1", 2, 3)
    assert (race.phase, race.asked) == ("challenge", {1, 2})  # its stop is made


# Without cards, and the last lap


def test_lx_2_5_a_car_without_cards_cannot_pit() -> None:
    """LX-2.5 LC-4.4 comes first."""
    race = race_at("1 2 . 3", hands={1: "5 6", 2: "8", 3: "9"}).run("1:stay 1:5 2:8")
    assert race.told[-1] == "skipped 2"
    assert (race.turn, race.s.stops, race.s.last) == (3, 0b111, 1)


def test_lx_2_5_a_stop_in_the_last_lap_leaves_it_the_last() -> None:
    """LX-2.5, LC-7.4 the car that pits may hold cards again, the race is over all the same."""
    race = race_at("1 2 . 3", hands={1: "5 6", 2: "8", 3: "9"}).run("1:stay 1:5 2:8 3:pit")
    race.take("7").take("die 1")
    assert (race.phase, race.s.lap, race.road) == ("over", 2, "1 3 2")
    assert race.told[-3:] == ["finished 2 1 9", "finished 3 2 6", "finished 1 3 4"]
    assert race.places == {1: 3, 2: 1, 3: 2}
    assert (race.hand(1), race.hand(3)) == ("6", "7 9")


def test_lc_4_5_only_in_the_lap_of_its_stop_a_car_plays_no_card() -> None:
    """LC-4.5 a defender holds a card in the laps before and after."""
    race = race_at("1 . 2", hands={1: "5", 2: "8 9"}, discard="7").run("1:pit").take("7").take("die 5")
    race.run("2:x8 / 1:x5 2:x9")
    assert (race.phase, race.hand(1)) == ("over", "7")


# Knowing and chance


def test_lx_2_1_the_fields_of_the_large_grid_are_public() -> None:
    """LC-1.4, LX-2.1 the stops, the retired, the drafts and what is known are hidden from nobody."""
    hands = {1: HAND, 2: "3 6 8", 3: "4 R 9", 4: "9 2"}
    race = race_at("1 2 . 3 . 4", hands=hands, incidents=True, drafting=True, one_draft=True).run("1:pit")
    race.take("12").take("die 5").run("2:^3 2:attack 2:6 3:4+R").take("die 3")
    assert race.road == "1 . 3 . 4"
    assert (race.s.stops, race.s.drafted, race.s.running, race.s.out[:4]) == (0b1110, 0b10, 3, [0, 1, 0, 0])
    assert known(race, 1) == {"12": 1}
    for eyes in ((), (2,), (1, 2, 3, 4)):
        seen = race.hide(*eyes).fields()
        for name in PUBLIC:
            assert seen[name] == race.fields()[name], name


@pytest.mark.parametrize("refill", [False, True])
def test_lx_2_6_chance_in_one_go_is_chance_step_by_step(refill: bool) -> None:
    """LX-2.6 the cards of a stop and its die, drawn at once and one by one."""
    found = set()
    for seed in range(40):
        at_once = race_at("1 2 3 4", 3, refill=refill, cards=7).run("3:pit")
        stepwise = at_once.copy()
        one, other = rng(seed), rng(seed)
        at_once.run_chance(one)
        draw_all(stepwise, other)
        assert (at_once.fields(), one) == (stepwise.fields(), other)
        assert (at_once.phase, at_once.turn) == ("road", 4)
        found.add((at_once.road, at_once.hand(3)))
    assert {road for road, _ in found} == {"1 2 3 4", "1 3 2 4", "3 1 2 4"}
    assert len(found) > 10
