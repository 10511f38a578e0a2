"""LC-4 The lap: whose turn it is, what a car must do, who gets no turn."""

from __future__ import annotations

from collections import Counter

import pytest

from paddock.games.lacorsa.rules import rules, state
from paddock.kernel import below

from ..harness import draw_all, rng
from .harness import MOVES, fresh, on_road


def test_lc_4_1_from_the_back_to_the_leader() -> None:
    """LC-4.1 after a turn comes the nearest car ahead; after the leader's the next lap."""
    race = on_road("3 . 1 . 2", {1: "5 5", 2: "6 6", 3: "7 7"}, lap=4)
    assert (race.turn, race.asked) == (3, {3})
    race.play(3, "x7")
    assert (race.turn, race.asked, race.s.lap) == (1, {1}, 4)
    race.play(1, "x5")
    assert (race.turn, race.asked, race.s.lap) == (2, {2}, 4)
    race.play(2, "x6")
    assert race.told == ["discarded 2 6", "lap 5"]
    assert (race.turn, race.asked, race.s.lap) == (3, {3}, 5)


def test_lc_4_1_the_lap_begins_with_the_car_that_is_last_now() -> None:
    """LC-4.1 not with the one that was."""
    race = on_road("1 2", {1: "9 8 7", 2: "5 5 5"}).run("1:9 2:5 1:x8 /")
    assert race.road == "2 1"
    assert (race.turn, race.asked, race.s.lap) == (2, {1, 2}, 2)


def test_lc_4_1_the_next_car_is_ahead_of_where_the_car_now_stands() -> None:
    """LC-4.1 after one pass and an extend, after one pass and a discard, after two passes."""
    hands = {1: "9 9 3 4", 2: "5 5 5", 3: "6 6 6", 4: "7 7 7"}
    race = on_road("1 2 . 3 4", hands).run("1:9 2:5 1:^3")
    assert (race.road, race.turn) == ("2 . 1 3 4", 3)
    race = on_road("1 2 . 3 4", hands).run("1:9 2:5 1:x4")
    assert (race.road, race.turn) == ("2 1 . 3 4", 3)
    race = on_road("1 2 3 4", hands).run("1:9 2:5 1:9 3:6")
    assert (race.road, race.turn, race.asked) == ("2 3 1 4", 4, {4})


def test_lc_4_1_two_passes_into_the_lead_end_the_lap() -> None:
    """LC-4.1 the turn is the leader's, so with it the lap is over."""
    race = on_road("1 2 3", {1: "9 9 4", 2: "5 5", 3: "6 6"}).run("1:9 2:5 1:9 3:6")
    assert race.told == ["revealed 1 9 9", "revealed 3 6 6", "passed 1 3 2", "lap 2"]
    assert (race.road, race.turn, race.asked) == ("2 3 1", 2, {2, 3})
    assert race.s.passes == 0


def test_lc_4_2_a_passed_car_gets_no_turn_in_that_lap() -> None:
    """LC-4.2 it is behind the turn order; the next lap asks it again."""
    race = on_road("1 2 . 3", {1: "9 1 4", 2: "5 5 5", 3: "6 6 6"}).run("1:9 2:5 1:x4")
    assert race.asked == {3}
    race.play(3, "x6")
    assert race.road == "2 1 . 3"
    assert race.asked == {1, 2}
    assert race.turn == 2


def test_lc_4_3_a_car_directly_ahead_must_be_challenged() -> None:
    """LC-4.3 no extend and no discard then; both sides are asked."""
    race = on_road("1 2 . 3", {1: "1 R", 2: "3 4", 3: "5"})
    assert (race.phase, race.asked) == ("challenge", {1, 2})
    assert race.legal(1) == {"1", "R", "1+R"}
    assert race.legal(2) == {"3", "4"}
    assert race.why(1, "x1") == race.why(1, "^1") == race.why(1, "x1+R") == "LC-4.3"
    assert race.why(1, "1") == race.why(2, "3") == ""


def test_lc_4_3_before_an_empty_space_a_car_extends_or_discards() -> None:
    """LC-4.3 and it must do one of them; nobody else is asked."""
    race = on_road("1 . 2 3", {1: "1 R 7", 2: "3 4", 3: "5"})
    assert (race.phase, race.asked) == ("road", {1})
    assert race.legal(1) == {"^1", "x1", "xR", "x7", "x1+R", "x7+R"}
    assert race.why(1, "7") == race.why(1, "1+R") == race.why(1, "R+R") == "LC-4.3"
    assert race.why(1, "^1") == race.why(1, "x1+R") == ""


