"""Rasant: the numbers of the game, and what it is made of.

A card's kind is ``colour * 13 + speed / 10 - 1``; colours 0 to 3 are those of the cars, 4 is
black, so every kind below BLACK is coloured. A hand is at most six kinds, sorted, then EMPTY.
A move is a kind (play it), ``PASS``, or ``PASS + 1 + kind`` (pass and discard it, RA-5.2).

The line is the cars from the front to the back; cars ``3 * colour`` … are of a colour, the
last is the black one (RA-1.1).
"""

from __future__ import annotations

from typing import Annotated

from paddock.kernel import Grid, Row, i8, i16, i64, record

PLAYERS = 5
HAND = 6
SPEEDS = 13
KINDS = 65
BLACK = 52  # the first black kind; those below are coloured
EMPTY = 65  # no card in this place of the hand
COLOURS = 4
NO_COLOUR = 5
CARS = 13
BLACK_CAR = 12

PASS = 65
DISCARD = 66

LINE = 65  # outcomes: a kind, LINE + colour of the next car, DEALER + player
DEALER = LINE + COLOURS

MOST_CARDS = 120  # in a deck of the user's own

# Phases
LINING, DEALERS, DEAL, ROUND, DRAW, OVER = range(6)

# Events: (code, a, b, c). All are public: none reveals a secret.
LEADS, LED, RAISED, PASSED, WON, MOVED, DREW, RESERVE_EMPTY, FINISHED = range(1, 10)


@record
class Setup:
    """The constants of a game."""

    players: i8
    to_the_last: i8  # 1 where the last player may go on raising (RA-3.4, round_end = all)
    given: i8  # 1 where the line is given (RA-2.1)
    line: Annotated[Row, i8, CARS]  # the given line
    deck: Annotated[Row, i8, KINDS]  # cards of each kind


@record
class State:
    """One game."""

    waiting: i64  # bitmask of the players (or chance) that must decide
    phase: i8
    lined: i8  # cars that stand in the line
    dealer: i8  # HIDDEN before the first game's is drawn by lot (RA-2.2)
    drawing: i8  # who draws now
    leader: i8  # to whom the lead has come (RA-3.8)
    colour: i8  # of the round, NO_COLOUR before a card is led
    top: i8  # the highest card of the round, EMPTY before a card is led
    best: i8  # who played it
    passed: i8  # bitmask of those out of the round
    first: i8  # 1 + who passed first in the round, 0 nobody (RA-3.1)
    reserve: i8
    deck: Annotated[Row, i8, KINDS]  # the reserve, as counts
    suits: Annotated[Row, i8, 5]  # the reserve by colour, where a draw begins to look
    discard: Annotated[Row, i8, KINDS]  # played and discarded
    cards: Annotated[Row, i8, PLAYERS]  # in each hand
    hand: Annotated[Grid, i8, PLAYERS, HAND]
    black: Annotated[Row, i8, PLAYERS]  # so many cards of the hand are known to be black (RA-3.2)
    score: Annotated[Row, i16, PLAYERS]
    line: Annotated[Row, i8, CARS]
