"""Skerries: the records, and how boats sail (SK-2, SK-5). The first module of the rules.

A move is a way (0 … 5, east first and on against the clock), ``STOP``, ``PLAY`` + a card, ``YIELD`` or
``ROB`` + a seat. An outcome is a card, or ``DIE`` + the pips less one.
"""

from __future__ import annotations

from typing import Annotated

from paddock.kernel import Grid, Row, i8, i16, record, rule, tell
from skerries import refusals
from skerries.chart import LIGHT, REEF

SEATS = 4
HEXES = 120
KINDS = 3
HAND = 3  # cards that a hand may hold
GUST, PILOT, ANCHOR = range(KINDS)

STOP, PLAY = 6, 7
YIELD = PLAY + KINDS
ROB = YIELD + 1

DIE = KINDS

OFF, ROCK = -1, -2  # neighbours that no boat can enter

# Phases
ROLL, SAIL, ASKED, DRAW, THEFT, OVER = range(6)

# Events: (code, a, b, c)
(DAY, ROLLED, SAILED, ARRIVED, STOPPED, PLAYED, DREW, SHUFFLED, ROBS, YIELDED, STOLE, ADRIFT) = range(1, 13)


@record
class Setup:
    """What does not change in a game."""

    skippers: i8
    days: i8
    copies: i8  # of each kind of card
    columns: i8  # of the chart
    hexes: i8
    quay: i8
    land: Annotated[Row, i8, HEXES]
    beside: Annotated[Grid, i8, HEXES, 6]  # the neighbour in each direction, or OFF, or ROCK
    far: Annotated[Row, i16, HEXES]  # wind to the nearest light without a pilot


@record
class State:
    """One race."""

    phase: i8
    day: i8  # from 1
    turn: i8  # whose turn it is
    wind: i8
    drew: i8  # 1 once this turn has entered a harbour
    piloted: i8  # 1 once this turn has a pilot aboard
    robbed: i8  # 1 once this turn has robbed
    victim: i8  # who is robbed
    arrived: i8  # boats
    at: Annotated[Row, i8, SEATS]  # hexes
    place: Annotated[Row, i8, SEATS]  # from 1, 0 before the boat arrives
    left: i8  # cards in the deck
    deck: Annotated[Row, i8, KINDS]
    open: Annotated[Row, i8, KINDS]  # played
    cards: Annotated[Row, i8, SEATS]  # in each hand
    held: Annotated[Grid, i8, SEATS, KINDS]
    # What a robbed skipper remembers (SK-4.4): in row 4 · knower + holder, how many of a kind at least.
    known: Annotated[Grid, i8, SEATS * SEATS, KINDS]


@rule
def takes(g: Setup, hex: int, piloted: int) -> int:
    """SK-2.3 the wind that a step to a hex costs; SK-3.4 with a pilot a reef costs less."""
    return 1 + int(g.land[hex] == REEF and piloted == 0)


@rule
def why_not_step(s: State, g: Setup, way: int) -> int:
    """SK-2.3 a step leads to a hex of the chart that is no skerry, and there is wind for it."""
    to = g.beside[s.at[s.turn], way]
    if to < 0:
        return refusals.OFF_CHART if to == OFF else refusals.ON_ROCK
    return refusals.LEGAL if takes(g, to, s.piloted) <= s.wind else refusals.NO_WIND


@rule
def begin_turn(s: State, seat: int) -> None:
    """SK-2.2 a turn begins with a roll."""
    s.phase = ROLL
    s.turn = seat
    s.wind = 0
    s.drew = 0
    s.piloted = 0
    s.robbed = 0
    s.victim = 0


@rule
def roll(s: State, pips: int) -> None:
    """SK-2.2 there is wind for 2 steps and one more for every pip."""
    s.wind = 2 + pips
    s.phase = SAIL
    tell(s, ROLLED, s.turn, s.wind)


@rule
def step(s: State, g: Setup, way: int) -> None:
    """SK-2.3 a step to the neighbouring hex; SK-5.1 a boat that enters a light arrives."""
    seat = s.turn
    to = g.beside[s.at[seat], way]
    s.wind -= takes(g, to, s.piloted)
    s.at[seat] = to
    tell(s, SAILED, seat, to, s.wind)
    if g.land[to] == LIGHT:
        s.arrived += 1
        s.place[seat] = s.arrived
        tell(s, ARRIVED, seat, s.arrived)
        end_turn(s, g)


@rule
def end_turn(s: State, g: Setup) -> None:
    """SK-2.1 the next boat has its turn; SK-5.2 the race ends if there is none, or after the last day."""
    if s.arrived == g.skippers:
        s.phase = OVER
        return
    seat = s.turn
    while True:
        seat += 1
        if seat == g.skippers:
            seat = 0
            s.day += 1
            if s.day > g.days:
                s.phase = OVER
                for boat in range(g.skippers):
                    if s.place[boat] == 0:
                        tell(s, ADRIFT, boat)
                return
            tell(s, DAY, s.day)
        if s.place[seat] == 0:
            begin_turn(s, seat)
            return
