"""Environments for research: many games played together, with observations and masks as NumPy arrays."""

from paddock.envs.vectors import Batch, Rollout, VectorEnv, vector

__all__ = ["Batch", "Rollout", "VectorEnv", "vector"]
