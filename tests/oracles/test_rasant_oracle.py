"""The oracle's own sanity: small rounds and games worked out by hand from the clauses."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from .rasant import ALL_BLACK_TOP, CARS, RECONSTRUCTED, Game, speed_of

Play = tuple[int, str]

LINE = list("krrrgggbbbyyy")
"""Red's rearmost is the 10th car from the back, green's the 7th, blue's the 4th, yellow's the last."""

SPARE = ["k30"] * 30
"""A reserve that will not run out; black, so that a draw changes no lead but the drawer's."""


def play(game: Game, *plays: Play) -> None:
    """Make the plays in turn; each must be the only decision that is due."""
    for player, move in plays:
        assert game.deciders() == {player}
        game.play(player, move)


def draw(game: Game, *cards: str) -> None:
    """Draw these cards in turn."""
    for card in cards:
        game.take(card)


def draw_all(game: Game) -> None:
    """Draw whatever comes first until a player must decide or the game is over."""
    while game.chance():
        game.take(min(game.chance()))


def dealt(hands: list[list[str]], deck: list[str], dealer: int) -> Game:
    """Return a game with these hands, given in the order of the deal."""
    game = Game(len(hands), deck, dealer, LINE)
    for hand in hands:
        draw(game, *hand)
    return game


# RA-1 and RA-2


def test_ra_1_2_the_two_decks() -> None:
    assert len(RECONSTRUCTED) == len(set(RECONSTRUCTED)) == 56
    assert len(ALL_BLACK_TOP) == len(set(ALL_BLACK_TOP)) == 56
    assert [card for card in RECONSTRUCTED if card.startswith("k")] == ["k30", "k60", "k90", "k120"]
    assert [card for card in ALL_BLACK_TOP if speed_of(card) == 130] == ["k130"]
    assert Counter(card[0] for card in ALL_BLACK_TOP) == {"r": 12, "g": 12, "b": 12, "y": 12, "k": 8}
    assert "k60" in ALL_BLACK_TOP and "k50" not in ALL_BLACK_TOP


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 1},
        {"players": 6},
        {"players": 2, "deck": ["r10"] * 11},
        {"players": 2, "deck": ["k10"] * 12},
        {"players": 2, "deck": ["r10"] * 11 + ["r15"]},
        {"players": 2, "deck": ["r10"] * 11 + ["r140"]},
        {"players": 2, "deck": ["r10"] * 11 + ["x10"]},
        {"players": 2, "dealer": 2},
        {"players": 2, "line": list("rkrrgggbbbyyy")},
        {"players": 2, "line": list("krrrgggbbbyy")},
        {"players": 2, "round_end": "most"},
    ],
)
def test_ra_1_what_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Game(**wrong)


def test_ra_2_1_the_line_is_drawn_from_the_front() -> None:
    game = Game(2)
    assert game.line() == ["k"] and game.deciders() == set()
    assert game.chance() == {"r": 3, "g": 3, "b": 3, "y": 3}
    draw(game, "y", "r", "y", "y")
    assert game.chance() == {"r": 2, "g": 3, "b": 3}
    with pytest.raises(ValueError):
        game.take("y")
    draw(game, "r", "r", "g", "g", "g", "b", "b")
    assert game.chance() == {"b": 1}
    game.take("b")
    assert game.line() == list("kyryyrrgggbbb")
    assert game.chance() == {"player 0": 1, "player 1": 1}  # the dealer is next


def test_ra_2_2_whole_hands_from_the_dealers_left() -> None:
    game = Game(3, line=LINE)
    assert game.dealer() is None
    game.take("player 1")
    assert game.dealer() == 1 and game.reserve() == 56
    assert game.chance() == dict.fromkeys(RECONSTRUCTED, 1)
    draw(game, "r10", "r20", "r30", "r40", "r50")
    assert game.hand(2) == ["r10", "r20", "r30", "r40", "r50"] and game.hand(0) == []
    assert "r10" not in game.chance() and game.leader() is None
    draw(game, "r60", "g10", "g20", "g30", "g40", "g50", "g60", "b10", "b20", "b30", "b40", "b50")
    assert len(game.hand(2)) == len(game.hand(0)) == 6 and len(game.hand(1)) == 5
    game.take("b60")
    assert game.chance() == {} and game.reserve() == 38
    assert game.leader() == 2 and game.deciders() == {2}  # RA-3.1: left of the dealer
    assert game.legal(0) == set()


