"""PPO in one file, as CleanRL writes it, learns a task against a Club in many games at once."""

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from paddock.envs import single_vector
from paddock.tasks import task

ENVS, STEPS, UPDATES, EPOCHS, BATCHES = 64, 64, 60, 4, 8
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, RATE = 1.0, 0.95, 0.2, 0.01, 0.5, 5e-4

torch.manual_seed(1)
torch.set_num_threads(1)
chosen = task("rasant-2-v1")
opponents = dict(enumerate(chosen.opponents, 1))
env = single_vector(chosen.title, chosen.training_set_up, ENVS, opponents=opponents)
size, moves = env.single_observation_space.shape[0], int(env.single_action_space.n)
body = nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
actor, critic = nn.Linear(128, moves), nn.Linear(128, 1)
parameters = [*body.parameters(), *actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(parameters, lr=RATE, eps=1e-5)


def think(seen, mask):
    """Return the policy and the value of positions; illegal moves have no chance."""
    hidden = body(seen)
    return Categorical(logits=actor(hidden).masked_fill(mask == 0, -1e9)), critic(hidden).squeeze(-1)


seen, info = env.reset(seed=1)
scale = 10.0  # points: a network learns numbers of about one
points = []
for update in range(UPDATES):
    steps = []
    for _ in range(STEPS):
        here, mask = torch.tensor(seen), torch.tensor(info["action_mask"])
        with torch.no_grad():
            policy, value = think(here, mask)
            action = policy.sample()
        seen, reward, ends, _, info = env.step(action.numpy())
        points += reward[ends].tolist()
        steps.append((here, mask, action, policy.log_prob(action), value,
                      torch.tensor(reward / scale, dtype=torch.float32), torch.tensor(ends)))  # fmt: skip
    heres, masks, actions, logs, values, rewards, ended = map(torch.stack, zip(*steps, strict=True))
    with torch.no_grad():
        after = think(torch.tensor(seen), torch.tensor(info["action_mask"]))[1]
    advantages, advantage = torch.zeros_like(rewards), torch.zeros(ENVS)
    for t in reversed(range(STEPS)):
        goes_on = (~ended[t]).float()
        delta = rewards[t] + GAMMA * after * goes_on - values[t]
        advantages[t] = advantage = delta + GAMMA * LAMBDA * goes_on * advantage
        after = values[t]
    returns = advantages + values
    flat = [rows.flatten(0, 1) for rows in (heres, masks, actions, logs, advantages, returns)]
    for _ in range(EPOCHS):
        for part in torch.randperm(ENVS * STEPS).chunk(BATCHES):
            here, mask, action, log, advantage, goal = (rows[part] for rows in flat)
            policy, value = think(here, mask)
            ratio = (policy.log_prob(action) - log).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            loss = VALUE * (value - goal).pow(2).mean() - gain - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 0.5)
            optimizer.step()
    if (update + 1) % 15 == 0:
        last = np.array(points[-1000:])
        print(f"{(update + 1) * ENVS * STEPS} decisions: {last.mean():+.1f} points over the fair share")
