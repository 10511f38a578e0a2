"""LACORSA: what may happen now, and what follows. Nothing else.

Cards are counts: a kind is 0 for the Redline and the rank 1 … 12 otherwise, so a kind is
also its worth in a challenge (LC-5.1). A *play* is what one car puts down at once:
``kind``, ``12 + kind`` for a kind with a Redline, ``25`` for two Redlines. A move is
``play`` (commit), ``DISCARD + play``, ``EXTEND + kind - 1``, ``TAKE + kind`` from the open
pile, or one of ``PIT``, ``STAY``, ``ATTACK`` and ``STOP``.

The road is the cars still running from the back to the front, ``order``, and the empty spaces
ahead of each, ``gap``: only distances matter (LC-6.6).
"""

from __future__ import annotations

from typing import Annotated

from paddock.kernel import CHANCE, HIDDEN, Grid, Row, below, i8, i16, i64, record, rule, telling

CARS = 12
KINDS = 13
REDLINE = 0
PLAYS = 26
TWO_REDLINES = 25
DISCARD = 26
EXTEND = 52
PIT, STAY, ATTACK, STOP = range(55, 59)
TAKE = 59
LOT = 13
DIE = LOT + CARS

ACTIONS = TAKE + KINDS
OUTCOMES = DIE + 6
MAX_SEATS = CARS
MAX_DEALT = CARS * 13  # LX-1.2
# A refill doubles the cards; a play may be preceded by staying out, or followed by a draft.
MAX_DECISIONS = 2 * (2 * MAX_DEALT) + MAX_DEALT + CARS
MAX_EVENTS = 5 * CARS + 2
MIN_SCORE = 0
MAX_SCORE = 1000

# Phases
DEAL, QUALIFY, TIED, CHALLENGE, ROAD, OVER, PITS, PIT_DRAW, PIT_DIE, INCIDENT, DRAFT = range(11)

# Events: (code, a, b, c). All are public; a secret is never told.
REVEALED, DRAWN, STARTS, LAP, PASSED, HELD, EXTENDED, DISCARDED, EMPTY, SKIPPED, FINISHED = range(1, 12)
PITTED, STAYED, DREW, ROLLED, DROPPED, MOVED_UP = range(12, 18)
ACCIDENT, RETIRED, SPUN, OFF, DRAFTS, STOPPED = range(18, 24)

TELL = telling()


@record
class Setup:
    """What does not change in a race."""

    cars: i8
    cards: i8  # dealt to each car
    void: i8  # 1 where two Redlines are a play worth 0 (LC-3.5)
    pit: i8  # 1 where cars may pit (LX-2)
    choose: i8  # 1 where the driver chooses the card (LX-2.1)
    refill: i8  # 1 where a stop fills the hand up (LX-2.2)
    incidents: i8  # 1 where tied Redlines are an accident (LX-3)
    drafting: i8  # 1 where a 3 may be followed by a challenge (LX-5)
    deck: Annotated[Row, i16, KINDS]  # cards of each kind in the whole deck
    points: Annotated[Row, i16, CARS]  # by finishing place


@record
class State:
    """One race."""

    waiting: i64  # bitmask of the seats (or chance) that must decide
    phase: i8
    turn: i8  # index in ``order`` of the car whose turn it is
    passes: i8  # made in this turn
    lap: i8
    last: i8  # 1 once any car has been without cards (LC-7.4)
    placed: i8  # cars that have their place on the grid
    running: i8  # cars that have not retired
    stops: i16  # bitmask of the cars that may still make a stop; none before the second lap (LX-2.0)
    drafted: i16  # bitmask of the cars that closed up with a 3 in this lap (LX-5.2)
    dealt: i16
    deck: Annotated[Row, i16, KINDS]  # not dealt (the rest is set aside unseen)
    discard: Annotated[Row, i16, KINDS]
    cards: Annotated[Row, i8, CARS]  # in each hand
    held: Annotated[Row, i16, CARS]  # bitmask of the kinds in each hand
    hand: Annotated[Grid, i8, CARS, KINDS]
    known: Annotated[Grid, i8, CARS, KINDS]  # cards of the hand that all have seen (LX-2.1)
    commit: Annotated[Row, i8, CARS]  # 1 + play, 0 none, HIDDEN one that the eyes cannot see
    value: Annotated[Row, i8, CARS]  # 1 + worth in qualifying, 0 once placed
    order: Annotated[Row, i8, CARS]  # from the back to the leader
    gap: Annotated[Row, i8, CARS]  # empty spaces ahead of the car at that index
    out: Annotated[Row, i8, CARS]  # 1 for the first car to retire, 2 for the next, … 0 while it runs
    told: i8
    event: Annotated[Grid, i16, MAX_EVENTS, 4]


