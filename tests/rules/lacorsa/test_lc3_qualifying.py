"""LC-3 Qualifying: one play each, together; the grid; ties; two Redlines."""

from __future__ import annotations

from collections import Counter

import pytest

from paddock.games.lacorsa.rulebook import Options
from paddock.games.lacorsa.rules.race import worth
from paddock.games.lacorsa.rules.setup import setup

from ..harness import draw_all, rng
from .harness import PLAYS, on_road, qualifying

USUAL = setup(Options())


def test_lc_3_1_a_card_or_a_card_with_a_redline() -> None:
    """LC-3.1 every kind alone; with a Redline in the hand every other kind with it as well."""
    hand = "R 1 2 3 4 5 6 7 8 9 10 11 12"
    race = qualifying({1: hand, 2: "1 2 3 4 5 6 7 8 9 10 11 12 12"})
    assert race.legal(1) == set(PLAYS) - {"R+R"}
    assert race.legal(2) == {str(rank) for rank in range(1, 13)}
    assert race.why(2, "12+R") == "LC-3.1"
    assert race.why(2, "12") == race.why(1, "12+R") == ""


def test_lc_3_1_everything_else_is_refused() -> None:
    """LC-3.1 in qualifying nobody extends or discards."""
    race = qualifying({1: "R 1 3", 2: "7 8 9"})
    for move in ("x1", "xR", "x3+R", "^1", "^3"):
        assert race.why(1, move) == "LC-3.1"
    assert race.why(2, "x7") == race.why(2, "xR+R") == "LC-3.1"


def test_lc_3_1_all_are_revealed_together() -> None:
    """LC-3.1 a commitment tells nothing and moves nothing until the last one is made."""
    race = qualifying({1: "7 8", 2: "R 12", 3: "9 9"})
    assert race.asked == {1, 2, 3}
    race.play(2, "12+R")
    assert (race.asked, race.told, race.discard, race.phase) == ({1, 3}, [], "", "qualify")
    assert race.hand(2) == "R 12"
    race.play(1, "7")
    assert (race.asked, race.told, race.discard, race.phase) == ({3}, [], "", "qualify")
    race.play(3, "9")
    assert race.told[:5] == [
        "revealed 1 7 7",
        "revealed 2 12+R 14",
        "empty 2",
        "revealed 3 9 9",
        "starts 2 1",
    ]
    assert race.discard == "R 7 9 12"
    assert (race.hand(1), race.hand(2), race.hand(3)) == ("8", "", "9")
    assert race.s.commit[:3] == [0, 0, 0]


@pytest.mark.parametrize(
    ("play", "value"),
    [
        ("1", 1),
        ("3", 3),
        ("4", 4),
        ("11", 11),
        ("12", 12),
        ("1+R", 3),
        ("2+R", 4),
        ("11+R", 13),
        ("12+R", 14),
    ],
)
def test_lc_3_1_a_redline_adds_two(play: str, value: int) -> None:
    """LC-3.1 the worth of a play."""
    assert worth(USUAL, PLAYS.index(play)) == value
    race = qualifying({1: f"{play.split('+')[0]} R 5", 2: "5 5 5"})
    race.play(2, "5").play(1, play)
    assert race.told[0] == f"revealed 1 {play} {value}"


def test_lc_3_2_a_redline_alone_is_worth_nothing() -> None:
    """LC-3.2 behind even a 1."""
    assert worth(USUAL, 0) == 0
    race = qualifying({1: "R 5", 2: "1 5"}).run("1:R 2:1")
    assert "revealed 1 R 0" in race.told
    assert race.road == "1 2"


def test_lc_3_3_the_highest_starts_in_front() -> None:
    """LC-3.3 then in order to the last, on adjacent spaces; lap 1 begins."""
    race = qualifying({1: "4 7", 2: "R 7", 3: "12 7", 4: "11 R", 5: "3 7", 6: "9 7"})
    race.run("6:9 5:3 4:11+R 3:12 2:R 1:4")
    assert race.road == "2 5 1 6 3 4"
    assert race.told[-7:] == [
        "starts 4 1",
        "starts 3 2",
        "starts 6 3",
        "starts 1 4",
        "starts 5 5",
        "starts 2 6",
        "lap 1",
    ]
    assert race.s.value[:6] == [0] * 6
    assert (race.s.lap, race.s.placed) == (1, 6)
    assert (race.turn, race.asked) == (2, {2, 5})


