"""The Great Race: the convoy: petrol, cards, assistants, passing (GR-5, GR-6)."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.crew import (
    ask,
    assistants,
    fill,
    guards,
    in_city,
    most,
    play,
    seat_after,
    why_not_cook,
)
from paddock.games.great_race.rules.driving import begin_drive, why_not_drive
from paddock.games.great_race.rules.effects import (
    action_of,
    any_target,
    begin_on_target,
    begin_on_tiles,
)
from paddock.games.great_race.rules.ending import end_convoy
from paddock.games.great_race.rules.land import can_clear, loose_tiles
from paddock.games.great_race.rules.lots import rest
from paddock.games.great_race.rules.repair import begin_repair, why_not_repair
from paddock.games.great_race.rules.resources import ALL, begin_draw, why_not_draw
from paddock.games.great_race.rules.scouting import begin_mapping, begin_scouting, why_not_scout
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import Row, rule, tell


@rule
def can_act(s: State, seat: int) -> int:
    """GR-5.1 whether a seat is asked for an action: it has not passed, and has an assistant left.

    GR-5.7 also if all that are left are on Security.
    """
    return int(s.passed[seat] == 0 and assistants(s, seat) > 0)


@rule
def sequence_on(s: State, g: Setup) -> int:
    """GR-5.5 after a card the sequence goes on, after an assistant's action comes the next player's.

    GR-5.8, GR-9.5 so it does where no assistant is left. GR-1.8 the card that was played is on the discard
    pile. Return 1: a seat must decide, or what follows the convoy is due.
    """
    if s.card != state.NO_CARD:
        s.discard[s.card] += 1
        s.card = state.NO_CARD
    rest(s)
    seat = s.turn
    if s.assistant == 0 and can_act(s, seat) == 1:
        return ask(s, state.ACT, seat)
    s.assistant = 0
    s.bought = 0
    for _ in range(g.players):
        seat = seat_after(s, g, seat)
        if can_act(s, seat):
            s.turn = seat
            return ask(s, state.ACT, seat)
    return end_convoy(s, g)


@rule
def abilities(s: State, g: Setup, seat: int, mark: Row) -> tuple[int, int, int, int]:
    """GR-5.10 why it cannot scout, clear, repair or drive, where something asks; ``mark`` is room."""
    pathfinder = (
        s.assistants[seat, state.PATHFINDER]
        + s.hand[seat, state.CARTOGRAPHER]
        + s.hand[seat, state.TOPOGRAPHER]
    )
    mechanic = s.assistants[seat, state.MECHANICS]
    scouting = clearing = repairing = driving = reasons.LEGAL
    if pathfinder:
        scouting = why_not_scout(s, g, seat, mark)
    if guards(s, seat) and can_clear(s, g, s.at[seat], mark) == 0:
        clearing = reasons.NOTHING_TO_CLEAR
    if mechanic + s.hand[seat, state.REPAIRMAN]:
        repairing = why_not_repair(s, g, seat)
    if mechanic + s.hand[seat, state.DRIVER]:
        driving = why_not_drive(s, g, seat)
    return scouting, clearing, repairing, driving


@rule
def why_not_act(s: State, g: Setup, seat: int, move: int, able: tuple[int, int, int, int]) -> int:
    """GR-5.1 why this is no step of the sequence; ``able`` has the ``abilities``."""
    if move < state.TAKE_CARD:
        return why_not_play(s, g, seat, move - state.PLAY, able)
    if move < state.SCOUT:
        return why_not_buy(s, g, seat, move - state.BUY)
    if move == state.STEAL:
        return why_not_steal(s, g, seat)
    return why_not_use(s, seat, move, able)


@rule
def legal_act(s: State, g: Setup, seat: int, out: Row) -> int:
    """GR-5.1 write what ``why_not_act`` lets pass, without all petrol and cards; return how many."""
    able = abilities(s, g, seat, out)
    n = 0
    while n < state.VERBS - state.BUY - 1 and why_not_buy(s, g, seat, n + 1) == reasons.LEGAL:
        out[n] = state.BUY + n + 1
        n += 1
    n = offer(s, g, seat, state.TRAIL_HUNTER, able, out, n)
    n = offer(s, g, seat, state.SABOTEUR, able, out, n)
    n = offer(s, g, seat, state.REPAIRMAN, able, out, n)
    n = offer(s, g, seat, state.DRIVER, able, out, n)
    n = offer(s, g, seat, state.CON_ARTIST, able, out, n)
    n = offer(s, g, seat, state.CARTOGRAPHER, able, out, n)
    n = offer(s, g, seat, state.FINANCIAL, able, out, n)
    n = offer(s, g, seat, state.REFUELING_STATION, able, out, n)
    n = offer(s, g, seat, state.TRACKER, able, out, n)
    n = offer(s, g, seat, state.RANSOM, able, out, n)
    n = offer(s, g, seat, state.SIPHONER, able, out, n)
    n = offer(s, g, seat, state.CUSTOMS, able, out, n)
    n = offer(s, g, seat, state.TOPOGRAPHER, able, out, n)
    out[n] = state.STEAL
    n += int(why_not_steal(s, g, seat) == reasons.LEGAL)
    for verb in range(state.SCOUT, state.STEAL):
        out[n] = verb
        n += int(why_not_use(s, seat, verb, able) == reasons.LEGAL)
    return n


@rule
def why_not_buy(s: State, g: Setup, seat: int, number: int) -> int:
    """GR-5.2 why so many levels of petrol are not bought: each must be paid for and have room."""
    if s.bought:
        return reasons.BUYING_CLOSED
    room = most(s, g, seat) - s.petrol[seat]
    if number > room:
        return reasons.NO_ROOM_FOR_PETROL if room else reasons.PETROL_FULL
    price = petrol_price(s, g, seat)
    if price > s.money[seat]:
        return reasons.NO_MONEY_FOR_PETROL
    return reasons.LEGAL if number * price <= s.money[seat] else reasons.PETROL_TOO_DEAR


@rule
def petrol_price(s: State, g: Setup, seat: int) -> int:
    """GR-5.2 10 F a level in a city, 20 F elsewhere."""
    return g.petrol_city if in_city(s, g, seat) else g.petrol_road


@rule
def why_not_play(s: State, g: Setup, seat: int, kind: int, able: tuple[int, int, int, int]) -> int:
    """GR-5.10, GR-5.13 why a card that is held changes nothing; GR-5.9 some belong into an action."""
    scouting, _, repairing, driving = able
    if kind == state.MILITIA:
        return reasons.ONLY_AGAINST_DANGER
    if kind == state.TRANSPORT:
        return reasons.ONLY_WITH_LANE
    if kind == state.GUIDE:
        return reasons.ONLY_AT_STOP
    if kind in (state.ENGINE_PARTS, state.CHASSIS_PARTS, state.TOOLBOX):
        return reasons.ONLY_IN_REPAIR
    if kind == state.REPAIRMAN:
        return repairing
    if kind == state.DRIVER:
        return driving
    if kind in (state.CARTOGRAPHER, state.TOPOGRAPHER):
        return scouting
    if kind == state.TRACKER:
        return why_not_draw(s)
    if kind == state.REFUELING_STATION:
        return reasons.LEGAL if s.petrol[seat] < most(s, g, seat) else reasons.PETROL_FULL
    if kind in (state.TRAIL_HUNTER, state.CON_ARTIST):  # GR-10.24
        tiles = loose_tiles(s, g, 2 if kind == state.CON_ARTIST else 1)
        if tiles == 0:
            return reasons.NO_LOOSE_TILE
        return reasons.ONE_LOOSE_TILE if kind == state.CON_ARTIST and tiles == 1 else reasons.LEGAL
    aimless = kind != state.FINANCIAL and any_target(s, g, action_of(kind), seat) == 0
    return reasons.NO_TARGET if aimless else reasons.LEGAL


@rule
def offer(s: State, g: Setup, seat: int, kind: int, able: tuple[int, int, int, int], out: Row, n: int) -> int:
    """GR-5.3 write a card that is held, and that ``why_not_play`` lets pass, behind ``n`` moves."""
    out[n] = state.PLAY + kind
    return n + int(s.hand[seat, kind] > 0 and why_not_play(s, g, seat, kind, able) == reasons.LEGAL)


@rule
def why_not_steal(s: State, g: Setup, seat: int) -> int:
    """GR-11.5 why Kate does not steal: GR-11.6 once a game turn, GR-11.7 from a rival with a card."""
    if s.leader[seat] != state.KATE:
        return reasons.NOT_KATE
    if s.power_used[seat]:
        return reasons.KATE_WAS_HERE
    return reasons.LEGAL if any_target(s, g, state.STEALING, seat) else reasons.NO_VICTIM


@rule
def why_not_use(s: State, seat: int, verb: int, able: tuple[int, int, int, int]) -> int:
    """GR-5.6 why no assistant is used so: GR-5.10 it must change something. Anybody may pass (GR-5.4)."""
    scouting, clearing, repairing, driving = able
    if verb == state.PASS:
        return reasons.LEGAL
    if verb == state.COOK_CLEAR:
        cook = why_not_cook(s, seat)
        return clearing if cook == reasons.LEGAL else cook
    if verb == state.FUND:
        return reasons.LEGAL if s.assistants[seat, state.FUNDING] else reasons.NO_ASSISTANT
    if verb == state.CLEAR:
        return clearing if s.assistants[seat, state.SECURITY] else reasons.NO_ASSISTANT
    if verb in (state.REPAIR, state.DRIVE):
        if s.assistants[seat, state.MECHANICS] == 0:
            return reasons.NO_ASSISTANT
        return repairing if verb == state.REPAIR else driving
    if s.assistants[seat, state.PATHFINDER] == 0:
        return reasons.NO_ASSISTANT
    return scouting if verb == state.SCOUT else why_not_draw(s)


@rule
def act(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-5.1 a step of the sequence. Return whether somebody must answer before it goes on."""
    if move < state.BUY:
        return play_convoy_card(s, g, seat, move - state.PLAY)
    if move < state.SCOUT:
        buy(s, g, seat, move - state.BUY)
        return 0
    if move == state.STEAL:
        s.power_used[seat] = 1
        s.bought = 1
        tell(s, state.USED, seat, state.STEAL)
        return begin_on_target(s, state.STEALING)
    s.assistant = 1
    if move == state.PASS:
        give_up(s, seat)
        return 0
    if move == state.FUND:
        fund(s, g, seat)
        return 0
    tell(s, state.USED, seat, move)
    return use(s, g, seat, move)


