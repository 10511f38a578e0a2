"""The Great Race: a hand-written bot in the kernel's subset, so that it can also run compiled.

It looks for the cheapest way over the board to the destination, and weighs everything by that.
"""

from __future__ import annotations

from paddock.games.great_race.crew import (
    in_city,
    most,
)
from paddock.games.great_race.driving import fare
from paddock.games.great_race.land import blank, lane_to, tiles_left
from paddock.games.great_race.outlook import (
    AHEAD,
    NEVER,
    chassis_worth,
    engine_worth,
    find_ways,
    lane_cost,
    next_space,
    petrol_wanted,
    repair_value,
    space_cost,
    steps_away,
    tile_cost,
    wants_chassis,
    wants_engine,
    worth,
)
from paddock.games.great_race.repair import part_price
from paddock.games.great_race.state import (
    ACT,
    ARRIVAL,
    BLANK,
    BORIS,
    BUY,
    BUY_CHASSIS,
    BUY_ENGINE,
    CANCEL,
    CARDS,
    CARTOGRAPHER,
    CHASSIS,
    CHASSIS_PARTS,
    CHOOSE_LEADER,
    CLEAR,
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
    JERRYCAN,
    KATE,
    KEEP,
    LEADER,
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
    REFUELING_STATION,
    REPAIR,
    REPAIRMAN,
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
    Setup,
    State,
)
from paddock.kernel import (
    Row,
    below,
    rule,
)

# Which leader is worth most: the order in which they won on the shipped maps, with 2, 4 and 5 players, when
# they were chosen by lot. Boris's three levels decide half maps; Cook and Kate gain more on full ones.
A_COLUMN = (5, 0, 1, 3, 4)  # in the order of the leaders
AT_START = 140  # Boris


@rule
def has(out: Row, n: int, move: int) -> bool:
    """Whether a move is among the ``n`` legal ones."""
    i = 0
    while i < n and out[i] != move:
        i += 1
    return i < n


# Cards


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


# Leaders


@rule
def leader_value(g: Setup, leader: int) -> int:
    """GR-11 what a leader's power gains on this map: Boris's at the start, the others' with every column."""
    if leader == BORIS:
        return AT_START
    if leader == KATE and g.players == 2:  # every theft sets back the only rival
        return 6 * g.columns
    return A_COLUMN[leader] * g.columns


@rule
def best_leader(g: Setup, out: Row, n: int) -> int:
    """GR-11.0 the leader of most value."""
    best = out[0]
    for i in range(1, n):
        if leader_value(g, out[i] - LEADER) > leader_value(g, best - LEADER):
            best = out[i]
    return best


# Planning


@rule
def plan_value(
    s: State, g: Setup, seat: int, plan: int, way: int, price: int, scouting: int, broken: int
) -> int:
    """What a plan is good for: petrol that drives use, money left, tiles and cards, a guard.

    ``way`` is the cost of the way, ``price`` that of a lane that is taken next. ``scouting`` is 1 if
    unknown land comes soon, ``broken`` if a repair does.
    """
    hand = s.hand
    funding = g.plan[plan, FUNDING]
    drives = g.plan[plan, MECHANICS] + hand[seat, DRIVER] - broken
    petrol_price = 12 if in_city(s, g, seat) else 15
    francs = s.money[seat] + g.pays[funding] + 30 * hand[seat, FINANCIAL] - 20 * broken - price
    petrol = s.petrol[seat] + hand[seat, JERRYCAN] + 4 * hand[seat, REFUELING_STATION]
    if francs > 0:
        petrol += francs // petrol_price
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
        value += 5 + guards + (30 if scouting == 1 and tiles_left(s) == 0 else 0)
    if price > 0 and francs < 0:
        value -= 30
    return value - 12 * int(broken == 1 and g.plan[plan, MECHANICS] == 0)


