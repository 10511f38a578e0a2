"""The Great Race: how a bot sees the race: ways and what they cost, cards, repairs.

All costs are in tenths of a level of petrol.
"""

from __future__ import annotations

from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.crew import (
    can_avoid,
    most,
)
from paddock.games.great_race.rules.driving import fare, levels
from paddock.games.great_race.rules.land import blank, lane_end
from paddock.games.great_race.rules.repair import part_price
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import (
    Row,
    rule,
)

NEVER = 30_000  # the cost of a way that does not exist
NO_TILE = 90  # of a space for which there is no tile
FLIGHT = 10  # of a lane, which takes a whole drive
FRANC = 8  # of ten francs of its fare
MOST_FARE = 120  # for which a player would save up
AHEAD = 6  # how many steps of its way the bot looks at
CHEAP = 20  # francs for a level that is bought with less need
# What a card in the hand is worth, in the order of the cards
WORTH = (3, 9, 8, 10, 26, 3, 16, 20, 8, 11, 32, 5, 8, 7, 20, 16, 9, 9, 6, 16)


@rule
def tile_cost(s: State, g: Setup, seat: int, kind: int) -> int:
    """What entering a kind of tile costs the seat (GR-7.2); damage hurts more the fewer levels are left."""
    left = levels(s, seat)
    hurt = 7 if left > 5 else 10
    cost = 10 * g.tile_petrol[kind] + hurt * g.tile_damage[kind] + 6 * g.tile_stop[kind]
    if g.tile_danger[kind]:
        cost += 3 if can_avoid(s, seat) else g.danger_damage * hurt
    return cost


@rule
def unknown_cost(s: State, g: Setup, seat: int) -> int:
    """GR-7.5 what a tile of the bag costs on average, and a little for not knowing it.

    GR-1.9 if there is none, a tile must be cleared first.
    """
    total = 0
    tiles = 0
    for kind in range(state.TILES):
        number = s.bag[kind] if s.bag_size > 0 else s.removed[kind]
        if number > 0:
            total += number * tile_cost(s, g, seat, kind)
            tiles += number
    return total // tiles + 4 if tiles > 0 else NO_TILE


@rule
def space_cost(s: State, g: Setup, seat: int, space: int, unknown: int) -> int:
    """What entering a space costs: GR-7.8 a city gives cards and cheap petrol, but ends the drive."""
    if g.land[space] == state.CITY:
        number = g.number[space] if g.number[space] < 2 else 2
        return 10 if space == s.goal else 10 - 4 * number
    cost = unknown if s.tile[space] == state.BLANK else tile_cost(s, g, seat, s.tile[space])
    return cost + (10 if g.land[space] == state.RISK else 0)


@rule
def lane_cost(s: State, g: Setup, seat: int, lane: int) -> int:
    """GR-7.9 what a lane costs: its fare, and a whole drive; NEVER where the fare cannot be saved up."""
    price = fare(s, g, lane, s.hand[seat, state.TRANSPORT])
    return FLIGHT + FRANC * price // 10 if price <= MOST_FARE else NEVER


@rule
def find_ways(s: State, g: Setup, seat: int, room: Row, at: int) -> int:
    """Write the cost of the cheapest way from every space to the destination, to ``room`` from ``at`` on.

    Return the cost of an unknown tile. Money does not count here: the way must not change with it.
    """
    unknown = unknown_cost(s, g, seat)
    for space in range(g.spaces):
        room[at + space] = NEVER
    room[at + s.goal] = 0
    last = g.spaces - 1
    homewards = g.column[s.goal] > g.column[s.origin]
    changed = True
    while changed:
        changed = False
        for i in range(g.spaces):
            space = last - i if homewards else i
            if room[at + space] < NEVER:
                cost = room[at + space] + space_cost(s, g, seat, space, unknown)
                for direction in range(state.WAYS):
                    neighbour = g.beside[space, direction]
                    if neighbour != state.OFF and room[at + neighbour] > cost:
                        room[at + neighbour] = cost
                        changed = True
        for lane in range(g.lanes):
            ride = lane_cost(s, g, seat, lane)
            lane_start, lane_finish = g.lane_from[lane], g.lane_to[lane]
            cost = room[at + lane_finish] + ride + space_cost(s, g, seat, lane_finish, unknown)
            if room[at + lane_start] > cost:
                room[at + lane_start] = cost
                changed = True
            cost = room[at + lane_start] + ride + space_cost(s, g, seat, lane_start, unknown)
            if room[at + lane_finish] > cost:
                room[at + lane_finish] = cost
                changed = True
        homewards = not homewards
    return unknown


@rule
def next_space(s: State, g: Setup, seat: int, here: int, room: Row, at: int, unknown: int) -> int:
    """The next space of the cheapest way from here."""
    best = state.OFF
    least = NEVER
    for direction in range(state.WAYS):
        space = g.beside[here, direction]
        if space != state.OFF:
            cost = room[at + space] + space_cost(s, g, seat, space, unknown)
            if cost < least:
                best = space
                least = cost
    if g.land[here] == state.CITY:
        for lane in range(g.lanes):
            space = lane_end(g, lane, here)
            if space != state.OFF:
                cost = room[at + space] + space_cost(s, g, seat, space, unknown)
                cost += lane_cost(s, g, seat, lane)
                if cost < least:
                    best = space
                    least = cost
    return best


