"""LX-3 Incidents: a challenge tied with a Redline, and the six things that may come of it.

Cars are written from the back to the leader. The two that meet are named by the challenger; the spaces
that become free are closed by all who follow, so the distances behind stay and the one ahead grows.
"""

from __future__ import annotations

from typing import Any

import pytest

from paddock.games.lacorsa.rules import rules

from ..harness import draw_all, rng
from .harness import Race, fresh, on_road, qualifying

HAND = "1 5 7 8 R"


def touch(road: str, car: int, *, attack: str = "7", defence: str = "5+R", **options: Any) -> Race:
    """The accident of ``car``, whose turn it is, with the one directly ahead; the die is due."""
    words = [word for word in road.split() if word != "."]
    values: dict[str, Any] = {"incidents": True, "turn": car} | options
    race = on_road(road, values.pop("hands", dict.fromkeys(sorted(map(int, words)), HAND)), **values)
    other = int(words[words.index(str(car)) + 1])
    return race.run(f"{car}:{attack} {other}:{defence}")


# When


@pytest.mark.parametrize(
    ("attack", "defence"), [("7", "5+R"), ("5+R", "7"), ("R", "R"), ("5+R", "5+R"), ("1+R", "1+R")]
)
def test_lx_3_0_a_tie_with_a_redline_is_an_accident(attack: str, defence: str) -> None:
    """LX-3.0 whichever side has played one, alone or with a card; the die is the defender's."""
    race = touch("1 2 3", 1, attack=attack, defence=defence)
    assert (race.phase, race.asked, race.told[-1]) == ("incident", {0}, "accident 1 2")
    assert race.outcomes() == {f"die {face}": 1 for face in range(1, 7)}
    assert (race.turn, race.s.out[:3]) == (1, [0, 0, 0])
    assert [race.seen(eyes, 0, "die 2") for eyes in ({1}, {3}, set())] == ["die 2"] * 3


@pytest.mark.parametrize(
    ("attack", "defence", "road"),
    [
        ("7", "7", "1 2 3"),  # a tie without one
        ("7", "8+R", "1 2 3"),
        ("R", "1", "1 2 3"),
        ("5+R", "5", "2 1 3"),
        ("1", "R", "2 1 3"),
    ],
)
def test_lx_3_0_other_challenges_are_as_ever(attack: str, defence: str, road: str) -> None:
    """LX-3.0 no tie, or no Redline: LC-5.2 says who wins."""
    race = touch("1 2 3", 1, attack=attack, defence=defence)
    assert race.phase != "incident"
    assert race.road == road


def test_lx_3_0_two_redlines_are_worth_nothing_and_tie() -> None:
    """LX-3.0 with LC-3.5, as a play of its own worth 0."""
    hands = dict.fromkeys((1, 2, 3), "R R 5 1")
    for attack, defence in (("R+R", "R"), ("R", "R+R"), ("R+R", "R+R")):
        race = touch("1 2 3", 1, attack=attack, defence=defence, hands=hands, void=True)
        assert race.phase == "incident"
    assert touch("1 2 3", 1, attack="R+R", defence="1", hands=hands, void=True).phase != "incident"


@pytest.mark.parametrize(("attack", "defence"), [("1+R", "3"), ("3", "1+R")])
def test_lx_3_0_the_least_card_with_a_redline(attack: str, defence: str) -> None:
    """LX-3.0 a 1 with a Redline ties with a 3."""
    race = touch("1 2", 1, attack=attack, defence=defence, hands={1: "1 3 R 5", 2: "1 3 R 5"})
    assert race.phase == "incident"


def test_lx_3_0_not_without_the_option() -> None:
    """LX-3.0 in the base game the tie is the defender's."""
    race = touch("1 2 . 3", 1, incidents=False)
    assert race.told[-1] == "held 1 2"
    assert (race.phase, race.turn) == ("road", 2)


def test_lx_3_0_qualifying_knows_no_accident() -> None:
    """LX-3.0 a tie with a Redline is broken by the lot there (LC-3.4)."""
    race = qualifying({1: "5 R", 2: "7 3"}, incidents=True).run("1:5+R 2:7")
    assert race.phase == "tied"


# The six faces: (road, challenger, face) → road, whose turn, lap


