"""RA-3 A round: leading, raising, passing, and how it ends."""

from __future__ import annotations

import pytest

from paddock.games.rasant.rules import state

from .harness import between, dealt

HANDS = {
    1: "r10 r20 r30 r40 r50 k10",
    2: "g10 g20 g30 g40 g50 k20",
    3: "b10 b20 b30 b40 b50 k30",
    4: "y10 y20 y30 y40 y50 k40",
    5: "r60 g60 b60 y60 r70 k50",
}
RESERVE = "g70 g80 b70 b80"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_ra_3_1_the_player_left_of_the_dealer_leads_the_first_round(players: int) -> None:
    """RA-3.1 whoever dealt."""
    hands = {player: HANDS[player] for player in range(1, players + 1)}
    for dealer in hands:
        game = dealt(hands, dealer=dealer)
        left = dealer % players + 1
        assert (game.phase, game.asked, game.leader) == ("round", left, left)
        assert game.told == ["reserve empty", f"leads {left}"]


@pytest.mark.parametrize("first", [1, 2, 4])
def test_ra_3_1_who_passed_first_leads_the_next_round(first: int) -> None:
    """RA-3.1 be it the player before the winner, after, or the leader of before."""
    hands = {1: "r10 r90 b10", 2: "r20 r100 g10", 3: "r30 r110 k10", 4: "r40 r120 y10"}
    game = between(hands, leader=3, reserve="k10")
    game.run("3:r30")
    scripts = {
        4: "4:pass, 1:r90, 2:pass, 3:r110, 1:pass",
        1: "4:r40, 1:pass, 2:r100, 3:pass, 4:pass",
        2: "4:r40, 1:r90, 2:pass, 3:pass, 4:pass",
    }
    game.run(scripts[first]).take("k10")
    assert (game.asked, game.leader) == (first, first)
    assert game.told == [f"drew {game.s.best + 1} 1", "reserve empty", f"leads {first}"]
    assert (game.passed, game.s.first, game.s.top) == (set(), 0, state.EMPTY)  # a round from its beginning


def test_ra_3_2_the_lead_is_a_coloured_card() -> None:
    """RA-3.2 any coloured one, and no pass, whatever the reserve."""
    for reserve in ("", "b10"):
        game = between({1: "r10 g130 y70 y70 k10 k120", 2: "k20"}, reserve=reserve)
        assert game.legal(1) == ["r10", "g130", "y70"]
        assert game.why(1, "k10") == "RA-3.2"
        assert game.why(1, "pass") == "RA-3.2"
        assert game.why(1, "pass k10") == "RA-3.2"
        assert game.why(1, "b10") == "RA-2.2"
    assert between({1: "y130", 2: "k20"}).legal(1) == ["y130"]


@pytest.mark.parametrize("colour", "rgby")
def test_ra_3_2_the_lead_sets_the_colour(colour: str) -> None:
    """RA-3.2 every coloured kind is led, and only its own colour and black may follow."""
    everything = "r60 g60 b60 y60 k60"
    for speed in (10, 50):
        game = between({1: f"{colour}{speed} k130", 2: everything}, reserve="k10")
        game.run(f"1:{colour}{speed}")
        assert game.told == [f"led 1 {colour}{speed}"]
        assert game.legal(2) == [f"{colour}60", "k60", "pass"]
        for other in set("rgby") - {colour}:
            assert game.why(2, f"{other}60") == "RA-3.3"


def test_ra_3_2_a_leader_without_a_colour_passes_and_the_lead_moves_left() -> None:
    """RA-3.2 that is all it can do; the hand is now known to be black."""
    game = between({1: "r10 r20", 2: "k10 k20 k30", 3: "g10 k40"}, leader=2, reserve="b10 b20")
    assert (game.asked, game.legal(2), game.black) == (2, ["pass"], [0, 0, 0])
    assert game.why(2, "k10") == "RA-3.2"
    assert game.why(2, "pass") == ""
    game.run("2:pass")
    assert game.told == ["passed 2"]
    assert (game.asked, game.leader, game.passed, game.black) == (3, 3, {2}, [0, 3, 0])
    assert game.legal(3) == ["g10"]
    game.run("3:g10")
    assert game.asked == 1  # it counts like every other: player 2 is out, and leads next
    game.run("1:pass")
    assert (game.phase, game.leader) == ("draw", 2)


