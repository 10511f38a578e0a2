"""LX-4 Points and LX-5 Special drafting; and three whole races, one for each way they end."""

from __future__ import annotations

from typing import Any

import pytest

from paddock.games.lacorsa.rules import rules

from .harness import Race, on_road, qualifying

HAND = "1 3 3 5 9 12"


def draft(road: str, **options: Any) -> Race:
    """A race with special drafting and the same hand for each car."""
    cars = sorted(int(word) for word in road.split() if word != ".")
    hands = options.pop("hands", dict.fromkeys(cars, HAND))
    return on_road(road, hands, **({"drafting": True} | options))


# LX-4 Points


def test_lx_4_1_points_as_ever() -> None:
    """LX-4.1 9, 6, 4, 3, 2, 1 and nothing below the sixth, of twelve cars; it tells the most there is."""
    race = qualifying({car: str(car) for car in range(1, 13)}, pit=True, incidents=True, drafting=True)
    race.run(" ".join(f"{car}:{car}" for car in range(1, 13)))
    assert race.phase == "over"
    assert race.scores == dict(zip(range(12, 0, -1), [9, 6, 4, 3, 2, 1, *[0] * 6], strict=True))
    assert race.told[-12:-10] == ["finished 12 1 9", "finished 11 2 6"]
    assert len(race.told) == 5 * 12 + 1 < rules.MAX_EVENTS


# LX-5 Special drafting


def test_lx_5_1_a_3_that_closes_up_leaves_a_choice() -> None:
    """LX-5.1 challenge the car ahead in the same turn, or stop behind it."""
    race = draft("1 . 2 3").run("1:^3")
    assert race.told == ["extended 1 3"]
    assert (race.road, race.phase, race.asked, race.turn) == ("1 2 3", "draft", {1}, 1)
    assert race.legal(1) == {"attack", "stop"}
    assert race.why(1, "attack") == race.why(1, "stop") == ""
    assert race.why(1, "5") == race.why(1, "x5") == race.why(1, "^1") == "LX-5.1"
    assert [race.seen(eyes, 1, "attack") for eyes in ({1}, {2}, set())] == ["attack"] * 3


def test_lx_5_1_attack() -> None:
    """LX-5.1 the challenge is one like any other."""
    race = draft("1 . 2 3").run("1:^3 1:attack")
    assert race.told == ["drafts 1 2"]
    assert (race.phase, race.asked, race.legal(1)) == ("challenge", {1, 2}, {"1", "3", "5", "9", "12"})
    assert race.why(1, "attack") == race.why(1, "stop") == "LX-5.1"
    race.run("1:5 2:9")
    assert (race.road, race.turn, race.s.passes) == ("1 2 3", 2, 0)  # lost: the defender's turn


def test_lx_5_1_stop() -> None:
    """LX-5.1 the turn is over, and the next is that of the car ahead."""
    race = draft("1 . 2 3").run("1:^3 1:stop")
    assert race.told == ["stopped 1 2"]
    assert (race.road, race.turn, race.phase, race.asked) == ("1 2 3", 2, "challenge", {2, 3})


def test_lx_5_1_a_1_or_a_2_leaves_none() -> None:
    """LX-5.1 a 3 alone drafts; and discarding one does not."""
    for move in ("^1", "^2", "x3", "x1"):
        race = draft("1 . 2 . 3", hands=dict.fromkeys((1, 2, 3), "1 2 3 5")).run(f"1:{move}")
        assert (race.phase, race.turn) == ("road", 2)


def test_lx_5_1_not_without_the_option() -> None:
    """LX-5.1 in the base game the turn is over (LC-6.5)."""
    race = draft("1 . 2 . 3", drafting=False)
    assert race.why(1, "attack") == race.why(1, "stop") == "LX-5.1"
    race.run("1:^3")
    assert (race.phase, race.turn) == ("road", 2)


def test_lx_5_1_the_leader_still_cannot_extend_with_a_3() -> None:
    """LX-5.1 there is nobody to draft behind (LC-6.2)."""
    race = draft("1 . 2").run("1:x5")
    assert race.why(2, "^3") == "LC-6.2"


def test_lx_5_1_passes_before_and_after_count_together() -> None:
    """LX-5.1 one before the 3 and one after it: no third challenge."""
    race = draft("1 2 . 3 4").run("1:9 2:1 1:^3")
    assert (race.phase, race.s.passes) == ("draft", 1)
    race.run("1:attack 1:12 3:1")
    assert race.told[-1] == "passed 1 3 2"
    assert (race.road, race.turn) == ("2 . 3 1 4", 4)
    assert race.s.passes == 0


def test_lx_5_2_two_passes_after_the_3() -> None:
    """LX-5.2 a challenge won goes on as LC-5.4: the next car must be challenged."""
    race = draft("1 . 2 3 4").run("1:^3 1:attack 1:9 2:1")
    assert (race.phase, race.asked, race.s.passes) == ("challenge", {1, 3}, 1)
    race.run("1:12 3:1")
    assert (race.road, race.turn, race.phase) == ("2 3 1 4", 4, "road")


