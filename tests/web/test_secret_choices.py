"""Which choices are secret: a page sends by one press only what others see at once anyway."""

from __future__ import annotations

import random
from typing import Any

import pytest

import paddock
from paddock import Game

GAMES: dict[str, dict[str, Any]] = {
    "lacorsa": {"drivers": 4, "races": 1},
    "rasant": {"players": 4, "games": 1},
    "great_race": {"players": 3},
}


def known_by_others(game: Game, seat: int, move: int) -> tuple[bytes, str]:
    """Return what all others know after a move: the state, and the moves as they see them."""
    after = game.fork(chance=None)
    after.play(seat, move)
    others = (1 << game.options.seats) - 1 & ~(1 << seat)
    return after.seen(others).state.tobytes(), after.transcript(others)


@pytest.mark.parametrize("title", GAMES)
def test_others_cannot_tell_two_secret_moves_apart(title: str) -> None:
    """A swap: after two moves of a secret choice they know the same; of a public one they do not."""
    game, lots, met = paddock.start(title, seed=7, **GAMES[title]), random.Random(7), set[bool]()
    for _ in range(60):
        if game.over:
            break
        seat = game.deciders[0]
        legal = list(game.legal(seat))
        secret = game.seen(1 << seat).secret(seat)
        reveals = secret and len(game.deciders) == 1  # the last of several commitments
        if len(legal) > 1 and not reveals:
            one, other = (known_by_others(game, seat, game.legal(seat).ids[n]) for n in (0, -1))
            assert (one == other) is secret
            met.add(secret)
        game.play(seat, lots.choice(legal))
    assert met == ({False} if title == "rasant" else {True, False})
