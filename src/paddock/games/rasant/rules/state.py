"""Rasant: constants, and the records ``Setup`` and ``State``.

A card's kind is ``colour * 13 + speed / 10 - 1``. Colours 0 to 3 are those of the cars and 4 is black, so
every kind below BLACK is coloured. A hand is a row of up to six kinds, sorted, filled up with EMPTY.
A move is a kind (play it), ``PASS``, or ``PASS + 1 + kind`` (pass and discard it, RA-5.2).

The line is a row of cars from the front to the back. A colour has the cars ``3 * colour`` to
``3 * colour + 2``; car 12 is black (RA-1.1).
"""

from __future__ import annotations

from typing import Annotated

from paddock.kernel import Grid, Hidden, Past, Row, i8, i16, i64, record

PLAYERS = 5
HAND = 6  # cards at most
SPEEDS = 13
KINDS = 65
BLACK = 52  # the first black kind; those below are coloured
EMPTY = 65  # no card in this place of the hand
COLOURS = 4
NO_COLOUR = 5
CARS = 13
BLACK_CAR = 12
MOST_WON = 2 * (CARS - 1)  # points for a round by the rulebook's numbers: the unit of observations

PASS = 65
DISCARD = 66

LINE = 65  # outcomes: a kind, LINE + colour of the next car, DEALER + player
DEALER = LINE + COLOURS

MOST_CARDS = 120  # in a deck of the user's own

# What a player has done openly, by suit: the index of the first number of each kind
BANDS = 3  # of speeds: up to 50, to 100, to 130
BAND = 5  # speeds in each but the last
PLAYED = 0  # + BANDS * suit + band: cards
DISCARDED = PLAYED + 5 * BANDS  # + suit: cards
PASSES = DISCARDED + 5  # + colour of the round
REFUSED = PASSES + COLOURS  # + colour: 1 + the speed of the highest card when it last passed
PAST = REFUSED + COLOURS

# Phases
LINING, DEALERS, DEAL, ROUND, DRAW, OVER = range(6)

# Events: (code, a, b, c). All are public.
LEADS, LED, RAISED, PASSED, WON, MOVED, DREW, RESERVE_EMPTY, FINISHED = range(1, 10)


@record
class Setup:
    """The constants of a game."""

    players: i8
    to_the_last: i8  # 1 if the last player may keep raising (RA-3.4, round_end = all)
    dealt: i8  # cards to each player (RA-2.2)
    hand: i8  # up to which players draw (RA-5.1)
    raise_by: i8  # speeds by which a coloured card must be higher (RA-3.3)
    black_by: i8  # the same for a black one
    ends_from: i8  # the place of the first speed that ends a round at once (RA-3.4)
    car_points: i8  # for each car moved (RA-4.2)
    black_factor: i8  # of the points of a win that moves the black car too (RA-4.2)
    black_points: i8  # for the black car itself (RA-4.2)
    pass_cost: i8  # cards, once the reserve is empty (RA-5.2)
    given: i8  # 1 if the line is given (RA-2.1)
    line: Annotated[Row, i8, CARS]  # the given line
    deck: Annotated[Row, i8, KINDS]  # cards of each kind


@record
class State:
    """One game."""

    waiting: i64  # bitmask of the players (or chance) that must decide
    phase: i8
    lined: i8  # number of cars in the line
    dealer: i8  # HIDDEN until one is drawn for the first game (RA-2.2)
    drawing: i8  # the player who draws now
    leader: i8  # of the round (RA-3.8)
    colour: i8  # of the round, NO_COLOUR before a card is led
    top: i8  # the highest card of the round, EMPTY before a card is led
    best: i8  # the player who played it
    passed: i8  # bitmask of the players who have passed in the round
    first: i8  # 1 + the player who passed first in the round, or 0 (RA-3.1)
    reserve: i8
    deck: Annotated[Row, i8, KINDS, Hidden()]  # the reserve, as counts (RA-2.2)
    suits: Annotated[Row, i8, 5, Hidden()]  # the reserve by colour: speeds up a draw
    discard: Annotated[Row, i8, KINDS]  # played and discarded
    cards: Annotated[Row, i8, PLAYERS]  # in each hand
    hand: Annotated[Grid, i8, PLAYERS, HAND, Hidden("players", empty=EMPTY)]  # RA-2.2
    black: Annotated[Row, i8, PLAYERS]  # how many cards of the hand are known to be black (RA-3.2)
    score: Annotated[Row, i16, PLAYERS]
    line: Annotated[Row, i8, CARS]
    past: Annotated[Past, i8, PLAYERS, PAST]  # RA-2.2 what each player has done openly