def test_ra_2_2_a_card_weighs_as_often_as_it_is_left() -> None:
    game = Game(2, ["r10"] * 8 + ["k60"] * 4, 0, LINE)
    assert game.chance() == {"r10": 8, "k60": 4}
    draw(game, "r10", "k60", "k60")
    assert game.chance() == {"r10": 7, "k60": 2}


# RA-3


def test_ra_3_2_and_3_3_lead_follow_and_pass() -> None:
    game = Game.at([["r50", "k30", "g10"], ["r40", "r60", "k50", "k90", "g120"], ["b10"]], LINE, SPARE)
    assert game.colour() is None and game.highest() is None and game.leader() == 0
    assert game.legal(0) == {"r50", "g10"}  # no black lead, no pass
    with pytest.raises(ValueError):
        game.play(0, "pass")
    with pytest.raises(ValueError):
        game.play(1, "r40")
    play(game, (0, "r50"))
    assert game.colour() == "r" and game.highest() == (0, "r50") and game.discard_counts() == {"r50": 1}
    assert game.legal(1) == {"r60", "k90", "pass"}  # k50 is not higher, g120 is another colour
    play(game, (1, "k90"))
    assert game.colour() == "r" and game.highest() == (1, "k90") and game.leader() == 0
    assert game.legal(2) == {"pass"}  # RA-3.10: asked all the same
    play(game, (2, "pass"))
    assert game.passed() == {2} and game.hand(2) == ["b10"]
    assert game.legal(0) == {"pass"}


def test_ra_3_3_who_plays_stays_in_and_who_passes_is_out() -> None:
    game = Game.at([["r10", "r40", "y10"], ["r20", "r50"], ["r30", "r60"]], LINE, SPARE)
    play(game, (0, "r10"), (1, "r20"), (2, "pass"), (0, "r40"), (1, "r50"), (0, "pass"))
    assert game.scores() == [0, 10, 0]
    draw_all(game)
    assert game.deciders() == {2} and game.leader() == 2  # RA-3.1: passed first
    assert game.discard_counts() == {"r10": 1, "r20": 1, "r40": 1, "r50": 1}


def test_ra_3_4_all_but_one_have_passed() -> None:
    game = Game.at([["r10", "r20"], ["g10"], ["g20"]], LINE, SPARE)
    play(game, (0, "r10"), (1, "pass"))
    assert game.deciders() == {2} and game.scores() == [0, 0, 0]
    play(game, (2, "pass"))
    assert game.scores() == [10, 0, 0]  # RA-3.9: player 0 is not asked again, though r20 would raise
    assert game.hand(0) == ["r20"] and game.passed() == set() and game.deciders() == set()


@pytest.mark.parametrize("top", ["r130", "k130"])
def test_ra_3_4_and_3_6_a_130_ends_the_round_at_once(top: str) -> None:
    game = Game.at([["r10", "r20"], [top, "g10"], ["r120", "g10"], ["g10"]], LINE, SPARE)
    play(game, (0, "r10"), (1, top))
    assert game.scores() == [0, 10, 0, 0]
    draw_all(game)
    assert game.deciders() == {2}  # RA-3.6: nobody passed, so left of player 1


def test_ra_3_4_and_3_6_a_led_130() -> None:
    game = Game.at([["g10"], ["g20"], ["y130", "g30"]], LINE, SPARE, leader=2)
    play(game, (2, "y130"))
    assert game.scores() == [0, 0, 1]
    assert game.line() == list("ykrrrgggbbbyy")
    draw_all(game)
    assert game.leader() == 0  # left of the last player


