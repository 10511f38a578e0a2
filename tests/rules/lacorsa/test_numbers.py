"""LC, LX: each number of the rules, changed alone, changes what its clause says."""

from __future__ import annotations

from typing import Any

import pytest

from paddock.core.log import Event, EventBatch
from paddock.core.title import Seen
from paddock.games.lacorsa.bots import policy
from paddock.games.lacorsa.drawing import draw
from paddock.games.lacorsa.rulebook import TITLE, Options
from paddock.games.lacorsa.rules import rules, state
from paddock.games.lacorsa.words.view import Card, view

from ..harness import check_tested, draw_all, rng
from .harness import MOVES, Race, fresh, on_road, qualifying

HANDS = {1: "1 2 3 5 7 R R", 2: "1 2 3 5 7 R", 3: "1 2 3 5 7 R"}


def duel(plays: str, **chosen: Any) -> Race:
    """The challenge of car 1, directly behind car 2; car 3 leads."""
    return on_road("1 2 3", HANDS, **chosen).run(plays)


def stop(**chosen: Any) -> Race:
    """Car 1 pits in lap 2, directly behind two others; its card is due."""
    hands = {1: "5 7", 2: "5 7", 3: "5 7"}
    race = on_road("2 3 1 . 4", hands | {4: "5 7"}, discard="4 4 8 9", pit=True, lap=2, turn=1, **chosen)
    return race.run("1:pit")


def test_lc_1_2_the_cards_in_a_hand() -> None:
    for cards, drivers, suits in ((13, 4, 4), (4, 4, 4), (15, 4, 5), (15, 6, 7)):
        race = fresh(drivers=drivers, hand=cards)
        assert race.g.deck[:13] == [suits] * 13
        draw_all(race, rng(7))
        assert race.phase == "qualify"
        assert [len(race.hand(car).split()) for car in race.seats] == [cards] * drivers


def test_lx_1_2_fewer_cards_in_bigger_hands() -> None:
    race = fresh(drivers=8, large_grid="yes", grid_fewer=8)
    assert (race.g.cards, race.g.deck[1]) == (7, 10)
    draw_all(race, rng(7))
    assert [len(race.hand(car).split()) for car in race.seats] == [7] * 8
    assert fresh(drivers=8, large_grid="yes", hand=4).g.cards == 15


def test_lc_1_1_the_redlines_of_a_suit() -> None:
    assert fresh(drivers=4, redlines=3).g.deck[:13] == [12, *[4] * 12]


def test_lc_1_1_the_champions_of_a_suit() -> None:
    assert fresh(drivers=4, champions=2).g.deck[:13] == [*[4] * 12, 8]


def test_lc_3_3_the_empty_spaces_of_the_grid() -> None:
    for gap, road in ((0, "3 2 1"), (1, "3 . 2 . 1"), (2, "3 . . 2 . . 1")):
        race = qualifying({1: "9 5", 2: "7 5", 3: "4 5"}, grid_gap=gap).run("1:9 2:7 3:4")
        assert race.road == road
        assert (race.phase, race.turn) == ("road" if gap else "challenge", 3)


def test_lc_5_1_the_bonus_of_a_redline() -> None:
    for bonus, road in ((0, "1 2 3"), (2, "1 2 3"), (3, "2 1 3"), (6, "2 1 3")):
        race = duel("1:5+R 2:7", redline_bonus=bonus)
        assert race.road == road
        assert f"revealed 1 5+R {5 + bonus}" in race.told


def test_lc_3_2_the_value_of_a_redline_alone() -> None:
    for alone, road in ((0, "1 2 3"), (7, "1 2 3"), (8, "2 1 3"), (12, "2 1 3")):
        race = duel("1:R 2:7", redline_alone=alone)
        assert race.road == road
        assert f"revealed 1 R {alone}" in race.told


def test_lc_5_2_by_how_much_a_challenger_wins() -> None:
    def passes(by: int) -> list[bool]:
        plays = ("1:5 2:7", "1:5 2:5", "1:3 2:2", "1:5 2:3", "1:7 2:3")
        return [duel(play, win_by=by).road == "2 1 3" for play in plays]

    assert passes(0) == [False, True, True, True, True]
    assert passes(1) == [False, False, True, True, True]
    assert passes(2) == [False, False, False, True, True]
    assert passes(4) == [False, False, False, False, True]


