"""The Great Race: the map, the tiles on it, and what is connected (GR-1.6, GR-6.9, GR-7.7)."""

from __future__ import annotations

from paddock.games.great_race.rules.state import (
    BLANK,
    CITY,
    DREW_TILE,
    OFF,
    REMOVED,
    RISK,
    TILES,
    WAYS,
    Setup,
    State,
)
from paddock.kernel import Row, rule, tell

# What ``connect`` writes for each space: the next connected one, or
LAST, FREE, FAR = -1, -2, -3


@rule
def progress(s: State, g: Setup, space: int) -> int:
    """GR-1.11 the progress value of a space: the columns from the start."""
    return abs(g.column[space] - g.column[s.origin])


@rule
def blank(s: State, g: Setup, space: int) -> int:
    """GR-6.1 whether a tile can be placed here: no city, and no tile yet."""
    return int(s.tile[space] == BLANK and g.land[space] != CITY)


@rule
def has_vehicle(s: State, g: Setup, space: int) -> int:
    """Whether a vehicle is on a space."""
    for seat in range(g.players):
        if s.at[seat] == space:
            return 1
    return 0


@rule
def loose(s: State, g: Setup, space: int) -> int:
    """GR-6.6, GR-10.1 whether a tile without a vehicle is here."""
    return int(s.tile[space] != BLANK and has_vehicle(s, g, space) == 0)


@rule
def loose_tiles(s: State, g: Setup, enough: int) -> int:
    """GR-10.24 how many tiles are without a vehicle, counted up to ``enough``."""
    n = 0
    for space in range(g.spaces):
        if s.tile[space] != BLANK and has_vehicle(s, g, space) == 0:
            n += 1
            if n == enough:
                return n
    return n


@rule
def lane_end(g: Setup, lane: int, space: int) -> int:
    """GR-7.9 where a lane leads from this space, or OFF."""
    if g.lane_from[lane] == space:
        return g.lane_to[lane]
    if g.lane_to[lane] == space:
        return g.lane_from[lane]
    return OFF


@rule
def lane_to(g: Setup, here: int, space: int) -> int:
    """GR-7.9 the lane by which a step from here to a space goes, or OFF: two cities are never neighbours."""
    if g.land[here] == CITY and space != OFF and g.land[space] == CITY:
        for lane in range(g.lanes):
            if lane_end(g, lane, here) == space:
                return lane
    return OFF


@rule
def tiles_left(s: State) -> int:
    """GR-1.6, GR-1.9 whether a tile can be drawn: from the bag, or of those out of the game."""
    if s.bag_size > 0:
        return 1
    for kind in range(TILES):
        if s.removed[kind] > 0:
            return 1
    return 0


@rule
def refill_bag(s: State) -> None:
    """GR-1.6 into an empty bag go the tiles that left the game."""
    if s.bag_size == 0:
        for kind in range(TILES):
            s.bag[kind] = s.removed[kind]
            s.bag_size += s.removed[kind]
            s.removed[kind] = 0


@rule
def take_tile(s: State, kind: int) -> None:
    """GR-1.10 a tile out of the bag, seen by all."""
    s.bag[kind] -= 1
    s.bag_size -= 1


@rule
def remove_tile(s: State, space: int) -> None:
    """GR-6.6, GR-10.1 a tile of the board leaves the game."""
    kind = s.tile[space]
    s.tile[space] = BLANK
    s.removed[kind] += 1
    tell(s, REMOVED, s.turn, space, kind)


@rule
def draw_tile(s: State, kind: int) -> None:
    """GR-6.8 a tile is drawn that will be placed."""
    take_tile(s, kind)
    s.drawn_tiles[kind] += 1
    tell(s, DREW_TILE, s.turn, kind)


@rule
def petrol_for(s: State, g: Setup, space: int) -> int:
    """GR-7.2 the petrol that the tile here takes; GR-7.7 one more in a risk zone."""
    return g.tile_petrol[s.tile[space]] + int(g.land[space] == RISK)


@rule
def connect(s: State, g: Setup, start: int, mark: Row) -> None:
    """GR-6.9 mark what is connected to ``start`` over tiles and cities, as a chain from ``start`` to LAST.

    A blank land space beside the chain is FREE, any other space FAR. GR-6.1 with the option
    ``lanes_connect`` the chain also runs along lanes.
    """
    tile = s.tile
    land = g.land
    neighbours = g.beside
    for space in range(g.spaces):
        mark[space] = FAR
    mark[start] = LAST
    here = start
    last = start
    while here != LAST:
        for direction in range(WAYS):
            space = neighbours[here, direction]
            if space != OFF and mark[space] == FAR:
                if tile[space] == BLANK and land[space] != CITY:
                    mark[space] = FREE
                else:
                    mark[last] = space
                    mark[space] = LAST
                    last = space
        if g.lanes_connect and land[here] == CITY:
            for lane in range(g.lanes):
                space = lane_end(g, lane, here)
                if space != OFF and mark[space] == FAR:
                    mark[last] = space
                    mark[space] = LAST
                    last = space
        here = mark[here]


@rule
def beside_free(s: State, g: Setup, start: int) -> int:
    """Whether a blank land space is next to this one: a quick answer to most questions for a free space."""
    for direction in range(WAYS):
        space = g.beside[start, direction]
        if space != OFF and blank(s, g, space):
            return 1
    return 0


@rule
def beside_loose(s: State, g: Setup, start: int) -> int:
    """Whether a tile without a vehicle is next to this space."""
    for direction in range(WAYS):
        space = g.beside[start, direction]
        if space != OFF and loose(s, g, space):
            return 1
    return 0


@rule
def can_place(s: State, g: Setup, start: int, mark: Row) -> int:
    """GR-6.1 whether a free space is connected to ``start``; ``mark`` is room for ``connect``."""
    if beside_free(s, g, start):
        return 1
    for direction in range(WAYS):
        space = g.beside[start, direction]
        if space != OFF and beside_free(s, g, space):  # it is connected, as nothing beside ``start`` is blank
            return 1
    connect(s, g, start, mark)
    for space in range(g.spaces):
        if mark[space] == FREE:
            return 1
    return 0


@rule
def can_clear(s: State, g: Setup, start: int, mark: Row) -> int:
    """GR-6.6 whether there is a tile to remove: one without a vehicle, connected to ``start``.

    ``mark`` is room for ``connect``.
    """
    if beside_loose(s, g, start):
        return 1
    # Nothing but blanks beside it, and no lanes: then nothing is connected.
    alone = g.lanes_connect == 0
    for direction in range(WAYS):
        space = g.beside[start, direction]
        if space != OFF and not blank(s, g, space):
            alone = False
            if beside_loose(s, g, space):
                return 1
    if alone:
        return 0
    connect(s, g, start, mark)
    for space in range(g.spaces):
        # LAST or the number of a space: it is on the chain.
        if mark[space] >= LAST and loose(s, g, space):
            return 1
    return 0
