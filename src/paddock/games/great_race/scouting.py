"""The Great Race: tiles are drawn, picked and placed (GR-6.1, GR-6.8, GR-10.19)."""

from __future__ import annotations

from paddock.games.great_race.crew import ask
from paddock.games.great_race.land import (
    FREE,
    LAST,
    can_place,
    connect,
    draw_tile,
    loose,
    refill_bag,
    tiles_left,
)
from paddock.games.great_race.state import (
    BLANK,
    CLEARING,
    DRAW_TILE,
    IDLE,
    MAPPING,
    OFF,
    PICK_TILE,
    PLACE_SPACE,
    PLACE_TILE,
    PLACED,
    REMOVED,
    RETURNED_TILE,
    SCOUTING,
    SPACE,
    TILE,
    TILES,
    Setup,
    State,
)
from paddock.kernel import Row, rule, tell


@rule
def begin_scouting(s: State, g: Setup, tiles: int) -> int:
    """GR-6.1 so many tiles are drawn first (GR-6.8). Return whether one is due."""
    s.action = SCOUTING
    s.left = tiles
    return next_tile(s, g)


@rule
def begin_mapping(s: State, g: Setup) -> int:
    """GR-10.19 four tiles are drawn, two of which are picked and placed. Return whether one is due."""
    s.action = MAPPING
    s.left = 4
    s.keep = 2
    return next_tile(s, g)


@rule
def next_tile(s: State, g: Setup) -> int:
    """GR-6.8 the next tile is due, if there is one (GR-1.9); after the last they are placed."""
    if s.left > 0:
        refill_bag(s)
        if s.bag_size > 0:
            return ask(s, DRAW_TILE, s.turn)
    s.left = 0
    for kind in range(TILES):
        s.left += s.drawn_tiles[kind]
    if s.action == MAPPING and s.left > 2:
        return ask(s, PICK_TILE, s.turn)
    return place_on(s, g)


@rule
def scout(s: State, g: Setup, kind: int) -> int:
    """GR-1.10 a tile is drawn. Return whether somebody must answer."""
    draw_tile(s, kind)
    s.left -= 1
    return next_tile(s, g)


@rule
def pick(s: State, g: Setup, kind: int) -> int:
    """GR-10.24 Topographer's player picks the two tiles that are placed; the others leave the game."""
    s.drawn_tiles[kind] -= 1
    s.picked_tiles[kind] += 1
    s.keep -= 1
    if s.keep > 0:
        return 1
    for other in range(TILES):
        for _ in range(s.drawn_tiles[other]):
            s.removed[other] += 1
            tell(s, REMOVED, s.turn, OFF, other)
        s.drawn_tiles[other] = s.picked_tiles[other]
        s.picked_tiles[other] = 0
    s.left = 2
    return place_on(s, g)


@rule
def place_on(s: State, g: Setup) -> int:
    """GR-6.8 the next tile is placed, if there is room; else the others go back into the bag.

    Where all are of one kind only the space is asked for. Return whether somebody must answer.
    """
    if s.left > 0 and can_place(s, g, s.at[s.turn], s.scratch):
        tidy(s, g)
        first = BLANK
        kinds = 0
        for kind in range(TILES):
            if s.drawn_tiles[kind] > 0:
                first = kind
                kinds += 1
        if kinds > 1:
            return ask(s, PLACE_TILE, s.turn)
        s.picked = first
        return ask(s, PLACE_SPACE, s.turn)
    tidy(s, g)
    if s.left > 0:
        for kind in range(TILES):
            for _ in range(s.drawn_tiles[kind]):
                s.bag[kind] += 1
                s.bag_size += 1
                tell(s, RETURNED_TILE, kind)
            s.drawn_tiles[kind] = 0
    s.action = IDLE
    return 0


@rule
def tidy(s: State, g: Setup) -> None:
    """Wipe the scratch row, so that equal states have equal bytes."""
    if s.scratch[0] != 0:
        for space in range(g.spaces):
            s.scratch[space] = 0


@rule
def place(s: State, g: Setup, space: int) -> int:
    """GR-6.1 the tile is on the space. Return whether somebody must answer."""
    kind = s.picked
    s.drawn_tiles[kind] -= 1
    s.left -= 1
    s.tile[space] = kind
    s.picked = BLANK
    tell(s, PLACED, s.turn, kind, space)
    return place_on(s, g)


@rule
def kinds_drawn(s: State, out: Row) -> int:
    """GR-6.8, GR-10.24 write a move for every kind of tile that is drawn; return how many."""
    n = 0
    for kind in range(TILES):
        out[n] = TILE + kind
        n += int(s.drawn_tiles[kind] > 0)
    return n


@rule
def free_spaces(s: State, g: Setup, out: Row) -> int:
    """GR-6.1 write every free space that is connected to the vehicle; return how many."""
    connect(s, g, s.at[s.turn], out)
    n = 0
    for space in range(g.spaces):
        free = out[space] == FREE
        out[n] = SPACE + space
        n += int(free)
    return n


@rule
def spots(s: State, g: Setup, out: Row) -> int:
    """GR-6.6, GR-10.1, GR-10.6 write every tile that can be removed or swapped; return how many."""
    n = 0
    if s.action == CLEARING:
        connect(s, g, s.at[s.turn], out)
        for space in range(g.spaces):
            connected = out[space] >= LAST
            out[n] = SPACE + space
            n += int(connected and loose(s, g, space) == 1)
        return n
    for space in range(g.spaces):
        out[n] = SPACE + space
        n += int(space != s.first_spot and loose(s, g, space) == 1)
    return n


@rule
def can_scout(s: State, g: Setup, seat: int, mark: Row) -> int:
    """GR-5.10 scouting needs a tile and a free connected space; ``mark`` is room for ``connect``."""
    return int(tiles_left(s) == 1 and can_place(s, g, s.at[seat], mark) == 1)