def test_ra_3_1_a_pass_before_the_130_still_leads() -> None:
    game = Game.at([["r10"], ["g10"], ["g20"], ["r130"]], LINE, SPARE)
    play(game, (0, "r10"), (1, "pass"), (2, "pass"), (3, "r130"))
    draw_all(game)
    assert game.leader() == 1


def test_ra_3_4_round_end_all_lets_the_last_player_raise() -> None:
    game = Game.at([["r10", "y10"], ["r20", "r40", "r90", "g10"]], LINE, SPARE, round_end="all")
    play(game, (0, "r10"), (1, "r20"), (0, "pass"))
    assert game.legal(1) == {"r40", "r90", "pass"}
    play(game, (1, "r40"))
    assert game.legal(1) == {"r90", "pass"} and game.scores() == [0, 0]
    play(game, (1, "pass"))
    assert game.scores() == [0, 10]
    draw_all(game)
    assert len(game.hand(0)) == len(game.hand(1)) == 6
    assert game.leader() == 0 and game.legal(0) == {"y10"}  # passed first


def test_ra_3_4_round_end_all_stops_at_130_or_with_an_empty_hand() -> None:
    game = Game.at([["r10", "y10"], ["r20", "r130"]], LINE, SPARE, round_end="all")
    play(game, (0, "r10"), (1, "r20"), (0, "pass"), (1, "r130"))
    assert game.scores() == [0, 10]
    game = Game.at([["r10", "g10"], ["r20"]], LINE, round_end="all")
    play(game, (0, "r10"), (1, "r20"), (0, "pass g10"))  # player 1 has no card left and passes without a word
    assert game.scores() == [0, 10] and game.over()


def test_ra_3_4_round_end_all_the_closing_pass_is_a_pass() -> None:
    """RA-5.2 asks all who pass for a discard; RA-3.9 speaks of one who is left over without passing."""
    game = Game.at([["r10", "g10"], ["r20", "g20", "b20"]], LINE, round_end="all")
    play(game, (0, "r10"), (1, "r20"), (0, "pass g10"))
    assert game.legal(1) == {"pass g20", "pass b20"}
    play(game, (1, "pass g20"))
    assert game.scores() == [0, 10] and game.hand(1) == ["b20"]


def test_ra_3_7_round_end_all_a_last_leader_may_raise_too() -> None:
    game = Game.at([["k30"], ["r20", "r40", "y10"]], LINE, SPARE, round_end="all")
    play(game, (0, "pass"), (1, "r20"))
    assert game.scores() == [0, 0] and game.legal(1) == {"r40", "pass"}
    play(game, (1, "r40"), (1, "pass"))
    assert game.scores() == [0, 10]


def test_ra_3_2_a_leader_with_black_only_passes_and_the_lead_moves_left() -> None:
    game = Game.at([["k30", "k60"], ["k90"], ["r10", "k120"], ["r20", "y10"]], LINE, SPARE)
    assert game.legal(0) == {"pass"}
    play(game, (0, "pass"))
    assert game.leader() == 1 and game.deciders() == {1} and game.passed() == {0}
    play(game, (1, "pass"))
    assert game.leader() == 2 and game.legal(2) == {"r10"}  # RA-3.8: now player 2 cannot pass
    play(game, (2, "r10"))
    assert game.legal(3) == {"r20", "pass"}
    play(game, (3, "r20"))
    assert game.deciders() == {2}  # players 0 and 1 are out
    play(game, (2, "pass"))
    assert game.scores() == [0, 0, 0, 10]
    draw_all(game)
    assert game.leader() == 0  # RA-3.8: the leader's pass was the first of the round


def test_ra_3_7_the_last_player_must_lead_and_wins_at_once() -> None:
    game = Game.at([["k30"], ["k60"], ["b10", "b20"]], LINE, SPARE)
    play(game, (0, "pass"), (1, "pass"))
    assert not game.over() and game.scores() == [0, 0, 0]  # all but one have passed, but nothing is led
    assert game.legal(2) == {"b10", "b20"}
    play(game, (2, "b10"))
    assert game.scores() == [0, 0, 4] and game.hand(2) == ["b20"]


