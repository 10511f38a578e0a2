"""The Great Race: converts validated options to the kernel's ``Setup``."""

from __future__ import annotations

from collections.abc import Iterator

from paddock.core.rooms.setup import fill
from paddock.games.great_race.maps import read_map
from paddock.games.great_race.maps.board import Map
from paddock.games.great_race.maps.tiles import KINDS
from paddock.games.great_race.rulebook import LOT, Options, middle_cities
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import Setup

# GR-1.5 cards of each kind
DECK = {
    state.TRAIL_HUNTER: 2,
    state.SABOTEUR: 3,
    state.REPAIRMAN: 3,
    state.MILITIA: 3,
    state.DRIVER: 3,
    state.CON_ARTIST: 2,
    state.CARTOGRAPHER: 3,
    state.FINANCIAL: 3,
    state.TRANSPORT: 2,
    state.JERRYCAN: 8,
    state.REFUELING_STATION: 2,
    state.GUIDE: 2,
    state.ENGINE_PARTS: 6,
    state.CHASSIS_PARTS: 6,
    state.TOOLBOX: 2,
    state.TRACKER: 2,
    state.RANSOM: 2,
    state.SIPHONER: 3,
    state.CUSTOMS: 2,
}
LEADER_DECK = {state.TOPOGRAPHER: 2}  # what the leader module adds
ASSISTANTS = (5, 6)  # GR-4.1, GR-11.4


def setup(options: Options) -> Setup:
    """GR-1 the map and its tiles, the deck, the plans."""
    g = Setup()
    fill(g, options)
    for card, count in {**DECK, **(LEADER_DECK if options.leaders else {})}.items():
        g.deck[card] = count
    o = options
    for assistants, francs in enumerate((0, o.funding_1, o.funding_2, o.funding_3, o.funding_4, o.funding_5)):
        g.pays[assistants] = francs
    g.pays[ASSISTANTS[1]] = o.funding_5  # GR-6.7
    for plan, boxes in enumerate(boxes for n in ASSISTANTS for boxes in plans(n, state.BOXES)):
        for box, assistants in enumerate(boxes):
            g.plan[plan, box] = assistants
    map = read_map(options.map)
    _spaces(g, map)
    _ends(g, map, options)
    g.lanes = len(map.lanes)
    for i, lane in enumerate(map.lanes):
        g.lane_from[i] = map.space(lane.one)
        g.lane_to[i] = map.space(lane.other)
        g.fare[i] = lane.fare
        g.lane_air[i] = int(lane.air)
    for i, (kind, count) in enumerate(zip(KINDS, map.tiles, strict=True)):
        g.bag[i] = count
        g.tile_petrol[i] = kind.petrol
        g.tile_damage[i] = kind.damage
        g.tile_danger[i] = int(kind.danger)
        g.tile_stop[i] = int(kind.stop)
    return g


def plans(assistants: int, boxes: int) -> Iterator[tuple[int, ...]]:
    """GR-4.1 every way to place so many assistants in so many boxes, in lexicographic order."""
    if boxes == 1:
        yield (assistants,)
        return
    for first in range(assistants + 1):
        for later_boxes in plans(assistants - first, boxes - 1):
            yield (first, *later_boxes)


def _spaces(g: Setup, map: Map) -> None:
    """The spaces of the map, their neighbours and cities."""
    g.spaces = len(map.spaces)
    g.columns = map.columns
    for space in range(state.SPACES):
        g.city[space] = state.OFF
        for direction in range(state.WAYS):
            g.beside[space, direction] = state.OFF
    for space, (column, row) in enumerate(map.spaces):
        g.land[space] = map.land(space)
        g.column[space] = column
        g.row[space] = row
        for direction, neighbour in enumerate(map.beside(space)):
            g.beside[space, direction] = state.OFF if neighbour is None else neighbour
    for i, city in enumerate(map.cities):
        space = map.space(city.code)
        g.city[space] = i
        g.number[space] = city.number
        for j, letter in enumerate(city.code):
            g.code[i, j] = ord(letter)
        for j, letter in enumerate(city.name):
            g.name[i, j] = ord(letter)


def _ends(g: Setup, map: Map, options: Options) -> None:
    """GR-1.1, GR-1.7, GR-1.11 start, destination, and the cities with a token."""
    west, east = map.west, map.east
    from_east = options.start == "east" or (options.start == "auto" and len(west) > 1)
    start, finish = (east, west) if from_east else (west, east)
    g.origin = map.space(start[0]) if len(start) == 1 else state.OFF
    g.goal = map.space(finish[0]) if len(finish) == 1 else state.OFF
    middle = middle_cities(map)
    ends = middle if options.finish == LOT else (options.finish,)
    g.n_ends = len(ends)
    for i, code in enumerate(ends):
        g.ends[i] = map.space(code)
    g.n_tokens = len(map.tokens)
    for i, code in enumerate(map.tokens):
        g.tokens[i] = map.space(code)
