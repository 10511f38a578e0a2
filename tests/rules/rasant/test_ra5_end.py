"""RA-5 Drawing and the end. The games are worked out by hand, one for each way a game can end."""

from __future__ import annotations

import pytest

import paddock
from paddock.core.errors import BadOption
from paddock.core.series import RoundResult, standings
from paddock.games.rasant.rulebook import Options
from paddock.games.rasant.rules.rounds import place_of

from .harness import LINE, Game, between, dealt


def ended(game: Game, scores: dict[int, int], places: dict[int, int]) -> bool:
    """The game is over with this result, and says so everywhere."""
    assert (game.phase, game.asked) == ("over", -1)
    assert game.scores == scores
    assert game.places == places
    assert {player: place_of(game.s, game.g, player - 1) for player in places} == places
    assert game.told[-len(places) :] == [f"finished {player} {place}" for player, place in places.items()]
    assert not any(held[0] in "rgby" for hand in game.hands for held in hand.split())
    assert game.black == [len(hand.split()) for hand in game.hands]  # the end proves it
    return True


# Drawing


def test_ra_5_1_the_winner_draws_first_and_then_clockwise() -> None:
    """RA-5.1 each up to six cards; who has six draws none."""
    hands = {1: "r10 r20 r30 r40 r50", 2: "g10 g20 g30 g40 g50 k60", 3: "r60 b20 b30 b40 b50 b60"}
    game = between({**hands, 4: "y10 y20 y30 y40"}, reserve="k10 k20 k30 k40 k50 k70 k80")
    game.run("1:r10, 2:k60, 3:pass, 4:pass, 1:pass")
    assert (game.phase, game.asked, game.s.drawing + 1) == ("draw", 0, 2)
    assert game.outcomes() == dict.fromkeys(["k10", "k20", "k30", "k40", "k50", "k70", "k80"], 1)
    game.take("k50")
    assert (game.told, game.s.drawing + 1) == (["drew 2 1"], 4)  # player 3 has six
    assert game.hand(2) == "g10 g20 g30 g40 g50 k50"
    assert "k50" not in game.outcomes()
    game.take("k10")
    assert (game.told, game.s.drawing + 1) == (["drew 4 1"], 4)
    game.run("0:k20")
    assert (game.told, game.s.drawing + 1) == (["drew 4 1"], 1)
    game.run("0:k30")
    assert game.s.drawing + 1 == 1
    game.run("0:k40")
    assert game.told == ["drew 1 1", "leads 3"]
    assert game.hands == [
        *("r20 r30 r40 r50 k30 k40", "g10 g20 g30 g40 g50 k50"),
        *("r60 b20 b30 b40 b50 b60", "y10 y20 y30 y40 k10 k20"),
    ]
    assert (game.reserve, game.discard, game.asked) == ("k70 k80", "r10 k60", 3)


def test_ra_5_1_every_card_of_the_reserve_is_as_likely() -> None:
    """RA-5.1 drawn by the number of its kind."""
    game = between({1: "r10 g10", 2: "k60"}, reserve="k10 k10 k10 y130").run("1:r10, 2:pass")
    assert game.outcomes() == {"k10": 3, "y130": 1}
    assert game.take("k10").outcomes() == {"k10": 2, "y130": 1}


def test_ra_5_2_with_a_reserve_a_pass_costs_nothing() -> None:
    """RA-5.2 and no card can be thrown away."""
    game = between({1: "r10", 2: "r20 k10"}, reserve="k30").run("1:r10")
    assert game.legal(2) == ["r20", "pass"]
    assert game.why(2, "pass r20") == "RA-5.2"
    assert game.why(2, "pass g20") == "RA-5.2"
    game.run("2:pass")
    assert (game.told[0], game.hand(2), game.discard) == ("passed 2", "r20 k10", "r10")


