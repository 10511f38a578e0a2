"""LC-6 Extending and discarding."""

from __future__ import annotations

import pytest

from paddock.core.errors import IllegalMove
from paddock.games.lacorsa.words.text import read_move

from .harness import MOVES, on_road


@pytest.mark.parametrize("card", ["1", "2", "3"])
def test_lc_6_1_an_extend_is_one_space_whatever_the_number(card: str) -> None:
    """LC-6.1 the gap ahead is one smaller, the card is spent, the turn is over."""
    race = on_road("1 . . . 2 3", {1: f"{card} {card} 8", 2: "5 5", 3: "6 6"}).run(f"1:^{card}")
    assert race.told == [f"extended 1 {card}"]
    assert race.road == "1 . . 2 3"
    assert (race.hand(1), race.discard) == (f"{card} 8", card)
    assert (race.turn, race.asked) == (2, {2, 3})


def test_lc_6_1_the_gap_behind_grows() -> None:
    """LC-6.1 by the same space, for a car in the middle and for the leader."""
    race = on_road("1 . 2 . 3", {1: "8 8", 2: "1 8", 3: "2 8"}).run("1:x8 2:^1")
    assert race.road == "1 . . 2 3"
    race.run("3:^2")
    assert race.told == ["extended 3 2", "lap 2"]
    assert race.road == "1 . . 2 . 3"


def test_lc_6_1_only_a_1_2_or_3_extends() -> None:
    """LC-6.1 a car has the extends that its hand has."""
    race = on_road("1 . 2", {1: "R 1 2 3 4 12", 2: "5"})
    assert {move for move in race.legal(1) if move[0] == "^"} == {"^1", "^2", "^3"}
    for hand, extends in (("1 4", {"^1"}), ("2 4", {"^2"}), ("3 4", {"^3"}), ("4 12", set[str]())):
        race = on_road("1 . 2", {1: hand, 2: "5"})
        assert {move for move in race.legal(1) if move[0] == "^"} == extends
        for missing in {"^1", "^2", "^3"} - extends:
            assert race.why(1, missing) == "LC-6.1"
    with pytest.raises(IllegalMove, match=r"LC-6\.1"):
        read_move("^4")


def test_lc_6_1_an_extend_to_directly_behind_a_car_ends_the_turn() -> None:
    """LC-6.1 that car takes its own turn, unchallenged in this lap."""
    race = on_road("1 . 2", {1: "1 9", 2: "5 5"}).run("1:^1")
    assert (race.road, race.turn, race.asked) == ("1 2", 2, {2})
    race.run("2:x5 /")
    assert race.asked == {1, 2}


def test_lc_6_2_the_leader_cannot_extend_with_a_3() -> None:
    """LC-6.2 with a 1 or a 2 it can; the 3 may be discarded."""
    race = on_road("1 . 2", {1: "7 7", 2: "1 2 3 R"}).run("1:x7")
    assert race.legal(2) == {"^1", "^2", "x1", "x2", "x3", "xR", "x1+R", "x2+R", "x3+R"}
    assert race.why(2, "^3") == "LC-6.2"
    assert race.why(2, "^2") == race.why(2, "x3") == ""
    race.run("2:x3")
    assert race.road == "1 . 2"


def test_lc_6_2_the_leader_may_defend_and_challenge_with_a_3() -> None:
    """LC-6.2 in a challenge a 3 is a 3; any other car may extend with it."""
    race = on_road("1 2", {1: "2 R", 2: "3 5"})
    assert "3" in race.legal(2)
    race.run("1:2 2:3")
    assert race.told[-1] == "held 1 2"
    second = on_road("1 . 2 . 3", {1: "3 8", 2: "3 8", 3: "8"})
    assert "^3" in second.legal(1)
    second.run("1:^3")
    assert "^3" in second.legal(2)
    second.run("2:^3")
    assert second.road == "1 . 2 3"


def test_lc_6_3_any_one_card_may_be_discarded() -> None:
    """LC-6.3 even with an Extend card in hand; nothing moves and the turn is over."""
    race = on_road("1 . 2", {1: "R 1 4 12", 2: "5"})
    assert race.legal(1) == {"^1", "x1", "x4", "x12", "xR", "x1+R", "x4+R", "x12+R"}
    for move, discard in (("x1", "1"), ("x12", "12"), ("xR", "R")):
        after = race.copy().run(f"1:{move}")
        assert after.told == [f"discarded 1 {move[1:]}"]
        assert (after.road, after.discard, after.turn) == ("1 . 2", discard, 2)


def test_lc_6_3_a_redline_discards_a_second_card() -> None:
    """LC-6.3 the Redline and one other card; without a Redline one card only."""
    race = on_road("1 . 2", {1: "R R 1 4", 2: "4 4"}).run("1:x4+R")
    assert race.told == ["discarded 1 4+R"]
    assert (race.hand(1), race.discard) == ("R 1", "R 4")
    assert race.legal(2) == {"x4"}
    assert race.why(2, "x4+R") == "LC-6.3"


def test_lc_6_4_no_redline_with_an_extend() -> None:
    """LC-6.4 there is no such move."""
    with pytest.raises(IllegalMove, match=r"LC-6\.4"):
        read_move("^2+R")
    race = on_road("1 . 2", {1: "R 2", 2: "5"})
    assert race.legal(1) == {"^2", "x2", "xR", "x2+R"}
    assert [move for move in MOVES if move[0] == "^"] == ["^1", "^2", "^3"]
    race.run("1:^2")
    assert (race.hand(1), race.discard) == ("R", "2")


def test_lc_6_5_pass_and_then_extend() -> None:
    """LC-6.5 but not extend and then pass: behind the next car the turn is over."""
    race = on_road("1 2 . 3", {1: "9 3 9", 2: "5 5", 3: "6 6"}).run("1:9 2:5 1:^3")
    assert race.road == "2 . 1 3"
    assert (race.phase, race.turn, race.asked, race.s.passes) == ("road", 3, {3}, 0)


def test_lc_6_6_the_road_has_no_end() -> None:
    """LC-6.6 the leader extends for as long as it has cards, the last car falls back as far."""
    race = on_road("1 2", {1: "7 " * 12 + "7", 2: "9" + " 1" * 12}).run("1:7 2:9 2:^1")
    for _ in range(11):
        assert race.phase == "road"
        race.run("/ 1:x7 2:^1")
    assert race.phase == "over"
    assert race.road == "1" + " ." * 12 + " 2"


def test_lc_6_6_only_distances_matter() -> None:
    """LC-6.6 a field that has moved on as a whole stands as it stood."""
    race = on_road("1 . 2 . 3", {1: "1 7", 2: "2 7", 3: "1 7"})
    before = race.s.order[:], race.s.gap[:]
    race.run("1:^1 2:^2 3:^1")
    assert race.road == "1 . 2 . 3"
    assert (race.s.order[:], race.s.gap[:]) == before


def test_lc_6_7_the_leader_is_judged_when_it_extends() -> None:
    """LC-6.7 passed into the lead: no 3; passed into second place: a 3 it is."""
    race = on_road("1 2", {1: "9 3 1", 2: "5 5"}).run("1:9 2:5")
    assert race.turn == 1
    assert race.legal(1) == {"^1", "x1", "x3"}
    assert race.why(1, "^3") == "LC-6.2"
    race = on_road("1 2 . 3", {1: "9 3 1", 2: "5 5", 3: "5"}).run("1:9 2:5")
    assert "^3" in race.legal(1)
    race = on_road("2 . 1", {1: "7 3", 2: "3 5"})  # car 2 led once: that is over
    assert "^3" in race.legal(2)
