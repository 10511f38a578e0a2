"""LACORSA's page for a Large Grid: pit stops, accidents and slipstreams."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from paddock.core.game import Game
from paddock.core.log import Entry, Event, EventBatch
from paddock.core.words import CHANCE
from paddock.games.lacorsa.drawing import draw
from paddock.games.lacorsa.page import page
from paddock.games.lacorsa.rulebook import TITLE
from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.rules.state import DIE, REDLINE
from paddock.games.lacorsa.words.view import Card
from paddock.kernel.source import Seeded
from paddock.parts.page import Choice, Hand
from paddock.web.pages import Pages

HAND = (1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, REDLINE, REDLINE)
NAMES = ("Ana", "Ben", "Cleo", "Dario")


def game(**options: object) -> Game:
    """Return a game at the start of lap 1. From last to first: Ana, Ben, Cleo, Dario."""
    made = Game(
        TITLE, TITLE.options.read({"drivers": 4, "extra_suits": 2, "large_grid": True} | options), None, NAMES
    )
    for _seat in range(4):
        for kind in HAND:
            made.append(Entry(CHANCE, kind))
    for seat, card in enumerate(("4", "6", "8", "10")):
        made.play(seat, card)
    return made


def play(made: Game, moves: str) -> Game:
    """Play moves such as «1:5 2:3+R die:2 card:9»: cars count from 1; chance is a die or a card."""
    for word in moves.split():
        who, _colon, what = word.partition(":")
        if who == "die":
            made.append(Entry(CHANCE, DIE + int(what) - 1))
        elif who == "card":
            made.append(Entry(CHANCE, int(what)))
        else:
            made.play(int(who) - 1, what)
    return made


def lap_2(**options: object) -> Game:
    """Return a game in which Ben has retired, Cleo leads, and Ana, who is last, may pit."""
    return play(game(**options), "1:5 2:3+R die:2 3:9 4:1 3:x10")


def ask(made: Game, seat: int) -> Hand[Choice[Card]]:
    seen = made.seen(1 << seat)
    return page.ask(seen, seat, TITLE.view.view(seen))


def shown(made: Game) -> page.Reveal:
    """Return the last reveal as a spectator sees it."""
    reveal = page.reveal(made.events, NAMES, made.view(None), 0)
    assert reveal is not None
    return reveal


def moves(choices: Sequence[Choice[Card]]) -> list[str]:
    return [move for choice in choices for move in choice.moves]


@pytest.mark.parametrize(
    ("face", "lost", "sentence"),
    [
        (None, {}, "Ana and Ben touch: accident."),
        (1, {0: "retires", 1: "retires"}, "Ana retires from the race. Ben retires"),
        (2, {1: "retires"}, "Ben retires"),
        (3, {0: "retires"}, "Ana retires"),
        (4, {0: "spins", 1: "spins"}, "spin and rejoin at the back"),
        (5, {0: "goes off", 1: "goes off"}, "nobody is behind them"),
        (6, {}, "Ben holds off Ana"),
    ],
)
def test_an_accident_shows_both_plays_the_die_and_what_it_did(
    face: int | None, lost: dict[int, str], sentence: str
) -> None:
    """LX-3.0 to LX-3.4"""
    made = play(game(), "1:5 2:3+R" + (f" die:{face}" if face else ""))
    reveal = shown(made)
    assert reveal.title == "Accident"
    assert (reveal.die, reveal.roller) == (face, 1 if face else None)
    assert [(p.seat, p.value, [c.kind for c in p.cards]) for p in reveal.plays] == [
        (0, "5", [5]), (1, "5", [3, REDLINE])
    ]  # fmt: skip
    assert {p.seat: p.lost for p in reveal.plays if p.lost} == lost
    assert {p.seat: p.won for p in reveal.plays if p.won} == ({1: "holds"} if face == 6 else {})
    assert sentence in reveal.text


def test_a_retired_car_is_off_the_road() -> None:
    """LX-3.6"""
    made = lap_2()
    view = made.view(None)
    assert (view.order, view.retired) == ((2, 3, 0), (1,))
    svg = draw.strip(view)
    assert 'id="s-car-2"' not in svg
    assert "the leader is on the right" in svg


def test_the_leader_of_the_remaining_cars_cannot_extend_with_a_3() -> None:
    """LC-6.2, LX-2.0: it cannot pit in the first lap either."""
    hand = ask(play(game(), "1:5 2:3+R die:2 3:9 4:1"), 2)
    assert [move for move in moves(hand.cards) if move[0] == "^" and move not in hand.refused] == ["^1", "^2"]
    assert hand.refused["^3"][1] == "LC-6.2"
    (pit,) = hand.signs
    assert not pit.fits
    assert hand.refused["pit"] == ("cars can pit from the second lap on", "LX-2.0")


def test_pit_or_stay_shows_the_hand_that_it_is_about() -> None:
    """LX-2.0"""
    hand = ask(lap_2(), 0)
    assert hand.question == "Pit, or stay out and challenge Dario (4)?"
    assert [(sign.moves, sign.label) for sign in hand.signs] == [(("pit",), "Pit"), (("stay",), "Stay out")]
    assert len(hand.cards) == 11
    assert not moves(hand.cards)
    assert hand.plus is None
    assert all("<svg" in draw.sign(move) for move in moves(hand.signs))


def test_a_stop_shows_the_card_the_die_and_who_moves_up() -> None:
    """LX-2.1, LX-2.3"""
    made = play(lap_2(), "1:pit")
    assert (shown(made).title, shown(made).text) == ("Pit stop", "Ana pits.")
    play(made, "card:9")
    assert shown(made).text == "Ana draws the 9 from the discard pile."
    play(made, "die:6")
    reveal = shown(made)
    assert ([card.kind for card in reveal.plays[0].cards], reveal.die, reveal.moved) == ([9], 6, ())
    assert reveal.plays[0].won == "loses nothing"
    car = made.view(None).cars[0]
    assert ([card.kind for card in car.known], car.pitted) == ([9], True)
    assert "has pitted" in draw.strip(made.view(None))
    play(made, "4:pit card:10 die:3")
    reveal = shown(made)
    assert (reveal.moved, reveal.plays[0].lost, reveal.text) == (
        (0,), "loses 1 space", "Dario drops back 1 space."
    )  # fmt: skip


def test_on_a_free_road_to_pit_is_one_more_choice() -> None:
    """LX-2.0: no card goes with it, and no Redline."""
    made = play(lap_2(), "1:pit card:9 die:6 4:pit card:10 die:3")
    hand = ask(made, 2)
    assert hand.question == "The road is free: extend, discard or pit"
    assert (moves(hand.signs), hand.signs[0].fits) == (["pit"], True)
    assert hand.plus is not None
    assert hand.refused["pit+R"] == ("a car that pits plays no card, and no Redline", "LX-2.0")
    hand = ask(play(made, "3:^2 4:2 1:6"), 0)
    assert not hand.signs[0].fits
    assert hand.refused["pit"][0].startswith("this car has already pitted")


def test_the_driver_chooses_a_card_of_the_pile() -> None:
    """LX-2.1"""
    made = play(lap_2(pit_draw="choose"), "1:pit")
    hand = ask(made, 0)
    assert moves(hand.cards) == [f"take {card}" for card in (1, 3, 4, 5, 6, 8, 9, 10, "R")]
    assert hand.hint.startswith("Take 1 card. Everybody sees which. You hold ")
    assert hand.hint.count(",") == 10
    assert not hand.refused
    assert [card.kind for card in page.faces(made.seen(1), state.TAKE + 9)] == [9]
    refill = ask(play(lap_2(pit_draw="choose", pit_refill=True), "1:pit"), 0)
    assert refill.hint.startswith("Take 2 cards")


def test_out_of_the_slipstream_one_challenges_or_stops() -> None:
    """LX-5.1"""
    made = play(lap_2(), "1:pit card:9 die:6 4:pit card:10 die:3 3:^2 4:2 1:6 1:^3")
    hand = ask(made, 0)
    assert hand.question == "You have closed the gap to Cleo (3): challenge or stop?"
    assert moves(hand.signs) == ["attack", "stop"]
    assert page.faces(made.seen(1), state.STOP) == ()
    drafts, stops = (shown(play(made.fork(), f"1:{move}")) for move in ("attack", "stop"))
    assert (drafts.plays[0].won, drafts.text) == ("drafts", "Ana drafts and challenges Cleo.")
    assert (stops.plays[0].won, stops.text) == ("", "Ana stops behind Cleo.")


def part(name: str, **context: object) -> str:
    """Render one of the title's templates, with single spaces."""
    html = Pages().environment.get_template(f"titles/lacorsa/{name}.html").render(title=TITLE, **context)
    return re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>|<[^>]+>", "", html, flags=re.S))