def test_ra_5_2_without_a_reserve_a_pass_costs_a_card_of_choice() -> None:
    """RA-5.2 any card of the hand, face up, also one that could be played."""
    hand = "r20 r20 g50 y130 k10 k130"
    game = between({1: "r10", 2: hand}).run("1:r10")
    assert game.legal(2) == [
        *("r20", "k130"),
        *("pass r20", "pass g50", "pass y130", "pass k10", "pass k130"),
    ]
    assert game.why(2, "pass") == "RA-5.2"
    assert game.why(2, "pass g60") == "RA-2.2"
    for card in ("r20", "g50", "k130"):
        one = game.copy().run(f"2:pass {card}")
        assert one.told[0] == f"passed 2 {card}"
        rest = hand.split()
        rest.remove(card)
        assert one.hand(2).split() == rest
        assert one.discard.split() == ["r10", card]


def test_ra_5_2_the_last_card_may_be_the_one_discarded() -> None:
    """RA-5.2 and from then on the player passes without any."""
    game = between({1: "r10 g10", 2: "k60", 3: "b50 b60"}).run("1:r10, 2:pass k60, 3:pass b50")
    assert game.told == ["passed 3 b50", "won 1 r 4", "moved 4 0", "leads 2", "passed 2"]
    assert (game.hands, game.asked) == (["g10", "", "b60"], 3)


# The end


def test_ra_5_3_golden_hands_empty() -> None:
    """RA-5.3 a whole game of two without a reserve: every card is played or discarded; RA-5.4 a tie."""
    game = dealt({1: "r10 r30 r50 g10 g30 k20", 2: "r20 r40 b10 b20 b30 b40"}, dealer=2)
    game.run("1:r10, 2:r20, 1:r30, 2:r40, 1:r50, 2:pass b10")  # r3 g3 b3 y3: 4 points
    assert game.cars == "y3 b3 g3 r3 k r1 g1 b1 y1 r2 g2 b2 y2"
    assert game.told == ["passed 2 b10", "won 1 r 4", "moved 4 0", "leads 2"]
    game.run("2:b20, 1:pass k20")  # b2 y2
    assert game.cars == "y2 b2 y3 b3 g3 r3 k r1 g1 b1 y1 r2 g2"
    game.run("1:g30, 2:pass b30")  # g2
    assert game.cars == "g2 y2 b2 y3 b3 g3 r3 k r1 g1 b1 y1 r2"
    game.run("2:b40, 1:pass g10")  # b1 y1 r2
    assert game.cars == "r2 y1 b1 g2 y2 b2 y3 b3 g3 r3 k r1 g1"
    assert game.hands == ["", ""]
    assert ended(game, {1: 5, 2: 5}, {1: 1, 2: 1})


def test_ra_5_3_golden_nobody_holds_a_colour_after_drawing() -> None:
    """RA-5.3 with draws, a doubled win, a forced pass and black cards left; RA-5.8 they count nothing."""
    hands = {1: "r10 r20 g10 k10 k20 k30", 2: "k40 k50 k60 k70 k80 y10"}
    game = dealt(hands, reserve="k90 k100", dealer=2, line="kyyyrrrgggbbb")
    game.run("1:r20, 2:k40, 1:pass")  # r3 and six behind it
    assert game.cars == "b3 b2 b1 g3 g2 g1 r3 k y1 y2 y3 r1 r2"
    game.run("0:k90, 0:k100")
    assert game.told == ["drew 1 1", "reserve empty", "leads 1"]
    game.run("1:g10, 2:pass y10")  # g1 and eight behind it, one of them black: 7 doubled
    assert game.told == ["passed 2 y10", "won 1 g 14", "moved 8 1", "leads 2"]
    assert game.cars == "r2 r1 y3 y2 y1 k r3 g1 b3 b2 b1 g3 g2"
    assert game.black == [0, 0]
    game.run("2:pass k50")
    assert game.black == [0, 4]
    game.run("1:r10")
    assert game.told[:3] == ["led 1 r10", "won 1 r 7", "moved 7 0"]
    assert game.cars == "g2 g3 b1 b2 b3 g1 r3 r2 r1 y3 y2 y1 k"
    assert game.hands == ["k10 k20 k30 k100", "k60 k70 k80 k90"]
    assert ended(game, {1: 21, 2: 7}, {1: 1, 2: 2})


