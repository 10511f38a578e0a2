from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import signal

import pytest

import paddock
from paddock.bots import BotPool
from paddock.bots.workers import pack, think, unpack
from paddock.kernel.source import Seeded

pytestmark = pytest.mark.anyio


def eyes_of(game, seat):
    return game.options.eyes(game.options.owners[seat])


async def test_a_pool_plays_a_race_and_survives_the_death_of_its_workers():
    game = paddock.start("lacorsa", drivers=2, races=1, seed=4)
    before = set(multiprocessing.active_children())
    decisions, killed = 0, set()
    with BotPool() as pool:
        while not game.over:
            if decisions >= 20 and not killed:
                killed = set(multiprocessing.active_children()) - before
                for worker in killed:
                    os.kill(worker.pid, signal.SIGKILL)
            asked = []
            for seat in game.deciders:
                seen = game.seen(eyes_of(game, seat))
                asked.append(pool.choose("club", seen, seat, seen.legal(seat), 100 + decisions))
                decisions += 1
            seats = game.deciders
            for seat, move in zip(seats, await asyncio.gather(*asked), strict=True):
                game.play(seat, move)
    assert killed


async def test_an_unknown_level_is_refused_before_any_worker_starts():
    game = paddock.start("lacorsa", seed=1)
    pool = BotPool()
    with pytest.raises(paddock.BadOption, match="choose rookie, club, works or champion"):
        await pool.choose("chief", game.seen(1), 0, game.legal(0).ids, 1)
    assert not pool._pool.processes


async def test_the_answer_is_that_of_the_bot_itself():
    game = paddock.start("lacorsa", seed=5)
    with BotPool(1) as pool:
        for seat in range(4):
            seen = game.seen(1 << seat)
            parcel = pack("rookie", seen, seat, seen.legal(seat), 7)
            assert await pool.choose("rookie", seen, seat, seen.legal(seat), 7) == think(parcel)


async def test_in_a_new_worker_works_plays_as_club_while_its_rollouts_compile():
    game = paddock.start("lacorsa", seed=5)
    seen = game.seen(1)
    with BotPool(1) as pool:
        legal = seen.legal(0)
        move = await pool.choose("works", seen, 0, legal, 7)
        assert move == think(pack("club", seen, 0, legal, 7))
        assert await pool.choose("works", seen, 0, legal, 8) in legal


def test_a_parcel_is_the_seen_again():
    game = paddock.start("lacorsa", seed=8, races=2, drivers=2, names=("Ana", "Bø"))
    rng = Seeded(2)
    while not game.rounds or game.seen(0).state.lap < 2:
        seat = game.deciders[0]
        game.play(seat, game.legal(seat).ids[rng.below(len(game.legal(seat)))])
    seen = game.seen(3)
    again = unpack(pickle.loads(pickle.dumps(pack("club", seen, 0, (), 1))))
    assert again.state.tobytes() == seen.state.tobytes()
    assert again.setup.tobytes() == seen.setup.tobytes()
    assert (again.options, again.eyes, again.rounds, again.names) == (
        seen.options,
        seen.eyes,
        seen.rounds,
        seen.names,
    )
    assert len(pickle.dumps(pack("club", seen, 0, seen.legal(0), 1))) < 2000


@pytest.mark.parametrize("options", [{"drivers": 2}, {"drivers": 4}, {"drivers": 5, "extra_suits": 2}])
def test_a_parcel_holds_nothing_that_its_eyes_cannot_know(options):
    """Two games that differ only in hidden cards and commitments give the same bytes."""
    for seed in range(5):
        game = paddock.start("lacorsa", races=1, seed=seed, **options)
        rules, rng, differed = game.title.rules, Seeded(seed), 0
        while not game.over:
            seat = game.deciders[-1]
            eyes = eyes_of(game, seat)
            seen = game.seen(eyes)
            twin = paddock.start("lacorsa", races=1, seed=seed, **options)
            twin._state = seen.state.copy()
            rules.redeal(twin._state, twin.setup, eyes, rng.rng, [0] * (rules.ACTIONS + 1))
            differed += twin._state.tobytes() != game._state.tobytes()
            other = twin.seen(eyes)
            legal = seen.legal(seat)
            assert pickle.dumps(pack("club", seen, seat, legal, 1)) == pickle.dumps(
                pack("club", other, seat, other.legal(seat), 1)
            )
            game.play(seat, legal[rng.below(len(legal))])
        assert differed > 10
