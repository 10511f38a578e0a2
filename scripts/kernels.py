"""Make what the workers of ``make test`` share, beside its other steps.

It is compiled kernels, and Hypothesis's table of characters. Tests find them in their caches: no worker waits
for another that compiles, or holds the 200 MB from which the table is made.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor, wait
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import find, strategies

from paddock import envs
from paddock.bots.champion import has_networks
from paddock.bots.network import Network
from paddock.bots.registry import ALONE
from paddock.bots.works import best
from paddock.core.bounds import SPARE
from paddock.core.game import Game
from paddock.core.recipe import Recipe
from paddock.core.title import title, titles
from paddock.kernel.bulk import Bench, contest, cores, play, secrecy_checks
from paddock.kernel.entries import NETWORK
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded
from paddock.kernel.watch import watch
from paddock.lab.compiled import Compiled, parts_of
from paddock.lab.data.decisions import Deciders
from paddock.lab.data.plan import data_plan
from paddock.lab.plan import make_plan
from paddock.lab.survey import play_survey
from paddock.lab.train import train

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from titles import installing  # noqa: E402 # its folder is on the path now


def silent(name: str) -> None:
    """Run each entry point without events once."""
    found = title(name)
    options = found.options.read({})
    play(found, options, 1, 0)
    play(found, options, 1, 0, thirds=[3] * options.players)
    plan = make_plan(found, ["club", "rookie"], 0, {}, 1)
    Compiled(plan, parts_of(plan) or []).play(0)
    data = data_plan(found, ["club", "rookie"], 0, {}, full=True, worlds=0, luck=0)
    next(Deciders(data).play(range(1)))
    secrecy_checks(found, options, 0, 1)
    game = Game(found, options, Seeded(0))
    (seat, *_) = game.deciders
    best(game.seen(1 << seat), seat, game.legal(seat).ids[:2], 0, 2)
    with envs.vector(found, n=2, seed=0) as games:
        games.collect(games.sampler(0), 1)
        games.fork()
        row = np.zeros(games.features, np.float32)
        sight = np.zeros(games.features + SPARE, np.float32)
    bench, kernel = Bench(found, options, states=2), load_kernel(found, compiled=True)
    game._state.store(bench.ss[0])
    bench.rng[0] = 1  # no stream has 0
    bench.out[0] = game.legal(seat).ids[0]
    kernel.one_policy(bench.ss, bench.gg, seat, bench.out, bench.rng)
    kernel.one_look(bench.ss, bench.gg, seat, 1 << seat, False, sight, row)
    kernel.one_hide(bench.ss, bench.gg, 1 << seat)
    kernel.one_redeal(bench.ss, bench.gg, 1 << seat, bench.rng, bench.out)
    kernel.one_undecide(bench.ss, bench.gg, 1 << seat)
    env = envs.single(found, opponents=ALONE if has_networks(found) else "club")
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
    if room := found.room("short_features"):
        network = Network.new(room.SHORT_FEATURES, room.OUTPUTS, 0)
        play_survey(found, options, 1, 0, [[0] * options.players], [NETWORK], networks=[network])
    bench, kernel = Bench(found, options, tell=True), load_kernel(found, compiled=True, tell=True)
    bench.rng[0] = 1
    kernel.one_start(bench.ss, bench.gg)
    kernel.one_outcome(bench.ss, bench.gg, bench.rng, bench.out, bench.weights)
    kernel.one_chance(bench.ss, bench.gg, bench.rng)
    (seat, *_) = (seat for seat in range(options.seats) if kernel.one_who(bench.ss, bench.gg) >> seat & 1)
    kernel.one_legal(bench.ss, bench.gg, seat, bench.out)
    kernel.one_apply(bench.ss, bench.gg, seat, int(bench.out[0]))


def outside() -> None:
    """Compile the title that tests install. It is another folder each time: caches go by the content."""
    with TemporaryDirectory() as folder:
        site = installing.install(TESTS / "titles/skerries", Path(folder))
        with installing.found(site, "skerries"):
            silent("skerries")
            telling("skerries")


def characters() -> None:
    """Draw a text once."""
    find(strategies.text(), bool)


if __name__ == "__main__":
    with ProcessPoolExecutor(cores()) as pool:
        runs = [pool.submit(run, name) for name in titles() for run in (silent, telling)]
        for done in wait([pool.submit(outside), pool.submit(characters), *runs]).done:
            done.result()