def test_ra_3_2_with_an_empty_reserve_a_forced_pass_costs_a_card_too() -> None:
    """RA-3.2 what is left of the hand is known to be black, also a hand known before."""
    for known in (0, 1, 3):
        game = between({1: "k10 k20 k20", 2: "g10 k40", 3: "k50"}, black=(known, 0, 0))
        assert game.legal(1) == ["pass k10", "pass k20"]
        game.run("1:pass k20")
        assert game.told == ["passed 1 k20"]
        assert (game.hand(1), game.black, game.asked) == ("k10 k20", [2, 0, 0], 2)


def test_ra_3_2_what_is_known_to_be_black_is_used_up() -> None:
    """RA-3.2 by black cards that are played or discarded, never by coloured ones."""
    game = between({1: "r10 r20 r30 r90", 2: "r40 g10 k40 k50 k60 k70"}, black=(0, 3), round_end="all")
    game.run("1:r10")
    assert game.copy().run("2:r40").black == [0, 3]
    assert game.copy().run("2:pass g10").black == [0, 3]
    assert game.copy().run("2:pass k50").black == [0, 2]
    game.run("2:k40")
    assert (game.black, game.hand(2)) == ([0, 2], "r40 g10 k50 k60 k70")
    game.run("1:r90, 2:pass k50, 1:pass r20")
    assert game.black == [0, 1]
    game = between({1: "r10 r20", 2: "k40 k50 g10"}, black=(0, 1)).run("1:r10, 2:k40")
    assert game.black == [0, 0]
    assert game.copy().run("1:pass r20").black == [0, 0]
    game = between({1: "r10 r20 r120", 2: "k40 k50 g10"}).run("1:r10, 2:k40, 1:r120, 2:pass k50")
    assert game.black == [0, 0]
    for black in ("k10", "k130"):  # the lowest and the highest one
        game = between({1: "r10 r20", 2: f"{black} k50 g10"}, black=(0, 2)).run(f"1:r10, 2:pass {black}")
        assert game.black == [0, 1]


def test_ra_3_2_only_a_leaders_pass_proves_anything() -> None:
    """RA-3.2 anyone else may pass with whatever they hold."""
    game = between({1: "r10 r20", 2: "k10 k20", 3: "k30 k40"}, reserve="b10 b20").run("1:r10, 2:pass, 3:pass")
    assert game.black == [0, 0, 0]


def test_ra_3_2_drawn_cards_are_not_known() -> None:
    """RA-3.2 what a hand was known to hold stays known, and no more."""
    game = between({1: "r10 k90", 2: "k10 k20"}, leader=2, reserve="b10 k30 b20 b30 b40")
    game.run("2:pass, 1:r10, 0:b10, 0:b20, 0:b30, 0:b40, 0:k30")
    assert (game.phase, game.hands) == ("round", ["b10 b20 b30 b40 k30 k90", "k10 k20"])
    assert game.black == [0, 2]


def test_ra_3_3_strictly_higher_in_colour_or_in_black() -> None:
    """RA-3.3 black waives the colour, not the height."""
    hand = "r40 r50 r60 g90 k50 k60"
    game = between({1: "r50", 2: hand}, reserve="k10").run("1:r50")
    assert game.legal(2) == ["r60", "k60", "pass"]
    assert {move: game.why(2, move) for move in hand.split()} == {
        "r40": "RA-3.3",
        "r50": "RA-3.3",
        "r60": "",
        "g90": "RA-3.3",
        "k50": "RA-3.3",
        "k60": "",
    }
    assert game.why(2, "r70") == "RA-2.2"
    lowest = between({1: "g10", 2: "g10 g20 k10 k20"}, reserve="k10").run("1:g10")
    assert lowest.legal(2) == ["g20", "k20", "pass"]
    highest = between({1: "g120", 2: "g120 g130 b130 k120 k130"}, reserve="k10").run("1:g120")
    assert highest.legal(2) == ["g130", "k130", "pass"]
    ends = between({1: "y120", 2: "y130 k10 b130"}, reserve="k10").run("1:y120")
    assert ends.legal(2) == ["y130", "pass"]


