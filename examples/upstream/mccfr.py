"""External sampling MCCFR of OpenSpiel learns the tiny task: its exploitability falls towards 0."""

import random

import numpy as np
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr

from paddock.envs import open_spiel
from paddock.tasks import task

random.seed(1)
np.random.seed(1)
tiny = task("rasant-tiny-2-v1")
game = open_spiel(tiny.title, tiny.test_set_up)
solver = external_sampling_mccfr.ExternalSamplingSolver(game)
for iterations in (10, 90, 900):
    for _ in range(iterations):
        solver.iteration()
    print(f"{exploitability.exploitability(game, solver.average_policy()):.3f} points")
