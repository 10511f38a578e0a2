"""The Great Race: what a player can expect when a rollout is cut off."""

from __future__ import annotations

import pytest

import paddock
from paddock.games.great_race.bots.estimate import POINTS, estimate
from paddock.kernel.source import Seeded


def expected(s, g):
    out = [0.0] * g.players
    estimate(s.copy(), g, out)
    return out


def advanced(steps, **options):
    game, rng = paddock.start("great_race", seed=4, **options), Seeded(4)
    for _ in range(steps):
        seat = game.deciders[0]
        legal = game.legal(seat).ids
        game.play(seat, legal[rng.below(len(legal))])
    return game


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 5, "map": "asia", "leaders": True}])
def test_the_players_share_the_points_of_a_winner(options):
    game = advanced(40, **options)
    out = expected(game._state, game.setup)
    assert sum(out) == pytest.approx(POINTS)
    assert min(out) > 0


def test_petrol_parts_money_and_a_shorter_way_are_worth_something():
    game = advanced(40, players=3)
    before = expected(game._state, game.setup)
    for field in ("petrol", "engine", "chassis"):
        s = game._state.copy()
        getattr(s, field)[1] = 0
        none = expected(s, game.setup)
        getattr(s, field)[1] = 5
        assert expected(s, game.setup)[1] > none[1]
    s = game._state.copy()
    s.money[1] += 50
    assert expected(s, game.setup)[1] > before[1]
    s = game._state.copy()
    s.at[1] = game.setup.beside[s.goal, 0]
    assert expected(s, game.setup)[1] > before[1]


def test_who_has_arrived_is_likely_to_win():
    game = advanced(40, players=3)
    s = game._state.copy()
    s.place[2], s.arrived = 1, 1
    assert expected(s, game.setup)[2] > 0.8 * POINTS
