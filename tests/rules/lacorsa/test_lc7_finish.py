"""LC-7 Finish and points. The races are worked out by hand, one for each way a race can end."""

from __future__ import annotations

import pytest

import paddock
from paddock.core.errors import BadOption
from paddock.core.series import RoundResult, standings
from paddock.games.lacorsa.rulebook import Options
from paddock.games.lacorsa.rules import rules

from .harness import Race, fresh, on_road, qualifying


def ended(race: Race, road: str) -> bool:
    """The race is over with this road, from the back to the winner, and says so everywhere."""
    order = [int(word) for word in road.split() if word != "."]
    cars = len(order)
    points = (9, 6, 4, 3, 2, 1)
    expected = {car: cars - i for i, car in enumerate(order)}
    assert (race.phase, race.asked) == ("over", set())
    assert race.road == road
    assert race.places == expected
    assert race.scores == {car: points[place - 1] for car, place in expected.items()}
    assert {car: rules.place_of(race.s, race.g, car - 1) for car in expected} == expected
    finish = [f"finished {car} {place} {points[place - 1]}" for place, car in enumerate(order[::-1], 1)]
    assert race.told[-cars:] == finish
    return True


def test_lc_7_1_golden_last_card_in_a_challenge_won() -> None:
    """LC-7.1 it stands behind the next car without cards, the leader still has its turn."""
    race = on_road("1 2 3", {1: "9", 2: "5 6", 3: "4 4"}).run("1:9 2:5")
    assert race.s.last == 1
    assert race.asked == {3}
    assert ended(race.run("3:x4"), "2 1 3")
    assert (race.hand(2), race.hand(3)) == ("6", "4")


def test_lc_7_1_golden_last_card_in_a_challenge_for_the_lead() -> None:
    """LC-7.1 passed into the lead with its last card: the lap is over at once."""
    race = on_road("1 2", {1: "9", 2: "5 6"}).run("1:9 2:5")
    assert race.told[:4] == ["revealed 1 9 9", "empty 1", "revealed 2 5 5", "passed 1 2 1"]
    assert ended(race, "2 1")


def test_lc_7_1_golden_last_card_in_a_challenge_lost() -> None:
    """LC-7.1 the lap goes on ahead of it: car 2 goes through to the lead and away."""
    race = on_road("1 2 3", {1: "5", 2: "9 9 1 7", 3: "4 10 2"}).run("1:5 2:9 2:9 3:4")
    assert race.asked == {2}
    assert ended(race.run("2:^1"), "1 3 . 2")
    assert race.hand(3) == "2 10"


def test_lc_7_1_golden_last_card_in_a_challenge_defended() -> None:
    """LC-7.1 the defender held, has no turn of its own, and the leader has."""
    race = on_road("1 2 3", {1: "5 5", 2: "9", 3: "4 10"}).run("1:5 2:9")
    assert ended(race.run("3:x10"), "1 2 3")


def test_lc_7_1_golden_the_leader_defends_with_its_last_card() -> None:
    """LC-7.1 nobody is left to take a turn."""
    race = on_road("1 2", {1: "5 5", 2: "9"}).run("1:5 2:9")
    assert race.told[2:5] == ["empty 2", "held 1 2", "skipped 2"]
    assert ended(race, "1 2")


def test_lc_7_1_golden_last_card_in_a_defence_lost() -> None:
    """LC-7.1 the challenger goes on with its turn."""
    race = on_road("1 2", {1: "9 2 6", 2: "5"}).run("1:9 2:5")
    assert race.asked == {1}
    assert ended(race.run("1:^2"), "2 . 1")


def test_lc_7_1_golden_last_card_to_extend() -> None:
    """LC-7.1 the cars ahead still have their turns."""
    race = on_road("1 . 2 . 3", {1: "7 7", 2: "1", 3: "2 8"}).run("1:x7 2:^1")
    assert race.told == ["extended 2 1", "empty 2"]
    assert ended(race.run("3:^2"), "1 . . 2 . 3")


