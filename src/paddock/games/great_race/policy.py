"""The Great Race: a hand-written bot in the kernel's subset, so that it can also run compiled.

It looks for the cheapest way over the board to the destination, and weighs everything by that. All costs are
in tenths of a level of petrol.
"""

from __future__ import annotations

from paddock.games.great_race.crew import can_avoid, in_city, most
from paddock.games.great_race.driving import levels
from paddock.games.great_race.land import blank, lane_end
from paddock.games.great_race.state import (
    ACT,
    ARRIVAL,
    BLANK,
    BUY,
    BUY_CHASSIS,
    BUY_ENGINE,
    CANCEL,
    CARDS,
    CARTOGRAPHER,
    CHASSIS,
    CHASSIS_PARTS,
    CITY,
    CLEAR,
    CLEARING,
    CON_ARTIST,
    COOK_CLEAR,
    COOK_GUARD,
    CUSTOMS,
    CUSTOMS_DISCARD,
    DAMAGE,
    DANGER,
    DECLINE,
    DISCARD,
    DONE,
    DRIVE,
    DRIVER,
    DROP_CARD,
    ENGINE,
    ENGINE_PARTS,
    FINANCIAL,
    FUND,
    FUNDING,
    GUARD,
    GUIDE,
    HALT,
    HUNTING,
    JERRYCAN,
    KEEP,
    MECHANICS,
    MEND,
    MILITIA,
    OFF,
    PASS,
    PATHFINDER,
    PAY,
    PICK_TILE,
    PLACE_SPACE,
    PLACE_TILE,
    PLAN,
    PLANS_STAGE,
    PLAY,
    RANSOM,
    RANSOM_STAGE,
    REFUELING_STATION,
    REPAIR,
    REPAIRMAN,
    RISK,
    SABOTEUR,
    SCOUT,
    SEAT,
    SECURITY,
    SIPHONER,
    SPACE,
    SPLIT,
    SPOT,
    STEAL,
    STEP,
    STOP_SIGN,
    SUPPLY,
    TAKE,
    TAKE_CARD,
    TARGET,
    TILE,
    TILES,
    TOOLBOX,
    TOOLBOX_LEVEL,
    TOPOGRAPHER,
    TRACKER,
    TRAIL_HUNTER,
    TRANSPORT,
    WAYS,
    Setup,
    State,
)
from paddock.kernel import Row, below, rule

NEVER = 30_000  # the cost of a way that does not exist
AHEAD = 6  # how many steps of its way the bot looks at
# What a card in the hand is worth, in the order of the cards
WORTH = (3, 9, 8, 10, 26, 3, 16, 20, 8, 11, 32, 5, 8, 7, 20, 16, 9, 9, 6, 16)


@rule
def has(out: Row, n: int, move: int) -> bool:
    """Whether a move is among the ``n`` legal ones."""
    for i in range(n):
        if out[i] == move:
            return True
    return False


# The way


@rule
def tile_cost(s: State, g: Setup, seat: int, kind: int) -> int:
    """What entering a kind of tile costs the seat (GR-7.2); a point of damage hurts more the fewer are left."""
    left = levels(s, seat)
    hurt = 7 if left > 5 else 12 if left > 3 else 25
    cost = 10 * g.tile_petrol[kind] + hurt * g.tile_damage[kind] + 6 * g.tile_stop[kind]
    if g.tile_danger[kind]:
        cost += 3 if can_avoid(s, seat) else 2 * hurt
    return cost


@rule
def unknown_cost(s: State, g: Setup, seat: int) -> int:
    """GR-7.5 what a tile of the bag costs on average, and a little for not knowing it."""
    total = 0
    tiles = 0
    for kind in range(TILES):
        number = s.bag[kind] if s.bag_size > 0 else s.removed[kind]
        if number > 0:
            total += number * tile_cost(s, g, seat, kind)
            tiles += number
    return total // tiles + 4 if tiles > 0 else NEVER


@rule
def space_cost(s: State, g: Setup, seat: int, space: int, unknown: int) -> int:
    """What entering a space costs: GR-7.8 a city gives cards and cheap petrol, but ends the drive."""
    if g.land[space] == CITY:
        number = g.number[space] if g.number[space] < 2 else 2
        return 10 if space == s.goal else 10 - 4 * number
    cost = unknown if s.tile[space] == BLANK else tile_cost(s, g, seat, s.tile[space])
    return cost + (10 if g.land[space] == RISK else 0)


