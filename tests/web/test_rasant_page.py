"""Rasant's page: choices, the last round, the story and the podium."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.games.rasant.deck import COLOURS, kind_of
from paddock.games.rasant.drawing.draw import Finisher
from paddock.games.rasant.page import page
from paddock.games.rasant.rulebook import TITLE
from paddock.games.rasant.rules import state
from paddock.web.model import Scene
from paddock.web.position import story

HANDS = ("r10 r90 b10 y10 k30 k60", "r50 r130 g20 g30 y20 y30", "b20 b30 b40 b50 b60 b70")
NAMES = ("Ana", "Ben", "Cleo")


def game(line: str = "kgrbygryrbgby", hands: tuple[str, ...] = HANDS, **options: object) -> Game:
    """Return a game with these hands in which the first player leads, before any card is drawn."""
    values = {"players": len(hands), "line": line} | options
    whole = TITLE.options.read(values, revision=1)  # where hands may have a single coloured card
    made = Game(TITLE, whole, None, NAMES[: len(hands)])
    made.append(Entry(CHANCE, state.DEALER + len(hands) - 1))
    for hand in hands:
        for name in hand.split():
            made.append(Entry(CHANCE, kind_of(name)))
    return made


def ask(made: Game, seat: int) -> page.Hand:
    """Return the question to the seat."""
    seen = made.seen(1 << seat)
    return page.ask(seen, seat, TITLE.view.view(seen))


def shown(made: Game, since: int = 0) -> page.Reveal | None:
    """Return the last round as a spectator sees it."""
    return page.reveal(made.events, NAMES, made.view(None), since)


def fill(made: Game) -> None:
    """Draw the cards that are due, the lowest first."""
    while made.chance_due:
        made.append(Entry(CHANCE, next(iter(made.outcomes()))))


def test_the_leader_sees_what_each_card_would_move_and_why_a_black_one_cannot_lead() -> None:
    """RA-3.2"""
    hand = ask(game(), 0)
    assert [(choice.moves, choice.colour) for choice in hand.cards if choice.fits] == [
        (("r10",), 0), (("r90",), 0), (("b10",), 2), (("y10",), 3)
    ]  # fmt: skip
    assert {move: clause for move, (_why, clause) in hand.refused.items()} == {
        "k30": "RA-3.2",
        "k60": "RA-3.2",
        "pass": "RA-3.2",
    }
    (way,) = hand.signs
    assert (way.label, way.moves, way.keys, way.fits) == ("Pass", ("pass",), "p", False)
    assert "must lead one" in hand.refused["pass"][0]


@pytest.mark.parametrize("end", ["one", "all"])
def test_a_button_says_that_its_move_wins_the_round(end: str) -> None:
    """RA-3.4, RA-3.7: a 130, a lead of the last player, and a pass of the last one who could raise do."""
    seen = set()
    for seed in range(12):
        made = paddock.start(
            "rasant", seed=seed, players=2 + seed % 2, deck="r10-60 y70-130 k10-90", round_end=end
        )
        choose = random.Random(seed)
        while not made.over:
            seat = made.deciders[0]
            for id in made.legal(seat).ids:
                label = TITLE.text.label(made.seen(1 << seat), seat, id)
                after = made.fork()
                after.play(seat, id)
                new = [batch.events for batch in after.events if batch.entry == len(made.log)]
                wins = any(event[:2] == (state.WON, seat) for events in new for event in events)
                assert wins == ("win at once" in label or "win the round" in label), label
                seen |= {label.split()[0]} if wins else set()
            made.play(seat, choose.choice(list(made.legal(seat))))
    assert seen == ({"Lead", "Play", "Pass", "Pass,"} if end == "all" else {"Lead", "Play"})


def test_the_first_pass_says_that_it_leads_the_next_round() -> None:
    """RA-3.1 with and without a discarded card."""
    made = game(deck="r10-130 g10-130 b10-130 y10-130 k30 k60")
    fill(made)
    made.play(0, "r10")
    seen = made.seen(2)
    assert TITLE.text.label(seen, 1, state.PASS) == "Pass: out of this round, but lead the next"
    made = game(deck="+".join(HANDS).replace(" ", "+"))  # an empty reserve
    made.play(0, "r10")
    label = TITLE.text.label(made.seen(2), 1, TITLE.text.parse_move(made.setup, "pass g20").id)
    assert label == "Pass and discard green 20, but lead the next round"


def test_a_raise_goes_with_the_colour_of_the_round_and_a_pass_is_always_there() -> None:
    """RA-3.3"""
    made = game()
    made.play(0, "r10")
    hand = ask(made, 1)
    assert hand.question == "Beat the red 10, or pass"
    assert [(choice.moves, choice.colour) for choice in hand.cards if choice.fits] == [
        (("r50",), 0), (("r130",), 0)
    ]  # fmt: skip
    assert set(hand.refused) == {"g20", "g30", "y20", "y30"}
    assert [(sign.moves, sign.face, sign.keys, sign.fits) for sign in hand.signs] == [
        (("pass",), None, "p", True)
    ]
    assert (hand.ways, hand.hint, hand.clause) == ((), "Raise: red or black, over 10.", "")
    made.play(1, "pass")
    cannot = ask(made, 2)
    assert len(cannot.cards) == 6
    assert (cannot.hint, cannot.clause) == ("You hold no red and no black card over 10.", "RA-3.3")


def test_the_keys_of_a_card_are_its_speed_and_its_colour() -> None:
    hand = ask(game(), 0)
    assert {choice.moves[0]: choice.keys for choice in hand.cards} == {
        "r10": "1 r", "r90": "9 r", "b10": "1 b", "y10": "1 y", "k30": "3 k", "k60": "6 k"
    }  # fmt: skip


def test_with_an_empty_reserve_a_pass_is_one_of_the_hand() -> None:
    """RA-5.2"""
    hands = ("r10 r20 r30 r40 r50 r60", "g10 g20 g30 g40 g50 g60")
    made = game(hands=hands, deck="r10-60+g10-60")
    made.play(0, "r10")
    hand = ask(made, 1)
    assert [choice.moves for choice in hand.cards] == [
        (f"g{speed}0", f"pass g{speed}0") for speed in range(1, 7)
    ]
    assert all(choice.fits and choice.colour is None for choice in hand.cards)
    assert [way.idle for way in hand.ways] == ["Raise", "Pass and discard"]
    assert hand.refused["g60"][1] == "RA-3.3"
    assert hand.refused["pass"] == ("the reserve is empty: a pass costs a card", "RA-5.2")
    assert [card.speed for card in page.faces(made.seen(2), state.DISCARD + kind_of("g40"))] == [40]


def test_the_last_round_names_the_cars_in_the_order_in_which_they_went() -> None:
    """RA-4.1 L … X a b c becomes c b a X L …: X goes first, and c is in front at the end."""
    made = game()
    assert shown(made) is None
    made.play(0, "r90")
    now = shown(made)
    assert now is not None
    assert (now.mark, [play.seat for play in now.now], now.plays) == (-1, [0], ())
    made.play(1, "pass")
    before = [car.colour for car in made.view(None).line]
    made.play(2, "pass")
    fill(made)
    last = shown(made)
    assert last is not None
    assert (
        "".join(COLOURS[car.colour] for car in last.cars) == "rbgby"
    )  # the cars behind the last red one, and that one
    assert [car.colour for car in last.cars] == before[8:]
    assert made.view(None).line[:5] == last.cars[::-1]
    assert [(play.seat, play.passed, play.won) for play in last.plays] == [
        (0, False, True), (1, True, False), (2, True, False)
    ]  # fmt: skip
    assert last.text.startswith("Ana wins the round: red overtakes, 5 points.")
    assert last.now == ()
    assert shown(made, last.mark) == last
    assert shown(made, last.mark + 1) is None
    made.play(1, "y20")  # the first player who passed leads
    again = shown(made)
    assert again is not None
    assert (again.mark, again.cars, [play.seat for play in again.now]) == (last.mark, last.cars, [1])


def test_the_last_round_of_the_previous_game_shows_no_cars() -> None:
    """Its line of cars is gone once the next game has begun."""
    made = game(hands=("k10 k20 k30 k40 k50 r130", "k60 k70 k80 k90 k100 k110"), deck="k10-110+r130", games=2)
    made.play(0, "r130")
    assert len(made.rounds) == 1
    last = shown(made)
    assert last is not None
    assert last.cars == ()
    assert "red overtakes, 5 points" in last.text
    assert last.text.endswith(" Game 1 goes to Ana.")
    pads = page.pads(made.seen(0), made.view(None))
    assert [(row.name, row.points, row.total, row.leads) for row in pads[0].rows] == [
        ("Ana", (5, 0), 5, True), ("Ben", (0, 0), 0, False)
    ]  # fmt: skip


def test_the_story_has_a_heading_for_every_round() -> None:
    made = game()
    made.play(0, "r90")
    lines = story(Scene(made.seen(0), made.events), 0)
    assert [(line.text, line.heading, line.seat) for line in lines] == [
        ("Game 1", True, None), ("Ana leads the round.", True, 0), ("Ana leads red 90.", False, 0)
    ]  # fmt: skip


def test_headlines_and_finishers() -> None:
    """RA-5.4"""
    assert TITLE.page.headline(["Ana"], 1) == "Ana wins the game"
    assert TITLE.page.headline(["Ana"], 3) == "Ana wins the match"
    assert TITLE.page.headline(["Ana", "Ben"], 1) == "Ana and Ben tie for the game"
    made = game(hands=("k10 k20 k30 k40 k50 r130", "k60 k70 k80 k90 k100 k110"), deck="k10-110+r130")
    made.play(0, "r130")
    assert made.over
    last = shown(made)
    assert last is not None
    assert "goes to Ana" not in last.text, "the headline says it"
    ends = page.finishers(made.seen(0), made.view(None))
    assert ends == [Finisher(1, "Ana", 5, 0), Finisher(2, "Ben", 0, 1)]


def test_what_matters_is_true_by_the_rules() -> None:
    """RA-3.2, RA-3.3, RA-3.4, RA-5.2: in games of random moves with a small deck."""
    told = dict.fromkeys(("only pass", "All others have passed", "A pass costs a card", "set the colour"), 0)
    choose = random.Random(5)
    for seed in range(6):
        made = paddock.start("rasant", seed=seed, players=3, deck="r10-60 g10-60\nk10-120", round_end="all")
        while not made.over:
            (seat,) = made.deciders
            seen = made.seen(1 << seat)
            moves = [str(move) for move in made.legal(seat)]
            if len(moves) > 1:
                s, said = seen.state, page.matters(seen, seat)
                plays = [move for move in moves if not move.startswith("pass")]
                costs = any(move.startswith("pass ") for move in moves)
                alone = s.passed | 1 << seat == 0b111 and s.best == seat
                true = (
                    not plays,
                    bool(plays) and alone,
                    costs and "Raise" in said,
                    s.colour == state.NO_COLOUR,
                )
                for words, holds in zip(told, true, strict=True):
                    assert (words in said) == (holds and (bool(plays) or words == "only pass")), said
                    told[words] += words in said
            made.play(seat, choose.choice(moves))
    assert all(told.values()), told
