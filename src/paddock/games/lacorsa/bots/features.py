"""LACORSA: what a driver sees, as numbers for a network, relative to one of its cars.

All numbers are from −1 to 1. «The own car» is the one that is asked. Blocks with a part for each car begin
with the own car and go on in table order; parts of cars that do not race are 0. Each block is written from
``n`` on and returns where the next one begins.
"""

from __future__ import annotations

from paddock.games.lacorsa.rules.race import worth
from paddock.games.lacorsa.rules.state import (
    CARS,
    CHALLENGE,
    DRAFT,
    INCIDENT,
    KINDS,
    OVER,
    PITS,
    TWO_REDLINES,
    USUAL_BEST,
    Setup,
    State,
)
from paddock.kernel import Floats, field, rule, share

PHASES = 11
MOST_CARDS = 15  # in a hand (LX-1.2)
MOST_SUITS = 18  # of a deck (LX-1.2, LC-1.3)
MOST_LAPS = 26  # more are counted as so many
COPIES = 4  # of a kind in a hand; more are counted as so many
NEAR = 4  # empty spaces; more are counted as so many
FAR = 16  # the same for the distance between two cars
CAR = 14  # numbers in the block ``cars`` for each car


@rule
def relative(g: Setup, seat: int, car: int) -> int:
    """Return the number of a car in table order from ``seat`` on."""
    return car - seat + g.cars * (car < seat)


@rule
def partner(g: Setup, seat: int) -> int:
    """LC-2.1 return the other car of the driver; its only car if there is no other."""
    for car in range(g.cars):
        if car != seat and g.owner[car] == g.owner[seat]:
            return car
    return seat


@rule
def defends(s: State) -> int:
    """LC-4.3 return 1 if the car ahead of the one whose turn it is is challenged or may be."""
    return int(s.phase == CHALLENGE or s.phase == PITS or s.phase == DRAFT or s.phase == INCIDENT)


