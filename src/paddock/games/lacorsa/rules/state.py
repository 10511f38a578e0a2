"""LACORSA: constants, and the records ``Setup`` and ``State``.

Cards are stored as counts of each kind. A kind is the rank 1 … 12, or 0 for the Redline, so it is also the
value in a challenge (LC-5.1). A *play* is what one car puts down at once: ``kind``, ``WITH_REDLINE + kind``
for a kind with a Redline, ``25`` for two Redlines. A move is ``play`` (commit), ``DISCARD + play``,
``EXTEND + kind - 1``, ``TAKE + kind`` (from the discard pile), ``PIT``, ``STAY``, ``ATTACK`` or ``STOP``.

The road is two rows: ``order`` has the cars that have not retired, from the back to the front; ``gap`` has
the empty spaces ahead of each. Only distances matter (LC-6.6).
"""

from __future__ import annotations

from typing import Annotated

from paddock.kernel import Grid, Hidden, Past, Row, i8, i16, i64, record

CARS = 12
KINDS = 13
REDLINE = 0
PLAYS = 26
WITH_REDLINE = KINDS - 1  # what is added to a kind for the play of it with a Redline
TWO_REDLINES = 25
USUAL_BEST = 14  # the highest value of a play by the rulebook's numbers (LC-5.1)

# Moves: the first id of each kind
DISCARD = 26
EXTEND = 52
PIT, STAY, ATTACK, STOP = range(55, 59)
TAKE = 59

# Outcomes: a kind, LOT + car, DIE + face - 1
LOT = 13
DIE = LOT + CARS

# Phases
DEAL, QUALIFY, TIED, CHALLENGE, ROAD, OVER, PITS, PIT_DRAW, PIT_DIE, INCIDENT, DRAFT = range(11)

# Events: (code, a, b, c). All are public.
REVEALED, DRAWN, STARTS, LAP, PASSED, HELD, EXTENDED, DISCARDED, EMPTY, SKIPPED, FINISHED = range(1, 12)
PITTED, STAYED, DREW, ROLLED, DROPPED, MOVED_UP = range(12, 18)
ACCIDENT, RETIRED, SPUN, OFF, DRAFTS, STOPPED = range(18, 24)


@record
class Setup:
    """The constants of a race."""

    cars: i8
    cards: i8  # dealt to each car
    void: i8  # 1 if two Redlines are a play worth 0 (LC-3.5)
    pit: i8  # 1 if cars may pit (LX-2)
    late: i8  # 1 if they may also pit after a pass (LX-2.0)
    choose: i8  # 1 if the driver chooses the card (LX-2.1)
    refill: i8  # 1 if a stop refills the hand (LX-2.2)
    incidents: i8  # 1 if a tie with a Redline is an accident (LX-3)
    adjacent: i8  # 1 if only a car directly behind an accident moves forward (LX-3.3)
    drafting: i8  # 1 if a challenge may follow a 3 (LX-5)
    one_draft: i8  # 1 if only the first 3 of a turn drafts (LX-5.2)
    grid_gap: i8  # empty spaces between two cars on the grid (LC-3.3)
    redline_bonus: i8  # what a Redline adds to a card (LC-5.1)
    redline_alone: i8  # its value alone (LC-3.2)
    win_by: i8  # the least difference with which a challenger wins (LC-5.2)
    most_passes: i8  # in a turn (LC-5.4)
    extend_cards: i8  # the highest rank that extends (LC-6.1)
    extend_spaces: i8  # that an extend moves the car, as far as they are empty (LC-6.1)
    leader_extends: i8  # the highest rank that extends for the leader (LC-6.2)
    pit_lap: i8  # the first lap in which cars may pit (LX-2.0)
    pit_cards: i8  # of a stop that does not refill the hand (LX-2.1)
    pit_low: i8  # spaces that a 1 or 2 on the die of a stop costs (LX-2.3)
    pit_middle: i8  # spaces that a 3 or 4 costs
    safe_face: i8  # of the die of an accident: from it on nothing happens (LX-3.4)
    drafts_from: i8  # the lowest rank that drafts (LX-5.1)
    deck: Annotated[Row, i16, KINDS]  # cards of each kind in the whole deck
    points: Annotated[Row, i16, CARS]  # by finishing place
    owner: Annotated[Row, i8, CARS]  # the driver of each car
    team: Annotated[Row, i8, CARS]  # the team of each car; without teams, its driver


@record
class State:
    """One race."""

    waiting: i64  # bitmask of the seats (or chance) that must decide
    phase: i8
    turn: i8  # index in ``order`` of the car whose turn it is
    passes: i8  # in this turn
    lap: i8
    last: i8  # 1 once a car has had no cards (LC-7.4)
    placed: i8  # number of cars that have a place on the grid
    running: i8  # number of cars that have not retired
    stops: i16  # bitmask of the cars that can still pit; none before the second lap (LX-2.0)
    drafted: i16  # with one draft per turn: bitmask of the cars that have drafted in this lap (LX-5.2)
    dealt: i16
    deck: Annotated[Row, i16, KINDS, Hidden()]  # not dealt; after the deal, set aside unseen
    discard: Annotated[Row, i16, KINDS]
    cards: Annotated[Row, i8, CARS]  # in each hand
    held: Annotated[Row, i16, CARS, Hidden("cars")]  # bitmask of the kinds in each hand
    hand: Annotated[Grid, i8, CARS, KINDS, Hidden("cars")]  # LC-1.4
    known: Annotated[Grid, i8, CARS, KINDS]  # cards of the hand that everybody has seen (LX-2.1)
    commit: Annotated[Row, i8, CARS, Hidden("cars", choice=True)]  # 1 + play; 0 for none (LC-3.1, LC-5.1)
    value: Annotated[Row, i8, CARS]  # 1 + value in qualifying; 0 once the car has a place
    order: Annotated[Row, i8, CARS]  # from the back to the leader
    gap: Annotated[Row, i8, CARS]  # empty spaces ahead of the car at that index
    out: Annotated[Row, i8, CARS]  # 0 if not retired, 1 for the first car to retire, 2 for the next, …
    # LC-1.4 the cards of each kind that a car has played in qualifying and challenges, then on a free road
    past: Annotated[Past, i8, CARS, 2 * KINDS]