def test_lx_3_4_a_safe_tie_is_the_challengers_if_ties_are() -> None:
    """LC-5.2, LX-3.4 a tie with a Redline is an accident first; where nothing happens, the tie decides."""
    race = duel("1:5 2:3+R", win_by=0, incidents=True)
    assert race.phase == "incident"
    race.take("die 6")
    assert (race.road, race.turn, race.s.passes) == ("2 1 3", 1, 1)
    race = duel("1:5 2:3+R", incidents=True)
    race.take("die 6")
    assert (race.road, race.turn, race.s.passes) == ("1 2 3", 2, 0)


def test_lc_5_4_the_passes_of_a_turn() -> None:
    hands = dict.fromkeys((1, 2, 3, 4), "1 2 3 9")
    race = on_road("1 2 3 4", hands, most_passes=1).run("1:9 2:1")
    assert (race.road, race.turn) == ("2 1 3 4", 3)
    race = on_road("1 2 3 4", hands, most_passes=3).run("1:9 2:1 1:3 3:1")
    assert (race.road, race.turn, race.phase, race.s.passes) == ("2 3 1 4", 1, "challenge", 2)


def test_lc_6_1_the_highest_card_that_extends() -> None:
    def extends(**chosen: int) -> set[str]:
        return {move for move in on_road("1 . 2 3", HANDS, **chosen).legal(1) if move[0] == "^"}

    assert extends() == {"^1", "^2", "^3"}
    assert extends(extend_cards=2) == {"^1", "^2"}
    assert extends(extend_cards=1) == {"^1"}
    race = on_road("1 . 2 3", HANDS, extend_cards=2)
    assert (race.why(1, "^3"), race.said(1, "^3")) == ("LC-6.1", "a 3 does not extend here")


def test_lc_6_1_the_spaces_of_an_extend() -> None:
    for gap, road in ((" .", "2 . 1 3"), (" . .", "2 . . 1 3"), (" . . .", "2 . . 1 . 3")):
        assert on_road(f"2 1{gap} 3", HANDS, turn=1, extend_spaces=2).run("1:^1").road == road
    assert on_road("2 1", {1: "1 5", 2: "1 5"}, turn=1, extend_spaces=2).run("1:^1").road == "2 . . 1"


def test_lc_6_2_the_highest_card_that_extends_for_the_leader() -> None:
    def extends(**chosen: int) -> set[str]:
        race = on_road("3 2 1", HANDS, turn=1, **chosen)
        return {move for move in race.legal(1) if move[0] == "^"}

    assert extends(leader_extends=0) == set()
    assert extends(leader_extends=1) == {"^1"}
    assert extends(leader_extends=3) == {"^1", "^2", "^3"}
    assert extends(leader_extends=3, extend_cards=1) == {"^1"}
    race = on_road("3 2 1", HANDS, turn=1, leader_extends=1)
    assert (race.why(1, "^2"), race.said(1, "^2")) == ("LC-6.2", "the leader cannot extend with a 2")


def test_lx_5_1_a_leader_that_extends_drafts_behind_nobody() -> None:
    race = on_road("3 2 1", HANDS, turn=1, leader_extends=3, drafting=True).run("1:^3")
    assert (race.phase, race.s.lap, race.road) == ("challenge", 2, "3 2 . 1")


def test_lx_2_0_the_first_lap_of_pit_stops() -> None:
    def may(lap: int, **chosen: int) -> bool:
        return "pit" in on_road("1 . 2 3", HANDS, pit=True, lap=lap, **chosen).legal(1)

    assert [may(1), may(2)] == [False, True]
    assert may(1, pit_lap=1)
    assert [may(lap, pit_lap=3) for lap in (2, 3)] == [False, True]
    race = on_road("1 . 2 3", HANDS, pit=True, lap=2, pit_lap=3)
    assert race.said(1, "pit") == "cars can pit from lap 3 on"
    race.run("1:x1 2:1 3:2 3:x3")  # the lap is over
    assert (race.s.lap, race.s.stops) == (3, 0b111)
    grid = qualifying({1: "9 5", 2: "7 5"}, pit=True, pit_lap=1, grid_gap=1).run("1:9 2:7")
    assert "pit" in grid.legal(2)


