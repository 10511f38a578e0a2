"""LACORSA: invariants that hold in every state."""

from __future__ import annotations

from paddock.games.lacorsa.rules.state import CHALLENGE, KINDS, Setup, State
from paddock.kernel import rule

INVARIANTS = (
    "",
    "LC-1.2 every card is in the deck, in a hand or in the discard pile",
    "LC-1.4 the number and the mask of a hand agree with its cards",
    "LX-3.6 a car with a place is on the road once, or has retired",
    "LC-6.6 the road needs at most 64 spaces, and no gap is negative",
    "LX-2.1 the known cards of a hand are in it",
    "LC-4.5 a car that must decide is on the road and has a card",
    "LC-4.3 a challenge is between neighbours without a gap",
    "LC-7.1 there are no more laps than cards to play",
)
# Their indexes
(
    CARDS_LOST,
    HAND_WRONG,
    CAR_LOST,
    ROAD_TOO_LONG,
    KNOWN_WRONG,
    CANNOT_DECIDE,
    NO_NEIGHBOURS,
    TOO_MANY_LAPS,
) = range(1, 9)

SAMPLES = {
    "pairs": ("no", "yes", "1-3/2-4"),
    "points": ("9,6,4,3,2,1", "25,18,15,12,10,8,6", "1", "1000,0"),
}


@rule
def broken(s: State, g: Setup) -> int:
    """Return the index in ``INVARIANTS`` of one that the state breaks, or 0."""
    for kind in range(KINDS):
        n = s.deck[kind] + s.discard[kind]
        for car in range(g.cars):
            n += s.hand[car, kind]
        if n != g.deck[kind] or s.deck[kind] < 0 or s.discard[kind] < 0:
            return CARDS_LOST
    for car in range(g.cars):
        cards = 0
        for kind in range(KINDS):
            cards += s.hand[car, kind]
            if ((s.held[car] >> kind) & 1) != int(s.hand[car, kind] > 0):
                return HAND_WRONG
            if s.known[car, kind] < 0 or s.known[car, kind] > s.hand[car, kind]:
                return KNOWN_WRONG
        if cards != s.cards[car]:
            return HAND_WRONG
        if (s.waiting >> car) & 1 and (cards == 0 or s.out[car] > 0):
            return CANNOT_DECIDE
    if s.placed == g.cars:
        cells = s.running
        cars_there = 0
        for i in range(s.running):
            cars_there |= 1 << s.order[i]
            cells += s.gap[i]
            if s.gap[i] < 0:
                return ROAD_TOO_LONG
        for car in range(g.cars):
            if ((cars_there >> car) & 1) == int(s.out[car] > 0):
                return CAR_LOST
        # Each space more that an extend, the grid or a stop can take is one more for each of them
        wider = g.grid_gap + max(0, max(g.pit_low, g.pit_middle) - 2)
        if cells > 64 * g.extend_spaces + g.cars * wider:
            return ROAD_TOO_LONG
    if s.phase == CHALLENGE and (s.turn + 1 >= s.running or s.gap[s.turn] != 0):
        return NO_NEIGHBOURS
    most_cards = g.cards
    if g.pit:
        most_cards += g.pit_cards + 1
    if g.refill:
        most_cards = 2 * g.cards
    if s.lap > most_cards:
        return TOO_MANY_LAPS
    return 0
