"""The oracle's own sanity: small races and positions worked out by hand from the clauses."""

from __future__ import annotations

import random

import pytest

from .lacorsa import SUIT, Race, value_of

Play = tuple[int, str]


def dealt(hands: list[list[str]], extra_suits: int = 0, double_redline: str = "refused") -> Race:
    """Return a race at qualifying with these hands."""
    race = Race(len(hands), extra_suits, double_redline)
    for hand in hands:
        for card in hand:
            race.take(card)
    return race


def play(race: Race, *plays: Play) -> None:
    """Make the plays in turn."""
    for car, move in plays:
        race.play(car, move)


def same(cars: int, *hand: str) -> dict[int, list[str]]:
    """Return the same hand for each car."""
    return {car: list(hand) for car in range(cars)}


def test_lc_1_2_deal_is_one_card_at_a_time_car_by_car() -> None:
    race = Race(4)
    assert race.chance() == dict.fromkeys(SUIT, 4)
    assert race.deciders() == set() and race.lap() == 0 and race.turn() is None and race.road() == []
    race.take("12")
    race.take("12")
    assert race.chance()["12"] == 2 and race.chance()["R"] == 4
    assert race.hand(0) == ["12", "12"] and race.hand(1) == []
    race.take("12")
    race.take("12")
    assert "12" not in race.chance()
    with pytest.raises(ValueError):
        race.take("12")


def test_lc_1_3_extra_suits_are_set_aside() -> None:
    race = dealt([SUIT] * 4, extra_suits=2)
    assert race.chance() == {}
    assert race.deciders() == {0, 1, 2, 3}
    assert race.discard_counts() == {}


def test_lc_3_1_and_5_1_values() -> None:
    assert [value_of(play) for play in ("R", "1", "12", "1+R", "12+R", "R+R")] == [0, 1, 12, 3, 14, 0]


def test_lc_3_qualifying_is_simultaneous_and_orders_the_grid() -> None:
    race = dealt([SUIT] * 4)
    play(race, (2, "12"))
    assert race.deciders() == {0, 1, 3} and race.legal(2) == set()
    assert len(race.hand(2)) == 13 and race.discard_counts() == {}  # not revealed yet
    with pytest.raises(ValueError):
        race.play(2, "11")
    play(race, (0, "R"), (3, "11+R"), (1, "1"))  # 0, 13, 1, and car 2's 12
    assert race.chance() == {}
    assert race.road() == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert race.discard_counts() == {"R": 2, "11": 1, "12": 1, "1": 1}
    assert race.lap() == 1 and race.turn() == (0, 0)
    assert race.deciders() == {0, 1}  # LC-4.3: the last car must challenge
    assert len(race.hand(3)) == 11


def test_lc_3_4_one_lot_for_each_tied_place() -> None:
    race = dealt([SUIT] * 6)
    # 12 is 10 with a Redline; 4 and 4 tie too.
    play(race, (0, "12"), (1, "4"), (2, "10+R"), (3, "5"), (4, "4"), (5, "12"))
    assert race.chance() == {"car 0": 1, "car 2": 1, "car 5": 1}
    assert race.road() == [] and race.lap() == 0 and race.deciders() == set()
    race.take("car 5")
    assert race.chance() == {"car 0": 1, "car 2": 1}
    race.take("car 0")  # car 2 is third, car 3 fourth, and the next tie is due
    assert race.chance() == {"car 1": 1, "car 4": 1}
    with pytest.raises(ValueError):
        race.take("car 2")
    race.take("car 1")
    assert [car for car, _ in race.road()] == [4, 1, 3, 2, 0, 5]
    assert race.turn() == (4, 0)


def test_lc_3_5_two_redlines() -> None:
    redlines = ["R", "R", *["7"] * 11]
    plain = ["5"] * 13
    assert dealt([redlines, plain], extra_suits=20).legal(0) == {"R", "7", "7+R"}
    race = dealt([redlines, plain], extra_suits=20, double_redline="void")
    assert race.legal(0) == {"R", "7", "7+R", "R+R"}
    play(race, (0, "R+R"), (1, "5"))
    assert race.road() == [(0, 0), (1, 0)]
    assert race.discard_counts() == {"R": 2, "5": 1} and race.hand(0) == ["7"] * 11


def test_lc_3_5_two_redlines_are_never_a_discard() -> None:
    race = dealt([["R"] * 4 + ["7"] * 9, ["5"] * 13], extra_suits=20, double_redline="void")
    play(race, (0, "7"), (1, "5"))
    play(race, (1, "5"), (0, "R+R"))  # 5 beats 0: car 1 passes and leads
    assert race.turn() == (1, 1)
    play(race, (1, "x5"), (0, "7"), (1, "5"))  # lap 2: car 0 passes and leads
    assert race.turn() == (0, 1)
    assert race.legal(0) == {"xR", "x7", "x7+R"}


