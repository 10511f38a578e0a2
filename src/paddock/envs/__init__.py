"""Environments for research: many games played together as arrays, and games for PettingZoo, Gymnasium and
OpenSpiel."""

from paddock.envs.adapters import aec, open_spiel, parallel, single, single_vector
from paddock.envs.vectors import Batch, Places, Rollout, VectorEnv, vector

__all__ = [
    "Batch",
    "Places",
    "Rollout",
    "VectorEnv",
    "aec",
    "open_spiel",
    "parallel",
    "single",
    "single_vector",
    "vector",
]
