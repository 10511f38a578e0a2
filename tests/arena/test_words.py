"""The words of a decision: complete, secret, and answers that parse back."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock import records
from paddock.arena import describe, legal_moves, rules
from paddock.arena.words import answered
from paddock.core.errors import BadMove, IllegalMove, PaddockError
from paddock.core.game import Game
from paddock.core.i18n import language
from paddock.core.title import Seen, title
from paddock.kernel.source import Seeded

TITLES = ("lacorsa", "rasant", "great_race")


def played(name: str, seed: int) -> Game:
    """A game in which some random moves have been played."""
    choose = random.Random(seed)
    found = title(name)
    game = Game(found, found.options.read(found.one_round), Seeded(seed))
    for _ in range(choose.randrange(60)):
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(game.legal(seat).ids))
        if game.over:
            break
    return game


def seen_by(game: Game, seat: int) -> Seen:
    return game.seen(game.options.eyes(game.options.owners[seat]))


@pytest.mark.parametrize("name", TITLES)
def test_the_words_are_the_same_whatever_the_seat_cannot_know(name: str) -> None:
    """The twin log: what one player did not see is drawn again. Nobody else's words need be the same."""
    twins = others = 0
    for seed in range(12):
        game = played(name, seed)
        seat = seed % game.options.seats
        eyes = seen_by(game, seat).eyes
        text = records.write(game, date="2026-03-01", players=[(n, None) for n in game.names], eyes=eyes)
        twin = records.complete(records.read(text), Seeded(seed))
        if twin.log == game.log:
            continue
        twins += 1
        said = [describe(seen_by(g, seat), seat, g.story_for(eyes)) for g in (game, twin)]
        assert said[0] == said[1]
        for answer in ("1", "r10", "pass", "k130", "take jerrycan", "12"):
            refusals = [refusal(seen_by(g, seat), seat, answer) for g in (game, twin)]
            assert refusals[0] == refusals[1]
        for other in set(range(game.options.seats)) - {seat}:
            both = [describe(seen_by(g, other), other) for g in (game, twin)]
            others += both[0] != both[1]
    assert twins > 2 and others > 2


def refusal(seen: Seen, seat: int, answer: str) -> str:
    try:
        return str(answered(seen, seat, answer))
    except PaddockError as error:
        return str(error)


@pytest.mark.parametrize("name", TITLES)
def test_the_notation_of_a_legal_move_means_it(name: str) -> None:
    for seed in range(6):
        game = played(name, seed)
        for seat in game.deciders:
            seen = seen_by(game, seat)
            moves = legal_moves(seen, seat)
            assert [move.id for move in moves] == list(game.legal(seat).ids)
            said = describe(seen, seat)
            for move in moves:
                assert f"- {move.notation}: {move.label}" in said
                for answer in (
                    move.notation,
                    f" {move.notation.upper()} ",
                    f"I think.\n\nMove:  {move.notation}",
                ):
                    assert answered(seen, seat, answer) == (move.id,)
            for line in seen.title.text.board(seen):
                assert line in said


def test_several_moves_may_be_one_answer() -> None:
    for seed in range(40):
        game = played("great_race", seed)
        for seat in game.deciders:
            seen = seen_by(game, seat)
            for first in legal_moves(seen, seat):
                after = seen.preview([first.id], seat)
                if after.legal:
                    second = str(seen.title.text.move(seen.setup, after.legal[0]))
                    moves = answered(seen, seat, f"{first.notation}; {second}")
                    assert moves == (first.id, after.legal[0])
                    game.play(seat, moves)
                    return
    raise AssertionError("no chain in 40 games")


def test_a_forbidden_move_is_refused_with_its_clause() -> None:
    seen = paddock.start("lacorsa", drivers=4, seed=7).seen(1)
    with pytest.raises(IllegalMove) as refused:
        answered(seen, 0, "12")
    assert refused.value.clause == "LC-3.1"
    rasant = paddock.start("rasant", players=2, seed=3).seen(1)
    for answer in ("r60", "R60"):
        with pytest.raises(IllegalMove, match=r"RA-2\.2"):
            answered(rasant, 0, answer)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "Empty answer."),
        (" \n\n", "Empty answer."),
        ("move:", "names no move"),
        ("5\n6", "names no move"),
        ("move: 5\nbecause it is low", "names no move"),
        ("five", "five"),
        (";".join(["5"] * 101), "100"),
        ("5; 6", "the chain ends"),
    ],
)
def test_an_answer_is_read_strictly(answer: str, said: str) -> None:
    with pytest.raises(BadMove) as refused:
        answered(paddock.start("lacorsa", drivers=4, seed=7).seen(1), 0, answer)
    assert said in str(refused.value)


@pytest.mark.parametrize("name", TITLES)
def test_the_rules_come_short_whole_or_in_part(name: str) -> None:
    found = title(name)
    options = found.options.read({})
    short, book = rules(found, options), found.rulebook
    assert 200 < len(short.split()) <= 1500
    assert f"## {found.label} in a minute" in short and all(c.id in short for c in book.chapters)
    assert ("## Notation" in short) == ("## Notation" in book.markdown)
    assert rules(found, options, "whole") == book.markdown
    first = next(iter(book.clauses))
    assert rules(found, options, first.lower()) == book.clauses[first].markdown
    with pytest.raises(PaddockError, match="there is no clause"):
        rules(found, options, "XX-1")


def test_in_german_the_words_are_german_and_the_notation_is_the_same() -> None:
    seen = paddock.start("rasant", players=2, seed=3).seen(1)
    token = language.set("de")
    try:
        said = describe(seen, 0)
        short = rules(seen.title, seen.options)
    finally:
        language.reset(token)
    assert "- r70: " in said and "Your legal moves" not in said
    assert "## Notation" in short and "Chapters of" not in short


def test_changed_numbers_stand_in_the_rules() -> None:
    found = title("lacorsa")
    assert "Changed numbers" in rules(found, found.options.read({"win_by": 2}))