def test_ra_5_2_the_deal_may_empty_the_reserve() -> None:
    """RA-5.2 it is told before the first round, in which a pass costs a card."""
    game = dealt({1: "r10 r20 g10 k10 k20 k30", 2: "k40 k50 k60 k70 k80 y10"}, dealer=2)
    assert game.told == ["reserve empty", "leads 1"]
    assert game.run("1:r20").legal(2)[-1] == "pass k80"
    game = dealt({1: "r10 r20 g10 k10 k20 k30", 2: "k40 k50 k60 k70 k80 y10"}, dealer=2, reserve="k90")
    assert game.told == ["leads 1"]


@pytest.mark.parametrize("players", [2, 5])
def test_ra_5_3_golden_over_before_the_first_round(players: int) -> None:
    """RA-5.3 nobody has been dealt a colour: nothing happens, and the first place is shared."""
    hands = dict.fromkeys(range(1, players + 1), "k10 k20 k30 k40 k50 k130")
    colours = " ".join(["r10"] * players)  # RA-1.2 one for each, but nobody has got one
    game = dealt(hands, reserve=colours, dealer=1)
    assert game.told == [f"finished {player} 1" for player in hands]
    assert (game.cars[:4], game.reserve, game.s.reserve, game.leader) == ("k r1", colours, players, 2)
    assert ended(game, dict.fromkeys(hands, 0), dict.fromkeys(hands, 1))


def test_ra_5_3_golden_with_a_reserve_of_black_cards() -> None:
    """RA-5.3 the reserve need not be empty: nobody could lead after drawing from it."""
    game = between({1: "r10 k10 k20 k30 k40 k50", 2: "k60 k70 k80 k90 k100 k110"}, reserve="k120 k130 g10")
    game.run("1:r10, 2:pass, 0:k130")
    assert game.reserve == "g10 k120"
    assert game.told == ["drew 1 1", "finished 1 1", "finished 2 2"]
    assert ended(game, {1: 4, 2: 0}, {1: 1, 2: 2})


def test_ra_5_3_a_colour_drawn_goes_on() -> None:
    """RA-5.3 it is enough that one player holds one, be it the last in the round of the table."""
    game = between({1: "r10 k10 k20 k30 k40 k50", 2: "k60 k70 k80 k90 k100 k110"}, reserve="k120 k130 g10")
    game.run("1:r10, 2:pass, 0:g10")
    assert (game.phase, game.asked) == ("round", 2)
    assert game.run("2:pass").legal(1) == ["g10"]


def test_ra_5_8_golden_alone_with_colours_to_the_end() -> None:
    """RA-5.8 goes on leading and, without an answer in black, winning until they are gone."""
    game = between({1: "r10 g10 g20 y50", 2: "k10", 3: "k20 k120"}, leader=2, scores=(0, 3, 9))
    game.run("2:pass k10, 3:pass k20, 1:r10")  # r3 g3 b3 y3
    assert game.told == ["led 1 r10", "won 1 r 4", "moved 4 0", "leads 2", "passed 2"]
    assert (game.asked, game.leader) == (3, 3)
    game.run("3:pass k120")
    assert (game.asked, game.leader) == (1, 1)
    game.run("1:g20")  # g2 b2 y2
    assert game.cars == "y2 b2 g2 y3 b3 g3 r3 k r1 g1 b1 y1 r2"
    game.run("1:g10")  # g1 b1 y1 r2
    assert game.cars == "r2 y1 b1 g1 y2 b2 g2 y3 b3 g3 r3 k r1"
    assert game.told == [
        *("led 1 g10", "won 1 g 4", "moved 4 0"),
        *("leads 2", "passed 2", "passed 3"),
    ]
    game.run("1:y50")  # y3 b3 g3 r3 k r1: five, doubled
    assert ended(game, {1: 21, 2: 3, 3: 9}, {1: 1, 2: 3, 3: 2})


