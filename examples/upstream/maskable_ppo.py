"""MaskablePPO of sb3-contrib learns a task against a Club."""

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from paddock.envs import single
from paddock.tasks import task

STEPS, GAMES = 20_000, 100
chosen = task("rasant-2-v1")
opponents = dict(enumerate(chosen.opponents, 1))


def make():
    return single(chosen.title, chosen.training_set_up, opponents=opponents)


def mean_reward(model):
    """Return the points over the fair share in games that were not trained on, with the 95 % interval."""
    env, rewards = make(), []
    for game in range(GAMES):
        seen, info = env.reset(seed=10**9 + game)
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=info["action_mask"].astype(bool))
            seen, reward, over, _, info = env.step(action)
        rewards.append(reward)
    return f"{np.mean(rewards):+.1f} ± {1.96 * np.std(rewards) / GAMES**0.5:.1f} points"


games = make_vec_env(make, n_envs=8)
model = MaskablePPO(
    "MlpPolicy", games, n_steps=256, batch_size=256, n_epochs=4, learning_rate=1e-3, seed=1, device="cpu"
)
print("before:", mean_reward(model))
model.learn(STEPS)
print("after: ", mean_reward(model))
