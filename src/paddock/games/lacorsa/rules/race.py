"""LACORSA: the deal, qualifying, laps, challenges and the free road (LC-3 to LC-7)."""

from __future__ import annotations

from paddock.games.lacorsa.rules import refusals, state
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.kernel import CHANCE, TELL, rule, tell


@rule
def worth(g: Setup, play: int) -> int:
    """LC-5.1 return the value of a play: its rank, 2 more with a Redline; LC-3.2 Redlines alone are 0."""
    if play == state.REDLINE:
        return g.redline_alone
    if play < state.KINDS:
        return play
    if play == state.TWO_REDLINES:
        return 0
    return play - state.WITH_REDLINE + g.redline_bonus


@rule
def why_not_hand(s: State, car: int, play: int, doubles: int) -> int:
    """LC-3.1, LC-5.1, LC-6.3 only cards of the hand are played; LC-3.5 two Redlines with ``doubles``."""
    redlines = s.hand[car, state.REDLINE]
    if play == state.TWO_REDLINES:
        if not doubles:
            return refusals.TWO_REDLINES_REFUSED
        return refusals.LEGAL if redlines > 1 else refusals.ONE_REDLINE_HELD
    if s.hand[car, play - state.WITH_REDLINE * int(play >= state.KINDS)] == 0:
        return refusals.NOT_HELD
    return refusals.LEGAL if play < state.KINDS or redlines > 0 else refusals.NO_REDLINE


@rule
def why_not_commit(s: State, g: Setup, car: int, play: int) -> int:
    """LC-3.1, LC-5.1 a card is committed in qualifying and in a challenge; LC-4.3 not on a free road."""
    return refusals.ROAD_IS_FREE if s.phase == state.ROAD else why_not_hand(s, car, play, g.void)


@rule
def why_not_free(s: State, car: int) -> int:
    """LC-3.1, LC-4.3, LC-5.1 in qualifying and in a challenge, cars neither extend nor discard."""
    if s.phase == state.QUALIFY:
        return refusals.QUALIFYING
    if s.phase == state.CHALLENGE:
        return refusals.MUST_CHALLENGE if s.order[s.turn] == car else refusals.DEFENDING
    return refusals.LEGAL


@rule
def why_not_extend(s: State, g: Setup, car: int, kind: int) -> int:
    """LC-6.1 a 1, 2 or 3 of the hand extends; LC-6.2, LC-6.7 the leader's 3 does not."""
    if kind > g.extend_cards:
        return refusals.NO_EXTEND_CARD
    if kind > g.leader_extends and s.turn == s.running - 1:
        return refusals.LEADER_EXTENDS
    return why_not_hand(s, car, kind, 0)


@rule
def spend(s: State, car: int, play: int) -> None:
    """LC-5.5 put the cards of a play on the discard pile; LC-7.1 with an empty hand the last lap begins.

    LX-3.9 also if the car retires then.
    """
    hand = s.hand
    held = s.held[car]
    left = s.cards[car] - 1
    kind = play
    where = state.KINDS * int(s.phase == state.ROAD)
    if play >= state.KINDS:
        kind = play - state.WITH_REDLINE
        if play == state.TWO_REDLINES:
            kind = state.REDLINE
        hand[car, state.REDLINE] -= 1
        if hand[car, state.REDLINE] == 0:
            held &= ~1
        s.discard[state.REDLINE] += 1
        s.past[car, where + state.REDLINE] += 1
        left -= 1
    n = hand[car, kind] - 1
    hand[car, kind] = n
    if n == 0:
        held &= ~(1 << kind)
    s.held[car] = held
    s.discard[kind] += 1
    s.past[car, where + kind] += 1
    s.cards[car] = left
    if left == 0:
        s.last = 1
        tell(s, state.EMPTY, car)