def test_ra_3_3_a_card_held_twice_is_one_move() -> None:
    """RA-3.3 every move is listed once."""
    hand = "r20 r20 r30 k20 k20 k20"
    assert between({1: hand, 2: "k10"}).legal(1) == ["r20", "r30"]
    game = between({1: "r10", 2: hand}, reserve="k10").run("1:r10")
    assert game.legal(2) == ["r20", "r30", "k20", "pass"]
    game = between({1: "r10", 2: hand}).run("1:r10")
    assert game.legal(2) == ["r20", "r30", "k20", "pass r20", "pass r30", "pass k20"]


def test_ra_3_3_the_colour_of_the_round_stays_after_black() -> None:
    """RA-3.3 on a black 60 the next card is a higher one of the led colour or of black."""
    game = between({1: "r10 g130", 2: "k60", 3: "r60 r70 g70 k70 k50"}, reserve="k10").run("1:r10, 2:k60")
    assert game.told == ["raised 2 k60"]
    assert game.legal(3) == ["r70", "k70", "pass"]
    game.run("3:k70")
    assert game.why(1, "g130") == "RA-3.3"
    assert game.legal(1) == ["pass"]


def test_ra_3_3_who_plays_stays_and_who_passes_is_out() -> None:
    """RA-3.3 clockwise, over those who have not passed."""
    game = between(
        {1: "r10 r50 r90", 2: "r20 r60", 3: "r30 r110", 4: "r40 r70 r100"}, leader=3, reserve="k10"
    )
    game.run("3:r30, 4:r40, 1:r50, 2:pass")
    assert (game.asked, game.passed) == (3, {2})
    game.run("3:pass, 4:r70, 1:r90")
    assert game.asked == 4  # past 2 and 3
    game.run("4:r100, 1:pass")
    assert game.told[:2] == ["passed 1", "won 4 r 4"]


def test_ra_3_3_a_hand_is_kept_in_order() -> None:
    """RA-3.3 a card played leaves the hand, from wherever it is."""
    hand = "r10 r30 g50 b70 y90 k110"
    for card in hand.split()[:-1]:
        game = between({1: hand, 2: "k10"}, reserve="k20").run(f"1:{card}")
        assert game.hand(1).split() == [other for other in hand.split() if other != card]
        assert game.discard == card
    game = between({1: "r10 r10 r10 k10 k10 k10", 2: "k10"}).run("1:r10")
    assert game.hand(1) == "r10 r10 k10 k10 k10"


def test_ra_3_4_the_round_ends_when_all_but_one_have_passed() -> None:
    """RA-3.4 the one who is left is not asked again."""
    game = between({1: "r10 r20", 2: "r30", 3: "r40"}, reserve="k10").run("1:r10, 2:pass, 3:pass")
    assert (game.phase, game.scores) == ("draw", {1: 4, 2: 0, 3: 0})
    assert game.told == ["passed 3", "won 1 r 4", "moved 4 0"]
    game = between({1: "r10 r20", 2: "r30"}, reserve="k10").run("1:r10, 2:r30")
    assert (game.phase, game.asked) == ("round", 1)
    assert game.run("1:pass").scores == {1: 0, 2: 4}