def test_a_whole_race_of_two_cars() -> None:
    """One suit each: twelve cards after a plain qualifying, eight laps, car 0 ahead."""
    race = dealt([SUIT, SUIT])
    play(race, (0, "12+R"), (1, "R"))
    assert race.road() == [(1, 0), (0, 0)]
    # Lap 1: car 1 passes and extends; car 0, passed, has no turn (LC-4.2).
    play(race, (1, "12"), (0, "1"))
    assert race.turn() == (1, 1) and race.road() == [(0, 0), (1, 0)]
    assert race.legal(1) == {"^1", "^2", *[f"x{rank}" for rank in range(1, 12)]}  # no ^3: LC-6.7
    play(race, (1, "^1"))
    assert race.lap() == 2 and race.turn() == (0, 0) and race.road() == [(0, 1), (1, 0)]
    # Lap 2: both extend.
    assert "^3" in race.legal(0)
    play(race, (0, "^3"))
    assert race.turn() == (1, 0) and race.road() == [(0, 0), (1, 0)]
    play(race, (1, "^2"))
    assert race.road() == [(0, 1), (1, 0)]
    # Lap 3: car 0 closes up, the leader has only a 3 left of its Extend cards and must discard.
    play(race, (0, "^2"))
    assert race.legal(1) == {f"x{rank}" for rank in range(3, 12)}
    play(race, (1, "x3"))
    assert race.road() == [(0, 0), (1, 0)]
    # Lap 4: a tie goes to the defender, who then takes its own turn (LC-5.2, LC-5.3).
    play(race, (0, "4"), (1, "4"))
    assert race.turn() == (1, 0) and race.deciders() == {1}
    play(race, (1, "x5"))
    # Laps 5 to 7: each time the one behind passes, leads and discards.
    play(race, (0, "11"), (1, "6"), (0, "x5"))
    assert race.road() == [(1, 0), (0, 0)]
    play(race, (1, "11"), (0, "6"), (1, "x7"))
    play(race, (0, "10"), (1, "8"), (0, "x7"))
    assert race.lap() == 8 and race.hand(0) == ["8", "9"] and race.hand(1) == ["10", "9"]
    # Lap 8: a tie again, and car 0 plays its last card in its own turn.
    play(race, (1, "9"), (0, "9"))
    assert not race.over() and race.places() == {} and race.scores() == {}
    play(race, (0, "x8"))
    assert race.over() and race.lap() == 8 and race.turn() is None and race.deciders() == set()
    assert race.places() == {0: 1, 1: 2} and race.scores() == {0: 9, 1: 6}
    assert race.hand(1) == ["10"] and race.legal(1) == set()


def test_lc_4_1_two_passes_end_the_turn_and_the_passed_have_none() -> None:
    race = Race.at({0: 1, 1: 2, 2: 3, 3: 4}, same(4, "12", "5", "4", "4"))
    play(race, (0, "12"), (1, "4"))
    assert race.turn() == (0, 1) and race.deciders() == {0, 2}
    play(race, (0, "5"), (2, "4"))
    # Car 0 has passed 1 and 2 and stands behind 3: no third challenge; 1 and 2 have no turn in this lap.
    assert [car for car, _ in race.road()] == [1, 2, 0, 3]
    assert race.turn() == (3, 0) and race.deciders() == {3}
    play(race, (3, "x4"))
    assert race.lap() == 2 and race.turn() == (1, 0) and race.deciders() == {1, 2}


def test_lc_5_4_second_pass_into_an_empty_space_neither_extends_nor_discards() -> None:
    race = Race.at({0: 1, 1: 2, 2: 3}, same(3, "12", "11", "1", "1"))
    play(race, (0, "12"), (1, "1"), (0, "11"), (2, "1"))
    # Car 0 leads after two passes: the leader's turn is over, so the lap is.
    assert race.lap() == 2 and race.turn() == (1, 0)
    assert race.hand(0) == ["1", "1"] and race.road() == [(1, 0), (2, 0), (0, 0)]


def test_lc_5_3_the_defender_that_held_takes_its_turn() -> None:
    race = Race.at({0: 1, 1: 2, 2: 3}, same(3, "9", "8", "7", "6"))
    play(race, (0, "8"), (1, "9"))
    assert race.turn() == (1, 0) and race.deciders() == {1, 2}
    play(race, (1, "8"), (2, "8"))
    assert race.turn() == (2, 0) and race.legal(2) == {"x9", "x7", "x6"}


def test_lc_5_4_after_a_pass_a_gap_asks_for_an_extend_or_a_discard() -> None:
    race = Race.at({0: 1, 1: 2, 2: 4}, same(3, "9", "3", "R", "6"))
    play(race, (0, "9"), (1, "3"))
    assert race.turn() == (0, 1) and race.deciders() == {0}
    assert race.legal(0) == {"^3", "x3", "xR", "x6", "x3+R", "x6+R"}
    with pytest.raises(ValueError):
        race.play(0, "^3+R")  # LC-6.4
    play(race, (0, "^3"))
    # LC-6.5: now directly behind car 2, but the turn is over; the passed car 1 has none.
    assert race.road() == [(1, 1), (0, 0), (2, 0)] and race.turn() == (2, 0)
    assert race.legal(2) == {"x9", "x3", "xR", "x6", "x9+R", "x3+R", "x6+R"}  # LC-6.2