@rule
def best_plan(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """GR-4.1 the plan of most value; of equal ones any."""
    unknown = find_ways(s, g, seat, out, n)
    way = out[n + s.at[seat]]
    scouting = int(0 < steps_away(s, g, seat, BLANK, out, n, unknown) < 5)
    broken = int(repair_value(s, g, seat) >= 12)
    lane = lane_to(g, s.at[seat], next_space(s, g, seat, s.at[seat], out, n, unknown))
    price = fare(s, g, lane, s.hand[seat, TRANSPORT]) if lane != OFF else 0
    best = out[0]
    top = -NEVER
    equal = 1
    for i in range(n):
        value = plan_value(s, g, seat, out[i] - PLAN, way, price, scouting, broken)
        equal = equal + 1 if value == top else 1
        if value > top or (value == top and below(rng, equal) == 0):
            best = out[i]
            top = value
    return best


# Repair


@rule
def mend_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.3 the parts of the hand first, then bought ones that are needed."""
    price = part_price(s, g, seat)
    if has(out, n, PLAY + ENGINE_PARTS):
        return PLAY + ENGINE_PARTS
    if has(out, n, PLAY + CHASSIS_PARTS):
        return PLAY + CHASSIS_PARTS
    if has(out, n, PLAY + TOOLBOX):
        return PLAY + TOOLBOX
    if has(out, n, BUY_ENGINE) and wants_engine(s.engine[seat], price):
        return BUY_ENGINE
    if has(out, n, BUY_CHASSIS) and wants_chassis(s.chassis[seat], s.engine[seat], price):
        return BUY_CHASSIS
    return DONE if has(out, n, DONE) else out[0]


# The convoy


@rule
def act_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-5.1 petrol, then cards, then an assistant."""
    here = s.at[seat]
    unknown = find_ways(s, g, seat, out, n)
    to = next_space(s, g, seat, here, out, n, unknown)
    wanted = petrol_wanted(s, g, seat, out, n, unknown)
    if wanted > most(s, g, seat):
        wanted = most(s, g, seat)
    driver = has(out, n, PLAY + DRIVER)
    drives = s.engine[seat] > 0 and (s.assistants[seat, MECHANICS] > 0 or s.hand[seat, DRIVER] > 0)
    broken = repair_value(s, g, seat) >= 12
    lane = lane_to(g, here, to)
    saving = lane != OFF and fare(s, g, lane, s.hand[seat, TRANSPORT]) > s.money[seat]
    if drives and not s.bought:
        levels_bought = petrol_move(s, g, seat, out, n, wanted, lane)
        if levels_bought > 0:
            return BUY + levels_bought
    far = steps_away(s, g, seat, BLANK, out, n, unknown)
    card = card_move(s, g, seat, out, n, far, broken, unknown)
    if card != OFF:
        return card
    ready = s.petrol[seat] + s.hand[seat, JERRYCAN] >= (wanted if wanted < 3 else 3)
    if driver and ready and not saving:
        return PLAY + DRIVER
    return assistant_move(s, g, seat, out, n, far, broken, ready, saving)


@rule
def petrol_move(s: State, g: Setup, seat: int, out: Row, n: int, wanted: int, lane: int) -> int:
    """GR-5.2 the levels of petrol to buy before a drive: all in a city, else what the drive needs."""
    possible = 0
    while possible < n and out[possible] == BUY + 1 + possible:
        possible += 1
    if lane != OFF:
        wanted = 1
    elif in_city(s, g, seat):
        wanted = most(s, g, seat)
    lack = wanted - s.petrol[seat] - s.hand[seat, JERRYCAN] - 5 * s.hand[seat, REFUELING_STATION]
    return lack if lack < possible else possible


@rule
def card_move(s: State, g: Setup, seat: int, out: Row, n: int, far: int, broken: bool, unknown: int) -> int:
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
    if bad_tile_ahead(s, g, seat, out, n, unknown):
        if has(out, n, COOK_CLEAR):
            return COOK_CLEAR
        if has(out, n, PLAY + TRAIL_HUNTER):
            return PLAY + TRAIL_HUNTER
        if has(out, n, PLAY + CON_ARTIST):
            return PLAY + CON_ARTIST
    return OFF


@rule
def bad_tile_ahead(s: State, g: Setup, seat: int, out: Row, n: int, unknown: int) -> bool:
    """Whether the next spaces of the way have a tile that costs much more than an unknown one."""
    here = s.at[seat]
    for _ in range(3):
        here = next_space(s, g, seat, here, out, n, unknown)
        if here == OFF or here == s.goal:
            return False
        if s.tile[here] != BLANK and tile_cost(s, g, seat, s.tile[here]) > unknown + 10:
            return True
    return False


@rule
def assistant_move(
    s: State, g: Setup, seat: int, out: Row, n: int, far: int, broken: bool, ready: bool, saving: bool
) -> int:
    """GR-6 the assistant that is most useful now, or a pass."""
    drive = has(out, n, DRIVE) and not saving
    if far > 0 and tiles_left(s) == 0:  # GR-1.9
        for clear in (COOK_CLEAR, CLEAR):
            if has(out, n, clear):
                return clear
        drive = drive and far > 2
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
    unknown = find_ways(s, g, seat, out, n)
    best = out[0]
    top = -NEVER
    for i in range(n):
        if out[i] >= PLAY:
            continue
        space = out[i] - SPACE
        cost = tile_cost(s, g, seat, s.tile[space])
        mine = steps_away(s, g, seat, space, out, n, unknown) > 0
        if s.first_spot != OFF:
            value = -NEVER + 1 if mine else -cost
        else:
            value = cost - unknown if mine else cost // 10 - 20
        if value > top:
            best = out[i]
            top = value
    return best


@rule
def space_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.1 a good tile goes on the own way, a bad one where it is least in the way."""
    unknown = find_ways(s, g, seat, out, n)
    if tile_cost(s, g, seat, s.picked) < unknown:
        here = s.at[seat]
        for _ in range(2 * AHEAD):
            here = next_space(s, g, seat, here, out, n, unknown)
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
    unknown = find_ways(s, g, seat, out, n)
    if has(out, n, PLAY + TRANSPORT):
        to = next_space(s, g, seat, here, out, n, unknown)
        lane = lane_to(g, here, to)
        if lane != OFF and g.fare[lane] > s.discount:
            return PLAY + TRANSPORT
    best = out[0]
    least = NEVER
    for i in range(n):
        if out[i] < PLAY:
            space = out[i] - SPACE
            cost = out[n + space] + space_cost(s, g, seat, space, unknown)
            lane = lane_to(g, here, space)
            if lane != OFF:
                cost += lane_cost(s, g, seat, lane)
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
    find_ways(s, g, seat, out, n)
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
    if stage == CHOOSE_LEADER:
        return best_leader(g, out, n)
    # RANSOM_STAGE (GR-11.5): a card is worth about half of what its theft costs
    return PAY if s.money[seat] >= 120 else DECLINE
