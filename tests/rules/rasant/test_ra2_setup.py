"""RA-2 Set-up: the line, the deal, a new game."""

from __future__ import annotations

from collections import Counter

import pytest

import paddock
from paddock.core.errors import BadOption
from paddock.games.rasant.rulebook import Options
from paddock.games.rasant.rules import state
from paddock.kernel import HIDDEN

from ..harness import draw_all, draw_one, rng
from .harness import LINE, Game, between, dealt, fresh

HANDS = {1: "r10 r20 r30 k10 k20 y130", 2: "g10 g20 g30 k30 k40 y10", 3: "b10 b20 b30 k50 k60 y20"}


def lined(colours: str, **options: object) -> Game:
    """A game whose line has been drawn, car by car."""
    game = fresh(**options)
    for colour in colours:
        assert (game.phase, game.asked) == ("line", 0)
        game.take(colour)
    return game


def test_ra_2_1_the_black_car_is_in_front_and_the_others_follow_in_any_order() -> None:
    """RA-2.1 the next car is of any colour that has one left, by their numbers."""
    game = fresh()
    assert (game.phase, game.asked, game.cars) == ("line", 0, "k")
    assert game.outcomes() == {"r": 3, "g": 3, "b": 3, "y": 3}
    game.take("g")
    assert game.cars == "k g1"
    assert game.outcomes() == {"r": 3, "g": 2, "b": 3, "y": 3}
    game.take("g").take("y").take("g")
    assert game.cars == "k g1 g2 y1 g3"
    assert game.outcomes() == {"r": 3, "b": 3, "y": 2}
    for colour in "rrrbbby":
        game.take(colour)
    assert game.outcomes() == {"y": 1}
    assert game.phase == "line"
    game.take("y")
    assert game.cars == "k g1 g2 y1 g3 r1 r2 r3 b1 b2 b3 y2 y3"
    assert game.phase == "dealer"
    assert game.told == []


def test_ra_2_1_every_order_is_as_likely_as_another() -> None:
    """RA-2.1 shuffled: each colour stands in each place as often."""
    assert Options().line == "shuffled"
    found: Counter[tuple[int, str]] = Counter()
    for seed in range(1200):
        game = fresh()
        game.run_chance(rng(seed))
        found.update(enumerate(game.line))
    assert found.pop((0, "k")) == 1200
    assert set(found) == {(i, colour) for i in range(1, 13) for colour in "rgby"}
    assert all(240 < count < 360 for count in found.values())


def test_ra_2_1_the_option_line() -> None:
    """RA-2.1 thirteen letters from the front, the black car first."""
    game = fresh(line="kyyyrrrgggbbb")
    assert game.cars == "k y1 y2 y3 r1 r2 r3 g1 g2 g3 b1 b2 b3"
    assert game.phase == "dealer"
    for wrong in ("ykyyrrrgggbbb", "kyyyyrrgggbbb", "kyyyrrrgggbb", "kyyyrrrgggbbbb", "kyyyrrrgggbbx", ""):
        with pytest.raises(BadOption, match="line"):
            Options.read({"line": wrong})


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_ra_2_2_the_dealer_is_drawn_by_lot(players: int) -> None:
    """RA-2.2 each player may be the one, and as likely as another."""
    game = lined("rrrgggbbbyyy", players=players)
    assert game.s.dealer == HIDDEN
    assert (game.phase, game.asked) == ("dealer", 0)
    assert game.outcomes() == {f"dealer {player}": 1 for player in range(1, players + 1)}
    for dealer in game.players:
        drawn = game.copy().take(f"dealer {dealer}")
        assert (drawn.phase, drawn.asked, drawn.dealer) == ("deal", 0, dealer)
    dealers: Counter[int] = Counter()
    for seed in range(600):
        one = game.copy()
        one.run_chance(rng(seed))
        dealers[one.dealer] += 1
    assert set(dealers) == set(game.players)
    assert all(abs(count - 600 / players) < 60 for count in dealers.values())