def test_ra_3_4_or_with_the_option_when_all_have() -> None:
    """RA-3.4 the last player may go on raising, its own card too, and must pass to end it."""
    game = between({1: "r10 r20 k90", 2: "r30", 3: "r40"}, reserve="k10", round_end="all")
    game.run("1:r10, 2:pass, 3:pass")
    assert (game.phase, game.asked) == ("round", 1)
    assert game.legal(1) == ["r20", "k90", "pass"]
    game.run("1:r20")
    assert (game.told, game.asked) == (["raised 1 r20"], 1)
    assert game.legal(1) == ["k90", "pass"]
    game.run("1:pass")
    assert game.told == ["passed 1", "won 1 r 4", "moved 4 0"]
    assert (game.phase, game.leader) == ("draw", 2)


def test_ra_3_4_with_the_option_a_last_card_needs_no_pass_of_ones_own() -> None:
    """RA-3.4 an empty hand passes by itself, also the last one in the round."""
    game = between({1: "r10 k90", 2: "r30 r40", 3: "g10"}, round_end="all").run("1:r10, 2:r30, 3:pass g10")
    game.run("1:k90")
    assert game.told == ["raised 1 k90"]
    game.run("2:pass r40")
    assert game.told[:4] == ["passed 2 r40", "passed 1", "won 1 r 4", "moved 4 0"]


@pytest.mark.parametrize("round_end", ["one", "all"])
def test_ra_3_4_a_130_ends_the_round_at_once(round_end: str) -> None:
    """RA-3.4 led, raised, of black, and with others still in the round."""
    hands = {1: "r130 r10", 2: "r20 r130 k130", 3: "r30 k130"}
    for script, winner in (
        ("1:r130", 1),
        ("1:r10, 2:r130", 2),
        ("1:r10, 2:k130", 2),
        ("1:r10, 2:pass, 3:k130", 3),
        ("1:r10, 2:r20, 3:r30, 1:r130", 1),
    ):
        game = between(hands, reserve="k10", round_end=round_end).run(script)
        assert game.phase == "draw"
        assert game.told[1:] == [f"won {winner} r 4", "moved 4 0"]
        assert game.scores[winner] == 4
    game = between(hands, reserve="k10", round_end=round_end).run("1:r10, 2:r20")
    assert game.phase == "round"


def test_ra_3_4_a_120_ends_nothing() -> None:
    """RA-3.4 in colour or black."""
    for card in ("r120", "k120"):
        game = between({1: "r10", 2: f"{card} r20", 3: "k130 r30"}, reserve="k10").run(f"1:r10, 2:{card}")
        assert (game.phase, game.asked) == ("round", 3)


def test_ra_3_5_the_highest_card_wins() -> None:
    """RA-3.5 whoever led, and whichever colour it is of: the colour of the round overtakes."""
    game = between({1: "b10 b50", 2: "k20 k10", 3: "b30 b20"}, reserve="k10")
    game.run("1:b10, 2:k20, 3:b30, 1:pass, 2:pass")
    assert game.told == ["passed 2", "won 3 b 2", "moved 2 0"]
    game = between({1: "b10 b50", 2: "k20", 3: "b30"}, reserve="k10").run("1:b10, 2:k20, 3:pass, 1:pass")
    assert game.told == ["passed 1", "won 2 b 2", "moved 2 0"]
    assert game.scores == {1: 0, 2: 2, 3: 0}


@pytest.mark.parametrize(("winner", "left"), [(1, 2), (2, 3), (3, 4), (4, 1)])
def test_ra_3_6_the_player_left_of_a_130_leads_when_nobody_passed(winner: int, left: int) -> None:
    """RA-3.6 a led one, clockwise round the table."""
    game = between(
        {1: "r130 k10", 2: "r130 g10", 3: "r130 b10", 4: "r130 y10"}, leader=winner, reserve="y130"
    )
    game.run(f"{winner}:r130, 0:y130")
    assert (game.phase, game.leader) == ("round", left)
    assert game.told[-1] == f"leads {left}"