@rule
def use(s: State, g: Setup, seat: int, verb: int) -> int:
    """GR-5.6 an assistant leaves the dashboard for one of the two uses of its box."""
    if verb in (state.SCOUT, state.SUPPLY):
        s.assistants[seat, state.PATHFINDER] -= 1
        if verb == state.SCOUT:  # GR-6.1
            return begin_scouting(s, g, 2)
        s.action = state.SUPPLYING  # GR-6.2
        return begin_draw(s, 1, ALL)
    if verb in (state.REPAIR, state.DRIVE):
        s.assistants[seat, state.MECHANICS] -= 1
        if verb == state.REPAIR:  # GR-6.3
            begin_repair(s)
        else:  # GR-6.4
            begin_drive(s, seat)
        return 0
    if verb == state.CLEAR:
        s.assistants[seat, state.SECURITY] -= 1
    else:
        s.power_used[seat] = 1  # GR-11.10
    return begin_on_tiles(s, state.CLEARING)


@rule
def buy(s: State, g: Setup, seat: int, number: int) -> None:
    """GR-5.14 petrol is bought once in a sequence."""
    francs = number * petrol_price(s, g, seat)
    s.money[seat] -= francs
    s.petrol[seat] += number
    s.bought = 1
    tell(s, state.BOUGHT, seat, number, francs)


