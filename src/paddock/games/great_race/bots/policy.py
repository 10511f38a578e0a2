"""The Great Race: a hand-written bot in the kernel's subset, so that it can also run compiled.

It looks for the cheapest way over the board to the destination, and weighs everything by that.
"""

from __future__ import annotations

from paddock.games.great_race.bots import outlook
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.crew import (
    in_city,
    most,
)
from paddock.games.great_race.rules.driving import fare
from paddock.games.great_race.rules.land import blank, lane_to, tiles_left
from paddock.games.great_race.rules.repair import part_price
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import (
    Row,
    below,
    rule,
)

# Which leader is worth most: the order in which they won on the shipped maps, with 2, 4 and 5 players, when
# they were chosen by lot. Boris's three levels decide half maps; Cook and Kate gain more on full ones.
A_COLUMN = (5, 0, 1, 3, 4)  # in the order of the leaders
AT_START = 140  # Boris

# Thresholds of this bot; costs are those of ``outlook``, in tenths of a level of petrol.
BROKEN = 12  # a repair that gains so much is needed
SOON = 5  # unknown land that is fewer steps away is scouted before a drive
PER_LEVEL = 13  # so much of a way for each level of petrol: not all of its cost is petrol
MUCH_WORSE = 10  # than unknown land: a tile that is worth a card to be rid of
DETOUR = 8  # the longest way round that is better than a halt


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
    most_worth = -outlook.NEVER
    for i in range(n):
        if first <= out[i] < first + state.CARDS:
            value = sign * outlook.worth(s, g, seat, out[i] - first)
            if value > most_worth:
                best = out[i]
                most_worth = value
    return best


# Leaders


@rule
def leader_value(g: Setup, leader: int) -> int:
    """GR-11 what a leader's power gains on this map: Boris's at the start, the others' with every column."""
    if leader == state.BORIS:
        return AT_START
    if leader == state.KATE and g.players == 2:  # every theft sets back the only rival
        return 6 * g.columns
    return A_COLUMN[leader] * g.columns


@rule
def best_leader(g: Setup, out: Row, n: int) -> int:
    """GR-11.0 the leader of most value."""
    best = out[0]
    for i in range(1, n):
        if leader_value(g, out[i] - state.LEADER) > leader_value(g, best - state.LEADER):
            best = out[i]
    return best


# Planning


@rule
def plan_value(
    s: State, g: Setup, seat: int, plan: int, way_cost: int, price: int, scouting: int, broken: int
) -> int:
    """What a plan is good for: petrol that drives use, money left, tiles and cards, a guard.

    ``way_cost`` is the cost of the way, ``price`` that of a lane that is taken next. ``scouting`` is 1 if
    unknown land comes soon, ``broken`` if a repair does.
    """
    hand = s.hand
    funding = g.plan[plan, state.FUNDING]
    drives = g.plan[plan, state.MECHANICS] + hand[seat, state.DRIVER] - broken
    petrol_price = 12 * g.petrol_city // 10 if in_city(s, g, seat) else 15 * g.petrol_road // 20
    francs = s.money[seat] + g.pays[funding] + g.financial * hand[seat, state.FINANCIAL]
    francs -= g.part_city * broken + price
    petrol = s.petrol[seat] + g.jerrycan * hand[seat, state.JERRYCAN]
    petrol += (g.refueling - 1) * hand[seat, state.REFUELING_STATION]
    if francs > 0:
        petrol += francs // petrol_price
    need = (way_cost + PER_LEVEL - 1) // PER_LEVEL
    used = petrol if petrol < need else need
    if used > 4 * drives:
        used = 4 * drives if drives > 0 else 0
    value = 10 * used + 6 * (petrol - used)
    if used >= need:
        value += 25
    scouts = g.plan[plan, state.PATHFINDER]
    for i in range(scouts):
        value += (13 if scouting and drives > 0 else 9) - 2 * i
    guards = g.plan[plan, state.SECURITY]
    if guards > 0:
        value += 5 + guards + (30 if scouting == 1 and tiles_left(s) == 0 else 0)
    if price > 0 and francs < 0:
        value -= 30
    return value - 12 * int(broken == 1 and g.plan[plan, state.MECHANICS] == 0)


