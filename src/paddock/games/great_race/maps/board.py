"""The Great Race: what a map is. Light: the rulebook reads maps to check them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

# Bounds of a map
SPACES = 256
COLUMNS = 64
ROWS = 26  # a letter each
LANES = 24
CITIES = 64
NAME = 24  # letters of a city's name
TOKENS = 4  # cities with a city token, and middle cities at an end

LAND, RISK, CITY = range(3)

BLANKS = {"..": LAND, "##": RISK}
NONE = "~~"  # where the map has no space


def hex_name(column: int, row: int) -> str:
    """The name of a space without a city: ``7d``, its column from 0 and its row as a letter."""
    return f"{column}{chr(ord('a') + row)}"


@dataclass(frozen=True)
class City:
    """A city: two capital letters, its name, and the number of cards that it gives (GR-7.8)."""

    code: str
    name: str
    number: int


@dataclass(frozen=True)
class Lane:
    """A lane between two cities, for both directions: by air or by sea, at a fare in francs (GR-7.9)."""

    one: str
    other: str
    air: bool
    fare: int


@dataclass(frozen=True)
class Map:
    """A map of hexes with flat tops; odd columns lie half a hex lower.

    Spaces are numbered from 0, a column after the other from the west, each from the top.
    """

    title: str
    note: str
    grid: tuple[tuple[str, ...], ...]  # rows of cells: a key of ``BLANKS``, ``NONE`` or the code of a city
    cities: tuple[City, ...]
    west: tuple[str, ...]  # codes: one purple city, or the middle cities of a half map
    east: tuple[str, ...]
    tokens: tuple[str, ...]  # codes of the cities with a city token (GR-1.7)
    lanes: tuple[Lane, ...]
    tiles: tuple[int, ...]  # of each kind in the tile set

    @property
    def columns(self) -> int:
        """Columns of the map. Progress is the distance in columns from the start (GR-1.11)."""
        return len(self.grid[0])

    @cached_property
    def spaces(self) -> tuple[tuple[int, int], ...]:
        """The column and row of every space."""
        return tuple(
            (column, row)
            for column in range(self.columns)
            for row, cells in enumerate(self.grid)
            if cells[column] != NONE
        )

    @cached_property
    def _numbers(self) -> Mapping[tuple[int, int], int]:
        return {place: space for space, place in enumerate(self.spaces)}

    def cell(self, space: int) -> str:
        """What the grid has on a space: a key of ``BLANKS`` or the code of a city."""
        column, row = self.spaces[space]
        return self.grid[row][column]

    def land(self, space: int) -> int:
        """LAND, RISK or CITY."""
        return BLANKS.get(self.cell(space), CITY)

    def name(self, space: int) -> str:
        """The name of a space: the code of its city, or ``7d``."""
        return self.cell(space) if self.land(space) == CITY else hex_name(*self.spaces[space])

    def space(self, name: str) -> int:
        """The space of this name; raises ``KeyError`` if the map has none."""
        return self._names[name]

    @cached_property
    def _names(self) -> Mapping[str, int]:
        return {self.name(space): space for space in range(len(self.spaces))}

    def beside(self, space: int) -> tuple[int | None, ...]:
        """The neighbours of a space: north, then clockwise; None where the map has no space."""
        column, row = self.spaces[space]
        low = column % 2  # such a column lies half a hex lower
        steps = [(0, -1), (1, low - 1), (1, low), (0, 1), (-1, low), (-1, low - 1)]
        return tuple(self._numbers.get((column + along, row + down)) for along, down in steps)

    def reach(self, start: int) -> dict[int, int]:
        """The fewest tiles on a way over land from ``start`` to each space that has such a way."""
        fewest = {start: 0}
        todo = [start]
        for space in todo:
            for neighbour in self.beside(space):
                if neighbour is None:
                    continue
                tiles = fewest[space] + (self.land(neighbour) != CITY)
                if tiles < fewest.get(neighbour, len(self.spaces) + 1):
                    fewest[neighbour] = tiles
                    todo.append(neighbour)
        return fewest