def test_lc_7_1_golden_last_card_discarded() -> None:
    """LC-7.1 from the back, the whole lap is still raced."""
    race = on_road("1 . 2 3", {1: "7", 2: "5 8 1", 3: "6 6"}).run("1:x7")
    assert race.told == ["discarded 1 7", "empty 1"]
    assert ended(race.run("2:8 3:6 2:^1"), "1 . 3 . 2")


def test_lc_7_1_golden_last_two_cards_discarded_with_a_redline() -> None:
    """LC-7.1 two cards at once may be the last ones."""
    race = on_road("1 . 2", {1: "R 7", 2: "5 5"}).run("1:x7+R")
    assert race.told == ["discarded 1 7+R", "empty 1"]
    assert ended(race.run("2:x5"), "1 . 2")


def test_lc_7_1_golden_by_the_leader() -> None:
    """LC-7.1 its last card ends the lap and the race, by an extend or a discard."""
    race = on_road("1 . 2", {1: "7 7 7", 2: "2"}).run("1:x7 2:^2")
    assert race.told[:2] == ["extended 2 2", "empty 2"]
    assert ended(race, "1 . . 2")
    race = on_road("1 . 2", {1: "7 7 7", 2: "8"}).run("1:x7 2:x8")
    assert ended(race, "1 . 2")


def test_lc_7_1_golden_two_cars_at_once() -> None:
    """LC-7.1 challenger and defender both spend their last card."""
    race = on_road("1 2 3", {1: "9", 2: "5", 3: "4 4"}).run("1:9 2:5")
    assert race.told == ["revealed 1 9 9", "empty 1", "revealed 2 5 5", "empty 2", "passed 1 2 1"]
    assert ended(race.run("3:x4"), "2 1 3")
    race = on_road("1 2 3", {1: "5", 2: "5", 3: "4 4"}).run("1:5 2:5")
    assert race.told[-2:] == ["held 1 2", "skipped 2"]
    assert ended(race.run("3:x4"), "1 2 3")


def test_lc_7_1_golden_emptied_early_with_cars_skipped() -> None:
    """LC-7.1 two cars without cards are passed over on the way to the leader."""
    race = on_road("1 2 3 4", {1: "9 3 5", 2: "8", 3: "10", 4: "6 6"}).run("1:9 2:8 1:3 3:10")
    assert race.told[-3:] == ["empty 3", "held 1 3", "skipped 3"]
    assert ended(race.run("4:x6"), "2 1 3 4")


def test_lc_7_1_golden_two_passes_into_the_lead_in_the_last_lap() -> None:
    """LC-7.1 the second pass ends the leader's turn, and so the race."""
    race = on_road("1 2 3 4", {1: "5", 2: "9 9 9", 3: "6 6", 4: "7 7"}).run("1:5 2:9 2:9 3:6 2:9 4:7")
    assert ended(race, "1 3 4 2")


def test_lc_7_1_golden_a_whole_race_from_the_deal() -> None:
    """LC-7.1 qualifying with a tie, two laps, the second the last one."""
    race = qualifying({1: "12 3 7 2", 2: "9 9 1 R", 3: "9 5 5 11", 4: "2 10 R 8"})
    race.run("1:12 2:9 3:9 4:2").take("car 3")
    assert race.road == "4 2 3 1"
    race.run("4:10 2:1+R")  # 10 against 3
    assert race.road == "2 4 3 1"
    race.run("4:8 3:5")  # its second pass
    assert race.road == "2 3 4 1"
    race.run("1:^2 /")
    assert race.road == "2 3 4 . 1"
    race.run("2:9 3:11")  # held, with the last card of car 2
    assert race.s.last == 1
    race.run("3:5 4:R")  # past car 4, both without cards now
    assert race.road == "2 4 3 . 1"
    assert race.asked == {1}
    assert ended(race.run("1:x3"), "2 4 3 . 1")
    assert race.scores == {1: 9, 2: 3, 3: 6, 4: 4}