@pytest.mark.parametrize(
    ("road", "car", "results"),
    [
        # at the back
        (
            "1 2 3 4",
            1,
            ["3 4 | 3", "1 3 4 | 3", "2 3 4 | 2", "1 2 3 4 | 3", "1 2 3 4 | 3", "1 2 3 4 | 2"],
        ),
        (
            "1 2 . 3 4",
            1,
            ["3 4 | 3", "1 . 3 4 | 3", "2 . 3 4 | 2", "1 2 . 3 4 | 3", "1 2 . 3 4 | 3", "1 2 . 3 4 | 2"],
        ),
        # in the middle, all in a row
        (
            "1 2 3 4",
            2,
            ["1 4 | 4", "1 2 4 | 4", "1 3 4 | 3", "2 3 1 4 | 4", "2 3 1 4 | 4", "1 2 3 4 | 3"],
        ),
        # in the middle, with a gap ahead
        (
            "1 2 3 . 4",
            2,
            ["1 . 4 | 4", "1 2 . 4 | 4", "1 3 . 4 | 3", "2 3 1 . 4 | 4", "2 3 1 . 4 | 4", "1 2 3 . 4 | 3"],
        ),
        # gaps behind and ahead: on spaces 1, 3, 6, 7 and 9
        (
            "1 . 2 . . 3 4 . 5",
            3,
            [
                "1 . 2 . . . 5 | 5",  # on 3, 5 and 9
                "1 . 2 . . 3 . 5 | 5",  # on 2, 4, 7 and 9
                "1 . 2 . . 4 . 5 | 4",
                "3 4 1 . 2 . . . 5 | 5",  # on 1, 2, 3, 5 and 9
                "1 . 3 4 2 . . . 5 | 5",  # on 1, 3, 4, 5 and 9
                "1 . 2 . . 3 4 . 5 | 4",
            ],
        ),
        # one follower, two spaces off
        (
            "1 . . 2 3 4",
            2,
            [
                "1 . . 4 | 4",  # 1 on 3, 4 on 6
                "1 . . 2 4 | 4",
                "1 . . 3 4 | 3",
                "2 3 1 . . 4 | 4",
                "2 3 1 . . 4 | 4",
                "1 . . 2 3 4 | 3",
            ],
        ),
        # at the front: no car is ahead, so the lap is over, but for a defender that is still there
        (
            "1 . 2 3 4",
            3,
            [
                "1 . 2 | 1 /",
                "1 . 2 3 | 1 /",
                "1 . 2 4 | 4",
                "3 4 1 . 2 | 3 /",
                "1 . 3 4 2 | 1 /",
                "1 . 2 3 4 | 4",
            ],
        ),
        # at the front, the follower two spaces off
        (
            "1 . . 2 3",
            2,
            ["1", "1 . . 2 | 1 /", "1 . . 3 | 3", "2 3 1 | 2 /", "2 3 1 | 2 /", "1 . . 2 3 | 3"],
        ),
        # two cars left
        ("1 2", 1, ["", "1", "2", "1 2 | 1 /", "1 2 | 1 /", "1 2 | 2"]),
    ],
)
def test_lx_3_1_to_3_5_what_the_die_says(road: str, car: int, results: list[str]) -> None:
    """LX-3.1, LX-3.2, LX-3.3, LX-3.4, LX-3.5, LX-3.7, LX-3.8: the road, and where play resumes.

    ``/`` says that the lap is over; no turn, that the race is.
    """
    before = touch(road, car, lap=3)
    for face, result in enumerate(results, 1):
        after, _, turn = result.partition(" | ")
        race = before.copy().take(f"die {face}")
        assert race.road == after, face
        if not turn:
            assert (race.phase, race.asked) == ("over", set())
            continue
        assert (race.turn, race.s.passes) == (int(turn[0]), 0), face
        assert (race.s.lap, "/" in turn) in ((3, False), (4, True)), face


@pytest.mark.parametrize("behind", ["1 ", "1 . . . ", "1 . . . . . . "])
def test_lx_3_3_the_nearest_follower_however_far_moves_two(behind: str) -> None:
    """LX-3.3 what it gains on the car ahead of the accident is two spaces: the two had two."""
    race = touch(f"{behind}2 3 . 4", 2).take("die 5")
    gap = behind.count(".") + 1  # of the follower to car 4: those behind the two, and the one ahead of them
    assert race.road == f"2 3 1{' .' * gap} 4"


def test_lx_3_2_the_spun_cars_rejoin_behind_everybody() -> None:
    """LX-3.2 with three cars behind; LX-3.3 behind the nearest of them alone."""
    race = touch("1 . 2 . . 3 4 5 6", 4)
    assert race.copy().take("die 4").road == "4 5 1 . 2 . . 3 6"
    assert race.copy().take("die 5").road == "1 . 2 . . 4 5 3 6"