@rule
def forget(s: State, car: int, play: int) -> None:
    """LX-2.1 remove known cards of the kinds that the car plays."""
    kind = (play - state.WITH_REDLINE * (play >= state.KINDS)) % state.KINDS
    s.known[car, kind] -= s.known[car, kind] > 0
    if play >= state.KINDS:
        s.known[car, state.REDLINE] -= s.known[car, state.REDLINE] > 0


@rule
def deal(s: State, g: Setup, kind: int) -> None:
    """LC-1.2 deal the next card, car after car."""
    car = s.dealt // g.cards
    s.deck[kind] -= 1
    s.hand[car, kind] += 1
    s.held[car] |= 1 << kind
    s.cards[car] += 1
    s.dealt += 1
    if s.dealt == g.cars * g.cards:
        s.phase = state.QUALIFY
        s.waiting = (1 << g.cars) - 1


@rule
def best_value(s: State, g: Setup) -> int:
    """LC-3.3 return the highest value among cars without a place."""
    best = 0
    for car in range(g.cars):
        best = max(best, s.value[car])
    return best


@rule
def count_tied(s: State, g: Setup, value: int) -> int:
    """LC-3.4 return how many cars without a place have this value."""
    tied = 0
    for car in range(g.cars):
        if s.value[car] == value:
            tied += 1
    return tied


@rule
def nth_tied(s: State, g: Setup, value: int, n: int) -> int:
    """Return the car number ``n`` (from 0) of those with this value."""
    car = 0
    while s.value[car] != value or n > 0:
        if s.value[car] == value:
            n -= 1
        car += 1
    return car


@rule
def place(s: State, g: Setup) -> None:
    """LC-3.3 place the cars, highest value in front; LC-3.4 a tie waits for a random draw."""
    while s.placed < g.cars:
        best = best_value(s, g)
        if count_tied(s, g, best) > 1:
            s.phase = state.TIED
            s.waiting = 1 << CHANCE
            return
        put(s, g, nth_tied(s, g, best, 0))
    for i in range(g.cars - 1):
        s.gap[i] = g.grid_gap
    s.lap = 1
    if g.pit and g.pit_lap == 1:  # LX-2.0
        s.stops = (1 << g.cars) - 1
    tell(s, state.LAP, 1)
    next_decision(s, g)


@rule
def put(s: State, g: Setup, car: int) -> None:
    """LC-3.3 put the car on the foremost free space of the grid."""
    s.order[g.cars - 1 - s.placed] = car
    s.value[car] = 0
    s.placed += 1
    tell(s, state.STARTS, car, s.placed)


@rule
def can_pit(s: State, g: Setup, car: int) -> int:
    """LX-2.0 return 1 if ``car``, whose turn it is, may pit now.

    It may once per race, from the second lap on (``pit_lap``), at the start of its turn. With
    ``pit_timing=turn``, also after a pass.
    """
    return (s.stops >> car) & ((s.passes == 0) | g.late)


@rule
def next_decision(s: State, g: Setup) -> None:
    """LC-4.1 go to the next decision, in this lap or the next one, or to the end of the race."""
    while True:
        if s.turn == s.running:
            if s.last:  # LC-7.1
                finish(s, g)
                return
            s.lap += 1
            s.turn = 0
            s.drafted = 0
            if g.pit and s.lap == g.pit_lap:  # LX-2.0
                s.stops = (1 << g.cars) - 1
            tell(s, state.LAP, s.lap)
        car = s.order[s.turn]
        if s.cards[car] == 0:  # LC-4.4, LX-2.5
            if s.passes == 0:
                tell(s, state.SKIPPED, car)
        elif s.passes < g.most_passes:  # LC-5.4
            if s.turn + 1 < s.running and s.gap[s.turn] == 0:  # LC-4.3
                if g.pit and can_pit(s, g, car):
                    s.phase = state.PITS
                    s.waiting = 1 << car
                else:
                    s.phase = state.CHALLENGE
                    s.waiting = (1 << car) | (1 << s.order[s.turn + 1])
            else:
                s.phase = state.ROAD
                s.waiting = 1 << car
            return
        s.turn += 1
        s.passes = 0


