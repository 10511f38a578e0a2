from __future__ import annotations

import numpy as np
import pytest
from tests.titles import GREAT_RACE, LACORSA, RASANT

import paddock
from paddock.bots.rollouts import play_out, tries
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.chance import below, stream
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded
from sampling import WHOLE

SHORT = [
    ("lacorsa", {"drivers": 4, "races": 1}, 0),
    ("lacorsa", {"drivers": 3, "races": 1, "double_redline": "void"}, 0),
    ("rasant", {"players": 3}, 0),
    # to the end: of the second turn, as plain mode takes a minute for the games of a whole race
    ("great_race", {"players": 2, "map": "usa-west"} | ({} if WHOLE else {"max_turns": 2}), 0),
    ("great_race", {"players": 3, "map": "asia-east", "leaders": True}, 25),
]


def seen_by(game, seat):
    return game.seen(game.options.eyes(game.options.owners[seat]))


def advance(game, rng, moves):
    for _ in range(moves):
        seat = game.deciders[0]
        game.play(seat, game.legal(seat).ids[rng.below(len(game.legal(seat)))])
    return game


@pytest.mark.parametrize(("name", "options", "limit"), SHORT)
def test_a_rollout_is_a_game_of_clubs_in_a_redealt_world(name, options, limit):
    """The same, step by step in the plain mode, from the same streams; or to ``limit`` decisions.

    One secret move in twenty is random.
    """
    game = advance(paddock.start(name, seed=1, **options), Seeded(1), 9)
    rules, plain, seat = game.title.rules, load_kernel(game.title, compiled=False), game.deciders[0]
    seen, g, out = seen_by(game, seat), game.setup, [0] * (game.title.rules.ACTIONS + 1)
    moves, worlds = seen.legal(seat)[:3], range(1, 3)
    ends = play_out(seen, seat, moves, worlds, 5, limit)
    decisions = 0
    for i, move in enumerate(moves):
        for j, world in enumerate(worlds):
            rng, s = [0], seen.state.copy()
            stream(5, world, rng)
            plain.undecide(s, g)
            rules.redeal(s, g, seen.eyes, rng, out)
            by, choice, made = seat, move, 0
            while True:
                rules.apply(s, g, by, choice)
                made += 1
                while rules.who(s, g) >> CHANCE:
                    rules.run_chance(s, g, rng)
                if not rules.who(s, g) or made == limit:
                    break
                by = plain.first_of(rules.who(s, g))
                n, told = rules.legal(s, g, by, out), s.copy()
                rules.hide(told, g, game.options.eyes(game.options.owners[by]))
                if rules.seen(s, g, seen.eyes, by, out[0]) == HIDDEN and below(rng, 20) == 0:
                    choice = out[below(rng, n)]
                else:
                    choice = out[0] if n == 1 else plain.policy(told, g, by, out, n, rng)
            decisions += made
            seats = game.options.seats
            if rules.who(s, g):
                expected = [0.0] * seats
                plain.estimate(s, g, expected)
                assert ends.scores[i, j].tolist() == pytest.approx(expected)
                assert not ends.places[i, j].any()
            else:
                rules.scores(s, g, out)
                assert ends.scores[i, j].tolist() == out[:seats]
                rules.places(s, g, out)
                assert ends.places[i, j].tolist() == out[:seats]
    assert ends.decisions == decisions


def test_worlds_are_numbered_and_the_same_for_every_move():
    game = advance(paddock.start("lacorsa", races=1, seed=2), Seeded(2), 12)
    seat = game.deciders[0]
    seen = seen_by(game, seat)
    moves = seen.legal(seat)
    all_ = tries(seen, seat, moves, range(40), "a seed")
    assert all_.shape == (len(moves), 40)
    assert np.array_equal(all_, tries(seen, seat, moves, range(40), "a seed"))
    assert np.array_equal(all_[1:3, 10:20], tries(seen, seat, moves[1:3], range(10, 20), "a seed"))
    assert not np.array_equal(all_, tries(seen, seat, moves, range(40), "another"))


def test_a_rollout_that_is_cut_off_has_no_places():
    game = paddock.start("lacorsa", races=1, seed=2)
    ends = play_out(seen_by(game, 0), 0, game.legal(0).ids[:2], range(3), 1, limit=7)
    assert ends.decisions == 2 * 3 * 7
    assert not ends.places.any()


def test_rollouts_refuse_a_move_that_is_not_legal():
    game = paddock.start("lacorsa", races=1, seed=2)
    with pytest.raises(paddock.PaddockError, match="legal moves"):
        tries(game.seen(1), 0, [70], range(3), 1)
    with pytest.raises(paddock.PaddockError, match="does not include"):
        tries(game.seen(2), 0, game.legal(0).ids, range(3), 1)


@pytest.mark.parametrize("title", [LACORSA, GREAT_RACE], ids=["lacorsa", "great_race"])
def test_a_rollout_does_not_depend_on_what_was_committed_in_secret(title):
    """Nor on the order of the commitments: who has not committed and who has done so in secret are one."""
    game = paddock.start(title.name, seed=5)
    rng = Seeded(6)
    while len(game.deciders) < 4:
        seat = game.deciders[0]
        game.play(seat, game.legal(seat).ids[rng.below(len(game.legal(seat)))])
    moves = game.legal(0).ids[:4]
    before = tries(game.seen(1), 0, moves, range(6), 1)
    for choice in (0, 1):
        other = game.fork()
        for seat in (3, 1):
            other.play(seat, other.legal(seat).ids[choice])
        assert np.array_equal(tries(other.seen(1), 0, moves, range(6), 1), before)


def test_a_rasant_rollout_has_nothing_to_take_back():
    game = paddock.start("rasant", seed=5)
    seat = game.deciders[0]
    s = seen_by(game, seat).state.copy()
    load_kernel(RASANT, compiled=False).undecide(s, game.setup)
    assert s == seen_by(game, seat).state