def test_ra_3_6_but_who_passed_before_a_130_leads() -> None:
    """RA-3.6 and RA-3.1: one pass is enough."""
    game = between({1: "r10 r20 g10", 2: "g30", 3: "r30 k130 g20", 4: "b10"}, reserve="y130")
    game.run("1:r10, 2:pass, 3:k130, 0:y130")
    assert (game.asked, game.leader) == (2, 2)
    game = between({1: "r10 g10", 2: "r20 g30", 3: "r130 g20", 4: "b10"}, reserve="y130")
    game.run("1:r10, 2:r20, 3:r130, 0:y130")
    assert (game.asked, game.leader) == (4, 4)


def test_ra_3_7_no_round_ends_before_a_card_is_led() -> None:
    """RA-3.7 the last one must lead, and has won."""
    game = between({1: "k10 k20", 2: "k30", 3: "r10 k40"}, reserve="k50")
    game.run("1:pass, 2:pass")
    assert (game.phase, game.asked, game.leader, game.passed) == ("round", 3, 3, {1, 2})
    assert game.legal(3) == ["r10"]
    assert game.why(3, "pass") == "RA-3.2"
    game.run("3:r10")
    assert game.told == ["led 3 r10", "won 3 r 4", "moved 4 0"]
    assert (game.black, game.leader) == ([2, 1, 0], 1)


def test_ra_3_7_with_the_option_the_last_may_raise_itself() -> None:
    """RA-3.7 it leads, and then ends the round by passing."""
    game = between({1: "k10 k20", 2: "r10 k40"}, reserve="k50", round_end="all").run("1:pass, 2:r10")
    assert (game.phase, game.asked, game.legal(2)) == ("round", 2, ["k40", "pass"])
    game.run("2:k40")
    assert game.told[:3] == ["raised 2 k40", "passed 2", "won 2 r 4"]  # its hand is empty


def test_ra_3_4_who_is_left_alone_may_raise_again_in_one_submission() -> None:
    """RA-3.4, RA-3.7 with round_end=all: nothing else happens between two raises of the last player."""
    hands = {1: "r10 r20 k90 r130", 2: "r30 g10", 3: "r40 g20"}
    game = between(hands, reserve="k10", round_end="all")
    assert game.foreseen(1, "r10") == 0  # the others are asked
    game.run("1:r10, 2:pass")
    assert game.foreseen(3, "r40") == 0
    game.run("3:pass")
    assert [game.foreseen(1, move) for move in game.legal(1)] == [1, 0, 1, 0]  # no 130, no pass
    assert game.legal(1) == ["r20", "r130", "k90", "pass"]
    game.run("1:r20, 1:k90")
    assert game.asked == 1
    two = between({1: "r10 r20", 2: "r30"}, reserve="k10", round_end="all")
    assert two.foreseen(1, "r10") == 0  # a last card can be played, too
    one = between(hands, reserve="k10").run("1:r10, 2:pass")
    assert [one.foreseen(3, move) for move in one.legal(3)] == [0, 0]
    last = between({1: "k10 k20", 2: "r10 r20 k40"}, reserve="k50", round_end="all").run("1:pass")
    assert (last.foreseen(2, "r10"), last.foreseen(2, "r20")) == (1, 1)
    assert last.run("2:r10, 2:r20").foreseen(2, "k40") == 0  # its last card: the round is over
    alone = between({1: "r10 r20 g10", 2: ""}, round_end="all")
    assert alone.foreseen(1, "r10") == 1
    assert alone.run("1:r10").told == ["led 1 r10", "passed 2"]
    assert alone.asked == 1


def test_ra_3_8_whoever_the_lead_has_come_to_is_the_leader() -> None:
    """RA-3.8 the lead moves over players without a colour, round the table."""
    game = between({1: "k10", 2: "r20 k60", 3: "k30", 4: "k40 k50"}, leader=3, reserve="k60")
    for player in (3, 4, 1):
        assert (game.asked, game.leader, game.legal(player)) == (player, player, ["pass"])
        game.run(f"{player}:pass")
    assert (game.asked, game.leader) == (2, 2)
    assert game.why(2, "pass") == "RA-3.2"
    game.run("2:r20")
    assert game.leader == 3  # the first to pass leads the next round