@rule
def tell(s: State, code: int, a: int, b: int, c: int) -> None:
    """Append an event to what the last ``apply`` told."""
    if TELL:
        n = s.told
        s.event[n, 0] = code
        s.event[n, 1] = a
        s.event[n, 2] = b
        s.event[n, 3] = c
        s.told = n + 1


@rule
def start(s: State, g: Setup) -> None:
    """LC-1.2 the shuffled deck, before any card is dealt."""
    s.waiting = 1 << CHANCE
    s.phase = DEAL
    s.turn = 0
    s.passes = 0
    s.lap = 0
    s.last = 0
    s.placed = 0
    s.running = g.cars
    s.stops = 0
    s.drafted = 0
    s.dealt = 0
    s.told = 0
    for k in range(KINDS):
        s.deck[k] = g.deck[k]
        s.discard[k] = 0
    for car in range(g.cars):
        s.cards[car] = 0
        s.held[car] = 0
        s.commit[car] = 0
        s.value[car] = 0
        s.order[car] = 0
        s.gap[car] = 0
        s.out[car] = 0
        for k in range(KINDS):
            s.hand[car, k] = 0
            if g.pit:
                s.known[car, k] = 0


@rule
def who(s: State, g: Setup) -> int:
    """The seats that must decide now, as a bitmask; the chance bit; 0 when the race is over."""
    return s.waiting


@rule
def legal(s: State, g: Setup, seat: int, out: Row) -> int:
    """Write the ids of every legal move of ``seat``, which must decide, and return how many.

    LC-3.1, LC-5.1 a card or a card with a Redline; LC-6.1 to LC-6.4 on a free road, where a car
    may also pit (LX-2.0). LX-2.0 pit or not; LX-2.1 a card of the pile; LX-5.1 challenge or stop.
    """
    n = 0
    if s.phase > OVER:
        if s.phase == PIT_DRAW:
            for k in range(KINDS):
                out[n] = TAKE + k
                n += s.discard[k] > 0
        else:
            n = 2
            out[0] = PIT + (ATTACK - PIT) * (s.phase == DRAFT)
            out[1] = out[0] + 1
    else:
        held = s.held[seat]
        base = 0
        if s.phase == ROAD:
            base = DISCARD
        for k in range(KINDS):
            out[n] = base + k
            n += (held >> k) & 1
        if held & 1:
            for k in range(1, KINDS):
                out[n] = base + 12 + k
                n += (held >> k) & 1
            if g.void and base == 0 and s.hand[seat, REDLINE] > 1:
                out[n] = TWO_REDLINES
                n += 1
        if base:
            extends = 3
            if s.turn == s.running - 1:  # LC-6.2
                extends = 2
            for k in range(1, extends + 1):
                out[n] = EXTEND + k - 1
                n += (held >> k) & 1
            out[n] = PIT
            n += (s.stops >> seat) & (s.passes == 0)
    out[n] = 0  # a last use that all ways share spares the compiled life its reference counts
    return n


@rule
def can_pit(s: State, car: int) -> int:
    """LX-2.0 after the first lap, once a race, at the start of the turn: 1 where the turn's car may."""
    return (s.stops >> car) & (s.passes == 0)


