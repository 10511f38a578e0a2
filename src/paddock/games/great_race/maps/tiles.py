"""The Great Race: terrain tiles and the shipped tile sets (GR-1.6). Light: maps are checked with it."""

from __future__ import annotations

from dataclasses import dataclass

from paddock.core.i18n import mark


def word_of(name: str) -> str:
    """The name of a tile or a card in notation: ``deep-sand``."""
    return name.lower().replace("'", "").replace(" ", "-")


@dataclass(frozen=True)
class Tile:
    """A kind of tile (GR-7.2), and how many of it the sets ``us`` and ``asia`` have."""

    name: str
    petrol: int
    damage: int
    danger: bool
    stop: bool
    us: int
    asia: int

    @property
    def word(self) -> str:
        """The kind in notation."""
        return word_of(self.name)


NO, D, S = False, True, True  # in the table: no, a danger, a stop sign

KINDS = (
    Tile(mark("Track"), 1, 0, NO, NO, 24, 15),
    Tile(mark("Herd crossing"), 1, 0, NO, S, 4, 3),
    Tile(mark("Outlaws"), 1, 0, D, NO, 6, 5),
    Tile(mark("Gravel"), 1, 1, NO, NO, 16, 13),
    Tile(mark("Ambush gully"), 1, 1, D, NO, 3, 3),
    Tile(mark("Mud"), 2, 0, NO, NO, 14, 9),
    Tile(mark("Ford"), 2, 0, NO, S, 3, 2),
    Tile(mark("Raiders' hills"), 2, 0, D, NO, 4, 4),
    Tile(mark("Hills"), 2, 1, NO, NO, 12, 10),
    Tile(mark("Canyon"), 2, 1, NO, S, 4, 3),
    Tile(mark("Rebel valley"), 2, 1, D, NO, 1, 2),
    Tile(mark("Warlord's gorge"), 2, 1, D, S, 0, 1),
    Tile(mark("Scree"), 2, 2, NO, NO, 2, 2),
    Tile(mark("Deep sand"), 3, 0, NO, NO, 3, 2),
    Tile(mark("Blizzard"), 3, 0, NO, S, 1, 1),
    Tile(mark("High pass"), 3, 1, NO, NO, 2, 3),
    Tile(mark("Landslide"), 3, 1, D, NO, 0, 1),
    Tile(mark("Avalanche"), 3, 1, D, S, 1, 0),
    Tile(mark("Glacier"), 3, 2, NO, NO, 0, 1),
)
WORDS = tuple(kind.word for kind in KINDS)
SETS = {"us": tuple(kind.us for kind in KINDS), "asia": tuple(kind.asia for kind in KINDS)}
MOST = 99  # tiles of one kind
