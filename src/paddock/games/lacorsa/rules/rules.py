"""LACORSA: the kernel contract: legal moves, chance, and their effects.

race.py and large_grid.py implement the chapters of the rules; constants are in state.py.
"""

from __future__ import annotations

from paddock.games.lacorsa.rules import race, refusals, state
from paddock.games.lacorsa.rules.large_grid import (
    apply_large,
    why_not_draft,
    why_not_else,
    why_not_pit,
    why_not_stay,
    why_not_take,
)
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.kernel import CHANCE, HIDDEN, Row, below, rule, tell, weighted

ACTIONS = state.TAKE + state.KINDS
OUTCOMES = state.DIE + 6
MAX_SEATS = state.CARS
MAX_DEALT = state.CARS * 13  # LX-1.2
# A refill doubles the cards. A play may come with a second move: staying out before it, or a draft after it.
MAX_DECISIONS = 2 * (2 * MAX_DEALT) + MAX_DEALT + state.CARS
MAX_EVENTS = 5 * state.CARS + 2
MIN_SCORE = 0
MAX_SCORE = 1000


@rule
def start(s: State, g: Setup) -> None:
    """LC-1.2 set up the race, before any card is dealt."""
    s.waiting = 1 << CHANCE
    s.phase = state.DEAL
    s.turn = 0
    s.passes = 0
    s.lap = 0
    s.last = 0
    s.placed = 0
    s.running = g.cars
    s.stops = 0
    s.drafted = 0
    s.dealt = 0
    for k in range(state.KINDS):
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
        for k in range(2 * state.KINDS):
            s.past[car, k] = 0
        for k in range(state.KINDS):
            s.hand[car, k] = 0
            if g.pit:
                s.known[car, k] = 0


@rule
def who(s: State, g: Setup) -> int:
    """Return the bitmask of the seats that must decide now, or the chance bit; 0 when the race is over."""
    return s.waiting


@rule
def legal(s: State, g: Setup, seat: int, out: Row) -> int:
    """Write the ids of every legal move of ``seat``, which must decide, and return how many.

    LC-3.1, LC-5.1, LC-6.1 to LC-6.4, LX-2.0, LX-2.1, LX-5.1 they are those that ``why_not`` lets pass. The
    cards are listed by hand, for speed: bits of ``held``, without and with a Redline.
    """
    n = 0
    if s.phase > state.OVER:
        if s.phase == state.PIT_DRAW:
            for k in range(state.KINDS):
                out[n] = state.TAKE + k
                n += int(why_not_take(s, g, k) == refusals.LEGAL)
        else:
            n = 2
            out[0] = state.PIT + (state.ATTACK - state.PIT) * (s.phase == state.DRAFT)
            out[1] = out[0] + 1
    else:
        held = s.held[seat]
        base = 0
        if s.phase == state.ROAD:
            base = state.DISCARD
        left = held
        for move in range(base, base + state.KINDS):
            out[n] = move
            n += left & 1
            left >>= 1
        if held & 1:  # with a Redline
            for i in range(1, n):  # the cards above; the first move is the Redline itself
                out[n] = out[i] + state.WITH_REDLINE
                n += 1
            if g.void and base == 0 and s.hand[seat, state.REDLINE] > 1:
                out[n] = state.TWO_REDLINES
                n += 1
        if base:
            highest = g.leader_extends if s.turn == s.running - 1 else g.extend_cards
            for k in range(1, highest + 1):  # LC-6.2, LC-6.7
                out[n] = state.EXTEND + k - 1
                n += (held >> k) & 1
            if s.stops:
                out[n] = state.PIT
                n += int(why_not_pit(s, g, seat) == refusals.LEGAL)
    out[n] = 0  # a last use of ``out`` on every path: Numba then needs no reference counts
    return n