def test_ra_5_8_golden_black_may_still_beat_who_is_alone_with_colours() -> None:
    """RA-5.8 and an emptied hand that leads passes by itself (RA-3.10)."""
    game = between({1: "r10 r20 g50", 2: "k30", 3: "k10"}).run("1:r10, 2:k30, 3:pass k10, 1:pass r20")
    assert game.told == [
        *("passed 1 r20", "won 2 r 4", "moved 4 0"),
        *("leads 3", "passed 3"),
    ]
    assert game.asked == 1
    game.run("1:g50")  # g2 b2 y2
    assert game.told[:4] == ["led 1 g50", "passed 2", "won 1 g 3", "moved 3 0"]
    assert ended(game, {1: 3, 2: 4, 3: 0}, {1: 2, 2: 1, 3: 3})


def test_ra_5_3_golden_a_black_130_is_the_last_card_played() -> None:
    """RA-5.3 five players, a round ended at once, and only black is left."""
    hands = {1: "r50", 2: "k60 k70", 3: "k130", 4: "k10 k90", 5: "k20"}
    game = between(hands, scores=(2, 0, 1, 9, 9), line="rrrkgggbbbyyy")
    game.run("1:r50, 2:k60, 3:k130")  # r3 and ten behind it, the black car among them
    assert game.told[:3] == ["raised 3 k130", "won 3 r 20", "moved 11 1"]
    assert game.hands == ["", "k70", "", "k10 k90", "k20"]
    assert ended(game, {1: 2, 2: 0, 3: 21, 4: 9, 5: 9}, {1: 4, 2: 5, 3: 1, 4: 2, 5: 2})


def test_ra_5_3_golden_all_pass_on_the_last_lead_of_five() -> None:
    """RA-5.3 and RA-5.2: four discards, and the game is over with the round."""
    hands = {1: "k50", 2: "k60", 3: "b10", 4: "r90", 5: "y20"}
    game = between(hands, leader=3).run("3:b10, 4:pass r90, 5:pass y20, 1:pass k50, 2:pass k60")
    assert game.told[:3] == ["passed 2 k60", "won 3 b 2", "moved 2 0"]
    assert (game.hands, game.discard) == ([""] * 5, "r90 b10 y20 k50 k60")
    assert ended(game, {1: 0, 2: 0, 3: 2, 4: 0, 5: 0}, {1: 2, 2: 2, 3: 1, 4: 2, 5: 2})


def test_ra_5_4_most_points_win_and_a_tie_is_shared() -> None:
    """RA-5.4 the next place is left out, as often as the place is shared."""
    for scores, places in (
        ((7, 7, 3, 8), (2, 2, 4, 1)),
        ((0, 0, 0, 0), (1, 1, 1, 1)),
        ((5, 9, 9, 9), (4, 1, 1, 1)),
        ((4, 3, 2, 1), (1, 2, 3, 4)),
    ):
        game = between(dict.fromkeys(range(1, 5), "r10"), scores=scores)
        assert tuple(game.scores.values()) == scores
        assert tuple(game.places.values()) == places


def test_ra_5_4_and_ra_5_5_a_tie_of_the_match_is_shared() -> None:
    """RA-5.4 points alone decide, without counting wins; RA-5.5 they are added up."""
    options = Options.read({"players": 3, "games": 2})
    rounds = [RoundResult((10, 4, 6), (1, 3, 2)), RoundResult((0, 6, 6), (3, 1, 1))]
    table = standings(options, rounds).players
    assert [(line.who, line.rank, line.total) for line in table] == [(2, 1, 12), (0, 2, 10), (1, 2, 10)]


def test_ra_5_5_a_match_of_several_games() -> None:
    """RA-5.5 the deal moves left with each, and the points are added up."""
    for players in (2, 3, 5):
        match = paddock.start("rasant", players=players, games=4, seed=players)
        dealers: list[int] = []
        while not match.over:
            if len(dealers) == len(match.rounds):
                (dealer,) = (player.seat for player in match.view().players if player.dealer)
                dealers.append(dealer)
                assert match.deciders == ((dealer + 1) % players,)
            seat = match.deciders[0]
            match.play(seat, match.legal(seat).ids[-1])
        assert dealers == [(dealers[0] + n) % players for n in range(4)]
        assert match.result is not None
        for line in match.result.standings.players:
            assert line.total == sum(result.scores[line.who] for result in match.rounds)


