"""Moves, outcomes, refusals and positions of Skerries parse back, and what is wrong is named."""

from __future__ import annotations

import random

import pytest
from tests.titles.skerries.tests.harness import BAY, at, random_game, text_of

import paddock
from paddock.core.title import Title
from sampling import count


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
    for heading, bad in (("wind 1", "7"), ("draw 1", "fog")):
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
    for seed in range(count(5, 10)):
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
    for seed in range(count(8, 25)):
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
        ({"phase": "over"}, "the race is over when all have arrived"),
        ({"day": "4"}, "SK-2.1 it is the turn of a boat that has not arrived, on one of the agreed days"),
        ({"turn": "4"}, "SK-2.1 it is the turn"),
        ({"turn": "0"}, "SK-2.1 it is the turn"),
        ({"wind": "19"}, "SK-2.3 the wind"),
        ({"phase": "roll"}, "SK-2.3 the wind"),
        ({"phase": "asked"}, "SK-4.1 another boat in the same hex is robbed"),
        ({"boats": "d1,a1,a1"}, "SK-1.1 no boat lies on a skerry"),
        ({"hands": "ggg|-|-"}, "SK-1.3 every card"),
        ({"hands": "gppa|-|-"}, "SK-3.1 a hand is at most three cards"),
        ({"known": "1>2:g"}, "SK-4.4 what is remembered of a hand is in it"),
        ({"places": "1,0,0"}, "SK-5.1 every boat that has arrived"),
        ({"boats": "a1,e1,a1"}, "SK-5.1 every boat that has arrived"),
        ({"places": "0,2,0", "boats": "a1,e1,a1"}, "SK-5.1 every boat that has arrived"),
        ({"places": "1,0,0", "boats": "e1,a1,a1"}, "SK-2.1 it is the turn"),
        ({"phase": "draw", "spent": "harbour", "hands": "gpa|-|-"}, "SK-3.1 a card is drawn"),
        ({"left": "7"}, "SK-1.3 every card"),
        ({"cards": "1,0,0,0"}, "SK-3.1 a hand"),
        ({"place": "0,0,0,1"}, "SK-1.1 no boat"),
        ({"phase_": "3"}, "there is no field “phase_”"),
        ({"drew": "²"}, "write it as in 0"),
        ({"at": "0,0,0"}, "write it as in 0,0,0,0"),
        ({"held": "0,0,0/0,0,0/0,0,0"}, "write it as in 0,0,0/0,0,0/0,0,0/0,0,0"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_is_refused(skerries: Title, fields: dict[str, str], fault: str) -> None:
    with pytest.raises(paddock.BadPosition) as caught:
        paddock.position(text_of(**fields))
    assert fault in str(caught.value)


def test_every_fault_of_a_position_is_listed(skerries: Title) -> None:
    text = text_of(robbed="x", drew="999", fog="3")
    for missing in (text, text.replace(" day=1", "")):
        with pytest.raises(paddock.BadPosition) as caught:
            paddock.position(missing)
    assert "“day=” is missing" in str(caught.value) and "no field “fog”" in str(caught.value)
    with pytest.raises(paddock.BadPosition) as caught:
        paddock.position(text.replace(" fog=3", ""))
    assert "robbed=x" in str(caught.value) and "drew=999" in str(caught.value)


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