def test_lx_5_2_every_3_drafts() -> None:
    """LX-5.2 a further extend with a 3 may challenge again; with the second pass the turn is over."""
    race = draft("1 . 2 . 3 . 4", hands=dict.fromkeys((1, 2, 3, 4), "3 3 3 5 9 12"))
    race.run("1:^3 1:attack 1:9 2:5 1:^3")
    assert (race.road, race.phase, race.asked, race.s.passes) == ("2 . 1 3 . 4", "draft", {1}, 1)
    stops = race.copy().run("1:stop")
    assert (stops.road, stops.turn, stops.phase) == ("2 . 1 3 . 4", 3, "road")
    race.run("1:attack 1:12 3:5")
    assert race.told[-1] == "passed 1 3 2"
    assert (race.road, race.turn, race.phase) == ("2 . 3 1 . 4", 4, "road")
    assert race.hand(1) == "3 5"
    assert race.s.drafted == 0


def test_lx_5_2_a_further_3_may_leave_a_gap_or_be_the_last_card() -> None:
    """LX-5.2 the turn is over then, with a pass to spare."""
    race = draft("1 . 2 . . 3").run("1:^3 1:attack 1:9 2:5 1:^3")
    assert (race.road, race.turn, race.phase) == ("2 . 1 . 3", 3, "road")
    race = draft("1 . 2 . 3", hands={1: "3 3 9", 2: "5 6", 3: "7"}).run("1:^3 1:attack 1:9 2:5 1:^3")
    assert (race.road, race.turn, race.s.last) == ("2 . 1 3", 3, 1)
    race = draft("1 . 2 . 3").run("1:^3 1:attack 1:9 2:5 1:^1")  # no 3, no draft
    assert (race.road, race.turn, race.phase) == ("2 . 1 3", 3, "road")


def test_lx_5_2_one_draft_by_the_option() -> None:
    """LX-5.2 one_draft: any further extend ends the turn, even a 3 that closes up with a pass to spare."""
    race = draft("3 . 1 . 2", one_draft=True).run("3:^3 3:attack 3:9 1:5 3:^3")
    assert (race.road, race.turn, race.phase) == ("1 . 3 2", 2, "road")
    race = draft("1 . 2 . 3", one_draft=True).run("1:^3 1:attack 1:9 2:5")
    assert race.legal(1) == {"^1", "^3", "x1", "x3", "x5", "x12"}
    race.run("1:^3")
    assert (race.road, race.turn, race.phase) == ("2 . 1 3", 3, "road")
    assert race.why(3, "attack") == "LX-5.1"


def test_lx_5_2_a_car_of_its_own_each() -> None:
    """LX-5.2 one_draft: that one car has drafted keeps no other from it, nor itself in the next lap."""
    race = draft("1 . 2 . 3", one_draft=True).run("1:^3 1:stop 2:^3")
    assert (race.road, race.phase, race.asked) == ("1 . 2 3", "draft", {2})
    race.run("2:stop 3:x5 / 1:^3")
    assert (race.road, race.phase, race.asked, race.s.lap) == ("1 2 3", "draft", {1}, 2)


def test_lx_5_2_a_gap_ahead_or_the_last_card_ends_the_turn() -> None:
    """LX-5.2 there is nobody to challenge, or nothing to challenge with."""
    race = draft("1 . . 2 . 3").run("1:^3")
    assert (race.road, race.turn, race.phase) == ("1 . 2 . 3", 2, "road")
    race = draft("1 . 2 . 3", hands={1: "3", 2: "5 6", 3: "5 6"}).run("1:^3")
    assert (race.turn, race.s.last, race.phase) == (2, 1, "road")


def test_lx_5_2_the_new_leader_goes_on() -> None:
    """LX-5.2 passed into the lead it must extend or discard, without a 3 (LC-6.7)."""
    race = draft("1 . 2").run("1:^3 1:attack 1:9 2:5")
    assert race.legal(1) == {"^1", "x1", "x3", "x5", "x12"}
    race.run("1:^1 /")
    assert race.road == "2 . 1"


def test_lx_5_2_the_pass_with_the_last_card() -> None:
    """LX-5.2 the turn is over (LC-4.4), and the lap the last."""
    race = draft("1 . 2 3", hands={1: "3 9", 2: "5 6", 3: "7"}).run("1:^3 1:attack 1:9 2:5")
    assert (race.road, race.turn, race.asked) == ("2 1 3", 3, {3})
    race.run("3:x7")
    assert (race.phase, race.places) == ("over", {1: 2, 2: 3, 3: 1})


def test_lx_5_1_in_the_last_lap() -> None:
    """LX-5.1 the car ahead has not played in this lap, so it holds a card (LC-4.5)."""
    race = draft("1 . 2 . 3", hands={1: "5", 2: "3 9", 3: "4"}).run("1:x5 2:^3")
    assert (race.s.last, race.phase) == (1, "draft")
    race.run("2:attack 2:9 3:4")
    assert (race.phase, race.places) == ("over", {1: 3, 2: 1, 3: 2})


