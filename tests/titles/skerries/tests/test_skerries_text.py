"""Moves, outcomes, refusals and positions of Skerries parse back, and what is wrong is named."""

from __future__ import annotations

import random

import pytest
from tests.titles.skerries.tests.harness import BAY, at, random_game, text_of

import paddock
from paddock.core.title import Title


def test_moves_parse_back(skerries: Title) -> None:
    g, text = skerries.setup_of(skerries.options.read({})), skerries.text
    for id in range(skerries.rules.ACTIONS):
        assert text.move(g, id).id == id
        assert text.parse_move(g, f" {text.move(g, id)} ").id == id
    for bad in ("", "north", "rob", "rob 5", "rob 0", "stop stop", "rob ²"):
        with pytest.raises(paddock.BadMove, match="is not a move"):
            text.parse_move(g, bad)


def test_outcomes_parse_back(skerries: Title) -> None:
    for seed in range(10):
        for game, _choose in random_game(seed):
            for outcome in game.outcomes():
                written = skerries.text.outcome(game.setup, outcome)
                assert skerries.text.parse_outcome(game.setup, game.heading, written) == outcome
    for heading, bad in (("wind 1", "7"), ("wind 1", "gust"), ("draw 1", "fog"), ("theft 1 2", "3")):
        with pytest.raises(paddock.BadMove, match="write"):
            skerries.text.parse_outcome(None, heading, bad)


def test_every_move_is_legal_or_refused_never_both(skerries: Title) -> None:
    clauses, reached = skerries.rulebook.clauses, set()
    for seed in range(40):
        for game, _choose in random_game(seed):
            for seat in game.deciders:
                legal = game.legal(seat).ids
                for move in range(skerries.rules.ACTIONS):
                    error = game.why(seat, move)
                    assert (error is None) == (move in legal)
                    if error:
                        assert isinstance(error, paddock.IllegalMove) and error.clause in clauses
                        reached.add(skerries.refusals.why(game._state, game.setup, seat, move))
    assert reached == set(range(1, skerries.refusals.CODES)), "a code that nothing reaches"


def test_every_state_can_be_told_to_every_pair_of_eyes(skerries: Title) -> None:
    """Labels, status and board are written from what is seen, without a word left open."""
    for seed in range(10):
        for game, _choose in random_game(seed):
            for eyes in (0, 1, 2, 3):
                seen = game.seen(eyes)
                lines = [*skerries.text.board(seen), skerries.text.status(seen)]
                for seat in game.deciders:
                    if eyes >> seat & 1:
                        lines += [skerries.text.label(seen, seat, move) for move in seen.legal(seat)]
                assert all(line and "{" not in line for line in lines)


def test_the_board_is_the_chart_with_the_boats_and_the_hands_below(skerries: Title) -> None:
    game = at(boats="c1,e1,a1", places="0,1,0", hands="gp|a|-", known="1>2:a", open="g")
    assert skerries.text.board(game.seen(1)) == [
        "   a   b   c   d   e",
        " 1 q   .   +   x   l",
        " 2   h   .   .   h   .",
        "Skipper 1: at c1, 2 cards",
        "Skipper 2: arrived, place 1, 1 card",
        "Skipper 3: at a1, 0 cards",
        "Deck: 2. Open cards: gust",
        "Hand of Skipper 1: gust pilot",
        "Skipper 1 knows that Skipper 2 holds: anchor",
    ]
    assert skerries.text.status(game.seen(1)) == "Day 1 of 3: Skipper 1 has 5 wind."
    assert skerries.text.label(game.seen(1), 0, 3) == "Sail west to b1"
    assert at(wind="0").title.text.label(at(wind="0").seen(1), 0, 6) == "Stop"