def test_the_tower_counts_the_cards_that_all_know() -> None:
    """LX-2.1, LX-2.2: the cards that a pit stop took from the pile, each kind once."""
    made = play(lap_2(pit_draw="choose", pit_refill=True), "1:pit")
    for _card in range(2):
        made.play(0, "take 10")
    assert "known 10×2" in part("aside", view=made.view(None))


def test_the_die_of_an_accident_names_the_car_that_rolled_it() -> None:
    """LX-3.0: a driver may have two cars."""
    made = play(game(), "1:5 2:3+R die:4")
    assert "The die of Ben (2)" in part("reveal", reveal=shown(made), view=made.view(None))


def test_many_open_hands_are_drawn_small() -> None:
    seen = game().seen
    hands = Pages().environment.get_template("titles/lacorsa/hands.html")
    assert hands.render(title=TITLE, view=TITLE.view.view(seen(0b1111))).count("lc-held") == 4
    assert "lc-held" not in hands.render(title=TITLE, view=TITLE.view.view(seen(0b0011)))


def test_the_last_move_of_a_race_says_who_has_won() -> None:
    """LC-7.2: also on the page of the next race, until cards are revealed there."""
    made = game(races=2)
    made.chance = Seeded(1)
    while not made.rounds:
        seat = made.deciders[0]
        made.play(seat, next(iter(made.legal(seat))))
    assert re.search(r"\. \w+ finishes first: 9 points\.$", shown(made).text)