def test_lx_3_3_the_gap_behind_the_follower() -> None:
    """LX-3.3 the two take the two spaces behind it; the next car does not move."""
    race = touch("1 . . . 2 3 4 5", 3).take("die 5")  # on 1, 5, 6, 7, 8: car 2 to 7, the two on 5 and 6
    assert race.road == "1 . . . 3 4 2 5"
    assert (race.turn, race.s.lap) == (5, 1)


def test_lx_3_3_only_behind_a_car_directly_behind_by_the_option() -> None:
    """LX-3.3 off_adjacent: with a gap behind them the two stay where they are; the lap goes on."""
    race = touch("1 . 2 3 . 4", 2, adjacent=True).take("die 5")
    assert race.told == ["rolled 3 5", "off 2 3 13"]
    assert (race.road, race.turn) == ("1 . 2 3 . 4", 4)
    race = touch("1 2 3 . 4", 2, adjacent=True).take("die 5")
    assert race.told == ["rolled 3 5", "off 2 3 1"]
    assert (race.road, race.turn) == ("2 3 1 . 4", 4)
    race = touch("1 2 . 3", 1, adjacent=True).take("die 5")
    assert race.told == ["rolled 2 5", "off 1 2 0"]
    assert (race.road, race.turn) == ("1 2 . 3", 3)
    road = " ".join(["12", *map(str, range(1, 12))])
    assert touch(road, 1, adjacent=True).take("die 5").road == " ".join(["1 2 12", *map(str, range(3, 12))])
    race = touch("1 . 2 3 . 4", 2, adjacent=True).take("die 4")  # a spin is another matter (LX-3.2)
    assert race.road == "2 3 1 . . 4"


@pytest.mark.parametrize(
    ("face", "told"),
    [
        (1, ["rolled 3 1", "retired 2", "retired 3"]),
        (2, ["rolled 3 2", "retired 3"]),
        (3, ["rolled 3 3", "retired 2"]),
        (4, ["rolled 3 4", "spun 2 3"]),
        (5, ["rolled 3 5", "off 2 3 1"]),
        (6, ["rolled 3 6", "held 2 3"]),
    ],
)
def test_lx_3_0_what_is_told(face: int, told: list[str]) -> None:
    """LX-3.0 the defender's die, and what comes of it; going off tells of the car that moved."""
    assert touch("1 2 3 4", 2).take(f"die {face}").told == told


def test_lx_3_3_nobody_moved_is_told_too() -> None:
    """LX-3.3 no following car: 0 for a car, or the lap has ended besides."""
    assert touch("1 2 3", 1).take("die 5").told == ["rolled 2 5", "off 1 2 0"]
    assert touch("1 2", 1).take("die 5").told == ["rolled 2 5", "off 1 2 0", "lap 2"]
    assert touch("3 1 2", 1).take("die 5").told == ["rolled 2 5", "off 1 2 3", "lap 2"]
    assert touch("3 . 4 1 2", 1).take("die 5").told == ["rolled 2 5", "off 1 2 4", "lap 2"]


# Whose turn


def test_lx_3_5_after_a_6_or_a_3_the_defender_has_its_own_turn() -> None:
    """LX-3.4, LX-3.5 it is the first car ahead; on a free road, or in a challenge."""
    race = touch("1 2 . 3", 1).take("die 6")
    assert (race.phase, race.asked) == ("road", {2})
    race = touch("1 2 3", 1).take("die 6")
    assert (race.phase, race.asked) == ("challenge", {2, 3})
    race = touch("1 2 3", 1).take("die 3")
    assert (race.road, race.phase, race.asked) == ("2 3", "challenge", {2, 3})


def test_lx_3_5_the_surviving_challenger_waits_for_the_next_lap() -> None:
    """LX-3.5 and is the first then, being the last car."""
    race = touch("1 2 . 3", 1).take("die 2")
    assert (race.road, race.asked) == ("1 . 3", {3})
    race.run("3:x8 /")
    assert race.asked == {1}


def test_lx_3_5_an_accident_after_a_pass() -> None:
    """LX-3.5 the car that was passed follows; nothing of the pass is left."""
    hands = {1: "9 7", 2: "3 4", 3: "5 R 8", 4: "6 6"}
    before = on_road("1 2 3 4", hands, incidents=True).run("1:9 2:3 1:7 3:5+R")
    assert (before.road, before.phase, before.s.passes) == ("2 1 3 4", "incident", 1)
    roads = ["2 4", "2 1 4", "2 3 4", "1 3 2 4", "1 3 2 4", "2 1 3 4"]
    for face, road in enumerate(roads, 1):
        race = before.copy().take(f"die {face}")
        assert (race.road, race.s.passes) == (road, 0), face
        assert race.turn == (3 if face in (3, 6) else 4), face