@rule
def lane_cost(s: State, g: Setup, seat: int, lane: int) -> int:
    """GR-7.9 what a lane's fare costs, Transport cards used."""
    price = g.fare[lane] - s.discount - 50 * s.hand[seat, TRANSPORT]
    return 6 * price // 10 if price > 0 else 0


@rule
def payable_lane(s: State, g: Setup, seat: int, lane: int, purse: int) -> bool:
    """GR-7.9 whether the fare of a lane can be paid from so many francs."""
    return g.fare[lane] - s.discount - 50 * s.hand[seat, TRANSPORT] <= purse


@rule
def find_ways(s: State, g: Setup, seat: int, purse: int, room: Row, at: int) -> int:
    """Write the cost of the cheapest way from every space to the destination, to ``room`` from ``at`` on.

    Lanes count where ``purse`` pays the fare. Return the cost of an unknown tile.
    """
    unknown = unknown_cost(s, g, seat)
    for space in range(g.spaces):
        room[at + space] = NEVER
    room[at + s.goal] = 0
    last = g.spaces - 1
    back = g.column[s.goal] > g.column[s.origin]
    changed = True
    while changed:
        changed = False
        for i in range(g.spaces):
            space = last - i if back else i
            if room[at + space] < NEVER:
                cost = room[at + space] + space_cost(s, g, seat, space, unknown)
                for way in range(WAYS):
                    beside = g.beside[space, way]
                    if beside != OFF and room[at + beside] > cost:
                        room[at + beside] = cost
                        changed = True
        for lane in range(g.lanes):
            if payable_lane(s, g, seat, lane, purse):
                fare = lane_cost(s, g, seat, lane)
                one, other = g.lane_from[lane], g.lane_to[lane]
                cost = room[at + other] + fare + space_cost(s, g, seat, other, unknown)
                if room[at + one] > cost:
                    room[at + one] = cost
                    changed = True
                cost = room[at + one] + fare + space_cost(s, g, seat, one, unknown)
                if room[at + other] > cost:
                    room[at + other] = cost
                    changed = True
        back = not back
    return unknown


@rule
def next_space(
    s: State, g: Setup, seat: int, here: int, purse: int, room: Row, at: int, unknown: int
) -> int:
    """The next space of the cheapest way from here."""
    best = OFF
    least = NEVER
    for way in range(WAYS):
        space = g.beside[here, way]
        if space != OFF:
            cost = room[at + space] + space_cost(s, g, seat, space, unknown)
            if cost < least:
                best = space
                least = cost
    if g.land[here] == CITY:
        for lane in range(g.lanes):
            space = lane_end(g, lane, here)
            if space != OFF and payable_lane(s, g, seat, lane, purse):
                cost = room[at + space] + space_cost(s, g, seat, space, unknown)
                cost += lane_cost(s, g, seat, lane)
                if cost < least:
                    best = space
                    least = cost
    return best


@rule
def by_lane(g: Setup, here: int, space: int) -> bool:
    """Whether the step from here to a space is a lane: two cities are never neighbours."""
    return g.land[here] == CITY and space != OFF and g.land[space] == CITY


@rule
def steps_away(
    s: State, g: Setup, seat: int, wanted: int, purse: int, room: Row, at: int, unknown: int
) -> int:
    """After how many steps of the way a space comes, or for ``wanted`` BLANK the first unknown tile; 0: never."""
    here = s.at[seat]
    for i in range(1, AHEAD + 1):
        if here == s.goal:
            return 0
        here = next_space(s, g, seat, here, purse, room, at, unknown)
        if here == OFF:
            return 0
        if here == wanted or (wanted == BLANK and blank(s, g, here) == 1):
            return i
    return 0


@rule
def petrol_wanted(s: State, g: Setup, seat: int, purse: int, room: Row, at: int, unknown: int) -> int:
    """The petrol for the next drive on the way: to the first city, or as far as the engine goes."""
    here = s.at[seat]
    petrol = 0
    for _ in range(s.engine[seat]):
        if here == s.goal:
            return petrol
        to = next_space(s, g, seat, here, purse, room, at, unknown)
        if to == OFF:
            return petrol
        if g.land[to] == CITY:
            return petrol + 1
        petrol += 2 if blank(s, g, to) else g.tile_petrol[s.tile[to]]
        petrol += int(g.land[to] == RISK)
        if not blank(s, g, to) and g.tile_stop[s.tile[to]]:
            return petrol
        here = to
    return petrol


