"""RA: each number of the rules, changed alone, changes what its clause says."""

from __future__ import annotations

import pytest

from paddock.core.log import Event
from paddock.games.rasant.rulebook import TITLE, Options

from ..harness import check_tested
from .harness import between, dealt, fresh

BEHIND = "yyyrrrkggbbgb"  # a win of red moves the black car and seven others
DECK = "5*r10+5*g20+5*b30"


def won(**chosen: int) -> int:
    """The points of a win of red that moves the black car."""
    game = between({1: "r10 k10", 2: "k20"}, line=BEHIND, reserve="k30", **chosen)
    return game.run("1:r10, 2:pass").scores[1]


def alone(**chosen: int) -> int:
    """The points of a win that moves two cars, and not the black one."""
    game = between({1: "g10 k10", 2: "k20"}, line=BEHIND, reserve="k30", **chosen)
    return game.run("1:g10, 2:pass").scores[1]


def test_ra_4_2_the_factor_of_the_black_car() -> None:
    assert [won(black_factor=factor) for factor in (1, 2, 3, 4)] == [7, 14, 21, 28]
    assert alone(black_factor=4) == alone() == 2


def test_ra_4_2_the_points_for_a_car() -> None:
    assert [won(car_points=points) for points in (1, 2, 3)] == [14, 28, 42]
    assert [alone(car_points=points) for points in (1, 2, 3)] == [2, 4, 6]


def test_ra_4_2_the_points_for_the_black_car() -> None:
    assert [won(black_points=points) for points in (0, 1, 9)] == [14, 15, 23]
    assert alone(black_points=9) == 2


def test_ra_2_2_the_cards_that_are_dealt() -> None:
    game = fresh(players=2, dealt=2, deck=DECK, line="krgbyrgbyrgby")
    game.take("dealer 1")
    for card in ("r10", "g20", "b30", "r10"):
        assert game.phase == "deal"
        game.take(card)
    assert (game.phase, game.hands) == ("round", ["r10 b30", "r10 g20"])


def test_ra_1_2_a_small_deck_is_enough_for_small_hands() -> None:
    """RA-1.2 a deck has as many cards as are dealt."""
    with pytest.raises(ValueError, match=r"RA-1\.2 2 players need a deck of at least 12 cards, not 10"):
        Options.read({"players": 2, "deck": "5*r10+5*g20"})
    assert Options.read({"players": 2, "deck": "5*r10+5*g20", "dealt": 5}).dealt == 5


def test_ra_5_1_up_to_how_many_cards_players_draw() -> None:
    game = between({1: "r10 r20 r30", 2: "k20 k30"}, reserve="b10 b20 b30 b40", hand=3)
    game.run("1:r10, 2:pass, 0:b10")
    assert (game.phase, game.s.drawing) == ("draw", 1)
    assert game.run("0:b20").phase == "round"
    assert game.hands == ["r20 r30 b10", "b20 k20 k30"]


def test_ra_5_1_who_was_dealt_more_draws_nothing() -> None:
    game = dealt({1: "r10 r20 r30", 2: "g10 g20 g30"}, reserve="b10", dealer=2, dealt=3, hand=1)
    game.run("1:r10, 2:pass")
    assert (game.phase, game.hands) == ("round", ["r20 r30", "g10 g20 g30"])


def test_ra_3_3_the_least_raise() -> None:
    hands = {1: "r20 r10", 2: "r30 r40 r50 k30 k40"}

    def raises(**chosen: int) -> list[str]:
        return between(hands, reserve="b10", **chosen).run("1:r20").legal(2)

    assert raises() == ["r30", "r40", "r50", "k30", "k40", "pass"]
    assert raises(raise_by=30) == ["r50", "k30", "k40", "pass"]
    assert raises(black_by=20) == ["r30", "r40", "r50", "k40", "pass"]
    game = between(hands, reserve="b10", raise_by=30).run("1:r20")
    assert game.why(2, "r40") == "RA-3.3"


def test_ra_3_3_a_black_card_may_be_equal() -> None:
    game = between({1: "r20 r10", 2: "r30 k20 k10"}, reserve="b10", black_by=0).run("1:r20")
    assert game.legal(2) == ["r30", "k20", "pass"]
    assert game.why(2, "k10") == "RA-3.3"


def test_ra_3_4_the_speed_that_ends_a_round() -> None:
    def phase(**chosen: int) -> str:
        return between({1: "r100 r130", 2: "k120"}, reserve="b10", **chosen).run("1:r100").phase

    assert [phase(ending_speed=speed) for speed in (100, 110)] == ["draw", "round"]
    game = between({1: "r130 r10", 2: "k130 k10"}, reserve="b10", ending_speed=140).run("1:r130")
    assert (game.phase, game.asked, game.legal(2)) == ("round", 2, ["pass"])


def test_ra_5_2_what_a_pass_costs() -> None:
    game = between({1: "r10 r20", 2: "k20 k30"}, pass_cost=0).run("1:r10")
    assert game.legal(2) == ["k20", "k30", "pass"]
    assert game.why(2, "pass k20") == "RA-5.2"
    assert game.run("2:pass").hands == ["r20", "k20 k30"]


TESTED = {
    "black_factor": test_ra_4_2_the_factor_of_the_black_car,
    "car_points": test_ra_4_2_the_points_for_a_car,
    "black_points": test_ra_4_2_the_points_for_the_black_car,
    "dealt": test_ra_2_2_the_cards_that_are_dealt,
    "hand": test_ra_5_1_up_to_how_many_cards_players_draw,
    "raise_by": test_ra_3_3_the_least_raise,
    "black_by": test_ra_3_3_the_least_raise,
    "ending_speed": test_ra_3_4_the_speed_that_ends_a_round,
    "pass_cost": test_ra_5_2_what_a_pass_costs,
}


def test_every_number_has_its_test_under_its_clause() -> None:
    check_tested(Options, TESTED)


# ---- what is said of them -------------------------------------------------------------------------


def said(**chosen: int) -> str:
    """The sentence for a win that moves the black car."""
    game = between({1: "r10 k10", 2: "k20"}, line=BEHIND, reserve="k30", **chosen).run("1:r10, 2:pass")
    lines = [TITLE.text.line(game.g, Event(*event), ["Ana", "Bo"]) for event in game.s.events]
    return next(line for line in lines if line.startswith("8 cars"))


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({}, "it doubles the points."),
        ({"black_factor": 3}, "it multiplies the points by 3."),
        ({"black_factor": 1}, "the black car among them."),
        ({"black_factor": 1, "black_points": 5}, "it counts 5 points."),
        ({"black_factor": 4, "black_points": 1}, "it multiplies the points by 4, and counts 1 point."),
    ],
)
def test_ra_4_2_the_story_says_what_the_number_says(chosen: dict[str, int], words: str) -> None:
    assert said(**chosen).endswith(words)
