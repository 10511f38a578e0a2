"""The Great Race: driving over known and unknown land, into cities and along lanes (GR-7)."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.crew import (
    ask,
    can_avoid,
    drop,
    guards,
    in_city,
    may_react,
    most,
    react,
    remove_assistants,
    spend,
    why_not_react,
)
from paddock.games.great_race.rules.land import (
    blank,
    lane_end,
    lane_to,
    petrol_for,
    progress,
    refill_bag,
    take_tile,
    tiles_left,
)
from paddock.games.great_race.rules.resources import ALL, begin_draw
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import Row, rule, tell


@rule
def begin_drive(s: State, seat: int) -> None:
    """GR-7.1 a drive has as many steps as the engine has levels at its start."""
    s.action = state.DRIVING
    s.steps = s.engine[seat]


@rule
def levels(s: State, seat: int) -> int:
    """GR-7.4 how much damage the vehicle can take."""
    return s.engine[seat] + s.chassis[seat]


@rule
def damage_of(s: State, g: Setup, space: int, danger: int) -> int:
    """GR-7.2 the damage of the tile here; GR-7.3 two more where its danger is not avoided."""
    kind = s.tile[space]
    return g.tile_damage[kind] + g.danger_damage * int(danger == 1 and g.tile_danger[kind] == 1)


@rule
def payable(s: State, g: Setup, seat: int, space: int, danger: int) -> int:
    """GR-7.4 whether the seat can pay for the tile here, with its danger or (0) without."""
    enough = petrol_for(s, g, space) <= s.petrol[seat]
    return int(enough and damage_of(s, g, space, danger) <= levels(s, seat))


@rule
def why_not_enter(s: State, g: Setup, seat: int, space: int) -> int:
    """GR-7.4 why a step to the space beside cannot be tried; GR-1.9 onto unknown land a tile is drawn."""
    if g.land[space] == state.CITY:
        return reasons.LEGAL
    if s.tile[space] == state.BLANK:
        return reasons.LEGAL if tiles_left(s) else reasons.NO_TILES_LEFT
    if petrol_for(s, g, space) > s.petrol[seat]:
        return reasons.NOT_ENOUGH_PETROL
    harmless = damage_of(s, g, space, 1 - can_avoid(s, seat)) <= levels(s, seat)
    return reasons.LEGAL if harmless else reasons.TOO_MUCH_DAMAGE


@rule
def any_step(s: State, g: Setup, seat: int) -> int:
    """GR-5.10, GR-7.19 whether a step to a space beside can be tried; GR-5.13 it takes petrol."""
    if s.petrol[seat] > 0:
        for direction in range(state.WAYS):
            space = g.beside[s.at[seat], direction]
            if space != state.OFF and why_not_enter(s, g, seat, space) == reasons.LEGAL:
                return 1
    return 0


@rule
def fare(s: State, g: Setup, lane: int, transports: int) -> int:
    """GR-7.9 the price of a lane with so many more Transport cards; no change is given."""
    price = g.fare[lane] - s.discount - g.transport_worth * transports
    return price if price > 0 else 0


@rule
def why_not_lane(s: State, g: Setup, seat: int, lane: int) -> int:
    """GR-7.9 why a lane that begins here is not taken."""
    if s.tried:
        return reasons.LANE_COMES_FIRST
    return reasons.LEGAL if fare(s, g, lane, 0) <= s.money[seat] else reasons.LANE_TOO_DEAR


@rule
def why_not_transport(s: State, g: Setup, seat: int) -> int:
    """GR-7.9 why the Transport cards of the hand do not lower the price of a lane that they pay for."""
    if s.tried:
        return reasons.LANE_COMES_FIRST
    why_not = reasons.NO_LANE
    if in_city(s, g, seat):
        for lane in range(g.lanes):
            if lane_end(g, lane, s.at[seat]) != state.OFF:
                if s.petrol[seat] < 1:
                    return reasons.NO_PETROL
                if g.fare[lane] <= s.discount:
                    why_not = reasons.FARE_IS_PAID
                elif fare(s, g, lane, s.hand[seat, state.TRANSPORT]) <= s.money[seat]:
                    return reasons.LEGAL
                elif why_not == reasons.NO_LANE:
                    why_not = reasons.LANE_TOO_DEAR
    return why_not


@rule
def any_lane(s: State, g: Setup, seat: int) -> int:
    """GR-7.9 whether the seat can pay for a lane with the Transport cards that it holds."""
    if in_city(s, g, seat):
        for lane in range(g.lanes):
            paid = fare(s, g, lane, s.hand[seat, state.TRANSPORT]) <= s.money[seat]
            if paid and lane_end(g, lane, s.at[seat]) != state.OFF:
                return 1
    return 0


@rule
def why_not_drive(s: State, g: Setup, seat: int) -> int:
    """GR-5.10 a drive needs GR-7.10 engine and petrol, and a step that can be tried."""
    if s.engine[seat] < 1:
        return reasons.BROKEN
    if s.petrol[seat] < 1:
        return reasons.NO_PETROL
    return reasons.LEGAL if any_step(s, g, seat) or any_lane(s, g, seat) else reasons.NO_STEP


@rule
def why_not_step(s: State, g: Setup, seat: int, space: int) -> int:
    """GR-7.1 why the next step is not to this space, beside the vehicle or GR-7.9 at the end of a lane."""
    here = s.at[seat]
    lane = lane_to(g, here, space)
    near = lane != state.OFF
    for direction in range(state.WAYS):
        near = near or g.beside[here, direction] == space
    if not near:
        return reasons.TOO_FAR
    if s.petrol[seat] < 1:
        return reasons.NO_PETROL
    if lane != state.OFF:
        return why_not_lane(s, g, seat, lane)
    return reasons.LANE_CHOSEN if s.discount else why_not_enter(s, g, seat, space)


@rule
def why_not_go(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-7.17 why a drive does not go on so: it tries a step before it ends."""
    if move == state.HALT:
        return reasons.LEGAL if s.tried else reasons.STEP_FIRST
    if move == state.PLAY + state.TRANSPORT:
        return why_not_transport(s, g, seat)
    return why_not_step(s, g, seat, move - state.SPACE)