def test_lc_3_3_every_order_of_values() -> None:
    """LC-3.3 whichever car plays what."""
    for hands, road in (
        ({1: "1 9", 2: "2 9"}, "1 2"),
        ({1: "2 9", 2: "1 9"}, "2 1"),
        ({1: "1 9", 2: "2 9", 3: "3 9"}, "1 2 3"),
        ({1: "3 9", 2: "2 9", 3: "1 9"}, "3 2 1"),
        ({1: "2 9", 2: "3 9", 3: "1 9"}, "3 1 2"),
    ):
        race = qualifying(hands)
        for car, hand in hands.items():
            race.play(car, hand.split()[0])
        assert race.road == road


def test_lc_3_4_a_tie_waits_for_chance() -> None:
    """LC-3.4 the cars above the tie have their places, those tied are equally likely, the rest wait."""
    race = qualifying({1: "5 7", 2: "9 7", 3: "12 7", 4: "9 7", 5: "9 7"})
    race.run("1:5 2:9 3:12 4:9 5:9")
    assert (race.phase, race.asked) == ("tied", {0})
    assert race.told[-1] == "starts 3 1"
    assert race.s.value[:5] == [6, 10, 0, 10, 10]  # 1 + worth, 0 once placed
    assert race.outcomes() == {"car 2": 1, "car 4": 1, "car 5": 1}
    race.take("car 4")
    assert race.told == ["drawn 4 2", "starts 4 2"]
    assert (race.phase, race.asked) == ("tied", {0})
    assert race.outcomes() == {"car 2": 1, "car 5": 1}
    race.take("car 2")
    assert race.told == ["drawn 2 3", "starts 2 3", "starts 5 4", "starts 1 5", "lap 1"]
    assert race.road == "1 5 2 4 3"
    assert (race.phase, race.asked) == ("challenge", {1, 5})


def test_lc_3_4_two_ties_one_after_the_other() -> None:
    """LC-3.4 the tie in front first; a tie of lone Redlines is a tie as well."""
    race = qualifying({1: "R 7", 2: "R 7", 3: "10 7", 4: "12 7", 5: "R 12"})
    race.run("1:R 2:R 3:10 4:12 5:12")
    assert race.outcomes() == {"car 4": 1, "car 5": 1}
    race.take("car 5")
    assert race.told == ["drawn 5 1", "starts 5 1", "starts 4 2", "starts 3 3"]
    assert race.outcomes() == {"car 1": 1, "car 2": 1}
    race.take("car 1")
    assert race.road == "2 1 3 4 5"


def test_lc_3_4_a_redline_may_make_a_tie() -> None:
    """LC-3.4 values tie, not cards: 10 with a Redline is 12."""
    race = qualifying({1: "10 R", 2: "12 7"}).run("1:10+R 2:12")
    assert race.outcomes() == {"car 1": 1, "car 2": 1}


def test_lc_3_4_every_order_of_tied_cars_is_as_likely() -> None:
    """LC-3.4 as with dice rolled again; chance in one go is chance step by step."""
    roads: Counter[str] = Counter()
    for seed in range(600):
        race = qualifying({1: "9 7", 2: "9 7", 3: "9 7", 4: "2 7"}).run("1:9 2:9 3:9 4:2")
        stepwise, one, other = race.copy(), rng(seed), rng(seed)
        race.run_chance(one)
        draw_all(stepwise, other)
        assert race.fields() == stepwise.fields() and one == other
        assert race.told == stepwise.told
        roads[race.road] += 1
    assert len(roads) == 6
    assert all(70 < count < 130 for count in roads.values())