@rule
def finish(s: State, g: Setup) -> None:
    """LC-7.2, LX-4.1 end the race and tell the points."""
    s.phase = state.OVER
    s.waiting = 0
    if TELL:
        for i in range(s.running):
            tell(s, state.FINISHED, s.order[s.running - 1 - i], i + 1, g.points[i])


@rule
def turn_over(s: State, g: Setup, turn: int) -> None:
    """LC-4.1 end the turn; the car at this index is next."""
    s.turn = turn
    s.passes = 0
    next_decision(s, g)


@rule
def reveal(s: State, g: Setup, car: int, play: int) -> int:
    """LC-5.1 reveal a committed play and spend it; return its value."""
    s.commit[car] = 0
    value = worth(g, play)
    tell(s, state.REVEALED, car, play, value)
    spend(s, car, play)
    return value


@rule
def qualify(s: State, g: Setup) -> None:
    """LC-3.1 reveal all plays of qualifying together."""
    for car in range(g.cars):
        s.value[car] = 1 + reveal(s, g, car, s.commit[car] - 1)
    place(s, g)


@rule
def overtake(s: State, i: int) -> None:
    """LC-5.3 let the car at this index and the next one swap spaces."""
    attacker = s.order[i]
    s.order[i] = s.order[i + 1]
    s.order[i + 1] = attacker
    s.passes += 1
    tell(s, state.PASSED, attacker, s.order[i], s.passes)


@rule
def challenge(s: State, g: Setup) -> None:
    """LC-5.2 the higher value wins, a tie is the defender's; LC-5.3 a successful challenger swaps spaces.

    LC-4.2 a car that is passed is behind the turn, and gets none.
    """
    i = s.turn
    attacker = s.order[i]
    defender = s.order[i + 1]
    attacking = s.commit[attacker] - 1
    defending = s.commit[defender] - 1
    attack = reveal(s, g, attacker, attacking)
    defence = reveal(s, g, defender, defending)
    if g.pit:
        forget(s, attacker, attacking)
        forget(s, defender, defending)
    if (
        g.incidents
        and attack == defence
        and not (0 < attacking < state.KINDS and 0 < defending < state.KINDS)
    ):
        s.phase = state.INCIDENT
        s.waiting = 1 << CHANCE
        tell(s, state.ACCIDENT, attacker, defender)
        return
    if attack >= defence + g.win_by:
        overtake(s, i)
    else:
        s.passes = 0
        tell(s, state.HELD, attacker, defender)
    s.turn = i + 1  # the challenger, if it has passed; else the defender
    next_decision(s, g)


@rule
def drive(s: State, g: Setup, car: int, move: int) -> None:
    """LC-6.1 extend as far as there is room, or LC-6.3 discard; LC-6.5 the turn ends, unless LX-5.1 the car
    drafts."""
    i = s.turn
    play = move - state.DISCARD
    if move >= state.EXTEND:
        play = move - state.EXTEND + 1
        spaces = g.extend_spaces
        if i + 1 < s.running:
            spaces = min(spaces, s.gap[i])
            s.gap[i] -= spaces
        if i > 0:
            s.gap[i - 1] += spaces
        tell(s, state.EXTENDED, car, play)
    else:
        tell(s, state.DISCARDED, car, play)
    spend(s, car, play)
    if g.pit:
        forget(s, car, play)
    done = (s.drafted >> car) & 1  # LX-5.2
    if (  # LX-5.1
        g.drafting
        and not done
        and move - state.EXTEND >= g.drafts_from - 1
        and i + 1 < s.running
        and s.gap[i] == 0
        and s.cards[car] > 0
    ):
        s.phase = state.DRAFT
        s.drafted |= g.one_draft << car
        return
    turn_over(s, g, i + 1)
