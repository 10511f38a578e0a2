"""Rasant: a hand-written bot in the kernel's subset, so that it can also run compiled. It counts cards.

It values every legal move by the points that it may win or leave to others, by the further use of the card,
and by who will lead next. The unit is one point. The weights were tuned by thousands of games of the bot
against itself and against Rookies.
"""

from __future__ import annotations

from math import sqrt

from paddock.games.rasant.rules.rounds import ends, points_of
from paddock.games.rasant.rules.state import (
    BLACK,
    BLACK_CAR,
    CARS,
    COLOURS,
    DISCARD,
    NO_COLOUR,
    PASS,
    SPEEDS,
    Setup,
    State,
)
from paddock.kernel import Row, below, rule

EAGER = 0.8  # the chance that a rival who can beat a card does so
SPITE = 1.0  # how much a rival's point costs, divided by the number of rivals
AGAIN = 0.7  # how likely a higher card in the hand wins after one that was beaten
WORTH = 5.0  # value of a card that nothing beats
BLACK_WORTH = 1.3  # factor for a black card
COLOUR_WORTH = 1.0  # extra value of a coloured card when the reserve is empty
LEAD = 0.25  # value of leading the next round, as a part of its best win
LAST = 0.4  # factor when the reserve is empty
DRAWN = 9 / 7  # the value of the card drawn for a played one
EQUAL = 1e-9  # values that differ less are equal

ROW = SPEEDS + 1  # of the table that ``count_unseen`` writes


# Cards


@rule
def count_unseen(s: State, g: Setup, seat: int, out: Row, n: int) -> None:
    """Write a table to ``out`` behind the ``n`` moves: how many cards are in other hands or the reserve.

    For each colour, row after row: those with at least each speed, and 0.
    """
    for colour in range(COLOURS + 1):
        count = 0
        out[n + colour * ROW + SPEEDS] = 0
        for speed in range(SPEEDS - 1, -1, -1):
            kind = colour * SPEEDS + speed
            count += g.deck[kind] - s.discard[kind]
            out[n + colour * ROW + speed] = count
    for i in range(s.cards[seat]):
        kind = s.hand[seat, i]
        row = n + kind // SPEEDS * ROW
        for speed in range(kind % SPEEDS + 1):
            out[row + speed] -= 1


@rule
def raised(speed: int, by: int) -> int:
    """RA-3.3 return the place in a row of the table of the cards that are higher by so much."""
    speed += by
    return speed if speed < SPEEDS else SPEEDS


@rule
def holds(s: State, g: Setup, seat: int, out: Row, n: int, colour: int, speed: int) -> float:
    """Return the chance that nobody beats a card of this speed in a round of this colour."""
    higher = out[n + colour * ROW + raised(speed, g.raise_by)]
    higher += out[n + COLOURS * ROW + raised(speed, g.black_by)]
    if higher == 0 or ends(g, speed):
        return 1.0
    total = 0
    for suit in range(COLOURS + 1):
        total += out[n + suit * ROW]
    none_higher = 1 - higher / total  # the chance that an unseen card is not among them
    sure = 1.0
    for rival in range(g.players):
        if rival != seat and not (s.passed >> rival) & 1 and s.cards[rival] > 0:
            lacks = 1.0
            for _ in range(s.cards[rival]):
                lacks *= none_higher
            sure *= 1 - EAGER * (1 - lacks)
    return sure


@rule
def worth(s: State, g: Setup, out: Row, n: int, kind: int) -> float:
    """Return the value of keeping a card: by how few cards beat it, and whether it can be led (RA-5.8)."""
    speed = raised(kind % SPEEDS, g.raise_by)
    by_black = raised(kind % SPEEDS, g.black_by)
    black = n + COLOURS * ROW
    if kind < BLACK:
        row = n + kind // SPEEDS * ROW
        beaten = float(out[black + by_black] + out[row + speed])
        of = float(out[black] + out[row])
    else:
        higher = 0
        coloured = 0
        for colour in range(COLOURS):
            higher += out[n + colour * ROW + speed]
            coloured += out[n + colour * ROW]
        beaten = out[black + by_black] + higher / COLOURS
        of = out[black] + coloured / COLOURS
    strength = 1 - beaten / of if of > 0 and not ends(g, kind) else 1.0
    value = WORTH * strength * strength * sqrt(strength)
    if s.reserve == 0:
        value *= LAST
        return value * BLACK_WORTH if kind >= BLACK else value + COLOUR_WORTH
    return value * BLACK_WORTH if kind >= BLACK else value


