"""Rasant: invariants that hold in every state."""

from __future__ import annotations

from paddock.games.rasant.rules.rounds import ends
from paddock.games.rasant.rules.rules import MAX_SCORE
from paddock.games.rasant.rules.state import (
    BLACK,
    CARS,
    DRAW,
    EMPTY,
    HAND,
    KINDS,
    LINING,
    NO_COLOUR,
    ROUND,
    Setup,
    State,
)
from paddock.kernel import CHANCE, rule

INVARIANTS = (
    "",
    "RA-1.2 every card of the deck is in the reserve, in a hand or in the discard pile",
    "RA-2.2 the cards of a hand are counted and sorted",
    "RA-1.1 every car is in the line once",
    "RA-3.2 cards that are known to be black are black",
    "RA-3.3 one player must decide, who has cards and has not passed",
    "RA-3.4 the highest card is in the discard pile, and its player has not passed",
    "RA-5.1 a player draws only with a reserve and less than a full hand",
    "RA-4.2 points are within their bounds",
)
# Their indexes
(
    CARDS_LOST,
    HAND_WRONG,
    CAR_LOST,
    BLACK_WRONG,
    CANNOT_DECIDE,
    TOP_WRONG,
    CANNOT_DRAW,
    POINTS_WRONG,
) = range(1, 9)

SAMPLES = {
    "deck": ("standard", "all-black-top", "r10-60+g10-60+2*b40-80+y130+6*k50", "3*r70-90+20*k130+g10"),
    "line": ("shuffled", "krgbyrgbyrgby", "kyyybbbgggrrr"),
}


@rule
def broken(s: State, g: Setup) -> int:
    """Return the index in ``INVARIANTS`` of one that the state breaks, or 0."""
    reserve = 0
    for kind in range(KINDS):
        n = s.deck[kind] + s.discard[kind]
        reserve += s.deck[kind]
        for player in range(g.players):
            for i in range(HAND):
                n += int(s.hand[player, i] == kind)
        if n != g.deck[kind] or s.deck[kind] < 0:
            return CARDS_LOST
    if s.reserve != reserve:
        return CARDS_LOST
    for player in range(g.players):
        black = 0
        for i in range(HAND):
            kind = s.hand[player, i]
            if (kind == EMPTY) != (i >= s.cards[player]) or (i > 0 and kind < s.hand[player, i - 1]):
                return HAND_WRONG
            black += int(kind >= BLACK) & int(kind < EMPTY)
        if s.black[player] < 0 or s.black[player] > black:
            return BLACK_WRONG
        if s.score[player] < 0 or s.score[player] > MAX_SCORE:
            return POINTS_WRONG
    cars = 0
    for i in range(s.lined):
        cars |= 1 << s.line[i]
    if s.phase != LINING and cars != (1 << CARS) - 1:
        return CAR_LOST
    if s.phase == ROUND:
        player = 0
        while player < g.players and s.waiting != 1 << player:
            player += 1
        if player == g.players or s.cards[player] == 0 or (s.passed >> player) & 1:
            return CANNOT_DECIDE
        led = s.colour != NO_COLOUR
        if led and (s.discard[s.top] == 0 or ends(g, s.top) or (s.passed >> s.best) & 1):
            return TOP_WRONG
    elif s.waiting != 0 and s.waiting != 1 << CHANCE:
        return CANNOT_DECIDE
    if s.phase == DRAW and (s.reserve == 0 or s.cards[s.drawing] >= g.hand):
        return CANNOT_DRAW
    return 0