@rule
def fund(s: State, g: Setup, seat: int) -> None:
    """GR-6.7 all assistants on Funding are played as one group."""
    number = s.assistants[seat, state.FUNDING]
    s.assistants[seat, state.FUNDING] = 0
    s.money[seat] += g.pays[number]
    tell(s, state.FUNDED, seat, number, g.pays[number])


@rule
def give_up(s: State, seat: int) -> None:
    """GR-5.4 a pass removes all assistants except those on Security."""
    s.passed[seat] = 1
    s.assistants[seat, state.PATHFINDER] = 0
    s.assistants[seat, state.MECHANICS] = 0
    s.assistants[seat, state.FUNDING] = 0
    tell(s, state.PASSED, seat)


@rule
def play_convoy_card(s: State, g: Setup, seat: int, kind: int) -> int:
    """GR-5.3 a card of the convoy kind. Return whether somebody must answer before the sequence goes on."""
    play(s, seat, kind)
    s.card = kind
    if kind == state.DRIVER:  # GR-10.4
        begin_drive(s, seat)
    elif kind == state.REPAIRMAN:  # GR-10.3
        begin_repair(s)
    elif kind == state.FINANCIAL:  # GR-10.8
        s.money[seat] += g.financial
        tell(s, state.EARNED, seat, g.financial)
    elif kind == state.REFUELING_STATION:  # GR-10.11
        fill(s, g, seat, g.refueling)
    elif kind == state.CARTOGRAPHER:  # GR-10.7
        return begin_scouting(s, g, 3)
    elif kind == state.TOPOGRAPHER:  # GR-10.19
        return begin_mapping(s, g)
    elif kind == state.TRACKER:  # GR-10.15
        s.action = state.TRACKING
        return begin_draw(s, 3, 2)
    elif kind == state.TRAIL_HUNTER:  # GR-10.1
        return begin_on_tiles(s, state.HUNTING)
    elif kind == state.CON_ARTIST:  # GR-10.6
        return begin_on_tiles(s, state.SWAPPING)
    else:
        return begin_on_target(s, action_of(kind))
    return 0
