"""Parts of ``draw.py``: names of pictures, and the podium in words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from paddock.core.i18n import _, plural


@dataclass(frozen=True)
class Finisher:
    """A player or team on the podium."""

    place: int  # equal for a tie
    name: str
    points: int


def aria(name: str, named: bool = True) -> str:
    """Return the attributes of a picture with this name, or of a hidden one (``named`` = false)."""
    return f'role="img" aria-label="{escape(name)}"' if named else 'aria-hidden="true"'


def short(name: str, letters: int) -> str:
    """Shorten a name to this many letters."""
    return name if len(name) <= letters else name[: letters - 1] + "…"


def podium_says(finishers: Sequence[Finisher], heading: str) -> str:
    """Return the name of a picture of the podium: «Podium: 1. Ana, 9 points; 2. …»."""
    steps = (
        _("{place}. {name}, {points}").format(
            place=f.place, name=f.name, points=plural("{n} point", "{n} points", f.points)
        )
        for f in finishers
    )
    label = heading or _("Podium")
    return f"{label}: {'; '.join(steps)}" if finishers else label


def still(id: str, drawing: str) -> str:
    """Return a part of a drawing that rarely changes, as a group: updates leave it out if the page has it."""
    digest = hashlib.sha256(drawing.encode()).hexdigest()[:12]
    return f'<g id="{id}" data-still="{digest}">{drawing}<!--/still--></g>'


def standalone(drawing: str) -> str:
    """Return a drawing with its colours filled in: it then needs no style sheet."""
    return re.sub(r"var\(--[a-z-]+,([^()]+)\)", r"\1", drawing)