def test_lc_4_3_the_leader_has_an_empty_space_ahead() -> None:
    """LC-4.3 the leader, too, extends or discards."""
    race = on_road("1 2", {1: "9 5", 2: "2 5 5"}).run("1:5 2:5")
    assert (race.phase, race.turn, race.asked) == ("road", 2, {2})
    assert race.legal(2) == {"^2", "x2", "x5"}


def test_lc_4_4_a_car_without_cards_is_passed_over() -> None:
    """LC-4.4 at the back, in the middle and in front."""
    race = on_road("1 2 3 4", {1: "", 2: "", 3: "5 5", 4: "6 6 6"})
    assert race.told == ["skipped 1", "skipped 2"]
    assert (race.turn, race.asked, race.s.turn) == (3, {3, 4}, 2)
    race = on_road("1 . 2 3 . 4", {1: "7 7", 2: "", 3: "", 4: "6 6 6"}).run("1:x7")
    assert race.told == ["discarded 1 7", "skipped 2", "skipped 3"]
    assert (race.turn, race.asked) == (4, {4})
    race = on_road("1 . 2", {1: "7 7", 2: ""}).run("1:x7")
    assert race.told == ["discarded 1 7", "skipped 2", "finished 2 1 9", "finished 1 2 6"]


def test_lc_4_4_a_car_that_runs_out_within_its_turn_ends_it() -> None:
    """LC-4.4 after a pass with its last card, behind a car or before a free road."""
    race = on_road("1 2 3", {1: "9", 2: "5 5", 3: "6 6"}).run("1:9 2:5")
    assert race.told == ["revealed 1 9 9", "empty 1", "revealed 2 5 5", "passed 1 2 1"]
    assert (race.road, race.phase, race.turn) == ("2 1 3", "road", 3)
    race = on_road("1 2 . 3", {1: "9", 2: "5 5", 3: "6 6"}).run("1:9 2:5")
    assert (race.road, race.phase, race.turn) == ("2 1 . 3", "road", 3)
    assert race.s.passes == 0


def test_lc_4_4_a_defender_that_spends_its_last_card_has_no_turn() -> None:
    """LC-4.4 it held its place, and play passes ahead."""
    race = on_road("1 2 3", {1: "5 5", 2: "9", 3: "6 6"}).run("1:5 2:9")
    assert race.told == ["revealed 1 5 5", "revealed 2 9 9", "empty 2", "held 1 2", "skipped 2"]
    assert (race.turn, race.asked) == (3, {3})


@pytest.mark.parametrize("drivers", [2, 4, 5, 6])
@pytest.mark.parametrize("void", ["refused", "void"])
def test_lc_4_5_every_car_plays_a_card_in_each_lap(drivers: int, void: str) -> None:
    """LC-4.5 so a defender always holds one; whole races at random, every move listed or refused."""
    for seed in range(2):
        race = fresh(drivers=drivers, double_redline=void, extra_suits=seed % 2)
        row = rng(seed)
        draw_all(race, row)
        played: Counter[int] = Counter()
        decisions = 0
        while race.asked:
            if race.asked == {0}:
                draw_all(race, row)
                continue
            for car in race.asked:
                legal = race.legal(car)
                assert legal
                assert {move for move in MOVES if not race.why(car, move)} == legal
            if race.phase == "challenge":
                assert all(race.s.cards[race.s.order[race.s.turn + side]] for side in (0, 1))
            car = min(race.asked)
            lap, cards = race.s.lap, race.s.cards[car - 1]
            race.play(car, sorted(race.legal(car))[below(row, len(race.legal(car)))])
            decisions += 1
            played[car] += 1
            assert race.s.commit[car - 1] or race.s.cards[car - 1] < cards
            if race.s.lap > lap > 0 or (lap and not race.asked):
                assert set(played) == set(range(1, race.g.cars + 1))
            if race.s.lap > lap:
                played.clear()
        assert race.phase == "over"
        assert decisions <= race.g.cars * 13
        assert any(not race.s.cards[car] for car in range(race.g.cars))


def test_lc_4_5_bounds() -> None:
    """LC-4.5 every play costs a card; a refill (LX-2.2) doubles the cards, and each of those may be taken.

    A play is preceded by staying out (LX-2.0) or followed by a draft (LX-5.1) at most, and a car pits once.
    """
    cards = 12 * 13  # no number of cars is dealt more (LX-1.2)
    most = 2 * 2 * cards + cards + 12
    assert state.CARS == rules.MAX_SEATS == 12
    assert (most, len(MOVES)) == (rules.MAX_DECISIONS, rules.ACTIONS)
    assert rules.OUTCOMES == 13 + 12 + 6