def test_lx_2_1_the_cards_of_a_stop() -> None:
    race = stop(pit_cards=3)
    for card, due in (("8", True), ("4", True), ("9", False)):
        race.take(card)
        assert (race.phase == "pit-draw") == due
    assert race.hand(1) == "4 5 7 8 9"
    race = stop(pit_cards=5, cards=4)
    race.take("8").take("4")
    assert race.phase == "pit-die", "no more than it was dealt"


@pytest.mark.parametrize(("low", "middle"), [(2, 1), (0, 3), (3, 0)])
def test_lx_2_3_the_spaces_that_a_stop_costs(low: int, middle: int) -> None:
    roads = {0: "2 3 1 . 4", 1: "2 1 3 . 4", 2: "1 2 3 . 4", 3: "1 . 2 3 . 4"}
    for face, spaces in ((1, low), (2, low), (3, middle), (4, middle), (5, 0), (6, 0)):
        race = stop(pit_low=low, pit_middle=middle).take("8").take(f"die {face}")
        assert f"dropped 1 {spaces}" in race.told
        assert race.road == roads[spaces]


def test_lx_3_4_the_safe_face_of_the_die() -> None:
    for safe in range(1, 7):
        for face in range(1, 7):
            race = duel("1:5 2:3+R", incidents=True, safe_face=safe)
            race.take(f"die {face}")
            assert ("held 1 2" in race.told) == (face >= safe)


def test_lx_5_1_the_lowest_card_that_drafts() -> None:
    def phases(**chosen: int) -> list[str]:
        moves = ("1:^1", "1:^2", "1:^3")
        return [on_road("1 . 2 3", HANDS, drafting=True, **chosen).run(move).phase for move in moves]

    assert phases() == ["challenge", "challenge", "draft"]
    assert phases(drafts_from=2) == ["challenge", "draft", "draft"]
    assert phases(drafts_from=1) == ["draft"] * 3


TESTED = {
    "hand": test_lc_1_2_the_cards_in_a_hand,
    "grid_fewer": test_lx_1_2_fewer_cards_in_bigger_hands,
    "redlines": test_lc_1_1_the_redlines_of_a_suit,
    "champions": test_lc_1_1_the_champions_of_a_suit,
    "grid_gap": test_lc_3_3_the_empty_spaces_of_the_grid,
    "redline_bonus": test_lc_5_1_the_bonus_of_a_redline,
    "redline_alone": test_lc_3_2_the_value_of_a_redline_alone,
    "win_by": test_lc_5_2_by_how_much_a_challenger_wins,
    "most_passes": test_lc_5_4_the_passes_of_a_turn,
    "extend_cards": test_lc_6_1_the_highest_card_that_extends,
    "extend_spaces": test_lc_6_1_the_spaces_of_an_extend,
    "leader_extends": test_lc_6_2_the_highest_card_that_extends_for_the_leader,
    "pit_lap": test_lx_2_0_the_first_lap_of_pit_stops,
    "pit_cards": test_lx_2_1_the_cards_of_a_stop,
    "pit_low": test_lx_2_3_the_spaces_that_a_stop_costs,
    "pit_middle": test_lx_2_3_the_spaces_that_a_stop_costs,
    "safe_face": test_lx_3_4_the_safe_face_of_the_die,
    "drafts_from": test_lx_5_1_the_lowest_card_that_drafts,
}


def test_every_number_has_its_test_under_its_clause() -> None:
    check_tested(Options, TESTED)


# ---- *Club* plays by them --------------------------------------------------------------------------


def best(race: Race, car: int) -> set[str]:
    """The moves between which *Club* does not decide; each car has a driver of its own."""
    for seat in range(race.g.cars):
        race.g.owner[seat] = race.g.team[seat] = seat
    out = [0] * 200
    n = rules.legal(race.s, race.g, car - 1, out)
    n = policy.best_moves(race.s, race.g, car - 1, out, n)
    return {MOVES[id] for id in out[:n]}