def test_ra_3_8_an_empty_hands_pass_can_be_the_first() -> None:
    game = Game.at([["r10", "r30"], [], ["r20", "g10", "g20"]], LINE)
    play(game, (0, "r10"))
    assert game.passed() == {1} and game.deciders() == {2}
    play(game, (2, "r20"), (0, "pass r30"))
    assert game.scores() == [0, 0, 10]
    # Player 1 passed first and leads, has no card, passes first again; the lead moves on to player 2.
    assert game.passed() == {1} and game.leader() == 2 and game.deciders() == {2}
    play(game, (2, "g10"))
    # Player 0 has no card either: the round ends by itself, and the lead comes round to player 2 again.
    # yyybbbgg stays; g r k r r moves: four coloured cars, doubled.
    assert game.scores() == [0, 0, 10 + 8]
    assert game.passed() == {1} and game.leader() == 2


def test_ra_3_10_who_played_the_last_card_is_still_in() -> None:
    game = Game.at([["r10", "r30"], ["r20"], ["g10", "g20"]], LINE)
    play(game, (0, "r10"), (1, "r20"))
    assert game.hand(1) == [] and game.passed() == set()
    play(game, (2, "pass g10"), (0, "pass r30"))
    assert game.scores() == [0, 10, 0]
    game = Game.at([["r10", "r30"], ["r20"], ["g10", "g20"]], LINE)
    play(game, (0, "r10"), (1, "r20"), (2, "pass g10"), (0, "r30"))  # player 1's turn: passes without a word
    assert game.scores() == [10, 0, 0] and game.leader() == 2


# RA-4


def test_ra_4_1_the_rearmost_and_all_behind_it_reversed_to_the_front() -> None:
    game = Game.at([["b10"], ["g10"]], list("kbrgybrgyrygb"), SPARE)
    play(game, (0, "b10"), (1, "pass"))
    assert game.line() == list("bkbrgybrgyryg") and game.scores() == [1, 0]
    game = Game.at([["b10"], ["g10"]], list("kbbbrrrgggyyy"), SPARE)
    play(game, (0, "b10"), (1, "pass"))
    assert game.line() == list("yyygggrrrbkbb") and game.scores() == [10, 0]


def test_ra_4_2_the_black_car_counts_nothing_and_doubles() -> None:
    game = Game.at([["r10"], ["g10"]], list("rrrgggkbbbyyy"), SPARE)
    play(game, (0, "r10"), (1, "pass"))  # r ggg k bbb yyy: ten coloured cars, doubled
    assert game.scores() == [20, 0]
    assert game.line() == list("yyybbbkgggrrr")


def test_ra_4_2_the_black_car_last_and_directly_before() -> None:
    game = Game.at([["y10"], ["g10"]], list("rrrgggbbbyyyk"), SPARE)
    play(game, (0, "y10"), (1, "pass"))
    assert game.scores() == [2, 0] and game.line() == list("kyrrrgggbbbyy")
    game = Game.at([["y10"], ["g10"]], list("rrrgggbbbyyky"), SPARE)
    play(game, (0, "y10"), (1, "pass"))
    assert game.scores() == [1, 0] and game.line() == list("yrrrgggbbbyyk")


def test_ra_4_2_a_black_winner_moves_the_rounds_colour() -> None:
    game = Game.at([["g10", "y10"], ["k60"]], LINE, SPARE)
    play(game, (0, "g10"), (1, "k60"), (0, "pass"))
    assert game.scores() == [0, 7] and game.line() == list("yyybbbgkrrrgg")


def test_ra_4_two_rounds_bring_the_black_car_back() -> None:
    game = Game.at([["g10", "r20"], ["b10"]], LINE, [])
    play(game, (0, "g10"), (1, "pass b10"))
    assert game.line() == list("yyybbbgkrrrgg")
    assert game.leader() == 0  # player 1 passed first, leads, has no card
    play(game, (0, "r20"))
    assert game.line() == list("ggryyybbbgkrr") and game.scores() == [10, 0]
    assert game.over()