# Cards


@rule
def worth(s: State, g: Setup, seat: int, kind: int) -> int:
    """What a card is worth to the seat, by what its gauges lack."""
    value = WORTH[kind]
    full = most(s, g, seat)
    if kind == ENGINE_PARTS:
        value += 4 * (full - s.engine[seat])
    elif kind == CHASSIS_PARTS:
        value += 3 * (full - s.chassis[seat])
    elif kind in (TOOLBOX, REPAIRMAN):
        value += 2 * (2 * full - levels(s, seat))
    elif kind in (JERRYCAN, REFUELING_STATION):
        value += full - s.petrol[seat]
    elif kind == TRANSPORT and g.lanes == 0:
        return 0
    return value


@rule
def best_card(s: State, g: Setup, seat: int, out: Row, n: int, first: int, sign: int) -> int:
    """Of the moves from ``first`` on the one with the card of most worth, or (``sign`` −1) of least."""
    best = out[0]
    most_worth = -NEVER
    for i in range(n):
        if first <= out[i] < first + CARDS:
            value = sign * worth(s, g, seat, out[i] - first)
            if value > most_worth:
                best = out[i]
                most_worth = value
    return best


# Planning


@rule
def plan_value(s: State, g: Setup, seat: int, plan: int, way: int, scouting: int, broken: int) -> int:
    """What a plan is good for: petrol that drives use, money left, tiles and cards, a guard.

    ``way`` is the cost of the way, ``scouting`` is 1 if unknown land comes soon, ``broken`` if repair does.
    """
    hand = s.hand
    funding = g.plan[plan, FUNDING]
    drives = g.plan[plan, MECHANICS] + hand[seat, DRIVER] - broken
    price = 12 if in_city(s, g, seat) else 15
    francs = s.money[seat] + g.pays[funding] + 30 * hand[seat, FINANCIAL] - 20 * broken
    petrol = s.petrol[seat] + hand[seat, JERRYCAN] + 4 * hand[seat, REFUELING_STATION]
    if francs > 0:
        petrol += francs // price
    need = (way + 12) // 13
    used = petrol if petrol < need else need
    if used > 4 * drives:
        used = 4 * drives if drives > 0 else 0
    value = 10 * used + 6 * (petrol - used)
    if used >= need:
        value += 25
    scouts = g.plan[plan, PATHFINDER]
    for i in range(scouts):
        value += (13 if scouting and drives > 0 else 9) - 2 * i
    guards = g.plan[plan, SECURITY]
    if guards > 0:
        value += 5 + guards
    return value - 12 * int(broken == 1 and g.plan[plan, MECHANICS] == 0)