def test_ra_3_8_a_forced_pass_is_passed_first() -> None:
    """RA-3.8 of a leader or of an empty hand, before any pass of choice."""
    game = between({1: "k10", 2: "r20 r30", 3: "r40 r50"}, reserve="k60")
    game.run("1:pass, 2:r20, 3:pass, 0:k60")
    assert game.told[-1] == "leads 1"
    game = between({1: "r10 r20", 2: "", 3: "r40 r50"}).run("1:r10")
    assert game.told == ["led 1 r10", "passed 2"]
    game.run("3:pass r50")
    assert game.told[-2:] == ["leads 2", "passed 2"]


def test_ra_3_8_the_leader_does_not_change_once_a_card_is_led() -> None:
    """RA-3.8 the lead stays where it was played."""
    game = between({1: "r10 r50", 2: "r20 k10", 3: "r40 r90"}, reserve="k60")
    game.run("1:r10, 2:r20, 3:r40")
    assert (game.leader, game.asked) == (1, 1)
    game.run("1:r50, 2:pass")
    assert (game.leader, game.asked) == (1, 3)


def test_ra_3_9_who_is_left_over_has_not_passed_and_discards_nothing() -> None:
    """RA-3.9 with an empty reserve the winner keeps its cards."""
    game = between({1: "r10 r20 g10", 2: "r30 g20", 3: "r40 g30"}).run("1:r10, 2:pass r30, 3:pass g30")
    assert game.told == ["passed 3 g30", "won 1 r 4", "moved 4 0", "leads 2"]
    assert (game.hand(1), game.discard) == ("r20 g10", "r10 r30 g30")
    game = between({1: "r10 r20 g10", 2: "r30 g20"}, round_end="all").run("1:r10, 2:pass g20")
    assert game.legal(1) == ["r20", "pass r20", "pass g10"]  # there the last one passes, and pays
    assert game.run("1:pass g10").hands == ["r20", "r30"]


def test_ra_3_10_everybody_with_cards_is_asked() -> None:
    """RA-3.10 even where passing is all there is to do."""
    game = between({1: "r50 r90", 2: "g10", 3: "r40"}, reserve="k10").run("1:r50")
    assert (game.asked, game.legal(2)) == (2, ["pass"])
    game.run("2:pass")
    assert (game.asked, game.legal(3)) == (3, ["pass"])


def test_ra_3_10_an_empty_hand_passes_by_itself() -> None:
    """RA-3.10 one after the other, as a leader too, and told like any other pass."""
    game = between({1: "", 2: "", 3: "r10 r20", 4: ""})
    assert game.told == ["leads 1", "passed 1", "passed 2"]
    assert (game.asked, game.leader, game.passed, game.black) == (3, 3, {1, 2}, [0] * 4)
    game.run("3:r10")
    assert game.told == [
        *("led 3 r10", "passed 4", "won 3 r 4", "moved 4 0"),
        *("leads 1", "passed 1", "passed 2"),
    ]
    game.run("3:r20")
    assert game.phase == "over"


def test_ra_3_10_a_hand_emptied_in_the_round_passes_when_its_turn_comes() -> None:
    """RA-3.10 not before: it may have won by then."""
    game = between({1: "r10", 2: "r20 r30", 3: "r40 k50"}).run("1:r10")
    assert (game.told, game.passed) == (["led 1 r10"], set())
    game.run("2:r20, 3:r40")
    assert (game.told, game.passed) == (["raised 3 r40", "passed 1"], {1})
    assert game.asked == 2
    game = between({1: "r10", 2: "r20", 3: "k50"}).run("1:r10, 2:pass r20, 3:pass k50")
    assert game.scores == {1: 4, 2: 0, 3: 0}
    assert game.told[:2] == ["passed 3 k50", "won 1 r 4"]
