"""The Great Race: what spaces are called where people read them: «the space east of Reno».

A space without a city has the name of the nearest one, with the way from there. Notation has its own names
(``words.space_name``): ``7d``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from paddock.core.i18n import _, language, mark, plural
from paddock.games.great_race.rules.state import OFF, Setup
from paddock.games.great_race.words.names import city_name

# The ways to the neighbours of a hex, as columns and slanted rows; and the ways halfway between two of them
_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_WAYS = (
    mark("north"), mark("northeast"), mark("southeast"), mark("south"), mark("southwest"), mark("northwest"),
)  # fmt: skip
_BETWEEN = (
    mark("north-northeast"), mark("east"), mark("south-southeast"), mark("south-southwest"), mark("west"),
    mark("north-northwest"),
)  # fmt: skip
_SHORT_WAYS = (mark("N"), mark("NE"), mark("SE"), mark("S"), mark("SW"), mark("NW"))
_SHORT_BETWEEN = (mark("NNE"), mark("E"), mark("SSE"), mark("SSW"), mark("W"), mark("NNW"))

# The nearest city as an index, a way, the steps that way, and the steps the next way clockwise
Near = tuple[int, int, int, int]


def place_name(g: Setup, space: int) -> str:
    """Return a space in a sentence: its city, else «the space east of Reno»; every space has its own name."""
    words = where(g, space)
    return words if g.city[space] != OFF else the_space(words)


def the_space(words: str) -> str:
    """Return what a sentence calls the space that ``where`` describes so."""
    # Translators: {where} is a way from a city: “east of Reno”
    return _("the space {where}").format(where=words)


def where(g: Setup, space: int) -> str:
    """Return where a space is, in few words: its city, else «east of Reno», «2 steps east of Reno»."""
    return wheres(g)[space]


def wheres(g: Setup) -> Sequence[str]:
    """Return ``where`` of every space of the map."""
    return _wheres(Board(g), language.get())


class Board:
    """A setup as the key of a cache. No setup changes, so the same one has the same map."""

    __slots__ = ("g",)

    def __init__(self, g: Setup) -> None:
        self.g = g

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.g is other.g

    def __hash__(self) -> int:
        return id(self.g)


@lru_cache(maxsize=64)
def _wheres(board: Board, _language: str) -> Sequence[str]:
    table = _table(board.g)
    return [_place_words(board.g, space, table) for space in range(board.g.spaces)]


def short_where(g: Setup, space: int) -> str:
    """Return ``where`` for a small button, with the letters of a compass: «E of Reno», «2 E of Reno»."""
    if g.city[space] != OFF:
        return city_name(g, space)
    city_space, direction, along, aside = _table(g)[space]
    city = city_name(g, city_space)
    if aside and along != aside:
        return _("{n} {way}, {m} {other} of {city}").format(
            n=along,
            way=_(_SHORT_WAYS[direction]),
            m=aside,
            other=_(_SHORT_WAYS[(direction + 1) % 6]),
            city=city,
        )
    short = _(_SHORT_BETWEEN[direction] if aside else _SHORT_WAYS[direction])
    if along + aside == 1:
        return _("{way} of {city}").format(way=short, city=city)
    return _("{n} {way} of {city}").format(n=along + aside, way=short, city=city)


def apart(g: Setup, space: int, other_space: int) -> int:
    """Return how many steps two spaces are apart, over land and sea alike."""
    ax, az = _slanted(g.column[space], g.row[space])
    bx, bz = _slanted(g.column[other_space], g.row[other_space])
    return _steps(ax - bx, az - bz)


def label(words: str) -> str:
    """Return what ``where`` says as the beginning of a label: «East of Reno»."""
    return words[:1].upper() + words[1:]


def _place_words(g: Setup, space: int, table: Sequence[Near]) -> str:
    """Say where a space is: its city, or the steps from the nearest one, along one or two directions."""
    if g.city[space] != OFF:
        return city_name(g, space)
    city_space, direction, along, aside = table[space]
    city = city_name(g, city_space)
    steps = along + aside
    if not aside or along == aside:
        towards = _(_BETWEEN[direction] if aside else _WAYS[direction])
        if steps == 1:
            return _("{way} of {city}").format(way=towards, city=city)
        return plural("{n} step {way} of {city}", "{n} steps {way} of {city}", steps, way=towards, city=city)
    parts = [(along, _(_WAYS[direction])), (aside, _(_WAYS[(direction + 1) % 6]))]
    (longer, towards), (shorter, sideways) = parts if along > aside else parts[::-1]
    return plural(
        "{n} step {way} and {m} {other} of {city}",
        "{n} steps {way} and {m} {other} of {city}",
        longer, way=towards, m=str(shorter), other=sideways, city=city,
    )  # fmt: skip


def _table(g: Setup) -> tuple[Near, ...]:
    spaces = range(g.spaces)
    columns, rows, cities = ([row[at] for at in spaces] for row in (g.column, g.row, g.city))
    return _nearest(tuple(columns), tuple(rows), tuple(cities))


@lru_cache(maxsize=64)
def _nearest(columns: tuple[int, ...], rows: tuple[int, ...], cities: tuple[int, ...]) -> tuple[Near, ...]:
    """Return the nearest city of every space, of equal ones the first on the map, and the way from there.

    City and way are different for every two spaces, so their names are, too.
    """
    coordinates = [_slanted(column, row) for column, row in zip(columns, rows, strict=True)]
    towns = [space for space, city in enumerate(cities) if city != OFF]
    return tuple(_steps_from_town(coordinates, space, towns) for space in range(len(coordinates)))


def _slanted(column: int, row: int) -> tuple[int, int]:
    """The column and the slanted row of a space: rows fall by half a hex with every column."""
    return column, row - column // 2


def _steps(dx: int, dz: int) -> int:
    return max(abs(dx), abs(dz), abs(dx + dz))


def _steps_from_town(coordinates: Sequence[tuple[int, int]], space: int, towns: Sequence[int]) -> Near:
    """Return the nearest town of a space, and the steps from there along a direction and the next one."""
    x, z = coordinates[space]
    town = min(towns, key=lambda town: _steps(x - coordinates[town][0], z - coordinates[town][1]))
    dx, dz = x - coordinates[town][0], z - coordinates[town][1]
    for direction, (px, pz) in enumerate(_STEPS):
        qx, qz = _STEPS[(direction + 1) % 6]
        turn = px * qz - pz * qx
        along, aside = (dx * qz - dz * qx) // turn, (px * dz - pz * dx) // turn
        if along > 0 and aside >= 0:
            return town, direction, along, aside
    return town, 0, 0, 0  # the town itself