# RA-5


def test_ra_5_1_the_winner_draws_first_each_up_to_six() -> None:
    hands = [["r10", "g10"], ["r20", "g20", "y20"], ["g30"] * 6]
    game = Game.at(hands, LINE, ["k30"] * 5 + ["b10"] * 5)
    play(game, (0, "r10"), (1, "r20"), (2, "pass"), (0, "pass"))
    assert game.chance() == {"k30": 5, "b10": 5} and game.leader() is None
    assert game.colour() is None and game.highest() is None
    draw(game, "k30", "k30", "k30", "k30")
    assert game.hand(1) == ["g20", "k30", "k30", "k30", "k30", "y20"] and game.hand(0) == ["g10"]
    draw(game, "b10", "b10", "b10", "b10")
    assert game.chance() == {"k30": 1, "b10": 1}
    draw(game, "b10")
    # Six cards in each hand; player 2 drew none.
    assert game.chance() == {} and game.reserve() == 1 and game.deciders() == {2}
    assert game.hand(0) == ["b10", "b10", "b10", "b10", "b10", "g10"]


def test_ra_5_6_the_reserve_ends_while_drawing() -> None:
    game = Game.at([["r10", "g10"], ["r20", "g20"], ["g30"]], LINE, ["b10"] * 6)
    play(game, (0, "r10"), (1, "r20"), (2, "pass"), (0, "pass"))
    draw(game, "b10", "b10", "b10", "b10", "b10")
    assert len(game.hand(1)) == 6 and len(game.hand(2)) == 1  # clockwise from the winner: player 2 is next
    assert game.chance() == {"b10": 1}
    draw(game, "b10")
    assert game.hand(2) == ["b10", "g30"] and game.hand(0) == ["g10"] and game.reserve() == 0
    play(game, (2, "g30"))
    assert game.legal(0) == {"pass g10"}  # RA-5.2 from the next pass on


def test_ra_5_2_a_pass_with_an_empty_reserve_discards_one_card() -> None:
    game = Game.at([["r10", "r90"], ["r20", "g20", "g20", "k60"], ["y10"]], LINE)
    play(game, (0, "r10"))
    assert game.legal(1) == {"r20", "k60", "pass r20", "pass g20", "pass k60"}
    with pytest.raises(ValueError):
        game.play(1, "pass")
    play(game, (1, "pass g20"))
    assert game.hand(1) == ["g20", "k60", "r20"] and game.discard_counts() == {"r10": 1, "g20": 1}
    play(game, (2, "pass y10"))
    assert game.hand(0) == ["r90"]  # RA-3.9: discards nothing
    assert game.discard_counts() == {"r10": 1, "g20": 1, "y10": 1} and game.scores() == [10, 0, 0]


def test_ra_5_2_a_leaders_forced_pass_discards_too() -> None:
    game = Game.at([["k30", "k60"], ["r10"], ["r20"]], LINE)
    assert game.legal(0) == {"pass k30", "pass k60"}
    play(game, (0, "pass k60"))
    assert game.hand(0) == ["k30"] and game.leader() == 1


def test_ra_5_2_a_reserve_empty_from_the_deal_on() -> None:
    game = dealt([["r10"] * 6, ["k60"] * 6], ["r10"] * 6 + ["k60"] * 6, dealer=1)
    assert game.reserve() == 0 and game.legal(0) == {"r10"}
    play(game, (0, "r10"))
    assert game.legal(1) == {"k60", "pass k60"}


def test_ra_5_3_over_when_all_hands_are_empty() -> None:
    game = Game.at([["r10"], ["r20"]], LINE)
    play(game, (0, "r10"), (1, "r20"))
    assert game.over() and game.scores() == [0, 10]
    assert game.hand(0) == game.hand(1) == [] and game.deciders() == set() and game.chance() == {}
    assert game.discard_counts() == {"r10": 1, "r20": 1} and game.leader() is None


