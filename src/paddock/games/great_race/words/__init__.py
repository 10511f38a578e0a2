"""The Great Race: moves, positions, views and lessons in words."""
