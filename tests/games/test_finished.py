"""A series that is over is shown as over, by its last state and by a position, which has the results only."""

from __future__ import annotations

import random
from collections.abc import Mapping
from xml.etree import ElementTree

import pytest

import paddock
from paddock.core.game import Game

SERIES: Mapping[str, Mapping[str, object]] = {
    "lacorsa": {"drivers": 4, "races": 2},
    "rasant": {"players": 3, "games": 2, "round_end": "all"},
    "great_race": {"players": 3, "races": 2, "max_turns": 2},
}


def played(name: str, seed: int, **options: object) -> Game:
    """A series that was played at random."""
    game, choose = paddock.start(name, seed=seed, **options), random.Random(seed)
    while not game.over:
        seat = game.deciders[0]
        game.play(seat, choose.choice(game.legal(seat).ids))
    return game


@pytest.mark.parametrize("name", SERIES)
def test_a_finished_position_is_shown_as_the_end_that_it_was(name: str) -> None:
    game = played(name, 3, **SERIES[name])
    position = paddock.position(game.position)
    text = game.title.text
    assert position.over and position.deciders == ()
    assert " is over: " in text.status(game.seen(0))
    assert text.status(position.seen(0)) == text.status(game.seen(0))
    assert position.view().phase == game.view().phase == "over"
    for game_or_position in (game, position):
        for eyes in (0, 1, 0b111):
            assert len(text.board(game_or_position.seen(eyes))) >= 3
        ElementTree.fromstring(game_or_position._repr_svg_())


def test_RA_5_3_nothing_can_be_won_when_the_game_is_over() -> None:
    game = played("rasant", 5, **SERIES["rasant"])
    view = game.view()
    assert (view.wins, view.leader, view.top, view.first_to_pass) == ((), None, None, None)
    assert len(view.line) == 13
    board = "\n".join(game.title.text.board(game.seen(0)))
    assert "The line, front first: " in board and "A win moves" not in board
    assert "A win moves" in "\n".join(game.title.text.board(paddock.start("rasant", seed=1).seen(0)))
    assert "points, doubled" not in game.title.draw.strip(view)


def test_RA_5_4_a_position_of_results_shows_the_points_of_the_last_game() -> None:
    game = played("rasant", 5, **SERIES["rasant"])
    position = paddock.position(game.position)
    points = [(player.score, player.total, player.name) for player in game.view().players]
    assert [(player.score, player.total, player.name) for player in position.view().players] == points
    assert position.title.text.board(position.seen(7)) == [
        f"{name}: {score} points" for score, _total, name in points
    ]
    assert all(p.cards == 0 and not p.dealer and not p.leads for p in position.view().players)
    assert (position.view().line, position.view().wins, position.view().reserve) == ((), (), 0)
    assert "The cars are being lined up" not in position.title.text.status(position.seen(0))


def test_LC_7_2_a_position_of_results_shows_the_places_of_the_last_race() -> None:
    game = played("lacorsa", 3, **SERIES["lacorsa"])
    position = paddock.position(game.position)
    assert position.view().order == game.view().order
    assert [car.place for car in position.view().cars] == list(game.rounds[-1].places)
    names = [game.seen(0).seat_name(seat) for seat in game.view().order]
    assert position.title.text.board(position.seen(15)) == [f"{i:2}. {n}" for i, n in enumerate(names, 1)]


def test_LX_3_6_retired_cars_have_no_place_there() -> None:
    for results, order, status in (
        ("2:6,0:0,1:9,0:0", (2, 0), "The race is over: Driver 3 (3) wins."),
        ("0:0,0:0,0:0,0:0", (), "The race is over: no car has finished."),
    ):
        start = paddock.start("lacorsa", drivers=4, races=1, incidents=True, seed=1).position
        position = paddock.position(f"{start[: start.index(' results=')]} results={results}")
        assert position.view().order == order
        assert {car.seat for car in position.view().cars if car.retired} == {0, 1, 2, 3} - set(order)
        assert set(position.view().retired) == {0, 1, 2, 3} - set(order)
        assert position.title.text.status(position.seen(0)) == status


@pytest.mark.parametrize("name", SERIES)
def test_a_position_in_the_middle_is_shown_as_it_is(name: str) -> None:
    """A series whose first games are over is not."""
    game = paddock.start(name, seed=2, **SERIES[name])
    choose = random.Random(2)
    while not game.rounds:
        seat = game.deciders[0]
        game.play(seat, choose.choice(game.legal(seat).ids))
    twin = paddock.position(game.position, names=game.names)
    for eyes in (0, 1):
        assert game.title.text.status(twin.seen(eyes)) == game.title.text.status(game.seen(eyes))
        assert game.title.text.board(twin.seen(eyes)) == game.title.text.board(game.seen(eyes))
