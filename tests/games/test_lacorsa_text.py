"""LACORSA's sentences where the rules of the second revision, or an option, make them say something else."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock.core.log import Event
from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.words import text

NAMES = ("Ana", "Ben", "Cat", "Dan")


@pytest.mark.parametrize(
    ("behind", "sentence"),
    [
        (0, "Ana and Ben go off: nobody is behind them."),
        (3, "Ana and Ben go off and rejoin behind Cat."),
        (state.CARS + 1, "Ana and Ben go off and stay where they are: nobody is directly behind."),
    ],
)
def test_LX_3_3_cars_that_go_off(behind: int, sentence: str) -> None:
    assert text.sentence(Event(state.OFF, 0, 1, behind), NAMES) == sentence


def on_a_free_road(*, pit: bool) -> paddock.Game:
    """A race after a pass, before an empty space, where the car may pit or has pitted."""
    for seed in range(100):
        choose = random.Random(seed)
        game = paddock.start("lacorsa", drivers=6, large_grid=True, pit_timing="turn", seed=seed)
        while not game.over:
            seat = game.deciders[0]
            view = game.view()
            if (view.phase, view.passes, "pit" in game.legal(seat)) == ("road", 1, pit):
                return game
            game.play(seat, choose.choice(game.legal(seat).ids))
    raise AssertionError("no such road")


def test_LX_2_0_a_free_road_names_the_stop_where_it_is_legal() -> None:
    """In what is asked, in the status and in a refusal."""
    for pit, words in ((True, "extend, discard or pit"), (False, "extend or discard")):
        game = on_a_free_road(pit=pit)
        (seat,), page = game.deciders, game.title.room("page")
        seen = game.seen(1 << seat)
        assert text.status(seen).endswith(f"has a free road: {words}.")
        assert page.ask(seen, seat, game.view(seat)).question == f"The road is free: {words}"
        with pytest.raises(paddock.IllegalMove) as refused:
            game.play(seat, "stay")
        assert str(refused.value) == f"LC-4.3 no car is directly ahead: {words}"


def test_LX_2_0_no_car_may_stay_out_where_none_pits() -> None:
    game = paddock.start("lacorsa", drivers=4, seed=1)
    with pytest.raises(paddock.IllegalMove, match=r"LX-2\.0 this championship has no pit stops"):
        game.play(0, "stay")
