"""``Seen.sample``: a game that a seat may be in, which can be played on."""

from __future__ import annotations

import random

import pytest
from tests.core.test_information import played
from tests.titles import RULES

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.title import Title


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_a_sample_looks_the_same_to_its_eyes_and_can_be_played_on(title: Title) -> None:
    """The secrecy theorem: hidden for the same eyes, the sample has the same bytes as what was seen."""
    other = 0
    for seed in range(20):
        game, choose = played(title, seed), random.Random(seed)
        eyes = choose.randrange(1 << game.options.seats)
        seen, rng = game.seen(eyes), paddock.Seeded(seed)
        for _ in range(3):
            sample = seen.sample(rng)
            assert sample.seen(eyes) == seen
            assert (sample.deciders, sample.names, sample.rounds) == (game.deciders, game.names, game.rounds)
            for seat in game.deciders:
                if eyes >> seat & 1:
                    assert sample.legal(seat) == game.legal(seat)
            other += sample._state != game._state
            assert paddock.position(sample.position).position == sample.position
            for _ in range(15):
                if not sample.over:
                    seat = choose.choice(sample.deciders)
                    sample.play(seat, choose.choice(sample.legal(seat).ids))
        assert seen == game.seen(eyes)
    assert other > 15


def middle() -> Game:
    """A race in which a seat has committed a card in secret."""
    game = paddock.start("lacorsa", drivers=4, races=2, seed=7)
    for seat, move in [(0, "11"), (1, "9"), (2, "R"), (3, "8")]:
        game.play(seat, move)
    game.play(3, game.legal(3)[0])
    return game


def test_the_same_source_gives_the_same_samples_and_futures() -> None:
    seen = middle().seen(1)
    one, two = ([seen.sample(rng) for _ in range(3)] for rng in (paddock.Seeded(5), paddock.Seeded(5)))
    assert one == two and len({game.position for game in one}) == 3
    for game, twin in zip(one, two, strict=True):
        for each in (game, twin):
            while len(each.rounds) < 1:  # into the second race, which is dealt by the sample's own source
                each.play(each.deciders[0], each.legal(each.deciders[0])[-1])
        assert game == twin
    assert len({game.position for game in one}) == 3
    assert seen.sample(paddock.System()).deciders == seen.deciders


def test_a_hidden_commitment_is_any_legal_move_of_the_new_hand() -> None:
    """LC-3.1, LC-5.1 the challenger has committed, and the challenged car must answer."""
    game = middle()
    moves = set()
    for index in range(60):
        sample = game.seen(1 << 2).sample(paddock.Seeded(1, index))
        assert sample.deciders == (2,)
        sample.play(2, sample.legal(2)[0])
        moves.add(next(line for line in sample.story if line.startswith("Driver 4 (4) reveals")))
    assert len(moves) > 5


def test_a_sample_is_a_game_that_starts_here() -> None:
    """All that a game offers works, or says why it does not."""
    seen = middle().seen(1 << 2)
    game = seen.sample(paddock.Seeded(1))
    assert (len(game.log), game.story, game.moves(), game.transcript(None)) == (0, [], [], "")
    assert game.from_position and game.at(0) == game and game.result is None
    with pytest.raises(paddock.BadMove, match="there is nothing to undo"):
        game.undo()
    game.play(2, game.legal(2)[0])
    assert len(game.moves()) == 1 and game.transcript(None).startswith("Race 1")
    assert game.information_state(2) == game.fork().information_state(2)
    with pytest.raises(paddock.PaddockError, match="a record needs the game from its start"):
        records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    assert [entry.by for entry in game.undo()] == [2]
    assert game.seen(1 << 2) == seen and game.fork() == game
    while not game.over:
        game.play(game.deciders[0], game.legal(game.deciders[0])[0])
    assert game.result and eval(repr(game)).result == game.result


def test_a_sample_of_a_finished_game_is_that_result() -> None:
    game = paddock.start("rasant", players=3, seed=1)
    while not game.over:
        game.play(game.deciders[0], game.legal(game.deciders[0])[0])
    for eyes in (0, 1, 7):
        sample = game.seen(eyes).sample(paddock.Seeded(1))
        assert sample.over and sample.result == game.result and sample.seen(eyes) == game.seen(eyes)


def test_chance_that_is_due_is_drawn_at_once() -> None:
    title = paddock.title("lacorsa")
    game = Game(title, title.options.read({"drivers": 4}))
    for _ in range(20):
        game.append(game.draw(paddock.Seeded(1)))
    mine = game.seen(1)
    sample = mine.sample(paddock.Seeded(1))
    assert not sample.chance_due and sample.deciders == (0, 1, 2, 3)
    assert [card.kind for card in sample.view(0).cars[0].hand] == [
        card.kind for card in title.view.view(mine).cars[0].hand
    ]


@pytest.mark.parametrize("rng", [7, None, "7", random.Random(1), paddock.Seeded])
def test_a_sample_needs_a_chance_source(rng: object) -> None:
    with pytest.raises(paddock.PaddockError, match=r"give a chance source, such as paddock\.Seeded\(7\)"):
        middle().seen(1).sample(rng)  # type: ignore[arg-type]
