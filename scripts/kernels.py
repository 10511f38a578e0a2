"""Make what the workers of ``make test`` share, beside its other steps.

It is compiled kernels, and Hypothesis's table of characters. Tests find them in their caches: no worker waits
for another that compiles, or holds the 200 MB from which the table is made.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, wait

import numpy as np
from hypothesis import find, strategies

from paddock import envs
from paddock.bots.works import best
from paddock.core.game import Game
from paddock.core.recipe import Recipe
from paddock.core.title import title, titles
from paddock.kernel.bulk import contest, cores, play, secrecy_checks
from paddock.kernel.source import Seeded
from paddock.kernel.watch import watch
from paddock.lab.survey import play_survey
from paddock.lab.train import train


def silent(name: str) -> None:
    """Run each entry point without events once."""
    found = title(name)
    options = found.options.read({})
    play(found, options, 1, 0)
    play(found, options, 1, 0, thirds=[3] * options.players)
    secrecy_checks(found, options, 0, 1)
    game = Game(found, options, Seeded(0))
    (seat, *_) = game.deciders
    best(game.seen(1 << seat), seat, game.legal(seat).ids[:2], 0, 2)
    with envs.vector(found, n=2, seed=0) as games:
        games.collect(games.sampler(0), 1)
    env = envs.single(found)
    env.reset(seed=0)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    if found.room("short_features"):
        train(found, Recipe({}, updates=1, games=2))


def telling(name: str) -> None:
    """Run each entry point with events once."""
    found = title(name)
    options = found.options.read({})
    contest(found, options, 1, 0, [3] * options.players)
    next(watch(found, 1, 0, threads=1))
    play_survey(found, options, 1, 0, [[0] * options.players], [0])


def characters() -> None:
    """Draw a text once."""
    find(strategies.text(), bool)


if __name__ == "__main__":
    with ProcessPoolExecutor(cores()) as pool:
        runs = [pool.submit(run, name) for name in titles() for run in (silent, telling)]
        for done in wait([pool.submit(characters), *runs]).done:
            done.result()
