"""RA-4 Overtaking: which cars move, and what it scores."""

from __future__ import annotations

import pytest

from .harness import LINE, between


@pytest.mark.parametrize(
    ("line", "colour", "moved", "points", "cars"),
    [
        # the rearmost car is the last one: it moves alone
        (LINE, "y", "1 0", 1, "y3 k r1 g1 b1 y1 r2 g2 b2 y2 r3 g3 b3"),
        (LINE, "b", "2 0", 2, "y3 b3 k r1 g1 b1 y1 r2 g2 b2 y2 r3 g3"),
        (LINE, "r", "4 0", 4, "y3 b3 g3 r3 k r1 g1 b1 y1 r2 g2 b2 y2"),
        # all but two others and the black one
        ("kyyyrrrgggbbb", "y", "10 0", 10, "b3 b2 b1 g3 g2 g1 r3 r2 r1 y3 k y1 y2"),
        # the black car last, right behind, in the middle of those moved
        ("rgbyrgbyrgbyk", "y", "2 1", 2, "k y3 r1 g1 b1 y1 r2 g2 b2 y2 r3 g3 b3"),
        ("rgbyrgbyrgbyk", "g", "4 1", 6, "k y3 b3 g3 r1 g1 b1 y1 r2 g2 b2 y2 r3"),
        ("yyygggbbkrrrb", "g", "8 1", 14, "b3 r3 r2 r1 k b2 b1 g3 y1 y2 y3 g1 g2"),
        # the most there is
        ("rrrkgggbbbyyy", "r", "11 1", 20, "y3 y2 y1 b3 b2 b1 g3 g2 g1 k r3 r1 r2"),
        # the black car directly ahead of those moved stays
        ("rryyygggbbkrb", "r", "2 0", 2, "b3 r3 r1 r2 y1 y2 y3 g1 g2 g3 b1 b2 k"),
    ],
)
def test_ra_4_1_the_rearmost_car_and_all_behind_it(
    line: str, colour: str, moved: str, points: int, cars: str
) -> None:
    """RA-4.1 in reverse order to the front; RA-4.2 a point each, doubled with the black car."""
    game = between({1: f"{colour}10 k10", 2: "k20"}, line=line, reserve="k30", scores=(30, 7))
    game.run(f"1:{colour}10, 2:pass")
    assert game.told[1:3] == [f"won 1 {colour} {points}", f"moved {moved}"]
    assert game.cars == cars
    assert game.scores == {1: 30 + points, 2: 7}


def test_ra_4_1_twice_in_a_row() -> None:
    """RA-4.1 the next overtaking begins from the new line."""
    game = between({1: "r10 r20 r30", 2: "k20 k30 k40"}, reserve="b10 b20 b30 b40 b50 b60 b70 b80")
    game.run("1:r10, 2:pass, 0:b10, 0:b20, 0:b30, 0:b40, 0:b50, 0:b60, 0:b70")
    assert game.cars == "y3 b3 g3 r3 k r1 g1 b1 y1 r2 g2 b2 y2"
    game.run("2:b50, 1:pass")
    assert game.cars == "y2 b2 y3 b3 g3 r3 k r1 g1 b1 y1 r2 g2"
    assert game.scores == {1: 4, 2: 2}
    game.run("0:b80, 1:r20, 2:pass b60")
    assert game.cars == "g2 r2 y2 b2 y3 b3 g3 r3 k r1 g1 b1 y1"
    assert game.scores == {1: 6, 2: 2}


def test_ra_4_2_the_black_car_counts_nothing_and_doubles_the_others() -> None:
    """RA-4.2 five cars and the black one are ten points, five without it five."""
    game = between({1: "g10 k10", 2: "k20"}, line="yyyrrrggbbgkb", reserve="k30").run("1:g10, 2:pass")
    assert game.told[1:] == ["won 1 g 4", "moved 3 1"]
    game = between({1: "g10 k10", 2: "k20"}, line="yyyrrrkggbbgb", reserve="k30").run("1:g10, 2:pass")
    assert game.told[1:] == ["won 1 g 2", "moved 2 0"]
    game = between({1: "r10 k10", 2: "k20"}, line="yyyrrrkggbbgb", reserve="k30").run("1:r10, 2:pass")
    assert game.told[1:] == ["won 1 r 14", "moved 8 1"]


def test_ra_4_2_the_winner_alone_scores() -> None:
    """RA-4.2 on top of what it had."""
    hands = {1: "r10", 2: "g10", 3: "b10", 4: "k60", 5: "y10"}
    game = between(hands, reserve="k30", scores=(1, 2, 3, 4, 5))
    game.run("1:r10, 2:pass, 3:pass, 4:k60, 5:pass")
    assert game.scores == {1: 1, 2: 2, 3: 3, 4: 8, 5: 5}


def test_ra_4_3_the_black_car_never_begins() -> None:
    """RA-4.3 a round that black cards win is one of the colour that was led."""
    game = between({1: "r10 k30", 2: "k20 k40"}, line="yyyrrrgggbbbk", reserve="k50", leader=1)
    game.run("1:r10, 2:k20, 1:k30, 2:k40")
    assert game.told[:4] == ["raised 2 k40", "passed 1", "won 2 r 14", "moved 8 1"]
    assert game.cars == "k b3 b2 b1 g3 g2 g1 r3 y1 y2 y3 r1 r2"
    for black in ("k10", "k130"):
        assert between({1: f"r10 {black}", 2: "k20"}).why(1, black) == "RA-3.2"


def test_ra_4_4_the_overtaking_is_not_a_choice() -> None:
    """RA-4.4 it follows from the move that ends the round, whatever it is worth."""
    game = between({1: "y10 y20", 2: "k20 b10"}, scores=(0, 50)).run("1:y10, 2:pass k20")
    assert game.told[1:3] == ["won 1 y 1", "moved 1 0"]
    assert game.cars.startswith("y3 k r1")
    assert (game.asked, game.scores) == (2, {1: 1, 2: 50})