@rule
def worth(play: int) -> int:
    """LC-5.1 what a play counts: its rank, 2 more with a Redline; Redlines alone are 0."""
    if play < KINDS:
        return play
    if play == TWO_REDLINES:
        return 0
    return play - 10


@rule
def spend(s: State, car: int, play: int) -> None:
    """LC-5.5 the cards of a play go to the discard pile; LC-7.1 an empty hand ends the race."""
    hand = s.hand
    held = s.held[car]
    left = s.cards[car] - 1
    kind = play
    if play >= KINDS:
        kind = play - 12
        if play == TWO_REDLINES:
            kind = REDLINE
        hand[car, REDLINE] -= 1
        if hand[car, REDLINE] == 0:
            held &= ~1
        s.discard[REDLINE] += 1
        left -= 1
    n = hand[car, kind] - 1
    hand[car, kind] = n
    if n == 0:
        held &= ~(1 << kind)
    s.held[car] = held
    s.discard[kind] += 1
    s.cards[car] = left
    if left == 0:
        s.last = 1
        tell(s, EMPTY, car, 0, 0)


@rule
def deal(s: State, g: Setup, kind: int) -> None:
    """LC-1.2 the next card of the deal, car after car."""
    car = s.dealt // g.cards
    s.deck[kind] -= 1
    s.hand[car, kind] += 1
    s.held[car] |= 1 << kind
    s.cards[car] += 1
    s.dealt += 1
    if s.dealt == g.cars * g.cards:
        s.phase = QUALIFY
        s.waiting = (1 << g.cars) - 1


@rule
def best_value(s: State, g: Setup) -> int:
    """LC-3.3 the highest value of the cars not yet placed."""
    best = 0
    for car in range(g.cars):
        best = max(best, s.value[car])
    return best


@rule
def count_tied(s: State, g: Setup, value: int) -> int:
    """LC-3.4 how many cars not yet placed have this value."""
    tied = 0
    for car in range(g.cars):
        if s.value[car] == value:
            tied += 1
    return tied


@rule
def nth_tied(s: State, g: Setup, value: int, n: int) -> int:
    """The car that ``n`` others of this value come before."""
    car = 0
    while s.value[car] != value or n > 0:
        if s.value[car] == value:
            n -= 1
        car += 1
    return car


@rule
def place(s: State, g: Setup) -> None:
    """LC-3.3 the highest value starts in front; LC-3.4 a tie waits for the die."""
    while s.placed < g.cars:
        best = best_value(s, g)
        if count_tied(s, g, best) > 1:
            s.phase = TIED
            s.waiting = 1 << CHANCE
            return
        put(s, g, nth_tied(s, g, best, 0))
    s.lap = 1
    tell(s, LAP, 1, 0, 0)
    go_on(s, g)


@rule
def put(s: State, g: Setup, car: int) -> None:
    """LC-3.3 the car takes the foremost free space of the grid."""
    s.order[g.cars - 1 - s.placed] = car
    s.value[car] = 0
    s.placed += 1
    tell(s, STARTS, car, s.placed, 0)


@rule
def go_on(s: State, g: Setup) -> None:
    """LC-4.1 the next decision of the lap, or of the next lap, or the end of the race."""
    while True:
        if s.turn == s.running:
            if s.last:  # LC-7.1
                finish(s, g)
                return
            s.lap += 1
            s.turn = 0
            s.drafted = 0
            if g.pit and s.lap == 2:  # LX-2.0
                s.stops = (1 << g.cars) - 1
            tell(s, LAP, s.lap, 0, 0)
        car = s.order[s.turn]
        if s.cards[car] == 0:  # LC-4.4
            if s.passes == 0:
                tell(s, SKIPPED, car, 0, 0)
        elif s.passes < 2:  # LC-5.4
            if s.turn + 1 < s.running and s.gap[s.turn] == 0:  # LC-4.3
                if can_pit(s, car):
                    s.phase = PITS
                    s.waiting = 1 << car
                else:
                    s.phase = CHALLENGE
                    s.waiting = (1 << car) | (1 << s.order[s.turn + 1])
            else:
                s.phase = ROAD
                s.waiting = 1 << car
            return
        s.turn += 1
        s.passes = 0


