"""RA: what holds in every game, checked beside random play."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.games.rasant.deck import read_deck
from paddock.games.rasant.rulebook import Options
from paddock.games.rasant.rules import rules

from ..harness import draw_one, rng
from .harness import COLOURS, Game, fresh

DECKS = ("standard", "all-black-top", "r10-130+g10-130+2*k30-130", "20*r10+20*k20+20*y130", "5*r70+27*k10-20")


def check_told(before: Game, game: Game) -> None:
    """RA-4.1, RA-4.2 the line and the score are those of the rule read as lists of letters."""
    won = [line.split()[1:] for line in game.told if line.startswith("won ")]
    if not won:
        assert (game.cars, game.scores) == (before.cars, before.scores)
        return
    ((player, colour, points),) = won
    cars = before.cars.split()
    rear = max(i for i, car in enumerate(cars) if car[0] == colour)
    moved = cars[rear:]
    assert game.cars.split() == moved[::-1] + cars[:rear]
    others = [car for car in moved if car != "k"]
    assert int(points) == len(others) * (1 if others == moved else 2)
    assert f"moved {len(moved)} {int(others != moved)}" in game.told
    gained = {n: game.scores[n] - before.scores[n] for n in game.players}
    assert gained == {n: int(points) if n == int(player) else 0 for n in game.players}
    assert colour in COLOURS[:4]


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    players=st.integers(2, 5),
    round_end=st.sampled_from(["one", "all"]),
    deck=st.sampled_from(DECKS),
)
def test_ra_invariants(seed: int, players: int, round_end: str, deck: str) -> None:
    """RA-1.1, RA-1.2 cards and cars are kept; RA-4.2 points; RA-5.3 every game ends, within its bounds."""
    game = fresh(players=players, round_end=round_end, deck=deck)
    row, choose = rng(seed), random.Random(seed)
    decisions = 0
    while game.asked >= 0:
        if game.asked == 0:
            drawn = game.phase == "draw"
            before = game.copy()
            draw_one(game, row)  # it checks that every card and car is there
            if drawn:
                assert game.told[0] == f"drew {before.s.drawing + 1} 1"
                assert game.told.count("reserve empty") == int(game.s.reserve == 0)
                check_told(before, game)
            continue
        before = game.copy()
        player = game.asked
        assert game.hand(player) and player not in game.passed
        move = choose.choice(game.legal(player))
        game.play(player, move)
        decisions += 1
        check_told(before, game)
        spent = move.removeprefix("pass").strip()
        assert len(game.discard.split()) == len(before.discard.split()) + bool(spent)
        if game.phase == "round" and not any(line.startswith("won") for line in game.told):
            assert game.passed >= before.passed  # nobody comes back into a round
            assert (player in game.passed) == move.startswith("pass") or round_end == "all"
    assert decisions <= rules.MAX_DECISIONS
    assert rules.MIN_SCORE <= min(game.scores.values()) <= max(game.scores.values()) <= rules.MAX_SCORE
    assert sum(game.g.deck) == len(read_deck(Options.read({"deck": deck}).deck))
    assert all(card.startswith("k") for hand in game.hands for card in hand.split())
    assert sorted(game.places.values())[0] == 1


@pytest.mark.parametrize("players", [2, 5])
def test_ra_2_2_secrecy_in_random_games(players: int) -> None:
    """RA-2.2 hiding what was dealt again gives what was hidden, and the own moves are the same."""
    for seed in range(6):
        game = fresh(players=players, deck=DECKS[seed % 5], round_end=("one", "all")[seed % 2])
        row, choose = rng(seed), random.Random(seed)
        while game.asked >= 0:
            if game.asked:
                eyes = [player for player in game.players if choose.random() < 0.4]
                hidden = game.hide(*eyes)
                new = game.redeal(*eyes, row=row)
                assert new.hide(*eyes).fields() == hidden.fields()
                if game.asked in eyes:
                    assert new.legal(game.asked) == hidden.legal(game.asked) == game.legal(game.asked)
                game.play(game.asked, choose.choice(game.legal(game.asked)))
            else:
                draw_one(game, row)