@rule
def legal_go(s: State, g: Setup, seat: int, out: Row) -> int:
    """GR-7.1 write what ``why_not_go`` lets pass, without a look at every space; return how many."""
    here = s.at[seat]
    n = 0
    if s.petrol[seat] > 0 and s.discount == 0:
        for direction in range(state.WAYS):
            space = g.beside[here, direction]
            if space != state.OFF and why_not_enter(s, g, seat, space) == reasons.LEGAL:
                out[n] = state.SPACE + space
                n += 1
    if s.tried:
        out[n] = state.HALT
        return n + 1
    if s.petrol[seat] > 0 and in_city(s, g, seat):
        for lane in range(g.lanes):
            to = lane_end(g, lane, here)
            out[n] = state.SPACE + to
            n += int(to != state.OFF and why_not_lane(s, g, seat, lane) == reasons.LEGAL)
        out[n] = state.PLAY + state.TRANSPORT
        n += int(s.hand[seat, state.TRANSPORT] > 0 and why_not_transport(s, g, seat) == reasons.LEGAL)
    return n


@rule
def transport(s: State, g: Setup, seat: int) -> int:
    """GR-7.9 a Transport card takes 50 F off the fare. The next step is asked for."""
    spend(s, seat, state.TRANSPORT)
    s.discount += g.transport_worth
    return 1


@rule
def step(s: State, g: Setup, seat: int, space: int) -> int:
    """GR-7.1 try a step: GR-7.8 into a city, GR-7.4 onto a known tile, GR-7.5 onto unknown land.

    Return whether somebody must answer.
    """
    s.steps -= 1
    s.entering = space
    if g.land[space] == state.CITY:
        return enter_city(s, g, seat)
    s.known_step = 1 - blank(s, g, space)
    return explore_or_face(s, g, seat)


@rule
def explore_or_face(s: State, g: Setup, seat: int) -> int:
    """GR-7.12 first the tile is drawn where the land is unknown; then its driver may react."""
    if s.known_step == 0 and s.tile[s.entering] == state.BLANK:
        refill_bag(s)
        return ask(s, state.DRAW_TILE, seat)
    return face(s, g, seat)


