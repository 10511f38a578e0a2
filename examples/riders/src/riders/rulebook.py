"""Riders: its name, and how it can be set up."""

from paddock.core.options import Options, option
from paddock.core.title import Title


class RidersOptions(Options):
    """How a stage can be set up."""

    riders: int = option(3, "RI-1.1", "How many riders race.", ge=2, le=4)
    length: int = option(30, "RI-1.1", "How many steps the stage has.", ge=10, le=60)
    stages: int = option(1, "RI-3.3", "How many stages are ridden.", ge=1, le=3)


TITLE = Title(
    "riders", "Riders", "Cards face down.", "riders", RidersOptions,
    round_name="stage", player_name="rider", seat_name="rider",
)  # fmt: skip
