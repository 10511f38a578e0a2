"""Measure the environments on one core, with observations and masks; exit 1 if one is below its bar.

The bars are ratios to something timed in the same run, because a busy machine slows both equally:

- Vector play, beside the reference kernel of ``paddock bench``. A decision is: choose a legal action
  uniformly at random (``env.sampler``), apply it, take the chance that is due, list the legal moves of the
  next seat, and write its observation and its mask. The bar is 2 million decisions a second where the
  reference makes 480 million steps.
- The environment for PettingZoo, in the loop of PettingZoo's benchmark, beside the same reference. The bar is
  40 thousand steps a second; and beside PettingZoo's own leduc, 40 thousand where leduc makes 22 thousand.
- The game for OpenSpiel, beside OpenSpiel's own hearts, which is written in C++; both with tensors, chance
  and random actions. The bar is 20 thousand decisions a second where hearts makes 13 thousand.
- Vector play beside pgx's leduc of 1,024 games, in one thread: `python scripts/envs_bench.py pgx`. pgx steps
  them in one call, which also draws the random actions. The bars of LACORSA and Rasant are 2 times leduc with
  all numbers and 3 times with the short ones. Rates are by processor time.

leduc of PettingZoo needs rlcard, which has no wheel, and pygame-ce; that of pgx needs pgx. Without them their
lines are left out, loudly.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from paddock.envs import aec, open_spiel, vector
from paddock.kernel.bench import compare, compiled_reference

REFERENCE = 480e6
CASES: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("lacorsa", {"drivers": 4}, 2e6 / REFERENCE),
    ("lacorsa", {"drivers": 12, "large_grid": True}, 0),
    ("rasant", {"players": 4}, 0),
    ("great_race", {"players": 4, "map": "usa-west"}, 0),
)
AEC_BAR, LEDUC_BAR, SPIEL_BAR = 40e3 / REFERENCE, 40 / 22, 20 / 13  # of LACORSA with four cars
GAMES = 256
PGX_GAMES = 1024
PGX_BARS = {"lacorsa": (2.0, 3.0), "rasant": (2.0, 3.0)}  # times leduc, with all numbers and the short ones
Work = Callable[[int], int]


def stepping(title: str, options: dict[str, Any], games: int = GAMES, features: Any = "all") -> Work:
    """Return a function that makes ``n`` steps in all games."""
    env = vector(title, options, games, 7, features=features)
    sample, now = env.sampler(1), env.batch

    def work(n: int) -> int:
        for _ in range(n):
            env.step(sample(now.observations, now.masks))
        return n * games

    return work


def pgx_leduc() -> Work:
    """Return a function that makes ``n`` steps in all games of pgx's leduc, with random legal actions."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("leduc_holdem")
    step_one = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit  # type: ignore[untyped-decorator]
    def step(state: Any, key: Any) -> Any:
        key, draws, chance = jax.random.split(key, 3)
        lots = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(draws, lots, axis=1)
        return step_one(state, actions, jax.random.split(chance, PGX_GAMES)), key

    key = jax.random.PRNGKey(7)
    now = jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_GAMES)), key

    def work(n: int) -> int:
        nonlocal now
        for _ in range(n):
            now = step(*now)
        jax.block_until_ready(now)
        return n * PGX_GAMES

    return work


def beside_pgx() -> bool:
    """Print the lines of vector play beside pgx; return whether all bars were reached."""
    try:
        leduc = pgx_leduc()
    except ImportError as error:
        print(f"!!! NOT MEASURED beside leduc of pgx ({error}): pip install pgx")
        return True
    reached = []
    for title, options, _ in (CASES[0], *CASES[2:]):
        bars = PGX_BARS.get(title, (0.0, 0.0))
        for features, bar in zip(("all", "short"), bars, strict=True):
            what = f"vector {title}, {features} numbers, to leduc of pgx"
            work = stepping(title, options, PGX_GAMES, features)
            reached.append(row(what, options, leduc, work, bar, time.process_time))
    return all(reached)


def turns(env: Any) -> Work:
    """Return a function that plays about ``10 n`` steps of an environment for PettingZoo."""
    env.reset(seed=7)

    def work(n: int) -> int:
        steps = 0
        while steps < 10 * n:
            for _ in env.agent_iter(10 * n - steps):
                observation, _, ended, cut, _ = env.last()
                legal = None if ended or cut else np.flatnonzero(observation["action_mask"]).tolist()
                env.step(random.choice(legal) if legal else None)
                steps += 1
            if not env.agents:
                env.reset()
        return steps

    return work


def decisions(game: Any) -> Work:
    """Return a function that plays ``n`` games of OpenSpiel at random."""
    by_recall = game.get_type().provides_information_state_tensor

    def work(n: int) -> int:
        made = 0
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(outcomes, weights)[0])
                    continue
                if by_recall:
                    state.information_state_tensor()
                else:
                    state.observation_tensor()
                state.apply_action(random.choice(state.legal_actions()))
                made += 1
        return made

    return work


def row(
    what: str, options: dict[str, Any], base: Work, work: Work, bar: float, clock: Any = time.perf_counter
) -> bool:
    """Print a line; return whether the bar was reached."""
    rate, _, ratio = compare(base, work, clock)
    mark = "   " if not bar else "ok " if ratio >= bar else "LOW"
    words = " ".join(f"{name}={value}" for name, value in options.items())
    print(f"{mark} {what} {words}: {rate:,.0f} a second, ratio {ratio:.5f}, bar {bar:.5f}")
    return ratio >= bar


def main() -> bool:
    """Print all lines; return whether all bars were reached."""
    if sys.argv[1:] == ["pgx"]:
        return beside_pgx()
    compiled, deck, rng = compiled_reference(), np.arange(52), np.ones(1, np.int64)

    def reference(n: int) -> int:
        compiled(deck, rng, 1000 * n)
        return 1000 * n

    reached = [
        row(f"vector {title}", options, reference, stepping(title, options), bar)
        for title, options, bar in CASES
    ]
    hearts = decisions(pyspiel.load_game("hearts"))
    for i, (title, options, _) in enumerate(CASES):
        if title == "great_race":
            options = {**options, "max_turns": 2}  # a race of random moves is long
        env, game = aec(title, options), open_spiel(title, options)
        reached += [
            row(f"aec {title}", options, reference, turns(env), 0 if i else AEC_BAR),
            row(f"open_spiel {title}, to hearts", options, hearts, decisions(game), 0 if i else SPIEL_BAR),
        ]
    title, options, _ = CASES[0]
    try:
        from pettingzoo.classic import leduc_holdem_v4
    except ImportError as error:
        print(f"!!! NOT MEASURED beside leduc of PettingZoo ({error}): pip install rlcard pygame-ce")
    else:
        env = aec(title, options)
        reached.append(
            row(f"aec {title}, to leduc", options, turns(leduc_holdem_v4.env()), turns(env), LEDUC_BAR)
        )
    return all(reached)


if __name__ == "__main__":
    sys.exit(not main())