def test_lc_7_1_golden_a_race_of_one_card_each() -> None:
    """LC-7.1 all are without cards after qualifying; it also tells the most there is to tell."""
    race = qualifying({1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6"})
    race.run("1:1 2:2 3:3 4:4 5:5 6:6")
    assert len(race.told) == 5 * 6 + 1 < rules.MAX_EVENTS == 5 * 12 + 2
    assert race.told[12:26] == [
        *(f"starts {7 - place} {place}" for place in range(1, 7)),
        "lap 1",
        *(f"skipped {car}" for car in range(1, 7)),
        "finished 6 1 9",
    ]
    assert ended(race, "1 2 3 4 5 6")


def test_lc_7_1_no_lap_before_a_hand_is_empty_is_the_last() -> None:
    """LC-7.1 one card left is not none."""
    race = on_road("1 . 2", {1: "7 7", 2: "8 8"}, lap=11).run("1:x7 2:x8")
    assert race.told == ["discarded 2 8", "lap 12"]
    assert (race.s.last, race.s.lap, race.asked) == (0, 12, {1})
    assert ended(race.run("1:x7 2:x8"), "1 . 2")


def test_lc_7_2_points_by_finishing_place() -> None:
    """LC-7.2 9, 6, 4, 3, 2, 1."""
    race = fresh(drivers=6)
    assert race.g.points == [9, 6, 4, 3, 2, 1, *[0] * 6]
    race.s.order[:] = [5, 3, 1, 0, 2, 4]
    assert race.places == {5: 1, 3: 2, 1: 3, 2: 4, 4: 5, 6: 6}
    assert race.scores == {5: 9, 3: 6, 1: 4, 2: 3, 4: 2, 6: 1}


def test_lc_7_2_the_option_points() -> None:
    """LC-7.2 takes another table: places that it does not name earn nothing."""
    race = fresh(drivers=4, points=(25, 18))
    assert race.g.points == [25, 18, *[0] * 10]
    race = on_road("1 2 3", {1: "9", 2: "5 6", 3: "4 4"}, points=(100, 10, 1)).run("1:9 2:5 3:x4")
    assert race.scores == {1: 10, 2: 1, 3: 100}
    assert race.told[-3:] == ["finished 3 1 100", "finished 1 2 10", "finished 2 3 1"]
    for wrong in ((1, 2), (-1,), (1001,), ()):
        with pytest.raises(BadOption, match="points"):
            Options.read({"points": wrong})
    assert (rules.MIN_SCORE, rules.MAX_SCORE) == (0, 1000)
    assert Options.read({"points": (1000, 0)}).points == (1000, 0)


def race_of(*places: int) -> RoundResult:
    """A race with these finishing places by car."""
    return RoundResult(tuple((9, 6, 4, 3, 2, 1)[place - 1] for place in places), places)


def table(*races: RoundResult, **options: object) -> list[tuple[int, int, int]]:
    """(driver from 1, rank, points), the best first."""
    tables = standings(Options.read(options), races)
    return [(line.who + 1, line.rank, line.total) for line in tables.players]


def test_lc_7_3_most_points_are_the_champion() -> None:
    """LC-7.3 even against more wins."""
    ahead = race_of(1, 2, 3, 4, 5, 6)
    races = [ahead, ahead, race_of(6, 2, 1, 3, 4, 5), race_of(6, 2, 1, 3, 4, 5)]
    assert table(*races, drivers=6)[:3] == [(3, 1, 26), (2, 2, 24), (1, 3, 20)]
    game = paddock.start("lacorsa", drivers=4, races=1, seed=7)
    while not game.over:
        seat = game.deciders[-1]
        game.play(seat, game.legal(seat).ids[-1])
    assert game.result is not None
    assert game.result.winners == (game.rounds[0].places.index(1),)


def test_lc_7_3_a_tie_goes_to_most_wins() -> None:
    """LC-7.3 9 + 3 and 6 + 6 are both 12."""
    races = [race_of(1, 2, 3, 4), race_of(4, 2, 1, 3)]
    assert table(*races, drivers=4) == [(3, 1, 13), (1, 2, 12), (2, 3, 12), (4, 4, 7)]


def test_lc_7_3_then_most_seconds_then_thirds() -> None:
    """LC-7.3 without wins 6 + 1 + 1 beats 4 + 2 + 2, and 4 + 2 beats 3 + 3."""
    seconds = [
        RoundResult((6, 4, 0, 0), (2, 3, 1, 4)),
        RoundResult((1, 2, 0, 0), (6, 5, 1, 4)),
        RoundResult((1, 2, 0, 0), (6, 5, 1, 4)),
    ]
    assert table(*seconds, drivers=4)[:2] == [(1, 1, 8), (2, 2, 8)]
    swapped = [RoundResult(r.scores[1::-1] + r.scores[2:], r.places[1::-1] + r.places[2:]) for r in seconds]
    assert table(*swapped, drivers=4)[:2] == [(2, 1, 8), (1, 2, 8)]
    thirds = [RoundResult((3, 4, 0, 0), (4, 3, 1, 2)), RoundResult((3, 2, 0, 0), (4, 5, 1, 2))]
    assert table(*thirds, drivers=4)[:2] == [(2, 1, 6), (1, 2, 6)]


def test_lc_7_3_then_the_title_is_shared() -> None:
    """LC-7.3 equal in all places: one rank, and the next one is left out."""
    races = [race_of(1, 2, 3, 4), race_of(2, 1, 4, 3)]
    assert table(*races, drivers=4) == [(1, 1, 15), (2, 1, 15), (3, 3, 7), (4, 3, 7)]


def test_lc_7_3_teams_have_a_champion_of_their_own() -> None:
    """LC-7.3 the driver with most points need not be of the team with most."""
    tables = standings(
        Options.read({"drivers": 4, "pairs": True}), [race_of(1, 4, 2, 3), race_of(1, 4, 2, 3)]
    )
    assert tables.players[0].who == 0
    assert [(line.who, line.rank, line.total) for line in tables.teams] == [(0, 1, 24), (1, 2, 20)]
    shared = standings(
        Options.read({"drivers": 4, "pairs": True}), [race_of(1, 4, 2, 3), race_of(3, 2, 4, 1)]
    )
    assert [(line.who, line.rank, line.total) for line in shared.teams] == [(0, 1, 22), (1, 1, 22)]


def test_lc_7_4_once_a_car_was_without_cards_the_lap_is_the_last() -> None:
    """LC-7.4 even when every car holds cards at its end."""
    race = on_road("1 . 2", {1: "7 7 7", 2: "8 8 8"})
    race.s.last = 1  # a car was without cards and has drawn again
    assert ended(race.run("1:x7 2:x8"), "1 . 2")
    assert (race.hand(1), race.hand(2)) == ("7 7", "8 8")


def test_lc_7_5_places_are_those_of_all_cars_together() -> None:
    """LC-7.5 first, second, third, fourth places of both cars, and wins that decide a tie."""
    races = [race_of(1, 4, 2, 3), race_of(4, 2, 1, 3)]
    tables = standings(Options.read({"drivers": 2}), races)
    assert [(line.who, line.places) for line in tables.players] == [(1, (1, 1, 2, 0)), (0, (1, 1, 0, 2))]
    tied = [
        RoundResult((5, 5, 9, 1), (3, 2, 1, 4)),  # 10 points each: one win beats a second place
    ]
    assert table(*tied, drivers=2) == [(2, 1, 10), (1, 2, 10)]
    both = [RoundResult((9, 0, 6, 3), (1, 4, 2, 3)), RoundResult((0, 9, 6, 3), (4, 1, 2, 3))]
    tables = standings(Options.read({"drivers": 2}), both)
    assert [(line.who, line.rank, line.places[0]) for line in tables.players] == [(0, 1, 2), (1, 2, 0)]


def test_lc_7_5_a_place_that_does_not_count() -> None:
    """LC-7.5 a car without a place (0) adds none."""
    tables = standings(Options.read({"drivers": 2}), [RoundResult((9, 0, 6, 0), (1, 0, 2, 0))])
    assert [(line.who, line.places) for line in tables.players] == [(0, (1, 0, 0, 0)), (1, (0, 1, 0, 0))]