def test_lc_3_4_a_lot_among_some_of_the_cars() -> None:
    """LC-3.4 in one go as well only the best of the cars not yet placed take part."""
    roads = Counter[str]()
    for seed in range(100):
        race = qualifying({1: "2 7", 2: "12 7", 3: "9 7", 4: "2 7", 5: "9 7"})
        race.run("1:2 2:12 3:9 4:2 5:9")
        race.run_chance(rng(seed))
        roads[race.road] += 1
    assert set(roads) == {"1 4 3 5 2", "4 1 3 5 2", "1 4 5 3 2", "4 1 5 3 2"}
    assert all(count > 10 for count in roads.values())


def test_lc_3_4_dice_decide_nothing_else() -> None:
    """LC-3.4 in qualifying only: a tied challenge asks no chance."""
    race = on_road("1 2", {1: "9 4", 2: "9 4"}).run("1:9 2:9")
    assert race.asked == {2}


TWO = {1: "R R 5", 2: "6 7 R", 3: "R R R"}


def test_lc_3_5_two_redlines_are_refused() -> None:
    """LC-3.5 in qualifying, in a challenge and as a discard."""
    race = qualifying(TWO)
    assert race.legal(1) == {"R", "5", "5+R"}
    assert race.legal(3) == {"R"}
    assert race.why(1, "R+R") == race.why(2, "R+R") == "LC-3.5"
    challenge = on_road("1 2", {1: "R R", 2: "R R"})
    assert challenge.legal(1) == challenge.legal(2) == {"R"}
    assert challenge.why(1, "R+R") == "LC-3.5"
    road = on_road("1 . 2", {1: "R R", 2: "5"})
    assert road.legal(1) == {"xR"}
    assert road.why(1, "xR+R") == "LC-3.5"


def test_lc_3_5_void_allows_them_in_qualifying() -> None:
    """LC-3.5 worth 0, both are lost; a hand with one Redline cannot."""
    assert worth(USUAL, 25) == 0
    race = qualifying(TWO, void=True)
    assert race.legal(1) == {"R", "5", "5+R", "R+R"}
    assert race.legal(2) == {"R", "6", "7", "6+R", "7+R"}
    assert race.legal(3) == {"R", "R+R"}
    assert race.why(1, "R+R") == ""
    assert race.why(2, "R+R") == "LC-3.5"
    race.run("1:R+R 2:6 3:R")
    assert race.told[0] == "revealed 1 R+R 0"
    assert race.hand(1) == "5"
    assert race.discard == "R R R 6"
    assert race.outcomes() == {"car 1": 1, "car 3": 1}


def test_lc_3_5_void_allows_them_in_a_challenge_but_never_as_a_discard() -> None:
    """LC-3.5 the play counts 0 and costs both cards, be it the last ones."""
    race = on_road("1 2", {1: "R R 4", 2: "R R"}, void=True)
    assert race.legal(2) == {"R", "R+R"}
    race.run("1:R+R 2:R+R")
    assert race.told == [
        "revealed 1 R+R 0",
        "revealed 2 R+R 0",
        "empty 2",
        "held 1 2",
        "skipped 2",
        "finished 2 1 9",
        "finished 1 2 6",
    ]
    assert race.hand(1) == "4"
    road = on_road("1 . 2", {1: "R R", 2: "5"}, void=True)
    assert road.legal(1) == {"xR"}
    assert road.why(1, "xR+R") == "LC-3.5"


def test_lc_3_5_a_hidden_pair_of_redlines_may_be_dealt_again() -> None:
    """LC-3.5 a redeal knows the option: two Redlines are among the legal moves of a hand that has them."""
    race = qualifying({1: "R R", 2: "5 6"}, void=True).run("1:R")
    found = Counter(race.redeal(2, seed=seed).s.commit[0] - 1 for seed in range(200))
    assert set(found) == {0, 25}
    race = qualifying({1: "R R", 2: "5 6"}).run("1:R")
    assert {race.redeal(2, seed=seed).s.commit[0] - 1 for seed in range(50)} == {0}