@rule
def finish(s: State, g: Setup) -> None:
    """LC-7.2 the race is over, and its points are told."""
    s.phase = OVER
    s.waiting = 0
    if TELL:
        for i in range(s.running):
            tell(s, FINISHED, s.order[s.running - 1 - i], i + 1, g.points[i])


@rule
def turn_over(s: State, g: Setup, turn: int) -> None:
    """LC-4.1 the next turn is that of the car at this index."""
    s.turn = turn
    s.passes = 0
    go_on(s, g)


@rule
def reveal(s: State, g: Setup, car: int) -> int:
    """LC-5.1 turn a committed play up and spend it; returns what it counts."""
    play = s.commit[car] - 1
    s.commit[car] = 0
    value = worth(play)
    if TELL:
        tell(s, REVEALED, car, play, value)
    spend(s, car, play)
    return value


@rule
def qualify(s: State, g: Setup) -> None:
    """LC-3.1 all are revealed together."""
    for car in range(g.cars):
        s.value[car] = 1 + reveal(s, g, car)
    place(s, g)


@rule
def challenge(s: State, g: Setup) -> None:
    """LC-5.2 the higher value wins, a tie is the defender's; LC-5.3 a successful challenger swaps spaces."""
    i = s.turn
    attacker = s.order[i]
    defender = s.order[i + 1]
    attacking = s.commit[attacker] - 1
    defending = s.commit[defender] - 1
    attack = reveal(s, g, attacker)
    defence = reveal(s, g, defender)
    if g.pit:
        forget(s, attacker, attacking)
        forget(s, defender, defending)
    if attack > defence:
        s.order[i] = defender
        s.order[i + 1] = attacker
        s.passes += 1
        if TELL:
            tell(s, PASSED, attacker, defender, s.passes)
    elif g.incidents and attack == defence and not (0 < attacking < KINDS and 0 < defending < KINDS):
        s.phase = INCIDENT
        s.waiting = 1 << CHANCE
        tell(s, ACCIDENT, attacker, defender, 0)
        return
    else:
        s.passes = 0
        if TELL:
            tell(s, HELD, attacker, defender, 0)
    s.turn = i + 1  # where the challenger now stands, or the defender's own turn
    go_on(s, g)


@rule
def drive(s: State, g: Setup, car: int, move: int) -> None:
    """LC-6.1 extend by one space, or LC-6.3 discard; the turn is over."""
    if move == PIT:
        pit(s, g, car)
        return
    i = s.turn
    play = move - DISCARD
    if move >= EXTEND:
        play = move - EXTEND + 1
        if i + 1 < s.running:
            s.gap[i] -= 1
        if i > 0:
            s.gap[i - 1] += 1
        if TELL:
            tell(s, EXTENDED, car, play, 0)
    elif TELL:
        tell(s, DISCARDED, car, play, 0)
    spend(s, car, play)
    if g.pit:
        forget(s, car, play)
    once = (s.drafted >> car) & 1 == 0  # LX-5.2
    if g.drafting and once and move == EXTEND + 2 and s.gap[i] == 0 and s.cards[car] > 0:  # LX-5.1
        s.phase = DRAFT
        s.drafted |= 1 << car
        return
    turn_over(s, g, i + 1)


@rule
def forget(s: State, car: int, play: int) -> None:
    """LX-2.1 a card that all had seen is used up when one of its kind is played."""
    kind = (play - 12 * (play >= KINDS)) % KINDS
    s.known[car, kind] -= s.known[car, kind] > 0
    if play >= KINDS:
        s.known[car, REDLINE] -= s.known[car, REDLINE] > 0


