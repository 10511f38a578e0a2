"""The Great Race: the set-up: what is decided by lot, and who leads a crew (GR-1, GR-11)."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.bivouac import begin_turn
from paddock.games.great_race.rules.crew import ask, pay_order
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import Row, rule, tell


@rule
def set_up(s: State, g: Setup) -> None:
    """GR-1 the beginning, before the lots: all gauges full, no cards in the hands, all tiles in the bag."""
    s.phase = state.LOTS
    s.round = 0
    s.turn = 0
    s.bought = 0
    s.assistant = 0
    s.card = state.NO_CARD
    s.arrived = 0
    s.origin = state.OFF
    s.goal = state.OFF
    s.numbered = 0
    s.market_size = 0
    s.drawn_size = 0
    rest(s)
    for i in range(state.TOKENS):
        s.token[i] = 0
    s.deck_size = 0
    for kind in range(state.CARDS):
        s.deck[kind] = g.deck[kind]
        s.deck_size += g.deck[kind]
        s.discard[kind] = 0
        s.market[kind] = 0
    s.bag_size = 0
    for kind in range(state.TILES):
        s.bag[kind] = g.bag[kind]
        s.bag_size += g.bag[kind]
        s.removed[kind] = 0
        s.drawn_tiles[kind] = 0
        s.picked_tiles[kind] = 0
    for space in range(state.SPACES):
        s.tile[space] = state.BLANK
        s.scratch[space] = 0
    for seat in range(state.SEATS):
        set_up_seat(s, g, seat)
    ask(s, state.DRAW_FIRST, 0)


@rule
def set_up_seat(s: State, g: Setup, seat: int) -> None:
    """GR-1.2 all gauges at the maximum; GR-1.3 80 F, and the hand is empty."""
    s.order[seat] = 0
    s.token_order[seat] = 0
    s.at[seat] = state.OFF
    playing = seat < g.players
    s.petrol[seat] = g.gauge_max if playing else 0
    s.engine[seat] = s.petrol[seat]
    s.chassis[seat] = s.petrol[seat]
    s.money[seat] = g.start_money if playing else 0
    s.leader[seat] = state.NO_LEADER
    s.power_used[seat] = 0
    s.passed[seat] = 0
    s.place[seat] = 0
    s.plan[seat] = 0
    s.cards[seat] = 0
    for box in range(state.BOXES):
        s.assistants[seat, box] = 0
    for kind in range(state.CARDS):
        s.hand[seat, kind] = 0
        s.drawn[seat, kind] = 0
        s.known[seat, kind] = 0
        s.past[seat, kind] = 0
        s.past[seat, state.CARDS + kind] = 0
        for knower in range(state.SEATS):
            s.private[state.SEATS * knower + seat, kind] = 0


@rule
def rest(s: State) -> None:
    """Nothing is under way: wipe what an action has left behind, so that equal positions have equal bytes."""
    s.action = state.IDLE
    s.target = 0
    s.first_spot = state.OFF
    s.second_spot = state.OFF
    s.split_engine = 0
    s.split_chassis = 0
    s.left = 0
    s.keep = 0
    s.steps = 0
    s.entering = state.OFF
    s.known_step = 0
    s.discount = 0
    s.tried = 0
    s.picked = state.BLANK


@rule
def line_up(s: State, g: Setup, first: int) -> None:
    """GR-1.4 clockwise from the first player; GR-1.3 the last has 10 F less."""
    for i in range(g.players):
        seat = (first + i) % g.players
        s.order[i] = seat
        s.token_order[i] = seat
    s.money[s.order[g.players - 1]] = g.last_money


@rule
def go_first(s: State, g: Setup, first: int) -> None:
    """GR-1.4 the first player by lot; GR-8.4 with the option ``opening_bonus`` this order is paid, too."""
    line_up(s, g, first)
    s.turn = first
    tell(s, state.GOES_FIRST, first)
    if g.opening_bonus:
        pay_order(s, g)
    if g.n_ends > 1:
        ask(s, state.DRAW_END, first)
    else:
        set_ends(s, g, g.ends[0] if g.n_ends == 1 else state.OFF)


@rule
def set_ends(s: State, g: Setup, middle: int) -> None:
    """GR-1.7, GR-1.11 start and destination; one of them is the middle city on a half map."""
    s.origin = middle if g.origin == state.OFF else g.origin
    s.goal = middle if g.goal == state.OFF else g.goal
    for seat in range(g.players):
        s.at[seat] = s.origin
    tell(s, state.DESTINATION, s.goal, s.origin)
    numbers_on(s, g)


@rule
def is_middle(s: State, g: Setup, space: int) -> int:
    """GR-1.7 whether the purple city token of a half map lies here."""
    return int(g.n_ends > 0 and space == (s.origin if g.origin == state.OFF else s.goal))


@rule
def numbers_on(s: State, g: Setup) -> None:
    """GR-1.12 the next city token is drawn; GR-1.7 the purple one counts 1. Then come the leaders."""
    if s.numbered < g.n_tokens and is_middle(s, g, g.tokens[s.numbered]):
        s.token[s.numbered] = 1
        s.numbered += 1
    if s.numbered < g.n_tokens:
        ask(s, state.DRAW_NUMBER, s.turn)
    elif g.leaders:
        s.phase = state.LEADERS
        s.left = g.players
        ask(s, state.CHOOSE_LEADER, s.turn)
    else:
        begin_turn(s, g)


@rule
def numbers_left(s: State, g: Setup, number: int) -> int:
    """GR-1.12 how many of the numbers 1, 1, 2, 2 are not drawn yet."""
    n = 2
    for i in range(s.numbered):
        n -= int(s.token[i] == number and is_middle(s, g, g.tokens[i]) == 0)
    return n


@rule
def draw_number(s: State, g: Setup, number: int) -> None:
    """GR-1.7 the number of cards that the next of the middle cities gives."""
    s.token[s.numbered] = number
    tell(s, state.NUMBERED, g.tokens[s.numbered], number)
    s.numbered += 1
    numbers_on(s, g)


@rule
def why_not_leader(s: State, g: Setup, leader: int) -> int:
    """GR-11.0 why a leader is not chosen: somebody has it."""
    for seat in range(g.players):
        if s.leader[seat] == leader:
            return reasons.LEADER_TAKEN
    return reasons.LEGAL


@rule
def choose_leader(s: State, g: Setup, seat: int, leader: int) -> None:
    """GR-11 in turn order each player chooses a leader; GR-11.2 Boris has one level more on each gauge."""
    s.leader[seat] = leader
    if leader == state.BORIS:
        s.petrol[seat] += 1
        s.engine[seat] += 1
        s.chassis[seat] += 1
    tell(s, state.LED_BY, seat, leader)
    s.left -= 1
    if s.left > 0:
        s.turn = s.order[g.players - s.left]
        ask(s, state.CHOOSE_LEADER, s.turn)
    else:
        begin_turn(s, g)


@rule
def lot_outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """GR-1.4 any player goes first; GR-1.7 any middle city; GR-1.12 the numbers left. Return how many."""
    if s.stage == state.DRAW_NUMBER:
        n = 0
        for number in range(1, 3):
            out[n] = state.NUMBER + number
            weights[n] = numbers_left(s, g, number)
            n += int(weights[n] > 0)
        return n
    first, n = (state.FIRST, g.players) if s.stage == state.DRAW_FIRST else (state.END, g.n_ends)
    for i in range(n):
        out[i] = first + i
        weights[i] = 1
    return n
