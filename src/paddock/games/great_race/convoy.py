"""The Great Race: the convoy: petrol, cards, assistants, passing (GR-5, GR-6)."""

from __future__ import annotations

from paddock.games.great_race.crew import (
    ask,
    assistants,
    cook_guard,
    fill,
    in_city,
    most,
    play,
    seat_after,
)
from paddock.games.great_race.driving import begin_drive, can_drive
from paddock.games.great_race.effects import (
    action_of,
    any_target,
    begin_on_target,
    begin_on_tiles,
)
from paddock.games.great_race.ending import end_convoy
from paddock.games.great_race.land import can_clear, loose_tiles
from paddock.games.great_race.lots import rest
from paddock.games.great_race.repair import begin_repair, can_repair
from paddock.games.great_race.resources import ALL, begin_draw, cards_left
from paddock.games.great_race.scouting import begin_mapping, begin_scouting, can_scout
from paddock.games.great_race.state import (
    ACT,
    BOUGHT,
    BUY,
    CARTOGRAPHER,
    CLEAR,
    CLEARING,
    CON_ARTIST,
    COOK_CLEAR,
    CUSTOMS,
    DRIVE,
    DRIVER,
    EARNED,
    FINANCIAL,
    FUND,
    FUNDED,
    FUNDING,
    HUNTING,
    KATE,
    MECHANICS,
    NO_CARD,
    PASS,
    PASSED,
    PATHFINDER,
    PLAY,
    RANSOM,
    REFUELING_STATION,
    REPAIR,
    REPAIRMAN,
    SABOTEUR,
    SCOUT,
    SECURITY,
    SIPHONER,
    STEAL,
    STEALING,
    SUPPLY,
    SUPPLYING,
    SWAPPING,
    TOPOGRAPHER,
    TRACKER,
    TRACKING,
    TRAIL_HUNTER,
    USED,
    Setup,
    State,
)
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
    if s.card != NO_CARD:
        s.discard[s.card] += 1
        s.card = NO_CARD
    rest(s)
    seat = s.turn
    if s.assistant == 0 and can_act(s, seat) == 1:
        return ask(s, ACT, seat)
    s.assistant = 0
    s.bought = 0
    for _ in range(g.players):
        seat = seat_after(s, g, seat)
        if can_act(s, seat):
            s.turn = seat
            return ask(s, ACT, seat)
    return end_convoy(s, g)


@rule
def legal_act(s: State, g: Setup, seat: int, out: Row) -> int:
    """GR-5.1 write every step of a sequence: petrol, cards, an assistant or a pass; return how many.

    What needs ``out`` as room comes first, and only where something asks for it.
    """
    pathfinder = s.assistants[seat, PATHFINDER] > 0
    mechanic = s.assistants[seat, MECHANICS] > 0
    guard = s.assistants[seat, SECURITY] > 0
    cook = cook_guard(s, seat) == 1
    maps = s.hand[seat, CARTOGRAPHER] > 0 or s.hand[seat, TOPOGRAPHER] > 0
    scouts = (pathfinder or maps) and can_scout(s, g, seat, out) == 1
    clears = (guard or cook) and can_clear(s, g, s.at[seat], out) == 1
    repairs = (mechanic or s.hand[seat, REPAIRMAN] > 0) and can_repair(s, g, seat, out) == 1
    drives = (mechanic or s.hand[seat, DRIVER] > 0) and can_drive(s, g, seat) == 1
    n = petrol_to_buy(s, g, seat, out)
    n = convoy_cards(s, g, seat, out, n, scouts, repairs, drives)
    out[n] = STEAL
    n += int(
        s.leader[seat] == KATE and s.power_used[seat] == 0 and any_target(s, g, STEALING, seat) == 1
    )  # GR-11.5
    out[n] = SCOUT
    n += int(pathfinder and scouts)
    out[n] = SUPPLY
    n += int(pathfinder and cards_left(s) == 1)
    out[n] = REPAIR
    n += int(mechanic and repairs)
    out[n] = DRIVE
    n += int(mechanic and drives)
    out[n] = CLEAR
    n += int(guard and clears)
    out[n] = COOK_CLEAR
    n += int(cook and clears)
    out[n] = FUND
    n += int(s.assistants[seat, FUNDING] > 0)
    out[n] = PASS
    return n + 1


@rule
def petrol_to_buy(s: State, g: Setup, seat: int, out: Row) -> int:
    """GR-5.2 write every number of levels of petrol that can be paid and has room; return how many."""
    if s.bought:
        return 0
    n = s.money[seat] // petrol_price(s, g, seat)
    room = most(s, g, seat) - s.petrol[seat]
    if n > room:
        n = room
    for i in range(n):
        out[i] = BUY + 1 + i
    return n


@rule
def petrol_price(s: State, g: Setup, seat: int) -> int:
    """GR-5.2 10 F a level in a city, 20 F elsewhere."""
    return 10 if in_city(s, g, seat) else 20