@rule
def explore(s: State, g: Setup, kind: int) -> int:
    """GR-7.5 the tile that is drawn lies on the unknown space. Return whether somebody must answer."""
    take_tile(s, kind)
    s.tile[s.entering] = kind
    tell(s, state.EXPLORED, s.turn, s.entering, kind)
    return face(s, g, s.turn)


@rule
def face(s: State, g: Setup, seat: int) -> int:
    """GR-7.18 on an unknown tile, GR-7.3 on a known one with a danger, the driver may react.

    Whether it is asked depends on public facts. Return whether somebody must answer.
    """
    danger = g.tile_danger[s.tile[s.entering]]
    if s.known_step:
        if danger == 1 and may_react(s, seat) == 1:
            return ask(s, state.DANGER, seat)
    else:
        reason = danger == 1 or s.petrol[seat] < most(s, g, seat)
        if guards(s, seat) > 0 or (reason and s.cards[seat] > 0):
            return ask(s, state.ARRIVAL, seat)
    return pay_or_turn(s, g, seat)


@rule
def why_not_face(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-7.13 why the danger of the tile is not avoided: there is none, or the rest cannot be paid for.

    GR-7.4 on known land it must be avoided where it could not be paid for. GR-10.20 or that of a card.
    """
    if s.stage == state.CANCEL:
        return why_not_react(s, seat, move)
    if move == state.DECLINE:
        must = s.known_step == 1 and payable(s, g, seat, s.entering, 1) == 0
        return reasons.MUST_AVOID if must else reasons.LEGAL
    if g.tile_danger[s.tile[s.entering]] == 0:
        return reasons.NO_DANGER
    return why_not_react(s, seat, move) if payable(s, g, seat, s.entering, 0) else reasons.GUARD_IN_VAIN


@rule
def answer_tile(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-7.3 the danger is avoided, or faced. Return whether somebody must answer."""
    if move == state.DECLINE:
        return pay_or_turn(s, g, seat)
    react(s, seat, move)
    return pay(s, g, seat, 0)


@rule
def pay_or_turn(s: State, g: Setup, seat: int) -> int:
    """GR-7.5 what can be paid must be; else the vehicle goes back and the action ends."""
    if payable(s, g, seat, s.entering, 1):
        return pay(s, g, seat, 1)
    tell(s, state.TURNED_BACK, seat, s.at[seat])
    s.action = state.IDLE
    return 0


@rule
def pay(s: State, g: Setup, seat: int, danger: int) -> int:
    """GR-7.20 petrol first, then the damage. Return whether somebody must answer."""
    petrol = petrol_for(s, g, s.entering)
    s.petrol[seat] -= petrol
    tell(s, state.DROVE, seat, s.entering, petrol)
    s.left = damage_of(s, g, s.entering, danger)
    return damage_on(s, g, seat)


@rule
def harm(s: State, seat: int, gauge: int, number: int) -> None:
    """GR-7.2 so many levels off a gauge."""
    if gauge == state.ENGINE:
        s.engine[seat] -= number
    else:
        s.chassis[seat] -= number
    tell(s, state.HARMED, seat, gauge, number)


@rule
def damage_on(s: State, g: Setup, seat: int) -> int:
    """GR-7.2, GR-7.15 the owner chooses the gauge for each point, if there is a choice; then it is there."""
    if s.left > 0:
        if s.engine[seat] > 0 and s.chassis[seat] > 0:
            return ask(s, state.DAMAGE, seat)
        harm(s, seat, state.ENGINE if s.engine[seat] > 0 else state.CHASSIS, s.left)
        s.left = 0
    arrive(s, g, seat)
    return 0


@rule
def damage(s: State, g: Setup, seat: int, gauge: int) -> int:
    """GR-7.2 a point of damage. Return whether somebody must answer."""
    harm(s, seat, gauge, 1)
    s.left -= 1
    return damage_on(s, g, seat)


@rule
def arrive(s: State, g: Setup, seat: int) -> None:
    """GR-7.11 the vehicle is on the space, and its token on top of those there; GR-7.14 unless it stayed.

    GR-7.21 also if it has come back.
    """
    before = progress(s, g, s.at[seat])
    s.at[seat] = s.entering
    s.tried = 1
    if progress(s, g, s.entering) == before:
        return
    i = 0
    while s.token_order[i] != seat:
        i += 1
    while i + 1 < g.players:
        s.token_order[i] = s.token_order[i + 1]
        i += 1
    s.token_order[i] = seat


@rule
def enter_city(s: State, g: Setup, seat: int) -> int:
    """GR-7.8 a city costs 1 petrol and gives cards; GR-7.9 by a lane the fare too; GR-9.1 or it is the end.

    GR-7.16 this is so at every entry. Return whether somebody must answer.
    """
    here = s.at[seat]
    s.petrol[seat] -= 1
    lane = lane_to(g, here, s.entering)
    if lane != state.OFF:
        price = fare(s, g, lane, 0)
        s.money[seat] -= price
        tell(s, state.FLEW, seat, s.entering, price)
    else:
        tell(s, state.DROVE, seat, s.entering, 1)
    arrive(s, g, seat)
    if s.entering == s.goal:
        finish(s, seat)
        return 0
    number = cards_of(s, g, s.entering)
    if s.leader[seat] == state.BARON:  # GR-11.3
        return begin_draw(s, 3, number)
    return begin_draw(s, number, ALL)


@rule
def cards_of(s: State, g: Setup, space: int) -> int:
    """GR-7.8 the number of cards that a city gives; GR-1.7 a city token replaces it."""
    for i in range(g.n_tokens):
        if g.tokens[i] == space:
            return s.token[i]
    return g.number[space]


@rule
def finish(s: State, seat: int) -> None:
    """GR-9.1 the player has arrived, discards all cards and assistants, and passes."""
    for kind in range(state.CARDS):
        while s.hand[seat, kind] > 0:
            drop(s, seat, kind)
    remove_assistants(s, seat)
    s.passed[seat] = 1
    s.arrived += 1
    s.place[seat] = s.arrived
    tell(s, state.ARRIVED, seat, s.arrived)


@rule
def drive_on(s: State, g: Setup) -> int:
    """GR-7.17 go on with the drive of ``turn``. Return whether somebody must answer; if not, it has ended."""
    seat = s.turn
    space = s.entering
    if space != state.OFF:
        if s.at[seat] != space:
            return explore_or_face(s, g, seat)
        if g.land[space] == state.CITY:
            s.action = state.IDLE
            return 0
        if s.engine[seat] == 0:  # GR-7.10
            tell(s, state.BROKE_DOWN, seat)
            s.action = state.IDLE
            return 0
        if g.tile_stop[s.tile[space]]:  # GR-7.6
            if s.steps > 0 and s.cards[seat] > 0:
                return ask(s, state.STOP_SIGN, seat)
            return stop(s, seat)
        s.entering = state.OFF
    if s.steps == 0:
        s.action = state.IDLE
        return 0
    return ask(s, state.STEP, seat)


@rule
def why_not_pass(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-7.19 why a Guide is not played at a stop sign: no further step can be tried."""
    return reasons.LEGAL if move == state.DECLINE or any_step(s, g, seat) else reasons.NO_STEP_AFTER_STOP


@rule
def answer_stop_sign(s: State, seat: int, move: int) -> int:
    """GR-10.12 a Guide ignores the stop sign; GR-7.6 else the action ends. Return whether a step follows."""
    if move == state.DECLINE:
        return stop(s, seat)
    spend(s, seat, state.GUIDE)
    s.entering = state.OFF
    return ask(s, state.STEP, seat)


@rule
def stop(s: State, seat: int) -> int:
    """GR-7.6 a stop sign ends the action."""
    tell(s, state.STOPPED, seat)
    s.action = state.IDLE
    return 0


@rule
def halt(s: State, seat: int) -> int:
    """GR-7.17 the driver ends the drive."""
    tell(s, state.HALTED, seat)
    s.action = state.IDLE
    return 0
