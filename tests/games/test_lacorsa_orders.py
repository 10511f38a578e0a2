"""LACORSA's standing orders on a Large Grid (LX). Those of the base game: tests/tables/test_orders.py."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.titles import random_options

import paddock
from paddock.core.game import Game
from paddock.core.title import Dropped
from paddock.games.lacorsa.page import orders
from paddock.games.lacorsa.rulebook import TITLE as LACORSA
from paddock.kernel.source import Seeded
from sampling import count


def until(wanted: Callable[[Game], bool], **options: Any) -> Game:
    """A large race at the first position of the kind, played at random."""
    for seed in range(200):
        choose = random.Random(seed)
        game = paddock.start("lacorsa", seed=seed, races=1, large_grid=True, **options)
        while not game.over and not wanted(game):
            seat = game.deciders[0]
            game.play(seat, choose.choice(game.legal(seat).ids))
        if wanted(game):
            return game
    raise AssertionError("no such position")


def answer(game: Game, seat: int, text: str) -> str | None:
    """The move of an order in notation, or why it was dropped."""
    found = orders.answer(game.seen(1 << seat), seat, text)
    if isinstance(found, Dropped):
        return str(found.reason)
    return None if found is None else str(LACORSA.text.move(game.setup, found))


def texts(game: Game, seat: int) -> list[str]:
    return [order.text for order in orders.describe(game.seen(1 << seat), seat)]


def test_stay_out_answers_the_pits_and_nothing_else() -> None:
    """LX-2.0"""
    game = until(lambda game: game.view().phase == "pits", drivers=12)
    seat, other = game.view().turn, game.view().defender
    assert "stay out" in texts(game, seat)
    assert answer(game, seat, "stay out") == "stay"
    assert answer(game, other, "stay out") is None
    for text in texts(game, seat):
        assert text == "stay out" or answer(game, seat, text) is None
    game.play(seat, "stay")
    assert answer(game, seat, "stay out") is None and "stay out" in texts(game, seat), "it stands"


def test_stay_out_is_given_from_the_first_lap_and_dropped_after_the_stop() -> None:
    """LX-2.0"""
    game = until(lambda game: game.view().lap == 1, drivers=6)
    assert all("stay out" in texts(game, seat) and not answer(game, seat, "stay out") for seat in range(6))
    game = until(lambda game: game.view().phase == "pits", drivers=6)
    seat = game.view().turn
    game.play(seat, "pit")
    assert answer(game, seat, "stay out") == "LX-2.0 the car has made its stop"
    assert "stay out" not in texts(game, seat)


def test_stop_after_drafting_answers_the_draft() -> None:
    """LX-5.1"""
    game = until(lambda game: game.view().phase == "draft", drivers=6)
    seat, other = game.view().turn, game.view().defender
    assert answer(game, seat, "stop after drafting") == "stop"
    assert answer(game, other, "stop after drafting") is None
    assert answer(game, seat, "stay out") in (None, "LX-2.0 the car has made its stop")


@pytest.mark.parametrize("phase", ["pits", "draft", "pit-draw"])
def test_other_orders_wait_through_the_phases_of_the_expansion(phase: str) -> None:
    game = until(lambda game: game.view().phase == phase, drivers=6, pit_draw="choose")
    for seat in range(6):
        for text in texts(game, seat):
            if text.startswith(("defend", "discard")):
                assert answer(game, seat, text) is None


def test_a_free_road_is_still_a_discard_where_a_stop_may_be_made() -> None:
    """LC-6.3 the order to stay out says nothing of a free road."""
    game = until(lambda game: game.view().phase == "road" and game.view().lap > 1, drivers=6)
    (seat,) = game.deciders
    assert str(answer(game, seat, "discard lowest")).startswith("x")
    assert answer(game, seat, "stay out") in (None, "LX-2.0 the car has made its stop")


def test_orders_of_a_retired_car_are_dropped() -> None:
    """LX-3.6"""
    game = until(lambda game: len(game.view().retired) > 0 and game.view().phase != "over", drivers=12)
    seat = game.view().retired[0]
    assert texts(game, seat) == []
    for text in ("discard lowest", "defend 7", "stay out", "stop after drafting"):
        assert answer(game, seat, text) == "LX-3.6 the car has retired"


def test_the_base_game_offers_none_of_them() -> None:
    game = paddock.start("lacorsa", seed=1, races=1)
    while game.view().lap == 0:
        game.play(game.deciders[0], game.legal(game.deciders[0]).ids[0])
    assert not {"stay out", "stop after drafting"} & set(texts(game, 0))


def test_orders_answer_legally_and_from_what_their_owner_sees() -> None:
    """Whatever the options; deal again what the owner cannot know, and every order answers the same."""
    for seed in range(count(12, 30)):
        choose, rng, out = random.Random(seed), Seeded(seed), [0] * 100
        game = Game(LACORSA, random_options(LACORSA, choose), Seeded(seed))
        while not game.over:
            for seat in {*game.deciders, choose.randrange(game.options.seats)}:
                eyes = game.options.eyes(game.options.owners[seat])
                seen, twin = game.seen(eyes), game.seen(eyes)
                game.title.rules.redeal(twin.state, twin.setup, eyes, rng.rng, out)
                for order in orders.describe(seen, seat):
                    assert orders.parse(order.text) == order
                    found = orders.answer(seen, seat, order.text)
                    assert found == orders.answer(twin, seat, order.text)
                    assert found is None or found in seen.legal(seat)
            seat = choose.choice(game.deciders)
            game.play(seat, choose.choice(game.legal(seat).ids))
