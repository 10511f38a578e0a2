from __future__ import annotations

import logging
import threading
from itertools import pairwise

import numpy as np
import pytest

import paddock
from lab.here import played_here
from paddock.bots import bot, works
from paddock.bots.warming import Warming
from paddock.kernel.source import Seeded

TITLES = [
    ("lacorsa", {"drivers": 4, "races": 3}),
    ("lacorsa", {"drivers": 7, "large_grid": True, "races": 1}),
    ("rasant", {"players": 3, "games": 2}),
    ("great_race", {"players": 3}),
]


def seen_by(game, seat):
    return game.seen(game.options.eyes(game.options.owners[seat]))


@pytest.fixture
def brief(monkeypatch):
    """Few rollouts."""
    monkeypatch.setattr(works, "DECISIONS", 2000)


@pytest.mark.parametrize(("name", "options"), TITLES)
def test_works_is_handed_nothing_that_its_seat_cannot_know(name, options, brief):
    """All else is dealt again, and committed again by others: the choice is the same."""
    game, player = paddock.start(name, seed=2, **options), bot(name, "works")
    rules, rng, out = game.title.rules, Seeded(3), [0] * (game.title.rules.ACTIONS + 1)
    differed = 0
    for step in range(200):
        seat = game.deciders[-1]
        seen, twin = seen_by(game, seat), game.fork()
        legal = seen.legal(seat)
        twin._state = seen.state.copy()
        rules.redeal(twin._state, twin.setup, seen.eyes, rng.rng, out)
        if len(legal) > 1 and step % 3 == 0 and twin._state != game._state:
            differed += 1
            other = seen_by(twin, seat)
            choices = {player.choose(it, seat, legal, Seeded(step)) for it in (seen, other)}
            assert len(choices) == 1
            assert choices <= set(legal)
            if differed == 5:
                return
        game.play(seat, legal[rng.below(len(legal))])
    raise AssertionError("too few secrets")


def test_the_same_seed_gives_the_same_move_and_another_may_not(brief):
    game, player = paddock.start("lacorsa", seed=2, races=1), bot("lacorsa", "works")
    seen = game.seen(1)
    moves = [player.choose(seen, 0, seen.legal(0), Seeded(seed)) for seed in (1, 1, 2, 3, 4, 5, 6)]
    assert moves[0] == moves[1]
    assert len(set(moves)) > 1


@pytest.mark.slow("two processes load the compiled rollouts")
def test_a_match_does_not_depend_on_the_number_of_processes():
    bots, options = ["works", "club"], {"deck": "2*k10-130+r10-60"}
    one = played_here("rasant", bots, 4, 3, options)
    two = paddock.match("rasant", bots, games=4, seed=3, processes=2, options=options)
    assert np.array_equal(one.points, two.points)
    assert not one.forfeits.any()


def test_the_better_half_goes_on_and_the_best_is_played(monkeypatch):
    """The moves are worth 0 to 9 with much noise; the worlds of a stage follow those before."""
    game, asked = paddock.start("lacorsa", seed=3, races=1), []
    seen = game.seen(1)
    legal = seen.legal(0)

    def tried(seen_, seat, moves, worlds, seed):
        asked.append((len(moves), worlds))
        noise = np.random.default_rng(1).normal(size=(len(moves), 1000)) * 4
        return noise[:, worlds.start : worlds.stop] + np.array([[legal.index(move)] for move in moves])

    monkeypatch.setattr(works, "tries", tried)
    monkeypatch.setattr("paddock.bots.worth.worth", lambda *_: tried(seen, 0, legal, range(works.FIRST), 0))
    assert works.best(seen, 0, legal, 5) == legal[-1]
    halves = [len(legal)]
    while halves[-1] > 2:
        halves.append((halves[-1] + 1) // 2)
    assert [count for count, _ in asked[1:]] == halves
    assert all(one.stop == other.start for (_, one), (_, other) in pairwise(asked))
    rollouts = sum(count * len(worlds) for count, worlds in asked)
    assert 0.8 * works.ROLLOUTS < rollouts <= works.ROLLOUTS


def test_moves_within_the_error_of_the_best_are_as_good():
    rng = np.random.default_rng(1)
    world = rng.normal(size=200) * 10  # luck that all moves share says nothing about them
    values = np.array([world, world + 1, world + 1 + np.resize([0.1, -0.1], 200), world + 1])
    assert works.as_good(values) == [1, 2, 3]
    assert works.as_good(values[:1]) == [0]


def test_at_a_table_it_plays_as_club_until_its_rollouts_are_compiled(monkeypatch, brief):
    monkeypatch.setattr(works, "_warming", Warming())
    game = paddock.start("rasant", seed=4)
    seat = game.deciders[0]
    seen = seen_by(game, seat)
    legal, begun = seen.legal(seat), threading.Event()
    compile_ = works._compile

    def compiling(*args):
        begun.wait()
        compile_(*args)

    monkeypatch.setattr(works, "_compile", compiling)
    choices = {level: bot("rasant", level, wait=False) for level in ("club", "works")}
    for seed in range(5):
        assert len({it.choose(seen, seat, legal, Seeded(seed)) for it in choices.values()}) == 1
    waiting = [thread for thread in threading.enumerate() if thread.name == "compile rasant"]
    assert len(waiting) == 1
    begun.set()
    waiting[0].join()
    for seed in range(3):
        patient = bot("rasant", "works").choose(seen, seat, legal, Seeded(seed))
        assert choices["works"].choose(seen, seat, legal, Seeded(seed)) == patient


def test_without_numba_it_plays_as_club_at_a_table_and_no_match(monkeypatch, caplog, without):
    without("numba")
    works._say_slow.cache_clear()
    game = paddock.start("lacorsa", seed=4)
    seen = game.seen(1)
    with caplog.at_level(logging.WARNING):
        for seed in range(3):
            choices = [bot("lacorsa", level, wait=False) for level in ("club", "works")]
            assert len({it.choose(seen, 0, seen.legal(0), Seeded(seed)) for it in choices}) == 1
    assert [record.message for record in caplog.records] == [
        "Numba is not installed: the level “works” of lacorsa plays as “club”"
    ]
    with pytest.raises(paddock.PaddockError, match="needs the package numba"):
        bot("lacorsa", "works")