@rule
def phase(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """One-hot: deal, qualifying (LC-3.1), tie, challenge (LC-5.1), free road (LC-6.1), over, and on a Large
    Grid pit or stay out (LX-2.0), card from the pile (LX-2.1), die of a stop, incident, and draft
    (LX-5.1)."""
    out[n + s.phase] = 1
    return n + PHASES


@rule
def race(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The lap, of 26; 1 in the last lap (LC-7.1); passes in this turn, of 2 (LC-5.4); cars that race, of
    12."""
    out[n] = share(s.lap, MOST_LAPS)
    out[n + 1] = s.last
    out[n + 2] = share(s.passes, 2)
    out[n + 3] = s.running / CARS
    return n + 4


@rule
def hand(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind in the own car's hand, Redline first, of 4."""
    for kind in range(KINDS):
        out[n + kind] = share(s.hand[seat, kind], COPIES)
    return n + KINDS


@rule
def holds(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """1 for each kind that the own car's hand has, Redline first."""
    for kind in range(KINDS):
        out[n + kind] = (s.held[seat] >> kind) & 1
    return n + KINDS


@rule
def other_hand(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind in the hand of the driver's other car (LC-2.1), of 4; 0 if there is none."""
    other = partner(g, seat)
    if other != seat:
        for kind in range(KINDS):
            out[n + kind] = share(s.hand[other, kind], COPIES)
    return n + KINDS


@rule
def commits(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For the own car and the driver's other one: 1 if a play is committed, its value, of 14, and 1 if it has
    a Redline (LC-5.1)."""
    other = partner(g, seat)
    for i in range(2):
        car = seat if i == 0 else other
        if (i == 0 or other != seat) and s.commit[car] > 0:
            play = s.commit[car] - 1
            out[n + 3 * i] = 1
            out[n + 3 * i + 1] = share(worth(g, play), USUAL_BEST)
            out[n + 3 * i + 2] = play == 0 or KINDS <= play <= TWO_REDLINES
    return n + 6


@rule
def pile(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The part of each kind of the deck that is in the discard pile (LC-1.5), Redline first."""
    for kind in range(KINDS):
        out[n + kind] = s.discard[kind] / g.deck[kind]
    return n + KINDS


@rule
def unseen(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The part of each kind of the deck that the driver cannot place: in other hands or set aside
    (LC-1.3)."""
    other = partner(g, seat)
    for kind in range(KINDS):
        left = g.deck[kind] - s.discard[kind] - s.hand[seat, kind]
        if other != seat:
            left -= s.hand[other, kind]
        if g.pit:
            for car in range(g.cars):
                if car != seat and car != other:
                    left -= s.known[car, kind]
        out[n + kind] = left / g.deck[kind]
    return n + KINDS


@rule
def place(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """One-hot: the place of the own car on the road; 0 before there is a grid."""
    if s.lap > 0:
        for i in range(s.running):
            if s.order[i] == seat:
                out[n + s.running - 1 - i] = 1
    return n + CARS


@rule
def cars(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each car: 1 if it races; its place, of 12; spaces ahead of the own car, of 16, below 0 behind it;
    empty spaces ahead of it and behind it, each of 4 (LC-6.6); cards in its hand, of 15; then 1 if it has
    committed a play, may still pit (LX-2.0), has drafted in this lap (LX-5.2), is the driver's, is of its
    team (LC-2.3), has the turn, is the car ahead that is or may be challenged, and must decide."""
    for car in range(g.cars):
        at = n + CAR * relative(g, seat, car)
        out[at] = s.out[car] == 0
        out[at + 5] = s.cards[car] / MOST_CARDS
        out[at + 6] = s.commit[car] != 0
        out[at + 7] = (s.stops >> car) & 1
        out[at + 8] = (s.drafted >> car) & 1
        out[at + 9] = g.owner[car] == g.owner[seat]
        out[at + 10] = g.team[car] == g.team[seat]
        out[at + 13] = (s.waiting >> car) & 1
    if s.lap > 0:
        road(s, g, seat, out, n)
    return n + CAR * CARS


@rule
def road(s: State, g: Setup, seat: int, out: Floats, n: int) -> None:
    """LC-6.6 write the part of the block ``cars`` that says where the cars are."""
    space = 0
    own = 0
    for i in range(s.running):
        if s.order[i] == seat:
            own = space
        space += 1 + s.gap[i]
    space = 0
    retired = s.out[seat] > 0
    for i in range(s.running):
        at = n + CAR * relative(g, seat, s.order[i])
        out[at + 1] = (s.running - i) / CARS
        if not retired:
            out[at + 2] = share(space - own, FAR)
        if i + 1 < s.running:
            out[at + 3] = share(s.gap[i], NEAR)
        if i > 0:
            out[at + 4] = share(s.gap[i - 1], NEAR)
        space += 1 + s.gap[i]
    if s.phase != OVER and s.turn < s.running:
        out[n + CAR * relative(g, seat, s.order[s.turn]) + 11] = 1
        if defends(s):
            out[n + CAR * relative(g, seat, s.order[s.turn + 1]) + 12] = 1


@rule
def known(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each car: the cards of each kind in its hand that everybody has seen (LX-2.1), of 4."""
    if g.pit:
        for car in range(g.cars):
            at = n + KINDS * relative(g, seat, car)
            for kind in range(KINDS):
                out[at + kind] = share(s.known[car, kind], COPIES)
    return n + KINDS * CARS


@rule
def points(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The points for each place as a part of those for the first (LC-7.2)."""
    if g.points[0] > 0:
        for i in range(g.cars):
            out[n + i] = g.points[i] / g.points[0]
    return n + CARS


@rule
def options(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cars, of 12; cards dealt to each, of 15; suits, of 18; then 1 for two Redlines at once (LC-3.5), pit
    stops (LX-2.0), stops after a pass, chosen cards (LX-2.1), stops that refill (LX-2.2), incidents
    (LX-3.0), only an adjacent car closes up (LX-3.3), drafting (LX-5.1), and one draft a turn (LX-5.2)."""
    out[n] = g.cars / CARS
    out[n + 1] = g.cards / MOST_CARDS
    out[n + 2] = share(g.deck[1], MOST_SUITS)
    out[n + 3] = g.void
    out[n + 4] = g.pit
    out[n + 5] = g.late
    out[n + 6] = g.choose
    out[n + 7] = g.refill
    out[n + 8] = g.incidents
    out[n + 9] = g.adjacent
    out[n + 10] = g.drafting
    out[n + 11] = g.one_draft
    return n + 12


FIELDS = (
    field(phase, PHASES),
    field(race, 4),
    field(hand, KINDS),
    field(holds, KINDS),
    field(other_hand, KINDS),
    field(commits, 6),
    field(pile, KINDS),
    field(unseen, KINDS),
    field(place, CARS),
    field(cars, CAR * CARS),
    field(known, KINDS * CARS),
    field(points, CARS),
    field(options, 12),
)
FEATURES = sum(block.size for block in FIELDS)


@rule
def observe(s: State, g: Setup, seat: int, out: Floats) -> None:
    """Write what the driver of ``seat`` sees to ``out``: FEATURES zeros. ``FIELDS`` says what each number
    is."""
    n = phase(s, g, seat, out, 0)
    n = race(s, g, seat, out, n)
    n = hand(s, g, seat, out, n)
    n = holds(s, g, seat, out, n)
    n = other_hand(s, g, seat, out, n)
    n = commits(s, g, seat, out, n)
    n = pile(s, g, seat, out, n)
    n = unseen(s, g, seat, out, n)
    n = place(s, g, seat, out, n)
    n = cars(s, g, seat, out, n)
    n = known(s, g, seat, out, n)
    n = points(s, g, seat, out, n)
    options(s, g, seat, out, n)