@rule
def best_plan(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """GR-4.1 the plan of most value; of equal ones any."""
    purse = s.money[seat] + 40
    unknown = find_ways(s, g, seat, purse, out, n)
    way = out[n + s.at[seat]]
    scouting = int(0 < steps_away(s, g, seat, BLANK, purse, out, n, unknown) < 5)
    broken = int(repair_value(s, g, seat) >= 12)
    best = out[0]
    top = -NEVER
    equal = 1
    for i in range(n):
        value = plan_value(s, g, seat, out[i] - PLAN, way, scouting, broken)
        equal = equal + 1 if value == top else 1
        if value > top or (value == top and below(rng, equal) == 0):
            best = out[i]
            top = value
    return best


# Repair


@rule
def engine_worth(level: int) -> int:
    """What the last level of an engine at this level is worth."""
    return 60 if level == 1 else 16 if level == 2 else 9 if level == 3 else 5 if level == 4 else 3


@rule
def chassis_worth(s: State, seat: int, level: int) -> int:
    """What the last level of a chassis is worth: GR-3.2 it may hold a card."""
    return (10 if level == 1 else 4) + (8 if s.cards[seat] >= level else 0)


@rule
def repair_value(s: State, g: Setup, seat: int) -> int:
    """GR-6.3 what a repair gains by the parts in the hand, and by parts that are cheap or badly needed."""
    full = most(s, g, seat)
    engine = s.engine[seat]
    chassis = s.chassis[seat]
    parts = s.hand[seat, ENGINE_PARTS]
    chassis_parts = s.hand[seat, CHASSIS_PARTS]
    tools = 3 * s.hand[seat, TOOLBOX]
    price = 20 if in_city(s, g, seat) else 40
    francs = s.money[seat] - 20
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
    while chassis < full and (chassis_parts > 0 or tools > 0):
        chassis += 1
        value += chassis_worth(s, seat, chassis)
        if chassis_parts > 0:
            chassis_parts -= 1
        else:
            tools -= 1
    return value


@rule
def wants_engine(level: int, price: int) -> bool:
    """Whether a level for the engine is worth its price."""
    return level < (3 if price == 20 else 2)


@rule
def mend_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.3 the parts of the hand first, then bought ones that are needed."""
    price = 20 if in_city(s, g, seat) else 40
    if has(out, n, PLAY + ENGINE_PARTS):
        return PLAY + ENGINE_PARTS
    if has(out, n, PLAY + CHASSIS_PARTS):
        return PLAY + CHASSIS_PARTS
    if has(out, n, PLAY + TOOLBOX):
        return PLAY + TOOLBOX
    if has(out, n, BUY_ENGINE) and wants_engine(s.engine[seat], price):
        return BUY_ENGINE
    if has(out, n, BUY_CHASSIS) and price == 20 and (s.chassis[seat] < 2 or s.money[seat] >= 80):
        return BUY_CHASSIS
    return DONE if has(out, n, DONE) else out[0]


# The convoy


@rule
def act_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-5.1 petrol, then cards, then an assistant."""
    here = s.at[seat]
    purse = s.money[seat] + g.pays[s.assistants[seat, FUNDING]]
    unknown = find_ways(s, g, seat, purse, out, n)
    to = next_space(s, g, seat, here, purse, out, n, unknown)
    wanted = petrol_wanted(s, g, seat, purse, out, n, unknown)
    if wanted > most(s, g, seat):
        wanted = most(s, g, seat)
    driver = has(out, n, PLAY + DRIVER)
    drives = s.engine[seat] > 0 and (s.assistants[seat, MECHANICS] > 0 or s.hand[seat, DRIVER] > 0)
    broken = repair_value(s, g, seat) >= 12
    lane = by_lane(g, here, to)
    if drives and not s.bought:
        levels_bought = petrol_move(s, g, seat, out, n, wanted, lane)
        if levels_bought > 0:
            return BUY + levels_bought
    far = steps_away(s, g, seat, BLANK, purse, out, n, unknown)
    card = card_move(s, g, seat, out, n, far, broken, purse, unknown)
    if card != OFF:
        return card
    ready = s.petrol[seat] + s.hand[seat, JERRYCAN] >= (wanted if wanted < 3 else 3)
    if lane and s.money[seat] + 50 * s.hand[seat, TRANSPORT] < fare_of(g, here, to):
        ready = False
    if driver and ready:
        return PLAY + DRIVER
    return assistant_move(s, g, seat, out, n, far, broken, ready, wanted)


@rule
def fare_of(g: Setup, here: int, to: int) -> int:
    """GR-7.9 the fare of the lane between two cities."""
    lane = 0
    while lane_end(g, lane, here) != to:
        lane += 1
    return g.fare[lane]


@rule
def petrol_move(s: State, g: Setup, seat: int, out: Row, n: int, wanted: int, lane: bool) -> int:
    """GR-5.2 the levels of petrol to buy before a drive: all in a city, else what the drive needs."""
    possible = 0
    while possible < n and out[possible] == BUY + 1 + possible:
        possible += 1
    if in_city(s, g, seat) and not lane:
        wanted = most(s, g, seat)
    lack = wanted - s.petrol[seat] - s.hand[seat, JERRYCAN] - 5 * s.hand[seat, REFUELING_STATION]
    return lack if lack < possible else possible


@rule
def card_move(
    s: State, g: Setup, seat: int, out: Row, n: int, far: int, broken: bool, purse: int, unknown: int
) -> int:
    """GR-5.3 a card that is useful now, or OFF."""
    for kind in (FINANCIAL, SABOTEUR, SIPHONER, RANSOM, CUSTOMS):
        if has(out, n, PLAY + kind):
            return PLAY + kind
    if has(out, n, STEAL):
        return STEAL
    if has(out, n, PLAY + REFUELING_STATION) and s.petrol[seat] <= most(s, g, seat) - 4:
        return PLAY + REFUELING_STATION
    if has(out, n, PLAY + TRACKER) and s.cards[seat] < s.chassis[seat]:
        return PLAY + TRACKER
    if 0 < far < 5:
        if has(out, n, PLAY + CARTOGRAPHER):
            return PLAY + CARTOGRAPHER
        if has(out, n, PLAY + TOPOGRAPHER):
            return PLAY + TOPOGRAPHER
    if broken and has(out, n, PLAY + REPAIRMAN):
        return PLAY + REPAIRMAN
    if bad_tile_ahead(s, g, seat, out, n, purse, unknown):
        if has(out, n, COOK_CLEAR):
            return COOK_CLEAR
        if has(out, n, PLAY + TRAIL_HUNTER):
            return PLAY + TRAIL_HUNTER
        if has(out, n, PLAY + CON_ARTIST):
            return PLAY + CON_ARTIST
    return OFF


@rule
def bad_tile_ahead(
    s: State, g: Setup, seat: int, out: Row, n: int, purse: int, unknown: int
) -> bool:
    """Whether the next spaces of the way have a tile that costs much more than an unknown one."""
    here = s.at[seat]
    for _ in range(3):
        here = next_space(s, g, seat, here, purse, out, n, unknown)
        if here == OFF or here == s.goal:
            return False
        if s.tile[here] != BLANK and tile_cost(s, g, seat, s.tile[here]) > unknown + 10:
            return True
    return False


@rule
def assistant_move(
    s: State, g: Setup, seat: int, out: Row, n: int, far: int, broken: bool, ready: bool, wanted: int
) -> int:
    """GR-6 the assistant that is most useful now, or a pass."""
    drive = has(out, n, DRIVE)
    near = out[n + s.at[seat]] <= 13 * s.petrol[seat]
    if drive and near:
        return DRIVE
    if has(out, n, SCOUT) and 0 < far < 5:
        return SCOUT
    if broken and has(out, n, REPAIR):
        return REPAIR
    if drive and ready:
        return DRIVE
    if has(out, n, FUND):
        return FUND
    if drive:
        return DRIVE
    if has(out, n, SUPPLY) and (s.cards[seat] < s.chassis[seat] or not has(out, n, SCOUT)):
        return SUPPLY
    if has(out, n, SCOUT):
        return SCOUT
    if has(out, n, REPAIR) and repair_value(s, g, seat) > 0:
        return REPAIR
    return PASS


# Tiles


@rule
def spot_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.6, GR-10.1, GR-10.6 a bad tile of the own way goes; else a good one that others may use."""
    purse = s.money[seat]
    unknown = find_ways(s, g, seat, purse, out, n)
    best = out[0]
    top = -NEVER
    for i in range(n):
        if out[i] >= PLAY:
            continue
        space = out[i] - SPACE
        cost = tile_cost(s, g, seat, s.tile[space])
        mine = steps_away(s, g, seat, space, purse, out, n, unknown) > 0
        if s.first_spot != OFF:
            value = -NEVER + 1 if mine else -cost
        else:
            value = cost - unknown if mine else -20
        if value > top:
            best = out[i]
            top = value
    return best


@rule
def space_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.1 a good tile goes on the own way, a bad one where it is least in the way."""
    purse = s.money[seat]
    unknown = find_ways(s, g, seat, purse, out, n)
    if tile_cost(s, g, seat, s.picked) < unknown:
        here = s.at[seat]
        for _ in range(2 * AHEAD):
            here = next_space(s, g, seat, here, purse, out, n, unknown)
            if here == OFF or here == s.goal:
                break
            if blank(s, g, here) and has(out, n, SPACE + here):
                return SPACE + here
    best = out[0]
    farthest = -1
    for i in range(n):
        if out[i] < PLAY and out[n + out[i] - SPACE] > farthest:
            best = out[i]
            farthest = out[n + out[i] - SPACE]
    return best


@rule
def tile_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.8, GR-10.24 the cheapest tile first."""
    best = out[0]
    least = NEVER
    for i in range(n):
        if TILE <= out[i] < TILE + TILES and tile_cost(s, g, seat, out[i] - TILE) < least:
            best = out[i]
            least = tile_cost(s, g, seat, out[i] - TILE)
    return best


# Driving


@rule
def step_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-7.1 the step that leaves the cheapest way; a halt where no step comes closer."""
    if has(out, n, PLAY + JERRYCAN):
        return PLAY + JERRYCAN
    here = s.at[seat]
    purse = s.money[seat]
    unknown = find_ways(s, g, seat, purse, out, n)
    if has(out, n, PLAY + TRANSPORT):
        to = next_space(s, g, seat, here, purse, out, n, unknown)
        if by_lane(g, here, to) and fare_of(g, here, to) > s.discount:
            return PLAY + TRANSPORT
    best = out[0]
    least = NEVER
    for i in range(n):
        if out[i] < PLAY:
            space = out[i] - SPACE
            cost = out[n + space] + space_cost(s, g, seat, space, unknown)
            if by_lane(g, here, space):
                cost += 6 * fare_of(g, here, space) // 10
            if cost < least:
                best = out[i]
                least = cost
    if s.tried and least > out[n + here] + 8:
        return HALT
    return best


@rule
def guard_move(out: Row, n: int) -> int:
    """GR-6.5 a guard, the free one first, then GR-10.5 a Militia."""
    if has(out, n, COOK_GUARD):
        return COOK_GUARD
    if has(out, n, GUARD):
        return GUARD
    if has(out, n, PLAY + MILITIA):
        return PLAY + MILITIA
    return DECLINE


@rule
def damage_move(s: State, seat: int) -> int:
    """GR-7.2 the gauge whose level is worth less."""
    engine = engine_worth(s.engine[seat])
    return ENGINE if engine < chassis_worth(s, seat, s.chassis[seat]) else CHASSIS


# Others


@rule
def target_move(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """GR-10.23 the opponent who is closest to the destination; of equal ones any."""
    find_ways(s, g, seat, 0, out, n)
    best = out[0]
    least = NEVER
    equal = 1
    for i in range(n):
        if SEAT <= out[i] < SEAT + g.players:
            far = out[n + s.at[out[i] - SEAT]]
            equal = equal + 1 if far == least else 1
            if far < least or (far == least and below(rng, equal) == 0):
                best = out[i]
                least = far
    return best


@rule
def cancel_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-10.20 a card against oneself is cancelled, one against tiles is not."""
    if s.target != seat or s.card in (TRAIL_HUNTER, CON_ARTIST):
        return DECLINE
    return guard_move(out, n)


@rule
def policy(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """One of the ``n`` legal moves in ``out``; what lies behind them in ``out`` is overwritten."""
    stage = s.stage
    if n == 1:
        return out[0]
    if stage == ACT:
        return act_move(s, g, seat, out, n)
    if stage == STEP:
        return step_move(s, g, seat, out, n)
    if stage == PLANS_STAGE:
        return best_plan(s, g, seat, out, n, rng)
    if stage == PLACE_SPACE:
        return space_move(s, g, seat, out, n)
    if stage in (PLACE_TILE, PICK_TILE):
        return tile_move(s, g, seat, out, n)
    if stage in (ARRIVAL, DANGER, DISCARD, CUSTOMS_DISCARD) and has(out, n, PLAY + JERRYCAN):
        return PLAY + JERRYCAN
    if stage in (ARRIVAL, DANGER):
        return guard_move(out, n)
    if stage == TAKE:
        return best_card(s, g, seat, out, n, TAKE_CARD, 1)
    if stage in (DISCARD, CUSTOMS_DISCARD, KEEP):
        return best_card(s, g, seat, out, n, DROP_CARD, -1)
    if stage == MEND:
        return mend_move(s, g, seat, out, n)
    if stage == SPOT:
        return spot_move(s, g, seat, out, n)
    if stage == TARGET:
        return target_move(s, g, seat, out, n, rng)
    if stage == CANCEL:
        return cancel_move(s, g, seat, out, n)
    if stage == SPLIT:
        return ENGINE if has(out, n, ENGINE) else CHASSIS
    if stage == DAMAGE:
        return damage_move(s, seat)
    if stage == TOOLBOX_LEVEL:
        return ENGINE if s.engine[seat] <= s.chassis[seat] else CHASSIS
    if stage == STOP_SIGN:
        return PLAY + GUIDE if s.petrol[seat] > 1 and has(out, n, PLAY + GUIDE) else DECLINE
    if stage == RANSOM_STAGE:  # GR-11.5 a card is worth about half of what its theft costs
        return PAY if s.money[seat] >= 120 else DECLINE
    return out[below(rng, n)]
