"""Environments for research: many games played together as arrays, and games for PettingZoo, Gymnasium and
OpenSpiel."""

from paddock.envs.adapters import aec, open_spiel, single, single_vector
from paddock.envs.vectors import Batch, Rollout, VectorEnv, vector

__all__ = ["Batch", "Rollout", "VectorEnv", "aec", "open_spiel", "single", "single_vector", "vector"]
