"""Deep CFR of OpenSpiel, with PyTorch, learns the tiny task from the tensor of its information states."""

import numpy as np
import torch
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import tabular_policy_from_callable
from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

from paddock.envs import open_spiel
from paddock.tasks import task

np.random.seed(1)
torch.manual_seed(1)
tiny = task("rasant-tiny-2-v1")
game = open_spiel(tiny.title, tiny.test_set_up, recall=24)
solver = DeepCFRSolver(
    game,
    policy_network_layers=(64, 64),
    advantage_network_layers=(64, 64),
    num_iterations=20,
    num_traversals=20,
    advantage_network_train_steps=100,
    policy_network_train_steps=1000,
)
solver.solve()
policy = tabular_policy_from_callable(game, solver.action_probabilities)
print(f"{exploitability.exploitability(game, policy):.3f} points")