def test_lx_3_5_a_surviving_defender_without_cards_has_no_turn() -> None:
    """LC-4.4 as ever: the next car ahead has it."""
    hands = {1: "7 8", 2: "5 R", 3: "8 9"}
    race = touch("1 2 3", 1, hands=hands).take("die 3")
    assert race.told == ["rolled 2 3", "retired 1", "skipped 2"]
    assert (race.road, race.turn) == ("2 3", 3)


def test_lx_3_8_the_leading_defender_takes_its_turn() -> None:
    """LX-3.8 after a 3; then the lap is over."""
    race = touch("1 2 3", 2).take("die 3")
    assert (race.road, race.phase, race.asked, race.s.lap) == ("1 3", "road", {3}, 1)
    race.run("3:^1 /")
    assert (race.road, race.turn) == ("1 . 3", 1)


# Out of the race


def test_lx_3_6_a_retired_car_is_gone() -> None:
    """LX-3.6 it decides nothing and is no car of the road; its hand lies aside, its plays in the pile."""
    race = touch("1 2 3 4", 2).take("die 1")
    assert (race.s.running, race.road) == (2, "1 4")
    assert race.s.order[:4] == [0, 3, 0, 0]
    assert race.discard == "R 5 7"
    assert (race.hand(2), race.hand(3)) == ("R 1 5 8", "1 7 8")
    assert race.s.out[:4] == [0, 1, 2, 0]  # of two at once the defender is ahead
    race.run("4:x8 /")
    assert race.asked == {1, 4}
    assert (race.hide().s.out, race.hide().s.running) == (race.s.out, 2)


def test_lx_3_6_a_retired_hand_is_unseen() -> None:
    """LX-3.6 by others, and a redeal may bring any cards to it."""
    race = touch("1 2 3 4", 2).take("die 2")
    assert race.s.cards[2] == 3
    assert race.hide(1, 2, 4).s.held[2] == 0
    assert len({race.redeal(1, 2, 4, seed=seed).hand(3) for seed in range(5)}) == 1  # all else is seen
    assert len({race.redeal(1, seed=seed).hand(3) for seed in range(20)}) > 5


def test_lx_3_6_the_later_it_retired_the_higher() -> None:
    """LX-3.6 one after the other, and behind all that finish, without points."""
    race = touch("1 2 3 4 5", 1).take("die 3").run("2:7 3:5+R").take("die 2")
    assert (race.road, race.s.out[:5]) == ("2 4 5", [1, 0, 2, 0, 0])
    race.run("4:7 5:5+R").take("die 1")
    assert race.s.out[:5] == [1, 0, 2, 3, 4]
    assert race.phase == "over"
    assert race.places == {1: 0, 2: 1, 3: 0, 4: 0, 5: 0}
    assert race.scores == {1: 0, 2: 9, 3: 0, 4: 0, 5: 0}
    assert rules.place_of(race.s, race.g, 1) == 1


@pytest.mark.parametrize(
    ("face", "places", "out"),
    [(1, {1: 0, 2: 0}, [1, 2]), (2, {1: 1, 2: 0}, [0, 1]), (3, {1: 0, 2: 1}, [1, 0])],
)
def test_lx_3_6_one_car_left_or_none(face: int, places: dict[int, int], out: list[int]) -> None:
    """LX-3.6 the race ends at once: that car has won, or nobody scores."""
    race = touch("1 2", 1).take(f"die {face}")
    assert (race.phase, race.asked, race.s.last) == ("over", set(), 0)
    assert race.places == places
    assert race.scores == {car: 9 * place for car, place in places.items()}
    assert race.s.out[:2] == out
    winners = [f"finished {car} 1 9" for car, place in places.items() if place]
    assert [line for line in race.told if line.startswith("finished")] == winners


def test_lx_3_6_two_left_of_three_race_on() -> None:
    """LX-3.6 the places are those of the cars still running."""
    race = touch("1 2 . 3", 1, hands={1: "5 R 9", 2: "7", 3: "8"}, attack="5+R", defence="7").take("die 3")
    assert race.s.last == 1
    assert (race.phase, race.turn, race.road) == ("road", 3, "2 . 3")
    race.run("3:x8")
    assert race.phase == "over"
    assert (race.places, race.scores) == ({1: 0, 2: 2, 3: 1}, {1: 0, 2: 6, 3: 9})