@rule
def best_plan(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """GR-4.1 the plan of most value; of equal ones any."""
    unknown = outlook.find_ways(s, g, seat, out, n)
    way_cost = out[n + s.at[seat]]
    scouting = int(0 < outlook.steps_away(s, g, seat, state.BLANK, out, n, unknown) < SOON)
    broken = int(outlook.repair_value(s, g, seat) >= BROKEN)
    lane = lane_to(g, s.at[seat], outlook.next_space(s, g, seat, s.at[seat], out, n, unknown))
    price = fare(s, g, lane, s.hand[seat, state.TRANSPORT]) if lane != state.OFF else 0
    best = out[0]
    top = -outlook.NEVER
    equal = 1
    for i in range(n):
        value = plan_value(s, g, seat, out[i] - state.PLAN, way_cost, price, scouting, broken)
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
    if has(out, n, state.PLAY + state.ENGINE_PARTS):
        return state.PLAY + state.ENGINE_PARTS
    if has(out, n, state.PLAY + state.CHASSIS_PARTS):
        return state.PLAY + state.CHASSIS_PARTS
    if has(out, n, state.PLAY + state.TOOLBOX):
        return state.PLAY + state.TOOLBOX
    if has(out, n, state.BUY_ENGINE) and outlook.wants_engine(s.engine[seat], price):
        return state.BUY_ENGINE
    if has(out, n, state.BUY_CHASSIS) and outlook.wants_chassis(s.chassis[seat], s.engine[seat], price):
        return state.BUY_CHASSIS
    return state.DONE if has(out, n, state.DONE) else out[0]


# The convoy


@rule
def act_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-5.1 petrol, then cards, then an assistant."""
    here = s.at[seat]
    unknown = outlook.find_ways(s, g, seat, out, n)
    to = outlook.next_space(s, g, seat, here, out, n, unknown)
    wanted = outlook.petrol_wanted(s, g, seat, out, n, unknown)
    if wanted > most(s, g, seat):
        wanted = most(s, g, seat)
    driver = has(out, n, state.PLAY + state.DRIVER)
    drives = s.engine[seat] > 0 and (
        s.assistants[seat, state.MECHANICS] > 0 or s.hand[seat, state.DRIVER] > 0
    )
    broken = outlook.repair_value(s, g, seat) >= BROKEN
    lane = lane_to(g, here, to)
    saving = lane != state.OFF and fare(s, g, lane, s.hand[seat, state.TRANSPORT]) > s.money[seat]
    if drives and not s.bought:
        levels_bought = petrol_move(s, g, seat, out, n, wanted, lane)
        if levels_bought > 0:
            return state.BUY + levels_bought
    blank_ahead = outlook.steps_away(s, g, seat, state.BLANK, out, n, unknown)
    card = card_move(s, g, seat, out, n, blank_ahead, broken, unknown)
    if card != state.OFF:
        return card
    ready = s.petrol[seat] + g.jerrycan * s.hand[seat, state.JERRYCAN] >= (wanted if wanted < 3 else 3)
    if driver and ready and not saving:
        return state.PLAY + state.DRIVER
    return assistant_move(s, g, seat, out, n, blank_ahead, broken, ready, saving)


@rule
def petrol_move(s: State, g: Setup, seat: int, out: Row, n: int, wanted: int, lane: int) -> int:
    """GR-5.2 the levels of petrol to buy before a drive: all in a city, else what the drive needs."""
    possible = 0
    while possible < n and out[possible] == state.BUY + 1 + possible:
        possible += 1
    if lane != state.OFF:
        wanted = 1
    elif in_city(s, g, seat):
        wanted = most(s, g, seat)
    stations = s.hand[seat, state.REFUELING_STATION]
    lack = wanted - s.petrol[seat] - g.jerrycan * s.hand[seat, state.JERRYCAN] - g.refueling * stations
    return lack if lack < possible else possible


@rule
def card_move(
    s: State, g: Setup, seat: int, out: Row, n: int, blank_ahead: int, broken: bool, unknown: int
) -> int:
    """GR-5.3 a card that is useful now, or OFF."""
    for kind in (state.FINANCIAL, state.SABOTEUR, state.SIPHONER, state.RANSOM, state.CUSTOMS):
        if has(out, n, state.PLAY + kind):
            return state.PLAY + kind
    if has(out, n, state.STEAL):
        return state.STEAL
    if has(out, n, state.PLAY + state.REFUELING_STATION) and s.petrol[seat] <= most(s, g, seat) - (
        g.refueling - 1
    ):
        return state.PLAY + state.REFUELING_STATION
    if has(out, n, state.PLAY + state.TRACKER) and s.cards[seat] < s.chassis[seat]:
        return state.PLAY + state.TRACKER
    if 0 < blank_ahead < SOON:
        if has(out, n, state.PLAY + state.CARTOGRAPHER):
            return state.PLAY + state.CARTOGRAPHER
        if has(out, n, state.PLAY + state.TOPOGRAPHER):
            return state.PLAY + state.TOPOGRAPHER
    if broken and has(out, n, state.PLAY + state.REPAIRMAN):
        return state.PLAY + state.REPAIRMAN
    if bad_tile_ahead(s, g, seat, out, n, unknown):
        if has(out, n, state.COOK_CLEAR):
            return state.COOK_CLEAR
        if has(out, n, state.PLAY + state.TRAIL_HUNTER):
            return state.PLAY + state.TRAIL_HUNTER
        if has(out, n, state.PLAY + state.CON_ARTIST):
            return state.PLAY + state.CON_ARTIST
    return state.OFF


@rule
def bad_tile_ahead(s: State, g: Setup, seat: int, out: Row, n: int, unknown: int) -> bool:
    """Whether one of the next three spaces of the way has a tile that costs much more than an unknown one."""
    here = s.at[seat]
    for _ in range(3):
        here = outlook.next_space(s, g, seat, here, out, n, unknown)
        if here == state.OFF or here == s.goal:
            return False
        if s.tile[here] != state.BLANK and outlook.tile_cost(s, g, seat, s.tile[here]) > unknown + MUCH_WORSE:
            return True
    return False


@rule
def assistant_move(
    s: State, g: Setup, seat: int, out: Row, n: int, blank_ahead: int, broken: bool, ready: bool, saving: bool
) -> int:
    """GR-6 the assistant that is most useful now, or a pass."""
    drive = has(out, n, state.DRIVE) and not saving
    if blank_ahead > 0 and tiles_left(s) == 0:  # GR-1.9
        for clear in (state.COOK_CLEAR, state.CLEAR):
            if has(out, n, clear):
                return clear
        drive = drive and blank_ahead > 2
    near = out[n + s.at[seat]] <= PER_LEVEL * s.petrol[seat]
    if drive and near:
        return state.DRIVE
    if has(out, n, state.SCOUT) and 0 < blank_ahead < SOON:
        return state.SCOUT
    if broken and has(out, n, state.REPAIR):
        return state.REPAIR
    if drive and ready:
        return state.DRIVE
    if has(out, n, state.FUND):
        return state.FUND
    if drive:
        return state.DRIVE
    if has(out, n, state.SUPPLY) and (s.cards[seat] < s.chassis[seat] or not has(out, n, state.SCOUT)):
        return state.SUPPLY
    if has(out, n, state.SCOUT):
        return state.SCOUT
    if has(out, n, state.REPAIR) and outlook.repair_value(s, g, seat) > 0:
        return state.REPAIR
    return state.PASS


# Tiles


@rule
def spot_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.6, GR-10.1, GR-10.6 a bad tile of the own way goes; else a good one that others may use."""
    unknown = outlook.find_ways(s, g, seat, out, n)
    best = out[0]
    top = -outlook.NEVER
    for i in range(n):
        if out[i] >= state.PLAY:
            continue
        space = out[i] - state.SPACE
        cost = outlook.tile_cost(s, g, seat, s.tile[space])
        on_own_way = outlook.steps_away(s, g, seat, space, out, n, unknown) > 0
        if s.first_spot != state.OFF:
            value = -outlook.NEVER + 1 if on_own_way else -cost
        else:
            value = cost - unknown if on_own_way else cost // 10 - 20
        if value > top:
            best = out[i]
            top = value
    return best


@rule
def space_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.1 a good tile goes on the own way, a bad one where it is least in the way."""
    unknown = outlook.find_ways(s, g, seat, out, n)
    if outlook.tile_cost(s, g, seat, s.picked) < unknown:
        here = s.at[seat]
        for _ in range(2 * outlook.AHEAD):
            here = outlook.next_space(s, g, seat, here, out, n, unknown)
            if here == state.OFF or here == s.goal:
                break
            if blank(s, g, here) and has(out, n, state.SPACE + here):
                return state.SPACE + here
    best = out[0]
    farthest = -1
    for i in range(n):
        if out[i] < state.PLAY and out[n + out[i] - state.SPACE] > farthest:
            best = out[i]
            farthest = out[n + out[i] - state.SPACE]
    return best


@rule
def tile_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-6.8, GR-10.24 the cheapest tile first."""
    best = out[0]
    least = outlook.NEVER
    for i in range(n):
        if (
            state.TILE <= out[i] < state.TILE + state.TILES
            and outlook.tile_cost(s, g, seat, out[i] - state.TILE) < least
        ):
            best = out[i]
            least = outlook.tile_cost(s, g, seat, out[i] - state.TILE)
    return best


# Driving


@rule
def step_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-7.1 the step that leaves the cheapest way; a halt where no step comes closer."""
    if has(out, n, state.PLAY + state.JERRYCAN):
        return state.PLAY + state.JERRYCAN
    here = s.at[seat]
    unknown = outlook.find_ways(s, g, seat, out, n)
    if has(out, n, state.PLAY + state.TRANSPORT):
        to = outlook.next_space(s, g, seat, here, out, n, unknown)
        lane = lane_to(g, here, to)
        if lane != state.OFF and g.fare[lane] > s.discount:
            return state.PLAY + state.TRANSPORT
    best = out[0]
    least = outlook.NEVER
    for i in range(n):
        if out[i] < state.PLAY:
            space = out[i] - state.SPACE
            cost = out[n + space] + outlook.space_cost(s, g, seat, space, unknown)
            lane = lane_to(g, here, space)
            if lane != state.OFF:
                cost += outlook.lane_cost(s, g, seat, lane)
            if cost < least:
                best = out[i]
                least = cost
    if s.tried and least > out[n + here] + DETOUR:
        return state.HALT
    return best


@rule
def guard_move(out: Row, n: int) -> int:
    """GR-6.5 a guard, the free one first, then GR-10.5 a Militia."""
    if has(out, n, state.COOK_GUARD):
        return state.COOK_GUARD
    if has(out, n, state.GUARD):
        return state.GUARD
    if has(out, n, state.PLAY + state.MILITIA):
        return state.PLAY + state.MILITIA
    return state.DECLINE


@rule
def damage_move(s: State, seat: int) -> int:
    """GR-7.2 the gauge whose level is worth less."""
    engine = outlook.engine_worth(s.engine[seat])
    return state.ENGINE if engine < outlook.chassis_worth(s, seat, s.chassis[seat]) else state.CHASSIS


# Others


@rule
def target_move(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """GR-10.23 the opponent who is closest to the destination; of equal ones any."""
    outlook.find_ways(s, g, seat, out, n)
    best = out[0]
    least = outlook.NEVER
    equal = 1
    for i in range(n):
        if state.SEAT <= out[i] < state.SEAT + g.players:
            cost_to_go = out[n + s.at[out[i] - state.SEAT]]
            equal = equal + 1 if cost_to_go == least else 1
            if cost_to_go < least or (cost_to_go == least and below(rng, equal) == 0):
                best = out[i]
                least = cost_to_go
    return best


@rule
def cancel_move(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """GR-10.20 a card against oneself is cancelled, one against tiles is not."""
    if s.target != seat or s.card in (state.TRAIL_HUNTER, state.CON_ARTIST):
        return state.DECLINE
    return guard_move(out, n)


@rule
def policy(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """One of the ``n`` legal moves in ``out``; what lies behind them in ``out`` is overwritten."""
    stage = s.stage
    if n == 1:
        return out[0]
    if stage == state.ACT:
        return act_move(s, g, seat, out, n)
    if stage == state.STEP:
        return step_move(s, g, seat, out, n)
    if stage == state.PLANS_STAGE:
        return best_plan(s, g, seat, out, n, rng)
    if stage == state.PLACE_SPACE:
        return space_move(s, g, seat, out, n)
    if stage in (state.PLACE_TILE, state.PICK_TILE):
        return tile_move(s, g, seat, out, n)
    if stage in (state.ARRIVAL, state.DANGER, state.DISCARD, state.CUSTOMS_DISCARD) and has(
        out, n, state.PLAY + state.JERRYCAN
    ):
        return state.PLAY + state.JERRYCAN
    if stage in (state.ARRIVAL, state.DANGER):
        return guard_move(out, n)
    if stage == state.TAKE:
        return best_card(s, g, seat, out, n, state.TAKE_CARD, 1)
    if stage in (state.DISCARD, state.CUSTOMS_DISCARD, state.KEEP):
        return best_card(s, g, seat, out, n, state.DROP_CARD, -1)
    if stage == state.MEND:
        return mend_move(s, g, seat, out, n)
    if stage == state.SPOT:
        return spot_move(s, g, seat, out, n)
    if stage == state.TARGET:
        return target_move(s, g, seat, out, n, rng)
    if stage == state.CANCEL:
        return cancel_move(s, g, seat, out, n)
    if stage == state.SPLIT:
        return state.ENGINE if has(out, n, state.ENGINE) else state.CHASSIS
    if stage == state.DAMAGE:
        return damage_move(s, seat)
    if stage == state.TOOLBOX_LEVEL:
        return state.ENGINE if s.engine[seat] <= s.chassis[seat] else state.CHASSIS
    if stage == state.STOP_SIGN:
        return (
            state.PLAY + state.GUIDE
            if s.petrol[seat] > 1 and has(out, n, state.PLAY + state.GUIDE)
            else state.DECLINE
        )
    if stage == state.CHOOSE_LEADER:
        return best_leader(g, out, n)
    # RANSOM_STAGE (GR-11.5): a card is worth about half of what its theft costs
    return state.PAY if s.money[seat] >= 6 * g.theft_price else state.DECLINE