@rule
def pit(s: State, g: Setup, car: int) -> None:
    """LX-2.0 the car's stop is its whole turn; LX-2.6 the cards come first."""
    s.stops &= ~(1 << car)
    s.phase = PIT_DRAW
    s.waiting = 1 << (car if g.choose else CHANCE)
    tell(s, PITTED, car, 0, 0)


@rule
def pit_draw(s: State, g: Setup, kind: int) -> None:
    """LX-2.1 a card of the open pile, which all have seen; LX-2.2 or as many as were dealt."""
    car = s.order[s.turn]
    s.discard[kind] -= 1
    s.hand[car, kind] += 1
    s.held[car] |= 1 << kind
    s.known[car, kind] += 1
    s.cards[car] += 1
    tell(s, DREW, car, kind, 0)
    if g.refill == 0 or s.cards[car] == g.cards:
        s.phase = PIT_DIE
        s.waiting = 1 << CHANCE


@rule
def pit_die(s: State, g: Setup, face: int) -> None:
    """LX-2.3 the stop costs up to two spaces; LX-2.4 play goes on ahead of where the car stood."""
    i = s.turn
    spaces = (6 - face) // 2
    tell(s, ROLLED, s.order[i], face, 0)
    tell(s, DROPPED, s.order[i], spaces, 0)
    for _ in range(spaces):
        i = drop(s, i)
    turn_over(s, g, s.turn + 1)


@rule
def drop(s: State, i: int) -> int:
    """LX-2.3 the car at this index falls back one space, and who stands there moves up; its new index."""
    if i > 0 and s.gap[i - 1] == 0:
        other = s.order[i - 1]
        s.order[i - 1] = s.order[i]
        s.order[i] = other
        tell(s, MOVED_UP, other, 0, 0)
        return i - 1
    if i > 0:
        s.gap[i - 1] -= 1
    if i + 1 < s.running:
        s.gap[i] += 1
    return i


@rule
def retire(s: State, g: Setup, i: int) -> None:
    """LX-3.1 the car at this index leaves the road, and all that follow close up by its space."""
    tell(s, RETIRED, s.order[i], 0, 0)
    s.out[s.order[i]] = g.cars - s.running + 1
    s.running -= 1
    if i > 0:
        s.gap[i - 1] += s.gap[i]
    for j in range(i, s.running):
        s.order[j] = s.order[j + 1]
        s.gap[j] = s.gap[j + 1]
    s.order[s.running] = 0
    s.gap[s.running] = 0
    s.gap[max(s.running - 1, 0)] = 0  # nobody stands ahead of the leader


@rule
def rejoin(s: State, i: int, to: int) -> None:
    """LX-3.2, LX-3.3 the cars at this index and the next rejoin directly behind the one at index ``to``.

    Whoever stood between moves up two spaces, with the distances between them as they were.
    """
    attacker = s.order[i]
    defender = s.order[i + 1]
    s.gap[i - 1] += s.gap[i + 1]
    for j in range(i - 1, to - 1, -1):
        s.order[j + 2] = s.order[j]
        s.gap[j + 2] = s.gap[j]
        s.gap[j] = 0
    s.gap[to + 1] = 0
    s.gap[s.running - 1] = 0  # nobody stands ahead of the leader
    s.order[to] = attacker
    s.order[to + 1] = defender


@rule
def incident(s: State, g: Setup, face: int) -> None:
    """LX-3.1 to LX-3.4 what the defender's die says; LX-3.5 play resumes ahead of the accident."""
    i = s.turn
    turn = i + 1
    attacker = s.order[i]
    defender = s.order[i + 1]
    tell(s, ROLLED, defender, face, 0)
    if face == 6:
        tell(s, HELD, attacker, defender, 0)
    elif face >= 4:
        turn = i + 2
        if face == 4:
            tell(s, SPUN, attacker, defender, 0)
        else:
            tell(s, OFF, attacker, defender, (1 + s.order[max(i - 1, 0)]) * (i > 0))
        if i > 0:
            rejoin(s, i, (i - 1) * (face == 5))
    else:
        if face != 2:
            retire(s, g, i)
            turn = i
        if face != 3:
            retire(s, g, turn)
        if s.running < 2:  # LX-3.6
            finish(s, g)
            return
    turn_over(s, g, turn)


