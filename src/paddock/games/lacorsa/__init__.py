"""LACORSA, a Grand Prix card game: championships of seven races, drivers and teams."""