def test_ra_5_3_and_5_8_over_when_only_black_cards_are_left() -> None:
    game = Game.at([["r10", "k30"], ["g20", "k60", "k60"]], LINE)
    play(game, (0, "r10"), (1, "pass g20"))
    assert game.over() and game.scores() == [10, 0]  # the black cards count nothing
    assert game.hand(0) == ["k30"] and game.hand(1) == ["k60", "k60"]


def test_ra_5_3_over_though_the_reserve_holds_colour() -> None:
    game = Game.at([["r10", *["k30"] * 5], ["k60"] * 6], LINE, ["k90", "r20"])
    play(game, (0, "r10"), (1, "pass"))
    draw(game, "k90")
    assert game.over() and game.reserve() == 1  # nobody can lead, and nobody draws but after a round
    assert game.scores() == [10, 0]


def test_ra_5_7_tested_only_after_drawing() -> None:
    game = Game.at([["r10", *["k30"] * 5], ["k60"] * 6], LINE, ["k90", "r20"])
    play(game, (0, "r10"))
    assert not game.over()  # no coloured card is left in a hand, but the led round is finished and scored
    play(game, (1, "k60"), (0, "pass"))
    assert game.scores() == [0, 10] and not game.over()
    draw(game, "r20")  # RA-5.7: the winner's draw brings colour back
    draw(game, "k90")
    assert not game.over() and game.leader() == 0 and game.legal(0) == {"pass k30", "pass k90"}


def test_ra_5_3_a_deal_without_colour_is_a_game_without_rounds() -> None:
    game = dealt([["k30"] * 6, ["k60"] * 6], ["k30"] * 6 + ["k60"] * 6 + ["r10"], dealer=0)
    assert game.over() and game.scores() == [0, 0] and game.reserve() == 1


def test_ra_5_8_alone_with_coloured_cards() -> None:
    game = Game.at([["k30"], ["r10", "r20", "b30"], []], LINE)
    play(game, (0, "pass k30"), (1, "r20"))
    assert game.scores() == [0, 10, 0] and game.line() == list("yyybbbgggrkrr")
    # Player 0 passed first and would lead, but has no card; only player 1 ever does again.
    assert game.passed() == {0} and game.leader() == 1
    play(game, (1, "r10"))
    assert game.scores() == [0, 11, 0] and game.legal(1) == {"b30"}
    play(game, (1, "b30"))
    # r yyybb stays; b ggg r k r moves: six coloured cars, doubled.
    assert game.scores() == [0, 23, 0] and game.over()


def test_ra_5_8_a_black_card_may_still_beat_the_only_colour() -> None:
    game = Game.at([["r10", "r20"], ["k30", "k60"]], LINE)
    play(game, (0, "r10"))
    assert game.legal(1) == {"k30", "k60", "pass k30", "pass k60"}
    play(game, (1, "k30"), (0, "pass r20"))
    assert game.scores() == [0, 10] and game.over()


# Whole games


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("deck", [RECONSTRUCTED, ALL_BLACK_TOP, ["r10", "g130", "k10", "k130", "y50"] * 8])
@pytest.mark.parametrize("round_end", ["one", "all"])
def test_whole_games_end_and_lose_nothing(players: int, deck: list[str], round_end: str) -> None:
    for seed in range(10):
        dice = random.Random(seed)
        game = Game(players, deck, round_end=round_end)
        while not game.over():
            chance = game.chance()
            if chance:
                assert game.deciders() == set()
                game.take(dice.choices(sorted(chance), [chance[each] for each in sorted(chance)])[0])
            else:
                [player] = game.deciders()
                game.play(player, dice.choice(sorted(game.legal(player))))
        assert sorted(game.line()) == sorted(CARS)
        assert sum(game.scores()) > 0
        cards = Counter(game.discard_counts())
        for player in range(players):
            assert all(card.startswith("k") for card in game.hand(player))  # RA-5.3
            cards.update(game.hand(player))
        assert sum(cards.values()) + game.reserve() == len(deck)
