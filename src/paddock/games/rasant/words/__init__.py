"""Rasant: moves, positions, views and lessons in words."""
