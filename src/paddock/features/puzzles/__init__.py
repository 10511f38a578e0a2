"""Puzzles: decisions to be made again, of the titles' sets and of one's own games."""