@rule
def steps_away(s: State, g: Setup, seat: int, wanted: int, room: Row, at: int, unknown: int) -> int:
    """Return how many steps away ``wanted`` is on the cheapest way (BLANK: the first unknown tile).

    0 if it is not within AHEAD. ``room`` from ``at`` on, and ``unknown``, are from ``find_ways``.
    """
    here = s.at[seat]
    for i in range(1, AHEAD + 1):
        if here == s.goal:
            return 0
        here = next_space(s, g, seat, here, room, at, unknown)
        if here == state.OFF:
            return 0
        if here == wanted or (wanted == state.BLANK and blank(s, g, here) == 1):
            return i
    return 0


@rule
def petrol_wanted(s: State, g: Setup, seat: int, room: Row, at: int, unknown: int) -> int:
    """The petrol for the next drive on the way: to the first city, or as far as the engine goes."""
    here = s.at[seat]
    petrol = 0
    for _ in range(s.engine[seat]):
        if here == s.goal:
            return petrol
        to = next_space(s, g, seat, here, room, at, unknown)
        if to == state.OFF:
            return petrol
        if g.land[to] == state.CITY:
            return petrol + 1
        petrol += 2 if blank(s, g, to) else g.tile_petrol[s.tile[to]]
        petrol += int(g.land[to] == state.RISK)
        if not blank(s, g, to) and g.tile_stop[s.tile[to]]:
            return petrol
        here = to
    return petrol


@rule
def worth_of(g: Setup, kind: int) -> int:
    """GR-10 what a kind of card is worth as such, by what it brings."""
    value = WORTH[kind]
    if kind == state.SABOTEUR:
        return value * g.saboteur // 2
    if kind == state.FINANCIAL:
        return value * g.financial // 30
    if kind == state.TRANSPORT:
        return value * g.transport_worth // 50
    if kind == state.JERRYCAN:
        return value * g.jerrycan
    if kind == state.REFUELING_STATION:
        return value * g.refueling // 5
    if kind == state.TOOLBOX:
        return value * g.toolbox // 3
    if kind == state.RANSOM:
        return value * g.ransom // 20
    if kind == state.CUSTOMS:
        return value * g.customs // 2
    return value


@rule
def worth(s: State, g: Setup, seat: int, kind: int) -> int:
    """What a card is worth to the seat, by what its gauges lack."""
    value = worth_of(g, kind)
    full = most(s, g, seat)
    if kind == state.ENGINE_PARTS:
        value += 4 * (full - s.engine[seat])
    elif kind == state.CHASSIS_PARTS:
        value += 3 * (full - s.chassis[seat])
    elif kind in (state.TOOLBOX, state.REPAIRMAN):
        value += 2 * (2 * full - levels(s, seat))
    elif kind in (state.JERRYCAN, state.REFUELING_STATION):
        value += full - s.petrol[seat]
    elif kind == state.TRANSPORT and g.lanes == 0:
        return 0
    return value


@rule
def engine_worth(level: int) -> int:
    """What the last level of an engine at this level is worth."""
    return 60 if level == 1 else 16 if level == 2 else 9 if level == 3 else 5 if level == 4 else 3


@rule
def chassis_worth(s: State, seat: int, level: int) -> int:
    """What the last level of a chassis is worth: GR-3.2 it may hold a card."""
    return (10 if level == 1 else 4) + (8 if s.cards[seat] >= level else 0)


@rule
def wants_chassis(level: int, engine: int, price: int) -> bool:
    """Whether a level for the chassis is worth its price: GR-7.4 without levels no damage can be paid."""
    return level < 2 if price <= CHEAP else level + engine < 3


@rule
def repair_value(s: State, g: Setup, seat: int) -> int:
    """GR-6.3 what a repair gains by the parts in the hand, and by parts that are cheap or badly needed."""
    full = most(s, g, seat)
    engine = s.engine[seat]
    chassis = s.chassis[seat]
    parts = s.hand[seat, state.ENGINE_PARTS]
    chassis_parts = s.hand[seat, state.CHASSIS_PARTS]
    tools = g.toolbox * s.hand[seat, state.TOOLBOX]
    price = part_price(s, g, seat)
    francs = s.money[seat] - 20  # which are kept
    value = 0
    while engine < full and (parts > 0 or tools > 0 or (francs >= price and wants_engine(engine, price))):
        engine += 1
        value += engine_worth(engine)
        if parts > 0:
            parts -= 1
        elif tools > 0:
            tools -= 1
        else:
            francs -= price
    while chassis < full and (
        chassis_parts > 0 or tools > 0 or (francs >= price and wants_chassis(chassis, engine, price))
    ):
        chassis += 1
        value += chassis_worth(s, seat, chassis)
        if chassis_parts > 0:
            chassis_parts -= 1
        elif tools > 0:
            tools -= 1
        else:
            francs -= price
    return value


@rule
def wants_engine(level: int, price: int) -> bool:
    """Whether a level for the engine is worth its price."""
    return level < (3 if price <= CHEAP else 2)