def test_lc_6_3_a_discard_with_a_redline_is_two_cards() -> None:
    race = Race.at({0: 1, 1: 3}, {0: ["R", "1", "5"], 1: ["5", "6"]})
    play(race, (0, "x1+R"))
    assert race.hand(0) == ["5"] and race.discard_counts() == {"R": 1, "1": 1}
    assert race.road() == [(0, 1), (1, 0)]


def test_lc_6_3_the_only_card_left_is_a_redline() -> None:
    race = Race.at({0: 1, 1: 3}, {0: ["R"], 1: ["5", "6"]})
    assert race.legal(0) == {"xR"}
    play(race, (0, "xR"))
    assert not race.over() and race.turn() == (1, 0)
    play(race, (1, "x5"))
    assert race.over() and race.places() == {0: 2, 1: 1}


def test_lc_4_4_a_pass_with_the_last_card_ends_the_turn() -> None:
    race = Race.at({0: 1, 1: 2, 2: 3}, {0: ["12"], 1: ["5", "6"], 2: ["7", "8"]})
    play(race, (0, "12"), (1, "5"))
    # Car 0 stands directly behind 2 without a card: the turn goes to 2, never back to the passed 1.
    assert race.turn() == (2, 0) and race.deciders() == {2}
    play(race, (2, "x7"))
    assert race.over() and race.lap() == 1
    assert race.places() == {1: 3, 0: 2, 2: 1} and race.scores() == {1: 4, 0: 6, 2: 9}
    assert race.hand(1) == ["6"]


def test_lc_4_4_a_pass_into_the_lead_with_the_last_card_ends_the_race() -> None:
    race = Race.at({0: 1, 1: 2}, {0: ["12"], 1: ["5", "6"]})
    play(race, (0, "12"), (1, "5"))
    assert race.over() and race.places() == {0: 1, 1: 2}


def test_lc_4_4_the_last_card_spent_in_defence_leaves_no_turn() -> None:
    race = Race.at({0: 1, 1: 2, 2: 3}, {0: ["4", "4"], 1: ["5"], 2: ["1", "8"]})
    play(race, (0, "4"), (1, "5"))
    assert race.turn() == (2, 0) and race.deciders() == {2}
    play(race, (2, "^1"))  # the last lap is raced to its end (LC-7.1)
    assert race.over() and race.road() == [(0, 0), (1, 1), (2, 0)]


def test_lc_4_4_the_leader_spends_its_last_card_in_defence() -> None:
    race = Race.at({0: 1, 1: 2}, {0: ["4", "4"], 1: ["4"]})
    play(race, (0, "4"), (1, "4"))
    assert race.over() and race.places() == {0: 2, 1: 1}


def test_lc_7_1_the_passed_defender_runs_out_and_the_lap_goes_on() -> None:
    race = Race.at({0: 1, 1: 2, 2: 4}, {0: ["9", "2"], 1: ["5"], 2: ["8", "8"]})
    play(race, (0, "9"), (1, "5"))
    assert race.turn() == (0, 1) and race.legal(0) == {"^2", "x2"}
    play(race, (0, "^2"))
    assert not race.over()
    play(race, (2, "x8"))
    assert race.over() and race.places() == {1: 3, 0: 2, 2: 1}


def test_lc_7_2_no_points_below_the_table() -> None:
    race = Race(4, points=(5, 2))
    for card in SUIT * 4:
        race.take(card)
    play(race, (0, "12"), (1, "11"), (2, "10"), (3, "9"))
    while not race.over():
        car = min(race.deciders())
        race.play(car, min(race.legal(car)))
    by_place = {race.places()[car]: points for car, points in race.scores().items()}
    assert by_place == {1: 5, 2: 2, 3: 0, 4: 0}


@pytest.mark.parametrize("double_redline", ["refused", "void"])
@pytest.mark.parametrize("cars", [2, 4, 5, 6])
def test_random_races_keep_the_invariants(cars: int, double_redline: str) -> None:
    """Random races end with every assertion of the oracle held, and never last over twelve laps (LC-4.5)."""
    dice = random.Random(cars)
    for extra_suits in (0, 1, 2) * 10:
        race = Race(cars, extra_suits, double_redline)
        while not race.over():
            outcomes = race.chance()
            if outcomes:
                race.take(dice.choices(list(outcomes), list(outcomes.values()))[0])
                continue
            car = dice.choice(sorted(race.deciders()))
            race.play(car, dice.choice(sorted(race.legal(car))))
        assert race.lap() <= 12
        assert sorted(race.places().values()) == list(range(1, cars + 1))
        assert any(race.hand(car) == [] for car in range(cars))
