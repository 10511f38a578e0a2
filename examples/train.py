"""Train a small network to race, by a policy gradient.

It is saved to driver.npz, for trained.py. First, in a checkout: ``pip install '.[fast]' jax optax``.

    python train.py                              # against three Rookies: half a minute on two cores
    python train.py --against club --updates 400
"""

from __future__ import annotations

import argparse
from itertools import count, pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from paddock.envs import VectorEnv, vector

GAMES, STEPS = 256, 64  # a training step learns from so many decisions in each of so many games
WIDTH, RATE, CURIOSITY = 128, 1e-3, 0.01
Weights = list[tuple[Any, Any]]  # a matrix and a bias for each layer


def races(rival: str, n: int, seed: int) -> VectorEnv:
    """``n`` races of four drivers at a time; we are the first one. A win is worth 1, less the fair share."""
    rivals = {1: rival, 2: rival, 3: rival}
    return vector("lacorsa", {"drivers": 4}, n, seed, opponents=rivals, reward="win")


def new_weights(seed: int, sizes: list[int]) -> Weights:
    """Random weights for layers of these sizes."""
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=pair) / np.sqrt(pair[0]), np.zeros(pair[1])) for pair in pairwise(sizes)]


def network(weights: Weights, observations: Any, masks: Any) -> tuple[Any, Any]:
    """The log probability of each action, and the expected reward (the baseline)."""
    layer = observations
    for matrix, bias in weights[:-1]:
        layer = jax.nn.relu(layer @ matrix + bias)
    layer = layer @ weights[-1][0] + weights[-1][1]
    return jax.nn.log_softmax(jnp.where(masks, layer[..., :-1], -1e9)), layer[..., -1]


@jax.jit
def draw(weights: Weights, seed: int, observations: Any, masks: Any) -> Any:
    """An action for each game, by its probability."""
    return jax.random.categorical(jax.random.key(seed), network(weights, observations, masks)[0])


@jax.jit
def best(weights: Weights, observations: Any, masks: Any) -> Any:
    """The most probable action for each game."""
    return network(weights, observations, masks)[0].argmax(axis=-1)


def loss(weights: Weights, observations: Any, masks: Any, actions: Any, rewards: Any, known: Any) -> Any:
    """What to make small: policy gradient, error of the baseline, and too little curiosity."""
    logs, expected = network(weights, observations, masks)
    chosen = jnp.take_along_axis(logs, actions[..., None], axis=-1)[..., 0]
    advantage = rewards - expected
    entropy = -(jnp.exp(logs) * jnp.where(masks, logs, 0)).sum(axis=-1)
    each = -chosen * jax.lax.stop_gradient(advantage) + advantage**2 / 2 - CURIOSITY * entropy
    return jnp.where(known, each, 0).sum() / known.sum()  # a race that has not ended has no reward yet


def train(rival: str, updates: int, seed: int) -> Weights:
    """Play and learn ``updates`` times; return the weights."""
    env, seeds = races(rival, GAMES, seed), count(seed)
    weights = new_weights(seed, [env.features, WIDTH, WIDTH, env.actions + 1])
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(RATE))
    state = optimizer.init(weights)

    def policy(observations: Any, masks: Any) -> Any:
        return draw(weights, next(seeds), observations, masks)

    @jax.jit
    def learn(weights: Weights, state: Any, *decisions: Any) -> tuple[Any, Any]:
        changes, state = optimizer.update(jax.grad(loss)(weights, *decisions), state)
        return optax.apply_updates(weights, changes), state

    for update in range(1, updates + 1):
        made = env.collect(policy, STEPS)
        decisions = made.observations, made.masks, made.actions, made.rewards, made.finished
        weights, state = learn(weights, state, *decisions)
        if update % 10 == 0:
            print(f"{update} updates: {made.rewards[made.finished].mean() + 1 / 4:.0%} won", flush=True)
    return weights


def wins(weights: Weights, rival: str, seed: int, n: int = 4000) -> tuple[float, float]:
    """The share of ``n`` new races that the network wins, and half the width of its 95 % interval."""
    env, won = races(rival, n, seed), np.full(n, np.nan)
    while np.isnan(won).any():  # each place plays on until all have finished their first race
        now = env.step(best(weights, env.batch.observations, env.batch.masks))
        first = now.dones & np.isnan(won)
        won[first] = now.rewards[first, 0] + 1 / 4
    return float(won.mean()), float(1.96 * won.std() / np.sqrt(n))


def main() -> None:
    """Train, measure with new races, and save."""
    parser = argparse.ArgumentParser(description="Train a network to race.")
    parser.add_argument("--against", default="rookie", help="the level of the three rivals")
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    weights = train(given.against, given.updates, given.seed)
    for rival in ("rookie", "club"):
        share, error = wins(weights, rival, seed=given.seed + 1)
        print(f"against three {rival}s: {share:.1%} ± {error:.1%} of the races won")
    np.savez("driver.npz", *[part for layer in weights for part in layer])


if __name__ == "__main__":
    main()
