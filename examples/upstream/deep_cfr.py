"""Deep CFR of OpenSpiel, with PyTorch, learns the tiny task from the tensor of its information states."""

import numpy as np
import torch
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import tabular_policy_from_callable
from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

from paddock.envs import open_spiel
from paddock.tasks import task

np.random.seed(1)
torch.set_num_threads(1)
tiny = task("rasant-tiny-2-v1")
game = open_spiel(tiny.title, tiny.test_set_up, recall=24)
solver = DeepCFRSolver(
    game,
    policy_network_layers=(64, 64),
    advantage_network_layers=(64, 64),
    num_iterations=15,
    num_traversals=50,
    learning_rate=1e-3,
    batch_size_advantage=256,
    batch_size_strategy=256,
    memory_capacity=20_000,
    advantage_network_train_steps=80,
    policy_network_train_steps=1000,
)
solver.solve()


def chances(state):
    """Return the chance of each legal move: the network leaves a little to others."""
    by_action = solver.action_probabilities(state)
    return {action: chance / sum(by_action.values()) for action, chance in by_action.items()}


print(f"{exploitability.exploitability(game, tabular_policy_from_callable(game, chances)):.3f} points")