def test_lc_5_1_club_reads_the_bonus() -> None:
    """In the last lap all that counts is to win: with a bonus of 6 the Redline goes to the highest card."""
    hands = {1: "4 R", 2: "9", 3: "9 9"}
    races = [
        on_road("1 2 3", hands, discard="", aside="8 8 8 9 9", cards=2, redline_bonus=bonus)
        for bonus in (0, 6)
    ]
    for race in races:
        race.s.last = 1
    lost, won = (best(race, 1) for race in races)
    assert won == {"4+R"} != lost


def test_lc_3_2_club_reads_the_value_of_a_redline_alone() -> None:
    hands = {1: "4 R", 2: "9", 3: "9 9"}
    race = on_road("1 2 3", hands, aside="8 8 8 9 9", cards=2, redline_alone=12)
    race.s.last = 1
    assert best(race, 1) == {"R"}


def test_lx_2_3_club_knows_what_a_stop_costs() -> None:
    values = []
    for spaces in (0, 1, 3):
        hands = dict.fromkeys((1, 2, 3, 4), "5 7")
        race = on_road(
            "2 3 1 4", hands, discard="12 12", pit=True, lap=2, turn=1, pit_low=spaces, pit_middle=0
        )
        out = [0] * 200
        best_of = rules.legal(race.s, race.g, 0, out)
        policy.best_moves(race.s, race.g, 0, out, best_of)
        values.append(policy.stopping(race.s, race.g, 0, out))
    assert values[0] > values[1] > values[2]


# ---- what is said and drawn of them -----------------------------------------------------------------


def seen_of(race: Race, **chosen: Any) -> Seen:
    options = Options.read(chosen)
    names = ("Ana", "Ben", "Cleo", "Dora")
    return Seen(TITLE, options, race.g, race.s, 0b1111, (), names)


def test_lc_5_1_a_redline_shows_its_bonus() -> None:
    usual, changed, none = (draw.card(Card(0, bonus)) for bonus in (2, 3, 0))
    assert usual != changed != none
    assert "lc-face-0" in changed


def test_lc_6_1_a_label_says_how_far() -> None:
    race = on_road("1 . 2 3 4", HANDS | {4: "5 5"}, extend_spaces=2)
    seen = seen_of(race, drivers=4, races=1, extend_spaces=2)
    label = TITLE.text.label(seen, 0, state.EXTEND)
    assert label == "Extend with the 1: up to 2 spaces forward"
    assert view(seen).cars[0].hand is not None


def test_lx_2_1_a_label_says_what_a_stop_brings() -> None:
    race = on_road("1 . 2 3 4", HANDS | {4: "5 5"}, pit=True, lap=2, pit_cards=3, pit_low=3)
    seen = seen_of(race, drivers=4, races=1, large_grid=True, pit_cards=3, pit_low=3)
    assert (
        TITLE.text.label(seen, 0, state.PIT)
        == "Pit: draw 3 cards, roll a die to lose 0 to 3 spaces, turn ends"
    )
    hint = TITLE.page.ask(seen, 0, view(seen)).hint
    assert hint.endswith("Then a die: 1–2 loses 3 spaces, 3–4 loses 1 space. Once per race.")
    assert "draw 3 random cards" in hint


def test_lc_5_2_the_page_says_who_wins_a_tie() -> None:
    names = ["Ana", "Ben", "Cleo", "Dora"]
    for by, start in (
        (0, "A tie goes to the challenger: Ana passes Ben."),
        (1, "A tie goes to the defender: "),
    ):
        race = on_road("1 2 3 4", HANDS | {4: "5 5"}, win_by=by).run("1:5 2:5")
        seen = seen_of(race, drivers=4, races=1, win_by=by)
        shown = view(seen)
        assert shown.win_by == by
        batch = EventBatch(0, 5, tuple(Event(*event) for event in race.s.events))
        reveal = TITLE.page.reveal([batch], names, shown, 0)
        assert reveal is not None and reveal.text.startswith(start)
