"""Analyse finished games: what every move cost, and where the points came from."""