@rule
def apply_large(s: State, g: Setup, seat: int, move: int) -> None:
    """What follows in the phases of the expansion."""
    if s.phase == PIT_DRAW:
        pit_draw(s, g, move - TAKE * (move >= TAKE))
    elif s.phase == PIT_DIE:
        pit_die(s, g, move - DIE + 1)
    elif s.phase == INCIDENT:
        incident(s, g, move - DIE + 1)
    elif move == PIT:
        pit(s, g, seat)
    elif move == STOP:  # LX-5.1
        tell(s, STOPPED, seat, s.order[s.turn + 1], 0)
        turn_over(s, g, s.turn + 1)
    else:  # STAY (LC-4.3) or ATTACK (LX-5.1)
        tell(s, STAYED + (DRAFTS - STAYED) * (move == ATTACK), seat, s.order[s.turn + 1], 0)
        s.phase = CHALLENGE
        s.waiting = (1 << seat) | (1 << s.order[s.turn + 1])


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """What follows from a legal move of ``seat``, or from an outcome when ``seat`` is CHANCE."""
    s.told = 0
    if s.phase == ROAD:
        drive(s, g, seat, move)
    elif s.phase > OVER:
        apply_large(s, g, seat, move)
    elif seat != CHANCE:
        s.commit[seat] = move + 1
        s.waiting &= ~(1 << seat)
        if s.waiting == 0:
            if s.phase == CHALLENGE:
                challenge(s, g)
            else:
                qualify(s, g)
    elif s.phase == DEAL:
        deal(s, g, move)
    else:
        tell(s, DRAWN, move - LOT, s.placed + 1, 0)
        put(s, g, move - LOT)
        place(s, g)


@rule
def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """At chance: the possible outcomes and their weights; returns how many.

    LC-1.2 a card of the kinds left in the deck, LX-2.1 in the pile; LX-2.3, LX-3.0 a face of
    the die; LC-3.4 any of the cars tied for the next place, which is the same distribution as
    rolling again.
    """
    n = 0
    if s.phase == DEAL or s.phase == PIT_DRAW:
        pile = s.deck
        if s.phase == PIT_DRAW:
            pile = s.discard
        for k in range(KINDS):
            out[n] = k
            weights[n] = pile[k]
            if pile[k] > 0:
                n += 1
        return n
    if s.phase > OVER:
        for n in range(6):
            out[n] = DIE + n
            weights[n] = 1
        return 6
    best = best_value(s, g)
    for car in range(g.cars):
        if s.value[car] == best:
            out[n] = LOT + car
            weights[n] = 1
            n += 1
    return n


@rule
def draw(counts: Row, total: int, rng: Row) -> int:
    """One card from ``total`` cards given as counts of kinds; the counts stay as they are."""
    x = below(rng, total)
    kind = 0
    while x >= counts[kind]:
        x -= counts[kind]
        kind += 1
    return kind