@rule
def convoy_cards(
    s: State, g: Setup, seat: int, out: Row, n: int, scouts: bool, repairs: bool, drives: bool
) -> int:
    """GR-5.10 write every convoy card of the hand that can change something behind ``n`` moves.

    GR-5.9 cards for a drive or a repair are not among them.
    """
    out[n] = PLAY + TRAIL_HUNTER
    n += int(s.hand[seat, TRAIL_HUNTER] > 0 and loose_tiles(s, g, 1) == 1)
    out[n] = PLAY + SABOTEUR
    n += aimed(s, g, seat, SABOTEUR)
    out[n] = PLAY + REPAIRMAN
    n += int(s.hand[seat, REPAIRMAN] > 0 and repairs)
    out[n] = PLAY + DRIVER
    n += int(s.hand[seat, DRIVER] > 0 and drives)
    out[n] = PLAY + CON_ARTIST
    n += int(s.hand[seat, CON_ARTIST] > 0 and loose_tiles(s, g, 2) == 2)
    out[n] = PLAY + CARTOGRAPHER
    n += int(s.hand[seat, CARTOGRAPHER] > 0 and scouts)
    out[n] = PLAY + FINANCIAL
    n += int(s.hand[seat, FINANCIAL] > 0)
    out[n] = PLAY + REFUELING_STATION
    n += int(s.hand[seat, REFUELING_STATION] > 0 and s.petrol[seat] < most(s, g, seat))
    out[n] = PLAY + TRACKER
    n += int(s.hand[seat, TRACKER] > 0 and cards_left(s) == 1)
    out[n] = PLAY + RANSOM
    n += aimed(s, g, seat, RANSOM)
    out[n] = PLAY + SIPHONER
    n += aimed(s, g, seat, SIPHONER)
    out[n] = PLAY + CUSTOMS
    n += aimed(s, g, seat, CUSTOMS)
    out[n] = PLAY + TOPOGRAPHER
    return n + int(s.hand[seat, TOPOGRAPHER] > 0 and scouts)


@rule
def aimed(s: State, g: Setup, seat: int, kind: int) -> int:
    """GR-5.13 whether the seat holds this card against others and it has a target."""
    return int(s.hand[seat, kind] > 0 and any_target(s, g, action_of(kind), seat) == 1)


@rule
def act(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-5.1 a step of the sequence. Return whether somebody must answer before it goes on."""
    if move < BUY:
        return play_convoy_card(s, g, seat, move - PLAY)
    if move < SCOUT:
        buy(s, g, seat, move - BUY)
        return 0
    if move == STEAL:
        s.power_used[seat] = 1
        s.bought = 1
        tell(s, USED, seat, STEAL)
        return begin_on_target(s, STEALING)
    s.assistant = 1
    if move == PASS:
        give_up(s, seat)
        return 0
    if move == FUND:
        fund(s, g, seat)
        return 0
    tell(s, USED, seat, move)
    return use(s, g, seat, move)


@rule
def use(s: State, g: Setup, seat: int, verb: int) -> int:
    """GR-5.6 an assistant leaves the dashboard for one of the two uses of its box."""
    if verb in (SCOUT, SUPPLY):
        s.assistants[seat, PATHFINDER] -= 1
        if verb == SCOUT:  # GR-6.1
            return begin_scouting(s, g, 2)
        s.action = SUPPLYING  # GR-6.2
        return begin_draw(s, 1, ALL)
    if verb in (REPAIR, DRIVE):
        s.assistants[seat, MECHANICS] -= 1
        if verb == REPAIR:  # GR-6.3
            begin_repair(s)
        else:  # GR-6.4
            begin_drive(s, seat)
        return 0
    if verb == CLEAR:
        s.assistants[seat, SECURITY] -= 1
    else:
        s.power_used[seat] = 1  # GR-11.10
    return begin_on_tiles(s, CLEARING)


@rule
def buy(s: State, g: Setup, seat: int, number: int) -> None:
    """GR-5.14 petrol is bought once in a sequence."""
    francs = number * petrol_price(s, g, seat)
    s.money[seat] -= francs
    s.petrol[seat] += number
    s.bought = 1
    tell(s, BOUGHT, seat, number, francs)


@rule
def fund(s: State, g: Setup, seat: int) -> None:
    """GR-6.7 all assistants on Funding are played as one group."""
    number = s.assistants[seat, FUNDING]
    s.assistants[seat, FUNDING] = 0
    s.money[seat] += g.pays[number]
    tell(s, FUNDED, seat, number, g.pays[number])


@rule
def give_up(s: State, seat: int) -> None:
    """GR-5.4 a pass removes all assistants except those on Security."""
    s.passed[seat] = 1
    s.assistants[seat, PATHFINDER] = 0
    s.assistants[seat, MECHANICS] = 0
    s.assistants[seat, FUNDING] = 0
    tell(s, PASSED, seat)


@rule
def play_convoy_card(s: State, g: Setup, seat: int, kind: int) -> int:
    """GR-5.3 a card of the convoy kind. Return whether somebody must answer before the sequence goes on."""
    play(s, seat, kind)
    s.card = kind
    if kind == DRIVER:  # GR-10.4
        begin_drive(s, seat)
    elif kind == REPAIRMAN:  # GR-10.3
        begin_repair(s)
    elif kind == FINANCIAL:  # GR-10.8
        s.money[seat] += 30
        tell(s, EARNED, seat, 30)
    elif kind == REFUELING_STATION:  # GR-10.11
        fill(s, g, seat, 5)
    elif kind == CARTOGRAPHER:  # GR-10.7
        return begin_scouting(s, g, 3)
    elif kind == TOPOGRAPHER:  # GR-10.19
        return begin_mapping(s, g)
    elif kind == TRACKER:  # GR-10.15
        s.action = TRACKING
        return begin_draw(s, 3, 2)
    elif kind == TRAIL_HUNTER:  # GR-10.1
        return begin_on_tiles(s, HUNTING)
    elif kind == CON_ARTIST:  # GR-10.6
        return begin_on_tiles(s, SWAPPING)
    else:
        return begin_on_target(s, action_of(kind))
    return 0