def test_positions_parse_back_and_play_on_alike(skerries: Title) -> None:
    for seed in range(25):
        for game, _choose in random_game(seed):
            again = paddock.position(game.position, seed=1)
            assert (again.position, again.digest) == (game.position, game.digest)
            assert again == eval(repr(game))
            assert game.over or again._state == game._state
            for seat in game.deciders:
                assert again.legal(seat).ids == game.legal(seat).ids


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"phase": "over"}, "write one of roll, sail"),
        ({"day": "4"}, "write a number from 1 to 3"),
        ({"turn": "4"}, "write a number from 1 to 3"),
        ({"wind": "19"}, "write a number from 0 to 18"),
        ({"wind": "²"}, "write a number from 0 to 18"),
        ({"spent": "pilot,harbour"}, "in this order"),
        ({"victim": "2"}, "SK-4.2 write who is being robbed"),
        ({"phase": "asked"}, "SK-4.2 write who is being robbed"),
        ({"boats": "a1,a1"}, "for each of the 3 skippers"),
        ({"boats": "d1,a1,a1"}, "«d1» is no hex for a boat (SK-1.1)"),
        ({"places": "0,0"}, "for each of the 3 skippers"),
        ({"hands": "pg|-|-"}, "g before p before a"),
        ({"hands": "||"}, "or -"),
        ({"hands": "ggg|-|-"}, "SK-1.3 there are no more than 2 cards of this kind: gust"),
        ({"hands": "gppa|-|-"}, "SK-3.1 skipper 1 holds more than 3 cards"),
        ({"known": "1>1:g"}, "write what is remembered as in 2>1:g"),
        ({"known": "1>4:g"}, "write what is remembered as in 2>1:g"),
        ({"known": "1>2:g"}, "SK-4.4 skipper 2 does not hold what others remember: gust"),
        ({"open": "x"}, "by their letters"),
        ({"places": "1,0,0"}, "SK-5.1 skipper 1 has a place if and only if"),
        ({"boats": "a1,e1,a1"}, "SK-5.1 skipper 2 has a place if and only if"),
        ({"places": "0,2,0", "boats": "a1,e1,a1"}, "SK-5.1 the boats that arrive take the places from 1 on"),
        ({"places": "1,0,0", "boats": "e1,a1,a1"}, "SK-2.1 it is the turn of a boat that has not arrived"),
        ({"phase": "roll"}, "SK-2.2 a turn begins with a roll"),
        ({"phase": "asked", "victim": "2"}, "SK-4.1 who is robbed lies in the same hex"),
        ({"phase": "theft", "victim": "2", "spent": "robbery", "hands": "gpa|g|-"}, "SK-4.1 who robs"),
        ({"phase": "draw", "spent": "harbour"}, "SK-3.1 a card is drawn in a harbour"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_is_refused(skerries: Title, fields: dict[str, str], fault: str) -> None:
    with pytest.raises(paddock.BadPosition) as caught:
        paddock.position(text_of(**fields))
    assert fault in str(caught.value)


def test_every_fault_of_a_position_is_listed(skerries: Title) -> None:
    text = text_of(wind="99", hands="x|-|-").replace(" day=1", "") + " fog=3"
    with pytest.raises(paddock.BadPosition) as caught:
        paddock.position(text)
    for fault in ("«day=» is missing", "no field «fog»", "wind=99", "hands=x"):
        assert fault in str(caught.value)


@pytest.mark.parametrize("results", ["2:2,0:0,0:0", "1:3,1:3,0:0", "1:2,0:0,0:0", "0:1,0:0,0:0"])
def test_a_result_that_cannot_be_is_refused(skerries: Title, results: str) -> None:
    with pytest.raises(paddock.BadPosition, match="SK-5"):
        paddock.position(text_of({"races": 2}, results=results))
    assert paddock.position(text_of({"races": 2}, results="0:0,1:3,2:2")).rounds[0].places == (0, 1, 2)


def test_options_are_written_as_words_and_a_long_chart_by_its_digest(skerries: Title) -> None:
    for seed in range(30):
        choose = random.Random(seed)
        rows = ["".join(choose.choice("..+.h") for _ in range(12)) for _ in range(choose.randint(1, 9))]
        drawn = " \n ".join([*rows, "q" + 10 * "." + "l ; the last row"])
        options = skerries.options.read({"chart": drawn, "days": 5})
        assert options.chart == "/".join([*rows, "q..........l"])
        assert skerries.options.read_text(options.text) == options
        short = options.short
        assert (options.chart in short) == (len(options.chart) <= 64)
        assert skerries.options.read_text(short, find=options.data.get) == options
    assert skerries.options.read({"chart": BAY.upper()}).chart == BAY
