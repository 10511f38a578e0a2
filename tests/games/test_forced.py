"""Why a move was the only one: what a spectator sees and the move itself show that it was."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock.kernel.source import Seeded
from sampling import count

GAMES = ("lacorsa", "rasant", "great_race")


@pytest.mark.parametrize("title", GAMES)
def test_nobody_learns_anything_from_a_move_that_plays_by_itself(title: str) -> None:
    """LC-1.4, RA-1.4, GR-3.3 in no deal that fits what a spectator sees did the seat have a choice, if the
    move was possible in it at all."""
    found, samples, choose = 0, Seeded(5), random.Random(5)
    for seed in range(40):
        game = paddock.start(title, seed=seed)
        while not game.over and found < 60:
            together = len(game.deciders) > 1
            for seat in game.deciders:
                if (only := game.only(seat)) is None:
                    continue
                found += 1
                for _deal in range(6):
                    other = game.seen(0).sample(samples).legal(seat).ids
                    assert len(other) == 1 or (only[0] not in other and not together), (only, other)
            seat = game.deciders[0]
            game.play(seat, choose.choice(game.legal(seat).ids))
        if found >= 60:
            return
    raise AssertionError(f"{found} forced moves in 40 games")


def test_a_choice_of_one_that_tells_of_a_hand_is_a_secret() -> None:
    """RA-3.3 to pass because no card is fast enough; LC-6.1 to discard a card that is too slow; GR-7.3 to
    face a danger without a Militia in a hand of unknown cards."""
    for title in GAMES:
        game, choose, secrets = paddock.start(title, seed=1), random.Random(1), 0
        while not game.over:
            seat = game.deciders[0]
            cards = int(game.seen(1 << seat).state.cards[seat])
            if len(game.legal(seat)) == 1 and cards > 1 and title != "great_race":
                assert game.only(seat) is None
                secrets += 1
            secrets += len(game.legal(seat)) == 1 and game.only(seat) is None
            game.play(seat, choose.choice(game.legal(seat).ids))
        assert secrets


def test_the_reasons() -> None:
    said: dict[str, set[str]] = {}
    for title in GAMES:
        said[title] = set()
        for seed in range(2 if title == "great_race" else count(3, 8)):
            game, choose = paddock.start(title, seed=seed), random.Random(seed)
            while not game.over:
                for seat in game.deciders:
                    if only := game.only(seat):
                        said[title].add(str(only[1]).partition(": ")[2].partition(", so")[0])
                seat = game.deciders[0]
                game.play(seat, choose.choice(game.legal(seat).ids))
    assert said["lacorsa"] == said["rasant"] == {"one card is left"}
    assert {"no petrol", "no guard and no card helps", "nothing is left to do"} < said["great_race"]
