"""Painters for tests of pictures: they say in which process they ran, and can be held up."""

from __future__ import annotations

import os
from pathlib import Path

from paddock.web.raster import Picture
from tables.held import held


def painted(picture: Picture) -> bytes:
    """Return the heading and the id of this process, and note both in the folder that the text names."""
    said = f"{picture.heading} {os.getpid()}"
    with (Path(picture.text) / "painted").open("a") as notes:
        notes.write(f"{said}\n")
    return said.encode()


def slowly(picture: Picture) -> bytes:
    """Like ``painted``, but the picture «first» waits for the file ``go``."""
    if picture.heading == "first":
        held(picture.text)
    if picture.heading == "broken":
        raise LookupError("a fault of the program")
    return painted(picture)