def test_lx_3_9_a_car_that_retires_without_cards_ends_the_race() -> None:
    """LX-3.9, LC-7.1 it has been out of cards: the lap is the last, and is completed."""
    race = touch("1 2 . 3", 1, hands={1: "7", 2: "5 R 8 9", 3: "8 9"}).take("die 3")
    assert (race.hand(1), race.s.last, race.turn) == ("", 1, 2)
    race.run("2:x8 3:x8")
    assert (race.phase, race.s.lap, race.places) == ("over", 1, {1: 0, 2: 2, 3: 1})


def test_lx_3_9_a_car_that_retires_with_cards_does_not() -> None:
    """LX-3.9 its hand is not empty, so the race goes on."""
    race = touch("1 2 . 3 4", 1).take("die 1")
    assert race.s.last == 0
    race.run("3:5 4:8 4:x1 /")
    assert (race.s.lap, race.phase, race.road) == (2, "challenge", "3 4")


def test_lc_7_5_a_retired_cars_place_is_none() -> None:
    """LC-7.5, LX-3.6 places are 0 for the cars that retired, those of the others are without a hole."""
    race = touch("1 2 3 4", 1, hands={1: "7 9", 2: "5 R 9", 3: "8", 4: "9"}).take("die 2")
    assert race.asked == {3, 4}
    race.run("3:8 4:9")
    assert (race.phase, race.places) == ("over", {1: 3, 2: 0, 3: 2, 4: 1})
    assert race.scores == {1: 4, 2: 0, 3: 6, 4: 9}


# What else there is in a race


def test_lx_3_6_what_is_known_of_a_retired_car_stays_known() -> None:
    """LX-2.1 with LX-3.6: the drawn card lies aside with its hand."""
    race = on_road("1 2 3", dict.fromkeys((1, 2, 3), HAND), incidents=True, pit=True, lap=2, discard="12")
    race.run("1:pit").take("12").take("die 5").run("2:stay 2:1 3:8 3:x1 / 1:7 2:5+R").take("die 3")
    assert (race.s.known[0, 12], race.hand(1), race.s.out[:3]) == (1, "R 1 5 8 12", [1, 0, 0])
    assert {race.redeal(2, 3, seed=seed).s.hand[0, 12] for seed in range(5)} == {1}
    assert race.redeal(3).hand(1).endswith("12")


def test_lx_3_6_a_retired_car_is_nobody_to_move_up() -> None:
    """LX-2.3 a later stop drops through those that are there."""
    race = on_road("1 2 3 4", dict.fromkeys((1, 2, 3, 4), HAND), incidents=True, pit=True, lap=2, turn=1)
    race.run("1:stay 1:7 2:5+R").take("die 2").run("3:stay 3:1 4:1 4:pit").take("7").take("die 1")
    assert race.road == "4 1 3"


def test_lx_3_0_chance_in_one_go_is_chance_step_by_step() -> None:
    """LX-3.0 the die drawn from a stream."""
    roads = set()
    for seed in range(60):
        at_once = touch("1 2 3 . 4", 2)
        stepwise, one, other = at_once.copy(), rng(seed), rng(seed)
        at_once.run_chance(one)
        draw_all(stepwise, other)
        assert (at_once.fields(), one) == (stepwise.fields(), other)
        roads.add((at_once.road, at_once.turn))
    assert roads == {("1 . 4", 4), ("1 2 . 4", 4), ("1 3 . 4", 3), ("2 3 1 . 4", 4), ("1 2 3 . 4", 3)}


@pytest.mark.parametrize("seed", range(12))
def test_lx_3_random_races_keep_every_card_and_every_car(seed: int) -> None:
    """LX-3.6 whatever is played: the harness checks each step, and the race ends in one of its three ways."""
    row = rng(seed)
    race = fresh(drivers=4 + seed % 9, large_grid=True, pit_refill=seed % 2 == 0, double_redline="void")
    while race.phase != "over":
        draw_all(race, row)
        if race.phase == "over":
            break
        car = min(race.asked)
        moves = sorted(race.legal(car))
        wild = [move for move in moves if move in ("R", "R+R", "pit", "^3", "attack")]
        race.play(car, (wild or moves)[seed % len(wild or moves)])
    out = sum(1 for rank in race.s.out if rank)
    assert sorted(race.places.values()) == [0] * out + list(range(1, race.g.cars - out + 1))
    assert race.s.last or race.s.running < 2
    assert all(race.scores[car + 1] == 0 for car in range(race.g.cars) if race.s.out[car])