@rule
def why_not(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of the first reason that forbids a move, or LEGAL."""
    if move >= state.TAKE:
        return why_not_take(s, g, move - state.TAKE)
    if move == state.PIT:
        return why_not_pit(s, g, seat)
    if move == state.STAY:
        return why_not_stay(s, g)
    if move > state.STAY:  # attack or stop
        return why_not_draft(s, g)
    if s.phase > state.OVER:
        return why_not_else(s)
    if move < state.PLAYS:
        return race.why_not_commit(s, g, seat, move)
    if s.phase != state.ROAD:
        return race.why_not_free(s, seat)
    if move < state.EXTEND:
        return race.why_not_hand(s, seat, move - state.DISCARD, 0)
    return race.why_not_extend(s, g, seat, move - state.EXTEND + 1)


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """Apply a legal move of ``seat``, or a chance outcome if ``seat`` is CHANCE."""
    if s.phase == state.CHALLENGE or s.phase == state.QUALIFY:
        s.commit[seat] = move + 1
        s.waiting &= ~(1 << seat)
        if s.waiting == 0:
            if s.phase == state.CHALLENGE:
                race.challenge(s, g)
            else:
                race.qualify(s, g)
    elif s.phase == state.ROAD and move != state.PIT:
        race.drive(s, g, seat, move)
    elif s.phase > state.OVER or move == state.PIT:
        apply_large(s, g, seat, move)
    elif s.phase == state.DEAL:
        race.deal(s, g, move)
    else:
        tell(s, state.DRAWN, move - state.LOT, s.placed + 1)
        race.put(s, g, move - state.LOT)
        race.place(s, g)


@rule
def foreseen(s: State, g: Setup, seat: int, move: int) -> int:
    """LC-1.4 return 1 on a free road and in the phases of the expansion, where nothing is secret."""
    return int(s.phase == state.ROAD or s.phase > state.OVER)


@rule
def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """Write the possible outcomes of chance and their weights, and return how many.

    LC-1.2 a card from the deck, LX-2.1 from the discard pile; LX-2.3, LX-3.0 a face of the die; LC-3.4 one of
    the cars tied for the next place, with the same distribution as rolling again.
    """
    n = 0
    if s.phase == state.DEAL or s.phase == state.PIT_DRAW:
        pile = s.deck
        if s.phase == state.PIT_DRAW:
            pile = s.discard
        for k in range(state.KINDS):
            out[n] = k
            weights[n] = pile[k]
            if pile[k] > 0:
                n += 1
        return n
    if s.phase > state.OVER:
        for n in range(6):
            out[n] = state.DIE + n
            weights[n] = 1
        return 6
    best = race.best_value(s, g)
    for car in range(g.cars):
        if s.value[car] == best:
            out[n] = state.LOT + car
            weights[n] = 1
            n += 1
    return n


@rule
def deal_out(s: State, g: Setup, rng: Row) -> None:
    """LC-1.2 deal the rest of the cards: as ``weighted`` and ``deal`` do card by card, but faster."""
    deck = s.deck
    hand = s.hand
    low = 0  # cards left of the kinds below 7; a scan for a card starts at 0 or at 7, so it is half as long
    high = 0
    for k in range(7):
        low += deck[k]
    for k in range(7, state.KINDS):
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
    s.phase = state.QUALIFY
    s.waiting = (1 << g.cars) - 1


@rule
def run_chance(s: State, g: Setup, rng: Row) -> None:
    """Take all chance that is due from ``rng``, with the same distribution as ``outcomes``."""
    if s.phase == state.DEAL:
        deal_out(s, g, rng)
    while s.waiting >> CHANCE:
        if s.phase == state.TIED:
            best = race.best_value(s, g)
            outcome = state.LOT + race.nth_tied(s, g, best, below(rng, race.count_tied(s, g, best)))
        elif s.phase == state.PIT_DRAW:
            pile = 0
            for k in range(state.KINDS):
                pile += s.discard[k]
            outcome = weighted(rng, s.discard, pile)
        else:
            outcome = state.DIE + below(rng, 6)
        apply(s, g, CHANCE, outcome)


@rule
def redeal(s: State, g: Setup, eyes: int, rng: Row, out: Row) -> None:
    """Fill a hidden state again: unseen cards as chance deals them, then the hidden commitments.

    The known cards of the other hands come first (LX-2.1). The rest of the deck, without the discard pile and
    the hands of ``eyes``, is unseen. ``out`` is a buffer for legal moves.
    """
    left = 0
    for k in range(state.KINDS):
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
            for k in range(state.KINDS):
                unknown -= s.known[car, k]
            for _ in range(unknown):
                kind = weighted(rng, s.deck, left)
                left -= 1
                s.deck[kind] -= 1
                s.hand[car, kind] += 1
                s.held[car] |= 1 << kind
            if s.commit[car] == HIDDEN:
                n = legal(s, g, car, out)
                s.commit[car] = 1 + out[below(rng, n)]


@rule
def undecide(s: State, g: Setup) -> None:
    """LC-3.1, LC-5.1 take back the hidden plays: their cars must decide again."""
    for car in range(g.cars):
        if s.commit[car] == HIDDEN:
            s.commit[car] = 0
            s.waiting |= 1 << car


@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    """Return the move or outcome as ``eyes`` see it when it is applied to ``s``: its id, or HIDDEN.

    LC-1.4 only its driver sees a dealt card; LC-3.1, LC-5.1 a committed play is face down.
    """
    if s.phase == state.DEAL:
        owner = s.dealt // g.cards
    elif s.phase == state.QUALIFY or s.phase == state.CHALLENGE:
        owner = by
    else:
        return move
    if (eyes >> owner) & 1:
        return move
    return HIDDEN


@rule
def place_of(s: State, g: Setup, car: int) -> int:
    """Return the car's place on the road, 1 for the leader."""
    i = 0
    while s.order[i] != car:
        i += 1
    return s.running - i


@rule
def places(s: State, g: Setup, out: Row) -> None:
    """Write the finishing place of every seat (LC-7.2): 1 for the winner, 0 for a retired car (LX-3.6)."""
    if s.running < g.cars:
        for car in range(g.cars):
            out[car] = 0
    for i in range(s.running):
        out[s.order[i]] = s.running - i


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """Write the points of every seat (LC-7.2, LX-4.1): 0 for a retired car (LX-3.6)."""
    if s.running < g.cars:
        for car in range(g.cars):
            out[car] = 0
    for i in range(s.running):
        out[s.order[i]] = g.points[s.running - 1 - i]
