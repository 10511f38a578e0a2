"""The Great Race: tiles are drawn, picked and placed (GR-6.1, GR-6.8, GR-10.19)."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.crew import ask
from paddock.games.great_race.rules.land import (
    FREE,
    LAST,
    blank,
    can_place,
    connect,
    draw_tile,
    has_vehicle,
    refill_bag,
    tiles_left,
)
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import Row, rule, tell


@rule
def begin_scouting(s: State, g: Setup, tiles: int) -> int:
    """GR-6.1 so many tiles are drawn first (GR-6.8). Return whether one is due."""
    s.action = state.SCOUTING
    s.left = tiles
    return next_tile(s, g)


@rule
def begin_mapping(s: State, g: Setup) -> int:
    """GR-10.19 four tiles are drawn, two of which are picked and placed. Return whether one is due."""
    s.action = state.MAPPING
    s.left = 4
    s.keep = 2
    return next_tile(s, g)


@rule
def next_tile(s: State, g: Setup) -> int:
    """GR-6.8 the next tile is due, if there is one (GR-1.9); after the last they are placed."""
    if s.left > 0:
        refill_bag(s)
        if s.bag_size > 0:
            return ask(s, state.DRAW_TILE, s.turn)
    s.left = 0
    for kind in range(state.TILES):
        s.left += s.drawn_tiles[kind]
    if s.action == state.MAPPING and s.left > 2:
        return ask(s, state.PICK_TILE, s.turn)
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
    for other in range(state.TILES):
        for _ in range(s.drawn_tiles[other]):
            s.removed[other] += 1
            tell(s, state.REMOVED, s.turn, state.OFF, other)
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
        first = state.BLANK
        kinds = 0
        for kind in range(state.TILES):
            if s.drawn_tiles[kind] > 0:
                first = kind
                kinds += 1
        if kinds > 1:
            return ask(s, state.PLACE_TILE, s.turn)
        s.picked = first
        return ask(s, state.PLACE_SPACE, s.turn)
    tidy(s, g)
    if s.left > 0:
        for kind in range(state.TILES):
            for _ in range(s.drawn_tiles[kind]):
                s.bag[kind] += 1
                s.bag_size += 1
                tell(s, state.RETURNED_TILE, kind)
            s.drawn_tiles[kind] = 0
    s.action = state.IDLE
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
    s.picked = state.BLANK
    tell(s, state.PLACED, s.turn, kind, space)
    return place_on(s, g)


@rule
def why_not_tile(s: State, kind: int) -> int:
    """GR-6.8, GR-10.24 why a kind of tile is not chosen: none is drawn."""
    return reasons.LEGAL if s.drawn_tiles[kind] else reasons.TILE_NOT_DRAWN


@rule
def why_not_place(s: State, g: Setup, space: int, mark: Row) -> int:
    """GR-6.1 why the tile is not placed here; GR-6.9 ``mark`` has what is connected to the vehicle."""
    if mark[space] == FREE:
        return reasons.LEGAL
    if g.land[space] == state.CITY:
        return reasons.CITY_HERE
    return reasons.NOT_CONNECTED if blank(s, g, space) else reasons.TILE_HERE


@rule
def why_not_spot(s: State, g: Setup, space: int, mark: Row) -> int:
    """GR-6.6, GR-10.1, GR-10.6 why no tile is removed or swapped; GR-6.9 ``mark`` as in ``why_not_place``."""
    if s.tile[space] == state.BLANK:
        return reasons.NO_TILE_HERE
    if has_vehicle(s, g, space):
        return reasons.VEHICLE_HERE
    if s.action == state.CLEARING:
        return reasons.LEGAL if mark[space] >= LAST else reasons.NOT_CONNECTED
    return reasons.NAMED_BEFORE if space == s.first_spot else reasons.LEGAL


@rule
def why_not_space(s: State, g: Setup, space: int, mark: Row) -> int:
    """GR-6.1, GR-10.22 why the tile is not placed here, or none removed or swapped; ``mark`` is room."""
    connect(s, g, s.at[s.turn], mark)
    return (
        why_not_place(s, g, space, mark) if s.stage == state.PLACE_SPACE else why_not_spot(s, g, space, mark)
    )


@rule
def free_spaces(s: State, g: Setup, out: Row) -> int:
    """GR-6.1 write the spaces that ``why_not_place`` lets pass; return how many."""
    connect(s, g, s.at[s.turn], out)
    n = 0
    for space in range(g.spaces):
        free = out[space] == FREE
        out[n] = state.SPACE + space
        n += int(free)
    return n


@rule
def spots(s: State, g: Setup, out: Row) -> int:
    """GR-10.22 write the spaces that ``why_not_spot`` lets pass; return how many."""
    if s.action == state.CLEARING:
        connect(s, g, s.at[s.turn], out)
    n = 0
    for space in range(g.spaces):
        why_not = why_not_spot(s, g, space, out)
        out[n] = state.SPACE + space
        n += int(why_not == reasons.LEGAL)
    return n


@rule
def why_not_scout(s: State, g: Setup, seat: int, mark: Row) -> int:
    """GR-5.10 scouting needs a tile and a free connected space; ``mark`` is room for ``connect``."""
    if tiles_left(s) == 0:
        return reasons.NO_TILES_LEFT
    return reasons.LEGAL if can_place(s, g, s.at[seat], mark) else reasons.NO_FREE_SPACE
