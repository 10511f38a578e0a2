"""Pig race: its name, and how it can be set up."""

from paddock.core.options import Options, option
from paddock.core.title import Title


class PigOptions(Options):
    """How a race can be set up."""

    players: int = option(3, "PR-1.1", "How many pigs race.", ge=2, le=4)
    track: int = option(50, "PR-1.1", "How many steps the track has.", ge=20, le=100)


TITLE = Title("pigrace", "Pig race", "Two dice and a greedy pig.", "pigrace", PigOptions)
