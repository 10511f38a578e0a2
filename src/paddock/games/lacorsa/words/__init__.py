"""LACORSA: moves, positions, views and lessons in words."""
