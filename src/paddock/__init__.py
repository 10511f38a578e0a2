"""Paddock: racing tabletop games, played, studied and researched.

>>> import paddock
>>> game = paddock.start("lacorsa", drivers=4, races=7, seed=7)
>>> game.deciders
(0, 1, 2, 3)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paddock.core.errors import (
    BadMove,
    BadOption,
    BadPosition,
    BadRecord,
    IllegalMove,
    PaddockError,
)
from paddock.core.game import Game
from paddock.core.log import Entry, Event
from paddock.core.position import position as _position
from paddock.core.title import Preview, Seen, Title, title, titles
from paddock.core.words import CHANCE
from paddock.kernel.source import Seed, Seeded, System

if TYPE_CHECKING:
    from paddock.bots import Bot
    from paddock.lab import Match

__all__ = [
    "CHANCE",
    "BadMove",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Entry",
    "Event",
    "Game",
    "IllegalMove",
    "PaddockError",
    "Preview",
    "Seen",
    "match",
    "position",
    "start",
    "title",
    "titles",
]


def start(name: str, /, *, seed: Seed | None = None, names: Sequence[str] = (), **options: Any) -> Game:
    """A new game of the title ``name``, its first chance drawn.

    ``seed`` makes its chance repeatable; without one it comes from the operating system. ``names`` are
    those of the players. Raises ``PaddockError`` for an unknown title, ``BadOption`` with every fault.
    """
    found = title(name)
    return Game(found, found.options.read(options), _source(seed), names)


def position(text: str, /, *, seed: Seed | None = None, names: Sequence[str] = ()) -> Game:
    """The game that stands in a position, as ``Game.position`` writes it; raises ``BadPosition``."""
    return _position(text, _source(seed), names)


def match(
    title: Title | str,
    bots: Sequence[Bot | str],
    games: int,
    seed: Seed = 0,
    *,
    options: Mapping[str, Any] | None = None,
    seconds: float = 30,
    processes: int | None = None,
    cluster: str | None = None,
    to: Path | str | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Match:
    """Play a match between bots, and return its results: see ``paddock.lab.match``."""
    from paddock.lab import match  # imported late: not needed to play

    return match(
        title,
        bots,
        games,
        seed,
        options=options,
        seconds=seconds,
        processes=processes,
        cluster=cluster,
        to=to,
        progress=progress,
    )


def _source(seed: Seed | None) -> Seeded | System:
    return System() if seed is None else Seeded(seed)
