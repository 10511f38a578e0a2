from __future__ import annotations

import pytest

from paddock.bots import bot
from paddock.core.game import Seen
from paddock.core.title import title
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded

LACORSA = title("lacorsa")
RULES = LACORSA.rules


def race(options, setup, players, rng):
    """One race; returns the place of every seat."""
    state = RULES.State()
    RULES.start(state, setup)
    while waiting := RULES.who(state, setup):
        if waiting >> CHANCE:
            RULES.run_chance(state, setup, rng.rng)
            continue
        seat = (waiting & -waiting).bit_length() - 1
        hidden, eyes = state.copy(), options.eyes(options.owners[seat])
        RULES.hide(hidden, setup, eyes)
        seen = Seen(LACORSA, options, setup, hidden, eyes, (), ())
        RULES.apply(state, setup, seat, players[seat].choose(seen, seat, seen.legal(seat), rng))
    places = [0] * RULES.MAX_SEATS
    RULES.places(state, setup, places)
    return places[: options.seats]


def share_of_wins(races, **options):
    """Of one Club driver among Rookies, from every seat in turn."""
    options = LACORSA.options.read(options)
    setup = LACORSA.setup.setup(options)
    club, rookie = bot("lacorsa", "club"), bot("lacorsa", "rookie")
    wins = 0
    for i in range(races):
        driver = i % options.players
        players = [club if owner == driver else rookie for owner in options.owners]
        places = race(options, setup, players, Seeded(11, i))
        wins += options.owners[places.index(1)] == driver
    return wins / races


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({"drivers": 4}, 0.66),
        ({"drivers": 6}, 0.64),
        ({"drivers": 2}, 0.88),
        ({"drivers": 3}, 0.85),
        ({"drivers": 4, "extra_suits": 3, "double_redline": "void"}, 0.62),
        ({"drivers": 5, "points": "10"}, 0.62),
    ],
)
def test_one_club_beats_all_rookies_together(options, least):
    assert share_of_wins(300, **options) > least