def test_ra_5_5_one_game_is_the_default() -> None:
    """RA-5.5 at most twenty."""
    assert Options().games == Options().rounds == 1
    assert Options.read({"games": 20}).rounds == 20
    for wrong in (0, 21):
        with pytest.raises(BadOption, match="games"):
            Options.read({"games": wrong})


@pytest.mark.parametrize("dealer", [1, 2, 3])
def test_ra_5_5_the_deal_moves_left(dealer: int) -> None:
    """RA-5.5 round the table, with a line that is given or drawn."""
    hands = dict.fromkeys((1, 2, 3), "k10 k20 k30 k40 k50 r60")
    game = dealt(hands, dealer=dealer)
    game.again()
    assert (game.phase, game.dealer) == ("deal", dealer % 3 + 1)
    assert game.s.drawing + 1 == (dealer + 1) % 3 + 1
    assert game.line == LINE


def test_ra_5_6_when_the_reserve_runs_out_the_rest_draw_nothing() -> None:
    """RA-5.6 the winner draws completely first, and a pass costs a card from now on."""
    game = between({1: "r10 r20 r30", 2: "g10 g20", 3: "b10 b20 b30"}, leader=2, reserve="k10 k20 k30")
    game.run("2:g10, 3:pass, 1:pass, 0:k10, 0:k20")
    assert (game.told, game.phase) == (["drew 2 1"], "draw")
    game.take("k30")
    assert game.told == ["drew 2 1", "reserve empty", "leads 3"]
    assert game.hands == ["r10 r20 r30", "g20 k10 k20 k30", "b10 b20 b30"]
    game.run("3:b10")
    assert game.legal(1) == ["pass r10", "pass r20", "pass r30"]


def test_ra_5_6_an_empty_reserve_stays_empty() -> None:
    """RA-5.6 nobody draws after it, and it is told once."""
    game = between({1: "r10 r20 r30", 2: "g10 g20"}, reserve="k10").run("1:r10, 2:pass, 0:k10")
    assert "reserve empty" in game.told
    game.run("2:g20, 1:pass r20")
    assert game.told == ["passed 1 r20", "won 2 g 3", "moved 3 0", "leads 1"]


def test_ra_5_6_everybody_full_before_the_reserve_ends() -> None:
    """RA-5.6 exactly enough, and the winner is not asked to draw again."""
    five = "k10 k20 k30 k40 k50"
    game = between({1: f"r10 {five}", 2: f"{five}", 3: f"{five} g10"}, reserve="b10 b20")
    game.run("1:r10, 2:pass, 3:pass, 0:b20")
    assert game.told == ["drew 1 1"]
    game.take("b10")
    assert game.told == ["drew 2 1", "reserve empty", "leads 2"]
    assert game.hands == [f"b20 {five}", f"b10 {five}", f"g10 {five}"]


def test_ra_5_7_a_round_that_has_begun_is_finished() -> None:
    """RA-5.7 although nobody could lead any more, black cards are still played, and it is scored."""
    game = between({1: "r10 k50", 2: "k20 k60", 3: "k30 k70"})
    game.run("1:r10")
    assert (game.phase, game.asked) == ("round", 2)
    game.run("2:k20, 3:k30, 1:k50, 2:k60, 3:k70")
    assert game.told[:5] == ["raised 3 k70", "passed 1", "passed 2", "won 3 r 4", "moved 4 0"]
    assert ended(game, {1: 0, 2: 0, 3: 4}, {1: 2, 2: 2, 3: 1})


def test_ra_5_7_a_colour_discarded_in_the_round_may_have_been_the_last() -> None:
    """RA-5.7 the end is looked at after it."""
    game = between({1: "r10 k50", 2: "k20 g60", 3: "k30 b70"}).run("1:r10, 2:pass g60")
    assert game.phase == "round"
    game.run("3:pass b70")
    assert ended(game, {1: 4, 2: 0, 3: 0}, {1: 1, 2: 2, 3: 2})