@rule
def cost(s: State, g: Setup, out: Row, n: int, kind: int) -> float:
    """Return what the hand loses with the card: its value, less that of the card drawn for it.

    Cards are worth the points that they win, so the value grows with the points for a car (RA-4.2).
    """
    lost = worth(s, g, out, n, kind)
    if s.reserve > 0:
        lost -= DRAWN
    return lost * g.car_points


# The line


@rule
def rear(s: State, colour: int) -> int:
    """Return the place of the rearmost car of a colour (RA-4.1)."""
    i = CARS - 1
    while s.line[i] // 3 != colour:
        i -= 1
    return i


@rule
def black_place(s: State) -> int:
    """Return the place of the black car."""
    i = 0
    while s.line[i] != BLACK_CAR:
        i += 1
    return i


@rule
def points(s: State, g: Setup, colour: int) -> int:
    """RA-4.2 return the points if this colour wins the round now."""
    place = rear(s, colour)
    return points_of(g, CARS - place, black_place(s) >= place)


@rule
def after(s: State, g: Setup) -> int:
    """Return the points for the best win in the next round, or, before a card is led, in this one."""
    first = rear(s, s.colour) if s.colour != NO_COLOUR else CARS
    moved = CARS - first
    black = black_place(s)
    black = CARS - 1 - black if black >= first else black + moved  # RA-4.1
    best = 0
    for colour in range(COLOURS):
        i = first - 1
        while i >= 0 and s.line[i] // 3 != colour:
            i -= 1
        place = i + moved
        if i < 0:  # all cars of the colour are at the front, in reverse order
            i = first
            while s.line[i] // 3 != colour:
                i += 1
            place = CARS - 1 - i
        won = points_of(g, CARS - place, black >= place)
        if won > best:
            best = won
    return best


# Moves


@rule
def hurt(g: Setup, won: int) -> float:
    """Return the cost of so many points for a rival."""
    return SPITE * won / (g.players - 1)


@rule
def playing(s: State, g: Setup, seat: int, out: Row, n: int, kind: int) -> float:
    """Return the value of leading or raising with a card."""
    colour = kind // SPEEDS if s.colour == NO_COLOUR else s.colour
    speed = kind % SPEEDS
    sure = holds(s, g, seat, out, n, colour, speed)
    highest = speed
    own_least, black_least = speed + g.raise_by, speed + g.black_by
    for i in range(s.cards[seat]):
        other_card = s.hand[seat, i]
        other = other_card % SPEEDS
        if other > highest:
            if other_card >= BLACK:
                if other >= black_least:
                    highest = other
            elif other >= own_least and other_card // SPEEDS == colour:
                highest = other
    if highest > speed:
        sure += (1 - sure) * AGAIN * holds(s, g, seat, out, n, colour, highest)
    won = points(s, g, colour)
    return sure * won - (1 - sure) * hurt(g, won) - cost(s, g, out, n, kind)


@rule
def passing(s: State, g: Setup, seat: int, out: Row, n: int, move: int) -> float:
    """Return the value of a pass: a rival wins unless all have passed (RA-3.4); who passes first leads."""
    value = 0.0
    if s.colour != NO_COLOUR:
        won = points(s, g, s.colour)
        value = float(won) if s.best == seat else -hurt(g, won)
    if s.first == 0:
        value += LEAD * after(s, g)
    return value - cost(s, g, out, n, move - DISCARD) if move >= DISCARD else value


@rule
def policy(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """Return the best of the ``n`` legal moves in ``out``, a random one of several equal ones.

    What lies behind the moves in ``out`` is overwritten.
    """
    best = out[0]
    if n == 1:
        return best
    count_unseen(s, g, seat, out, n)
    best_value = 0.0
    equal = 0
    for i in range(n):
        move = out[i]
        if move < PASS:
            value = playing(s, g, seat, out, n, move)
        else:
            value = passing(s, g, seat, out, n, move)
        if equal == 0 or value > best_value + EQUAL:
            best = move
            best_value = value
            equal = 1
        elif value > best_value - EQUAL:
            equal += 1
            if below(rng, equal) == 0:
                best = move
            if value > best_value:
                best_value = value
    return best
