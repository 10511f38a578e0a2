"""The Great Race: small pictures of what can be chosen before a race: maps, ends, leaders, presets, players.

Each stands alone and has no words: a page shows it as an image beside its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from paddock.games.great_race.drawing.cards import BUSTS, TEAL
from paddock.games.great_race.drawing.crews import FLAG
from paddock.games.great_race.drawing.pieces import (
    CREAM,
    GOLD,
    INK,
    LAND,
    NS,
    PURPLE,
    RED,
    SEA,
    SHORE,
    SIGNS,
    edge,
    half_track,
    hexagon,
    line,
    moved,
    n,
    path,
)
from paddock.games.great_race.drawing.pieces import RISK as ROCK
from paddock.games.great_race.maps import read_map
from paddock.games.great_race.maps.board import CITY, RISK, Map
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.words.names import LEADERS
from paddock.parts.drawing import standalone

WIDE, HIGH = 160.0, 100.0
MARGIN = 8.0


def _picture(drawn: str, width: float = WIDE, height: float = HIGH) -> str:
    return standalone(f'<svg {NS} viewBox="0 0 {n(width)} {n(height)}">{drawn}</svg>')


def map_picture(text: str) -> str:
    """A map, by its name or its text: land and rocks in the sea, cities, the purple ends, lanes."""
    return _picture(_map(read_map(text)))


def _map(map: Map) -> str:
    """Draw a map for a choice: land, risky ground, lanes, cities and ends, without names."""
    width = 1.5 * (map.columns - 1) + 2  # in radii of a hex
    rows = [row + column % 2 / 2 for column, row in map.spaces]
    height = (max(rows) - min(rows) + 1) * sqrt(3)
    r = min((WIDE - 2 * MARGIN) / width, (HIGH - 2 * MARGIN) / height)
    left, top = (WIDE - width * r) / 2 + r, (HIGH - height * r) / 2 - min(rows) * r * sqrt(3)

    def at(space: int) -> tuple[float, float]:
        column, row = map.spaces[space]
        return left + 1.5 * r * column, top + r * sqrt(3) * (row + column % 2 / 2 + 0.5)

    def hexes(spaces: Iterable[int]) -> str:
        shape = _from_corner(r)
        return "".join(f"M{n(x + r)} {n(y)}{shape}" for x, y in map_at(spaces))

    def map_at(spaces: Iterable[int]) -> list[tuple[float, float]]:
        return [at(space) for space in spaces]

    all_spaces = range(len(map.spaces))
    ends = {map.space(code) for code in (*map.west, *map.east)}
    cities = [space for space in all_spaces if map.land(space) == CITY]
    side = max(1.3, 0.55 * r)
    lanes = "".join(
        line(
            f"M{n(start[0])} {n(start[1])}Q{n((start[0] + end[0]) / 2)} {n(min(start[1], end[1]) - 2 * r)} "
            f"{n(end[0])} {n(end[1])}",
            CREAM,
            max(0.7, r / 6),
            ' stroke-dasharray="3 2"',
        )
        for start, end in ((at(map.space(lane.one)), at(map.space(lane.other))) for lane in map.lanes)
    )
    land = hexes(all_spaces)
    return (
        path(f"M0 0H{n(WIDE)}V{n(HIGH)}H0Z", SEA)
        + f'<defs><path id="land" d="{land}"/></defs><use href="#land" fill="{SHORE}"{edge(SHORE, 1.1 * r)}/>'
        + f'<use href="#land" fill="{LAND}"{edge(LAND, 0.3)}/>'
        + path(hexes(space for space in all_spaces if map.land(space) == RISK), ROCK)
        + lanes
        + path(_squares(map_at(space for space in cities if space not in ends), side), INK)
        + path(_squares(map_at(ends), 1.6 * side), PURPLE, edge(CREAM, max(0.6, r / 8)))
    )


def _from_corner(r: float) -> str:
    """The outline of a hex from its eastern corner, clockwise."""
    h = r * sqrt(3) / 2
    return f"l{n(-r / 2)} {n(h)}h{n(-r)}l{n(-r / 2)} {n(-h)} {n(r / 2)} {n(-h)}h{n(r)}z"


def _squares(places: Iterable[tuple[float, float]], half: float) -> str:
    side = n(2 * half)
    return "".join(f"M{n(x - half)} {n(y - half)}h{side}v{side}h-{side}z" for x, y in places)


def start_picture(start: str) -> str:
    """Which way the race goes: a half-track, and a flag at the other end."""
    ground = path("M0 0H160V100H0Z", "#8fc0bd") + path("M0 66Q40 52 80 62T160 58V100H0Z", LAND)
    if start == "auto":
        rose = path("M80 14L88 42L116 50L88 58L80 86L72 58L44 50L72 42Z", CREAM, edge(INK, 2.4))
        rose += path("M80 14L88 42L80 50ZM80 86L72 58L80 50Z", RED)
        return _picture(ground + rose + _flag(132, 60))
    road = line("M24 80H136", ROCK, 5, ' stroke-dasharray="9 6"')
    blank = moved(-10.5, -6.4, path(SIGNS[0], CREAM, edge(INK, 2)), 0.72)  # no number: it may be mirrored
    track = moved(34, 62, half_track(0) + blank, 1.1)
    east, flag = ("", 130) if start == "west" else (' transform="matrix(-1 0 0 1 160 0)"', 26)
    return _picture(f"{ground}{road}<g{east}>{track}</g>{_flag(flag, 52)}")


def _flag(x: float, y: float) -> str:
    return moved(x, y, path(FLAG, PURPLE, edge(CREAM, 1.4)), 2)


def leader_picture(value: str) -> str:
    """A leader; "yes": all five; "no": half-tracks without any."""
    if value in LEADERS:
        ground, bust = BUSTS[value]
        drawn = path("M0 0H100V124H0Z", ground) + _sun() + moved(50, 70, bust, 1.15)
        return _picture(drawn + line("M1 1H99V123H1Z", INK, 3), 100, 124)
    ground = path("M0 0H160V100H0Z", TEAL if value == "yes" else "#e0c184")
    if value == "yes":
        busts = zip(LEADERS, ((26, 66), (134, 66), (54, 60), (108, 60), (80, 56)), strict=True)
        crowd = "".join(moved(x, y, BUSTS[word][1], 0.74) for word, (x, y) in busts)
        return _picture(ground + crowd)
    tracks = "".join(moved(x, y, half_track(seat)) for seat, x, y in ((0, 44, 36), (1, 112, 36), (2, 78, 74)))
    return _picture(ground + tracks)


def _sun() -> str:
    rays = "M50 124L-20 60V20ZM50 124L0-10H40ZM50 124L60-10H100ZM50 124L120 20V60Z"
    return path(rays, CREAM, ' opacity=".4"')


def crew_picture(number: str) -> str:
    """The half-track of a player, from 1."""
    return _picture(moved(32, 23, half_track(int(number) - 1), 1.08), 64, 40)


def preset_picture(name: str) -> str:
    """The map of a preset, with two leaders if it has them."""
    values = TITLE.preset(name).values
    drawn = _map(read_map(values["map"]))
    if values.get("leaders") == "yes":
        for x, word in ((28, "kate"), (132, "baron")):
            drawn += moved(x, 74, path(hexagon(26), GOLD, edge(INK, 2)) + moved(0, -2, BUSTS[word][1], 0.5))
    return _picture(drawn)