@rule
def deal_out(s: State, g: Setup, rng: Row) -> None:
    """LC-1.2 the rest of the deal, drawn as ``draw`` and ``deal`` do card by card."""
    deck = s.deck
    hand = s.hand
    low = 0  # cards left of the kinds below 7: where the scan for a card begins
    high = 0
    for k in range(7):
        low += deck[k]
    for k in range(7, KINDS):
        high += deck[k]
    for car in range(s.dealt // g.cards, g.cars):
        held = s.held[car]
        for _ in range(g.cards - s.cards[car]):
            x = below(rng, low + high)
            k = 0
            if x < low:
                low -= 1
            else:
                x -= low
                high -= 1
                k = 7
            n = deck[k]
            while x >= n:
                x -= n
                k += 1
                n = deck[k]
            deck[k] = n - 1
            hand[car, k] += 1
            held |= 1 << k
        s.held[car] = held
        s.cards[car] = g.cards
    s.dealt = g.cars * g.cards
    s.told = 0
    s.phase = QUALIFY
    s.waiting = (1 << g.cars) - 1


@rule
def run_chance(s: State, g: Setup, rng: Row) -> None:
    """Take all chance that is due from ``rng``, as stepwise ``outcomes`` would."""
    if s.phase == DEAL:
        deal_out(s, g, rng)
    while s.waiting >> CHANCE:
        if s.phase == TIED:
            best = best_value(s, g)
            what = LOT + nth_tied(s, g, best, below(rng, count_tied(s, g, best)))
        elif s.phase == PIT_DRAW:
            pile = 0
            for k in range(KINDS):
                pile += s.discard[k]
            what = draw(s.discard, pile, rng)
        else:
            what = DIE + below(rng, 6)
        apply(s, g, CHANCE, what)


@rule
def hide(s: State, g: Setup, eyes: int) -> None:
    """LC-1.4 wipe what the holders of the hands ``eyes`` cannot know."""
    for k in range(KINDS):
        s.deck[k] = 0
    for car in range(g.cars):
        if not (eyes >> car) & 1:
            s.held[car] = 0
            for k in range(KINDS):
                s.hand[car, k] = 0
            if s.commit[car] != 0:
                s.commit[car] = HIDDEN


@rule
def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
    """Fill a hidden state again: unseen cards as chance deals them, then the hidden commitments.

    What is unseen is the deck less the discard pile, the hands of ``eyes`` and the known cards
    of the others (LX-2.1), which are dealt first. ``out`` is room for a legal list.
    """
    left = 0
    for k in range(KINDS):
        unseen = g.deck[k] - s.discard[k]
        for car in range(g.cars):
            if (eyes >> car) & 1 == 0 and s.known[car, k] > 0:
                s.hand[car, k] = s.known[car, k]
                s.held[car] |= 1 << k
            unseen -= s.hand[car, k]
        s.deck[k] = unseen
        left += unseen
    for car in range(g.cars):
        if not (eyes >> car) & 1:
            unknown = s.cards[car]
            for k in range(KINDS):
                unknown -= s.known[car, k]
            for _ in range(unknown):
                kind = draw(s.deck, left, rng)
                left -= 1
                s.deck[kind] -= 1
                s.hand[car, kind] += 1
                s.held[car] |= 1 << kind
            if s.commit[car] == HIDDEN:
                n = legal(s, g, car, out)
                s.commit[car] = 1 + out[below(rng, n)]


@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    """The move or outcome as ``eyes`` sees it when it is applied to ``s``: its id, or HIDDEN.

    LC-1.4 a dealt card is its driver's; LC-3.1, LC-5.1 a committed play is face down.
    """
    if s.phase == DEAL:
        owner = s.dealt // g.cards
    elif s.phase == QUALIFY or s.phase == CHALLENGE:
        owner = by
    else:
        return move
    if (eyes >> owner) & 1:
        return move
    return HIDDEN


@rule
def place_of(s: State, g: Setup, car: int) -> int:
    """The car's place on the road, 1 for the leader."""
    i = 0
    while s.order[i] != car:
        i += 1
    return s.running - i


@rule
def places(s: State, g: Setup, out: Row) -> None:
    """LC-7.2 the finishing place of every seat, 1 for the winner; LX-3.6 0 for one that retired."""
    if s.running < g.cars:
        for car in range(g.cars):
            out[car] = 0
    for i in range(s.running):
        out[s.order[i]] = s.running - i


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """LC-7.2 the points of every seat; LX-3.6 none for one that retired."""
    if s.running < g.cars:
        for car in range(g.cars):
            out[car] = 0
    for i in range(s.running):
        out[s.order[i]] = g.points[s.running - 1 - i]