def test_lx_5_1_no_stop_after_the_3() -> None:
    """LX-2.0 a stop comes at the start of the turn, or not at all."""
    race = draft("1 . 2", lap=2, pit=True, discard="7").run("1:^3")
    assert race.legal(1) == {"attack", "stop"}
    assert race.why(1, "pit") == "LX-2.0"
    race.run("1:attack")
    assert (race.phase, race.asked) == ("challenge", {1, 2})
    race.run("1:9 2:5")
    assert "pit" not in race.legal(1)


def test_lx_5_1_an_accident_in_the_draft() -> None:
    """LX-3.0 the challenge is one like any other there, too."""
    hands = dict.fromkeys((1, 2, 3, 4), "1 3 5 7 R")
    race = draft("1 2 . 3 . 4", hands=hands, incidents=True).run("1:1 2:5 2:^3 2:attack 2:7 3:5+R")
    assert (race.phase, race.road) == ("incident", "1 . 2 3 . 4")
    race.take("die 5")  # the two met on 3 and 4: car 1 from 1 to 3, they on 1 and 2
    assert (race.road, race.turn) == ("2 3 1 . . 4", 4)


# Whole races by hand


def test_lx_golden_a_race_that_ends_for_want_of_cards() -> None:
    """LC-7.1, LX-2.1, LX-5.1 five cards each, two laps: a slow stop, and a draft into the lead."""
    race = qualifying(
        {1: "12 1 9 3 5", 2: "8 1 4 10 10", 3: "6 3 11 7 12"}, pit=True, incidents=True, drafting=True
    )
    race.run("1:12 2:8 3:6")
    assert race.road == "3 2 1"
    race.run("3:11 2:4")
    assert race.road == "2 3 1"
    race.run("3:7 1:9 1:^1 /")  # held, and the leader away
    assert race.road == "2 3 . 1"
    assert race.discard == "1 4 6 7 8 9 11 12"
    race.run("2:pit").take("11").take("die 1")
    assert race.road == "2 . . 3 . 1"
    race.run("3:^3")
    assert race.road == "2 . . . 3 1"
    race.run("3:attack 3:12 1:5")  # with its last card
    assert (race.phase, race.s.lap, race.road) == ("over", 2, "2 . . . 1 3")
    assert race.places == {1: 2, 2: 3, 3: 1}
    assert race.scores == {1: 6, 2: 4, 3: 9}
    assert [race.hand(car) for car in (1, 2, 3)] == ["3", "1 10 10 11", ""]


def test_lx_golden_a_race_that_leaves_one_car() -> None:
    """LX-3.6 two accidents in two laps; the survivor of both has won with a card in hand."""
    race = qualifying({1: "12 7 R 5", 2: "9 5 R 8", 3: "4 7 R 1"}, incidents=True).run("1:12 2:9 3:4")
    assert race.road == "3 2 1"
    race.run("3:7 2:5+R").take("die 2")
    assert (race.road, race.turn) == ("3 1", 1)
    race.run("1:x7 /")
    assert (race.phase, race.asked) == ("challenge", {1, 3})
    race.run("3:R 1:R").take("die 3")
    assert race.told == ["rolled 1 3", "retired 3", "finished 1 1 9"]
    assert (race.phase, race.road, race.s.last) == ("over", "1", 0)
    assert race.places == {1: 1, 2: 0, 3: 0}
    assert race.scores == {1: 9, 2: 0, 3: 0}
    assert race.s.out[:3] == [0, 1, 2]
    assert [race.hand(car) for car in (1, 2, 3)] == ["5", "8", "1"]


def test_lx_golden_a_race_that_leaves_none() -> None:
    """LX-3.6, LX-3.9 two collisions in a lap: nobody scores, the last to retire is classified first."""
    hands = {1: "12 6 R", 2: "11 8 7", 3: "10 R 9", 4: "2 9 R"}
    race = qualifying(hands, incidents=True).run("1:12 2:11 3:10 4:2")
    assert race.road == "4 3 2 1"
    race.run("4:9+R 3:9+R").take("die 1")
    assert (race.road, race.turn, race.s.last) == ("2 1", 2, 1)
    race.run("2:8 1:6+R").take("die 1")
    assert race.told == ["rolled 1 1", "retired 2", "retired 1"]
    assert (race.phase, race.road, race.asked) == ("over", "", set())
    assert race.places == race.scores == dict.fromkeys((1, 2, 3, 4), 0)
    assert race.s.out[:4] == [4, 3, 2, 1]
    assert [race.hand(car) for car in (1, 2, 3, 4)] == ["", "7", "", ""]


@pytest.mark.parametrize("face", [4, 5])
def test_lx_3_2_nobody_gains_from_two_cars_left_that_spin(face: int) -> None:
    """LX-3.2, LX-3.3 the lap is over (LX-3.8), and the next begins as this one."""
    race = on_road("1 2", {1: "7 R 1", 2: "5 R 8 1"}, incidents=True).run("1:7 2:5+R").take(f"die {face}")
    assert (race.road, race.s.lap, race.phase, race.asked) == ("1 2", 2, "challenge", {1, 2})