def test_ra_2_2_six_cards_each_and_the_rest_is_the_reserve() -> None:
    """RA-2.2 hand after hand, from the left of the dealer; what is dealt is out of the reserve."""
    game = fresh(players=3, deck="r10-130+g10-70", line=LINE).take("dealer 2")
    order = [f"r{speed}" for speed in range(130, 0, -10)] + [f"g{speed}" for speed in range(50, 0, -10)]
    for n, card in enumerate(order):
        assert (game.phase, game.asked, game.s.reserve) == ("deal", 0, 20 - n)
        assert game.s.drawing + 1 == (3, 1, 2)[n // 6]
        assert game.outcomes()[card] == 1
        game.take(card)
        assert card not in game.outcomes()
        assert sum(len(hand.split()) for hand in game.hands) == n + 1
    assert game.hand(3) == "r80 r90 r100 r110 r120 r130"
    assert game.hand(1) == "r20 r30 r40 r50 r60 r70"
    assert game.hand(2) == "r10 g10 g20 g30 g40 g50"
    assert (game.reserve, game.s.reserve, game.discard) == ("g60 g70", 2, "")
    assert (game.phase, game.asked) == ("round", 3)
    assert game.told == ["leads 3"]


def test_ra_2_2_a_kind_is_dealt_as_often_as_it_is_there() -> None:
    """RA-2.2 the weights are the cards that are left."""
    game = fresh(players=2, deck="3*r10+8*k20+g130", line=LINE).take("dealer 1")
    assert game.outcomes() == {"r10": 3, "g130": 1, "k20": 8}
    assert game.take("r10").outcomes() == {"r10": 2, "g130": 1, "k20": 8}
    game.run("0:g130, 0:k20, 0:r10, 0:r10")
    assert game.outcomes() == {"k20": 7}
    assert game.hand(2) == "r10 r10 r10 g130 k20"


def test_ra_2_2_every_card_left_is_as_likely_to_be_dealt_as_another() -> None:
    """RA-2.2 the last card of a deal, drawn from five cards of four colours."""
    game = fresh(players=2, deck="r10+11*b50+2*g20+2*k30", line=LINE).take("dealer 1")
    for _ in range(11):
        game.take("b50")
    last: Counter[str] = Counter()
    for seed in range(1500):
        one = game.copy()
        one.run_chance(rng(seed))
        one.check()
        assert one.phase == "round"
        last[" ".join(set(one.hand(1).split()) - {"b50"})] += 1
    assert set(last) == {"r10", "g20", "k30"}
    assert all(abs(last[card] - share) < 80 for card, share in (("r10", 300), ("g20", 600), ("k30", 600)))


def test_ra_2_2_chance_in_one_go_is_chance_step_by_step() -> None:
    """RA-2.2 line, dealer, cards and later draws from a stream are the same one by one and at once."""
    for seed in range(40):
        at_once = fresh(players=2 + seed % 4, deck="all-black-top" if seed % 3 else "standard")
        stepwise, one, other = at_once.copy(), rng(seed), rng(seed)
        for _ in range(30):
            if at_once.asked == 0:
                at_once.run_chance(one)
                draw_all(stepwise, other)
            assert at_once.fields() == stepwise.fields()
            assert at_once.told == stepwise.told
            assert one == other
            if at_once.asked < 0:
                break
            move = at_once.legal(at_once.asked)[0]
            for game in (at_once, stepwise):
                game.play(game.asked, move)


@pytest.mark.parametrize("colours", ["r", "gg", "bybyb", "rgbyrg", "rrrgggbbb", "yyybbbgggrr"])
def test_ra_2_1_the_rest_of_a_line_in_one_go(colours: str) -> None:
    """RA-2.1 whichever cars stand in it already."""
    for seed in range(20):
        at_once = lined(colours)
        stepwise, one, other = at_once.copy(), rng(seed), rng(seed)
        at_once.run_chance(one)
        draw_all(stepwise, other)
        assert at_once.fields() == stepwise.fields()
        assert one == other


def test_ra_2_2_a_deal_tells_who_leads_and_no_card() -> None:
    """RA-2.2 in one go or card by card."""
    game = dealt(HANDS, dealer=3).run("1:r30, 2:k40, 3:k60, 1:pass k10, 2:pass k30")
    assert len(game.told) > 1
    game.again()
    stepwise = game.copy()
    game.run_chance(rng(1))
    draw_one(stepwise, rng(1))
    assert (game.told, stepwise.told) == (["reserve empty", "leads 2"], [])


def test_ra_2_2_who_sees_a_card() -> None:
    """RA-2.2 a card dealt or drawn is its player's; the line, the lot and what is played are public."""
    for one, players in ((1, {1}), (2, {2, 3}), (3, set[int]())):
        assert fresh(players=3).seen(players, 0, "r") == "r"
        game = fresh(players=3, line=LINE)
        assert game.seen(players, 0, f"dealer {one}") == f"dealer {one}"
    game = fresh(players=3, line=LINE).take("dealer 1")
    assert [game.seen(players, 0, "r50") for players in ({1}, {2}, {3}, {1, 2}, set())] == [
        *("?", "r50", "?", "r50", "?")
    ]
    for card in ["r10", "r20", "r30", "r40", "r50", "r60"]:
        game.take(card)
    assert [game.seen(players, 0, "k30") for players in ({1}, {2}, {3}, {1, 3}, set())] == [
        *("?", "?", "k30", "k30", "?")
    ]
    game = between({1: "r10 r50", 2: "k20 k30"}, reserve="b10 b20")
    assert [game.seen(players, 1, "r50") for players in ({1}, {2}, set())] == ["r50"] * 3
    game.run("1:r50")
    assert [game.seen(players, 2, "pass") for players in ({1}, {2}, set())] == ["pass"] * 3
    game.run("2:pass")
    assert game.phase == "draw"
    assert [game.seen(players, 0, "b10") for players in ({1}, {2}, {1, 2}, set())] == ["b10", "?", "b10", "?"]
    game = between({1: "r10 r50", 2: "k20 k30"}).run("1:r50")
    assert [game.seen(players, 2, "pass k30") for players in ({1}, {2}, set())] == ["pass k30"] * 3


def test_ra_2_3_every_game_begins_with_a_full_deck_a_new_line_and_no_points() -> None:
    """RA-2.3 nothing of the game before is left but whose turn it is to deal."""
    game = dealt(HANDS, reserve="r40 g40 k70", dealer=3)
    game.run("1:r30, 2:k40, 3:k60, 1:pass, 2:pass, 0:r40, 0:g40, 0:k70")
    assert game.scores == {1: 0, 2: 0, 3: 4}
    game.again()
    new = fresh(players=3, deck=" ".join([*HANDS.values(), "r40 g40 k70"]), line=LINE).take("dealer 1")
    assert game.fields() == new.fields()
    assert game.told == []


@pytest.mark.parametrize("line", ["shuffled", "kyyyrrrgggbbb"])
def test_ra_2_3_whatever_the_fields_held(line: str) -> None:
    """RA-2.3 a beginning is the same from any state; before the first game no dealer is known."""
    game, new = fresh(line=line), fresh(line=line)
    for field in game.s.__slots__:
        value = getattr(game.s, field)
        if isinstance(value, list):
            value[:] = [77] * len(value)
        elif isinstance(value, dict):
            value.update(dict.fromkeys(value, 77))
        else:
            setattr(game.s, field, 77)
    game.start()
    assert game.fields() == new.fields()
    assert game.told == []
    assert (game.discard, game.hands, game.black, game.passed) == ("", [""] * 4, [0] * 4, set())
    assert game.s.cards == game.s.score == game.s.black == [0] * 5
    assert (game.s.leader, game.s.best, game.s.drawing, game.s.first) == (0, 0, 0, 0)
    assert (game.s.colour, game.s.top) == (state.NO_COLOUR, state.EMPTY)
    game.s.dealer = 2
    game.again()
    assert game.told == []
    assert game.dealer == 4
    assert (game.phase, game.asked) == ("deal" if line != "shuffled" else "line", 0)
    if line == "shuffled":
        assert game.outcomes() == {"r": 3, "g": 3, "b": 3, "y": 3}
        for colour in "rrrgggbbbyyy":
            game.take(colour)
    assert game.phase == "deal"  # the line stands, and nothing is drawn for the deal
    assert (game.dealer, game.s.drawing + 1) == (4, 1)


def test_ra_2_3_new_games_of_a_match() -> None:
    """RA-2.3 each has a line of its own."""
    match = paddock.start("rasant", players=2, games=3, seed=7)
    lines: list[str] = []
    while not match.over:
        if len(lines) == len(match.rounds):
            lines.append("".join(str(car.colour) for car in match.view().line))
            assert [player.score for player in match.view().players] == [0, 0]
            assert match.view().reserve == 44
            assert sum(match.view().discard) == 0
        seat = match.deciders[0]
        match.play(seat, match.legal(seat).ids[0])
    assert len(set(lines)) == 3