def test_a_status_line_counts_the_cars_if_there_are_too_many_names() -> None:
    made = Game(TITLE, TITLE.options.read({"drivers": 6, "large_grid": True}), Seeded(1))
    assert TITLE.text.status(made.seen(0)).endswith("Waiting for all 6 cars.")
    made.play(0, next(iter(made.legal(0))))
    assert TITLE.text.status(made.seen(0)).endswith("Waiting for 5 of 6 cars.")
    made.play(1, next(iter(made.legal(1))))
    assert TITLE.text.status(made.seen(0)).endswith("Driver 3 (3), Driver 4 (4), Driver 5 (5), Driver 6 (6).")


@pytest.mark.parametrize(
    ("end", "headline", "podium"),
    [("3", "Dario wins the race", [("Dario", 1, 9)]), ("1", "Nobody finishes the race", [])],
)
def test_a_retired_car_is_not_on_the_podium(
    end: str, headline: str, podium: list[tuple[str, int, int]]
) -> None:
    """LX-3.6: one car finishes, or none."""
    made = play(game(races=1), f"1:5 2:3+R die:1 3:7 4:5+R die:{end}")
    assert made.result is not None
    assert page.headline([NAMES[who] for who in made.result.winners], 1) == headline
    view = TITLE.view.view(made.seen(0))
    stars = {row.name for row in page.pads(made.seen(0), view)[0].rows if row.leads}
    assert stars == {name for name, _place, _points in podium}
    ends = page.finishers(made.seen(0), view)
    assert [(f.name, f.place, f.points) for f in ends] == podium
    assert f'aria-label="{headline}{": 1. Dario, 9 points" if podium else ""}"' in draw.podium(
        ends, heading=headline
    )


def test_a_shared_championship_names_all_who_share_it() -> None:
    """LC-7.3"""
    assert page.headline(["Ana"], 7) == "Ana is champion"
    assert page.headline(["Ana", "Ben"], 7) == "Ana and Ben share the title"
    assert page.headline(["Ana", "Ben", "Cleo"], 7) == "Ana, Ben and Cleo share the title"


def test_one_space_is_singular() -> None:
    made = play(lap_2(), "1:pit card:9 die:6 4:pit card:10 die:3 3:^2")
    assert ", 1 empty space ahead," in draw.strip(made.view(None))


def test_events_say_which_cars_they_move() -> None:
    """Cars that pass or spin move together; a stop without a loss, and a challenge held off, move none."""
    told = (
        (state.REVEALED, 2, 5, 5),
        (state.PASSED, 2, 0, 1),
        (state.HELD, 2, 0, 0),
        (state.EXTENDED, 1, 2, 0),
        (state.DROPPED, 3, 2, 0),
        (state.DROPPED, 3, 0, 0),
        (state.SPUN, 4, 5, 0),
        (state.RETIRED, 0, 0, 0),
    )
    batch = EventBatch(7, 0, tuple(Event(*event, 0) for event in told))
    assert page.moves([batch], game().view(None)) == {
        (7, 1): [(3, 1)],
        (7, 3): [(2,)],
        (7, 4): [(4,)],
        (7, 6): [(5, 6)],
        (7, 7): [(1,)],
    }


@pytest.mark.parametrize("refill", [False, True])
def test_what_matters_names_a_stop_where_it_is_possible(refill: bool) -> None:
    """LX-2.0, LX-2.1 one card, LX-2.2 or a whole hand."""
    options = TITLE.options.read({"drivers": 4, "races": 1, "large_grid": True, "pit_refill": refill})
    game, choose, told = Game(TITLE, options, Seeded(3)), Seeded(4), 0
    while not game.over:
        seat = game.deciders[0]
        moves = [str(move) for move in game.legal(seat)]
        said = page.matters(game.seen(1 << seat), seat)
        assert ("A stop" in said) == ("pit" in moves), said
        if "pit" in moves:
            assert ("fills your hand" in said) == refill
            told += 1
            moves.remove("pit")
        game.play(seat, moves[choose.below(len(moves))])
    assert told > 1
