"""Every clause of Skerries, on positions in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.titles.skerries.tests.harness import at, falls, field, finished, moves

import paddock
from paddock.core.title import Title

HERE = Path(__file__).parent


def refused(game: paddock.Game, seat: int, move: str) -> tuple[str, str]:
    """The clause and the reason that forbid a move."""
    error = game.why(seat, move)
    assert isinstance(error, paddock.IllegalMove), error
    return error.clause, error.reason


# SK-1 The chart, the boats, the cards


def test_sk_1_1_a_boat_can_sail_to_every_harbour_and_light_of_a_chart(skerries: Title) -> None:
    for bad, fault in {
        "q.l/x": "row 2 has 1 hexes, row 1 has 3",
        "q?l": "row 1: “?” is no hex",
        "..l": "one quay (q), not 0",
        "qql": "one quay (q), not 2",
        "q.h": "has a light (l)",
        "qxl": "no boat can sail from the quay to the light c1",
        "qlxh": "no boat can sail from the quay to the harbour d1",
        "": "draw 1 to 10 rows of 1 to 12 hexes",
        "q" + 12 * ".": "draw 1 to 10 rows of 1 to 12 hexes",
        "ql" + 10 * "/..": "draw 1 to 10 rows of 1 to 12 hexes",
    }.items():
        with pytest.raises(paddock.BadOption) as caught:
            skerries.options.read({"chart": bad})
        assert fault in str(caught.value)
    assert skerries.options.read({"chart": " Q. ; here\n\n .L\n"}).chart == "q./.l"


def test_sk_1_1_every_fault_of_a_chart_is_named(skerries: Title) -> None:
    with pytest.raises(paddock.BadOption) as caught:
        skerries.options.read({"chart": "q?./q"})
    for fault in ("row 2 has 1", "“?”", "one quay (q), not 2", "has a light"):
        assert fault in str(caught.value)
    with pytest.raises(paddock.BadOption) as caught:
        skerries.options.read({"chart": "q.xl/..xh"})
    assert "the light d1" in str(caught.value) and "the harbour d2" in str(caught.value)


def test_sk_1_2_all_begin_at_the_quay_with_no_cards(skerries: Title) -> None:
    for skippers in (2, 3, 4):
        game = paddock.start("skerries", skippers=skippers, chart="..q.l", seed=1)
        assert [(boat.hex, boat.cards, boat.place) for boat in game.view().boats] == [
            ("c1", 0, None)
        ] * skippers
    for skippers in (1, 5):
        with pytest.raises(paddock.BadOption, match=r"SK-1\.2"):
            paddock.start("skerries", skippers=skippers)


@pytest.mark.parametrize("copies", [1, 4, 6])
def test_sk_1_3_the_deck_has_as_many_gusts_as_pilots_and_anchors(skerries: Title, copies: int) -> None:
    game = paddock.start("skerries", copies=copies, seed=1)
    assert list(game._state.deck) == [copies] * 3
    assert (game.view().deck, game.view().open) == (3 * copies, ())


# SK-2 A turn


def test_sk_2_1_skippers_take_turns_and_a_day_ends_after_the_last(skerries: Title) -> None:
    game = at(turn="1")
    for seat, day in ((0, 1), (1, 1), (2, 2), (0, 2)):
        assert game.deciders == (seat,)
        game.play(seat, "stop")
        assert game.view().day == day
        falls(game, "1")
    assert [line for line in game.story if line.startswith("Day")] == ["Day 2."]


def test_sk_2_1_who_has_arrived_has_no_turn(skerries: Title) -> None:
    game = at(turn="1", boats="a1,e1,a1", places="0,1,0")
    game.play(0, "stop")
    assert game.view().turn == 2
    falls(game, "6")
    game.play(2, "stop")
    assert (game.view().turn, game.view().day) == (0, 2)


@pytest.mark.parametrize("pips", range(1, 7))
def test_sk_2_2_there_is_wind_for_two_steps_and_one_for_every_pip(skerries: Title, pips: int) -> None:
    game = at(phase="roll", wind="0")
    assert game.heading == "wind 1"
    assert list(game.outcomes().values()) == [1] * 6
    falls(game, str(pips))
    assert game.view().wind == 2 + pips
    assert game.story == [f"Skipper 1 has {2 + pips} wind."]


def test_sk_2_3_a_step_takes_1_wind_and_2_onto_a_reef(skerries: Title) -> None:
    game = at(wind="3")
    game.play(0, "e")
    assert (game.view().boats[0].hex, game.view().wind) == ("b1", 2)
    game.play(0, "e")
    assert (game.view().boats[0].hex, game.view().wind) == ("c1", 0)
    assert game.story[-1] == "Skipper 1 sails to the reef c1."
    assert moves(game) == ["stop"]
    assert refused(game, 0, "w") == ("SK-2.3", "there is too little wind for this step")
    assert "e" not in moves(at(boats="b1,a1,a1", wind="1"))


def test_sk_2_3_no_boat_enters_a_skerry_or_leaves_the_chart(skerries: Title) -> None:
    game = at(boats="c1,a1,a1")
    assert moves(game) == ["w", "sw", "se", "stop"]
    assert refused(game, 0, "e") == ("SK-2.3", "a skerry lies there")
    assert refused(game, 0, "ne") == ("SK-2.3", "the chart ends there")


def test_sk_2_3_every_second_row_lies_half_a_hex_further_right(skerries: Title) -> None:
    middle = {"e": "d2", "ne": "d1", "nw": "c1", "w": "b2", "sw": "c3", "se": "d3"}
    for move, hex in middle.items():
        game = at({"chart": "...../.h..l/q...."}, boats="c2,a3,a3")
        game.play(0, move)
        assert game.view().boats[0].hex == hex
    below = {"e": "d3", "ne": "c2", "nw": "b2", "w": "b3", "sw": "b4", "se": "c4"}
    for move, hex in below.items():
        game = at({"chart": "...../....l/q..../....."}, boats="c3,a3,a3")
        game.play(0, move)
        assert game.view().boats[0].hex == hex


def test_sk_2_4_a_turn_ends_when_its_skipper_says_so_and_wind_is_lost(skerries: Title) -> None:
    game = at(wind="4")
    game.play(0, "stop")
    assert game.view().wind == 0
    becalmed = at(wind="0")
    assert moves(becalmed) == ["stop"]
    assert becalmed.deciders == (0,)


# SK-3 Cards


def test_sk_3_1_the_first_harbour_of_a_turn_gives_a_card(skerries: Title) -> None:
    game = at()
    game.play(0, "se")
    assert game.heading == "draw 1"
    assert game.outcomes() == {0: 2, 1: 2, 2: 2}
    falls(game, "pilot")
    assert field(game, "hands") == "p|-|-"
    assert game.view().deck == 5
    for move in ("e", "e", "e"):
        game.play(0, move)
    assert game.view().boats[0].hex == "d2"
    assert not game.chance_due


def test_sk_3_1_a_full_hand_draws_nothing(skerries: Title) -> None:
    game = at(hands="gpa|-|-")
    game.play(0, "se")
    assert not game.chance_due and game.view().wind == 4


def test_sk_3_1_passing_a_harbour_with_a_full_hand_counts_as_the_first(skerries: Title) -> None:
    game = at(hands="ggp|-|-", wind="6")
    for move in ("se", "gust", "e", "e", "e"):
        game.play(0, move)
    assert game.view().boats[0].hex == "d2" and not game.chance_due


def test_sk_3_2_the_open_cards_are_shuffled_once_the_deck_is_empty(skerries: Title) -> None:
    game = at(hands="ga|p|-", open="gpa")
    assert game.view().deck == 0
    game.play(0, "se")
    assert game.outcomes() == {0: 1, 1: 1, 2: 1}
    assert game.view().open == ()
    assert game.story[-1] == "The open cards are shuffled into a new deck: 3."
    falls(game, "anchor")
    assert (field(game, "hands"), game.view().deck) == ("gaa|p|-", 2)


def test_sk_3_2_where_no_card_is_left_none_is_drawn(skerries: Title) -> None:
    game = at({"copies": 1}, hands="g|pa|-")
    game.play(0, "se")
    assert not game.chance_due and game.deciders == (0,)


def test_sk_3_3_a_gust_brings_2_more_wind_and_lies_open(skerries: Title) -> None:
    game = at(hands="gg|-|-", wind="0")
    game.play(0, "gust")
    assert (game.view().wind, game.view().open, field(game, "hands")) == (2, ("gust",), "g|-|-")
    assert game.story == ["Skipper 1 plays: gust."]
    assert refused(game, 0, "pilot") == ("SK-3.3", "the hand holds no pilot")


def test_sk_3_4_with_a_pilot_aboard_a_reef_takes_1_wind(skerries: Title) -> None:
    game = at(boats="b1,a1,a1", hands="pp|-|-", wind="1")
    game.play(0, "pilot")
    assert refused(game, 0, "pilot") == ("SK-3.4", "a pilot is already aboard in this turn")
    game.play(0, "e")
    assert (game.view().boats[0].hex, game.view().wind) == ("c1", 0)
    game.play(0, "stop")
    assert not game.view().piloted


# SK-4 Robbery

NEAR = {"boats": "b1,b1,a1", "hands": "-|ga|p", "turn": "1"}


def test_sk_4_1_a_boat_in_the_same_hex_that_holds_cards_may_be_robbed(skerries: Title) -> None:
    assert "rob 2" in moves(at(**NEAR))
    nobody = ("SK-4.1", "that boat is not in the same hex")
    assert refused(at(**NEAR), 0, "rob 3") == nobody
    assert refused(at(**NEAR), 0, "rob 1") == nobody
    assert refused(at(**NEAR), 0, "rob 4") == nobody
    arrived = at(boats="a1,e1,a1", places="0,1,0", hands="-|ga|-")
    assert refused(arrived, 0, "rob 2") == nobody
    assert refused(at(**NEAR | {"hands": "-|-|p"}), 0, "rob 2") == ("SK-4.1", "that skipper holds no cards")
    assert refused(at(**NEAR | {"hands": "gpp|ga|-"}), 0, "rob 2") == ("SK-4.1", "the hand is full")


def test_sk_4_1_a_turn_sees_one_robbery(skerries: Title) -> None:
    game = at(**NEAR | {"boats": "b1,b1,b1"})
    game.play(0, "rob 2")
    game.play(1, "anchor")
    assert game.deciders == (0,)
    assert refused(game, 0, "rob 3") == ("SK-4.1", "you have already robbed somebody in this turn")


def test_sk_4_2_the_robbed_skipper_is_asked_whatever_its_hand(skerries: Title) -> None:
    for hands, answers in (("-|ga|-", ["anchor", "yield"]), ("-|g|-", ["yield"])):
        game = at(**NEAR | {"hands": hands})
        game.play(0, "rob 2")
        assert (game.deciders, moves(game, 1)) == ((1,), answers)
        assert refused(game, 1, "stop") == ("SK-4.2", "your boat is being robbed: drop anchor or yield")
    assert refused(game, 1, "anchor") == ("SK-3.3", "the hand holds no anchor")
    assert refused(at(**NEAR), 0, "yield")[0] == "SK-4.2"
    assert refused(at(hands="a|-|-"), 0, "anchor")[0] == "SK-4.2"


def test_sk_4_2_an_anchor_saves_the_hand(skerries: Title) -> None:
    game = at(**NEAR)
    game.play(0, "rob 2")
    game.play(1, "anchor")
    assert (field(game, "hands"), field(game, "open")) == ("-|g|p", "a")
    assert game.story == ["Skipper 1 robs Skipper 2.", "Skipper 2 plays: anchor."]
    assert game.view().victim is None


def test_sk_4_3_a_card_drawn_blindly_changes_hands(skerries: Title) -> None:
    game = at(**NEAR | {"hands": "-|gga|p"}, options={"copies": 3})
    game.play(0, "rob 2")
    game.play(1, "yield")
    assert game.heading == "theft 2 1"
    assert game.outcomes() == {0: 2, 2: 1}
    falls(game, "gust")
    assert field(game, "hands") == "g|ga|p"
    assert game.deciders == (0,)
    for eyes, said in ((1, ": gust."), (2, ": gust."), (3, ": gust."), (4, "."), (0, ".")):
        assert game.story_for(eyes)[-1] == f"Skipper 1 takes a card of Skipper 2{said}"


def test_sk_4_4_the_robbed_skipper_remembers_the_card(skerries: Title) -> None:
    game = at(**NEAR)
    game.play(0, "rob 2")
    game.play(1, "yield")
    falls(game, "gust")
    assert field(game, "known") == "2>1:g"
    (memory,) = game.view(1).memories
    assert (memory.knower, memory.holder, memory.cards) == (1, 0, ("gust",))
    assert game.view(0).memories == game.view(2).memories == game.view().memories == ()
    game.play(0, "gust")
    assert field(game, "known") == "-"


def test_sk_4_4_a_card_of_the_kind_that_is_played_is_the_remembered_one(skerries: Title) -> None:
    game = at(hands="ggp|a|-", known="2>1:g,3>1:p")
    game.play(0, "gust")
    assert field(game, "known") == "3>1:p"


def test_sk_4_4_who_does_not_see_a_theft_forgets_what_it_knew_of_that_hand(skerries: Title) -> None:
    game = at(
        {"skippers": 4, "copies": 4},
        turn="4", phase="theft", spent="robbery", victim="1",
        boats="b1,b1,b1,b1", hands="ggp|g|g|-", places="0,0,0,0", known="1>2:g,2>1:p,3>1:g,4>1:g", day="1",
    )  # fmt: skip
    falls(game, "gust")
    # The thief saw that it was a gust, and may have known this one; what is known of other hands stays.
    assert field(game, "known") == "1>2:g,1>4:g"


def test_sk_4_4_what_was_shuffled_under_is_anywhere(skerries: Title) -> None:
    """SK-3.2 the eyes do not remember that the cards of the new deck cannot be in a hand."""
    game = at({"copies": 1}, boats="a1,b2,b2", hands="-|g|-", open="pa", wind="5")
    game.play(0, "se")
    falls(game, "pilot")
    g = game.setup
    found = set()
    for seed in range(1, 60):
        s = game.seen(1).state.copy()
        game.title.rules.redeal(s, g, 1, [seed], [0] * 16)
        found.add(tuple(s.held[1, kind] for kind in range(3)))
    assert found == {(1, 0, 0), (0, 0, 1)}


# SK-5 The end


def test_sk_5_1_a_boat_arrives_and_takes_the_best_place_left(skerries: Title) -> None:
    game = at(boats="d2,e1,a1", places="0,1,0", hands="ga|-|-")
    game.play(0, "ne")
    view = game.view()
    assert (view.boats[0].place, view.boats[0].cards, view.turn) == (2, 2, 2)
    assert game.story[-1] == "Skipper 1 arrives in place 2."


def test_sk_5_1_the_first_to_arrive_is_first(skerries: Title) -> None:
    game = paddock.start("skerries", seed=1, skippers=2, chart="ql")
    for seat, place in ((0, 1), (1, 2)):
        game.play(seat, "e")
        assert game.over or game.view().boats[seat].place == place
    assert game.rounds[0].places == (1, 2)


def test_sk_5_2_the_race_ends_when_all_have_arrived(skerries: Title) -> None:
    game = at(boats="d2,e1,e1", places="0,1,2")
    game.play(0, "ne")
    assert game.over
    assert game.rounds[0].places == (3, 1, 2)


def test_sk_5_2_the_race_ends_after_the_last_day(skerries: Title) -> None:
    game = at(day="3", turn="3", boats="b1,e1,a1", places="0,1,0")
    game.play(2, "stop")
    assert game.over
    assert game.story[-2:] == ["Skipper 1 has not reached the light.", "Skipper 3 has not reached the light."]


def test_sk_5_3_three_places_score_and_who_has_not_arrived_has_none(skerries: Title) -> None:
    game = at({"skippers": 4}, boats="d2,e1,e1,e1", places="0,1,2,3", hands="-|-|-|-")
    game.play(0, "ne")
    assert (game.rounds[0].places, game.rounds[0].scores) == ((4, 1, 2, 3), (0, 3, 2, 1))
    game = at(day="3", turn="3", boats="b1,e1,a1", places="0,1,0")
    game.play(2, "stop")
    assert (game.rounds[0].places, game.rounds[0].scores) == ((0, 1, 0), (0, 3, 0))
    assert [(line.who, line.rank) for line in game.standings().players] == [(1, 1), (0, 0), (2, 0)]
    assert game.result and game.result.winners == (1,)


def test_sk_5_3_where_nobody_arrives_nobody_wins(skerries: Title) -> None:
    game = at(day="3", turn="3")
    game.play(2, "stop")
    assert game.result and game.result.winners == ()
    assert game.title.text.status(game.seen(0)) == "The race is over: nobody has reached the light."


def test_sk_5_4_the_points_of_a_regatta_are_added_up(skerries: Title) -> None:
    game = finished(3, {"skippers": 3, "races": 3, "chart": "qh/.l", "days": 8})
    assert len(game.rounds) == 3
    assert all(1 in result.places for result in game.rounds), "each race is sailed from its quay"
    for line in game.standings().players:
        assert line.total == sum(result.scores[line.who] for result in game.rounds)


# All of them


def test_every_clause_is_tested_here(skerries: Title) -> None:
    known = set(skerries.rulebook.clauses)
    tested = re.findall(r"^def test_sk_(\d)_(\d)_", Path(__file__).read_text("utf-8"), re.MULTILINE)
    assert {f"SK-{chapter}.{clause}" for chapter, clause in tested} == known


def test_no_module_cites_a_clause_that_is_not_there(skerries: Title) -> None:
    known = set(skerries.rulebook.clauses)
    for path in (HERE.parent / "src/skerries").glob("*.py"):
        assert set(re.findall(r"\bSK-\d+\.\d+", path.read_text("utf-8"))) <= known, path
