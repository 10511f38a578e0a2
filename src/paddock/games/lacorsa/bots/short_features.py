"""LACORSA: what a driver sees in few numbers, the input of *Champion*: relative to one of its cars.

All numbers are from −1 to 1. ``features.py`` says more, for networks that have more time to learn.
"""

from __future__ import annotations

from paddock.games.lacorsa.bots.features import COPIES, MOST_CARDS, MOST_LAPS, NEAR, partner
from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.rules.state import KINDS, Setup, State
from paddock.kernel import Floats, field, rule, share

AROUND = 4  # cars ahead, and as many behind, that are described
CAR = 7  # numbers for each of them
FEW = 6  # cards; a greater difference counts as so many
NEXT = 3  # cars ahead, and as many behind, whose past is described
OFTEN = 2  # cards of a kind that a car has played; more are counted as so many
DEAR = 3  # points between two places; more are counted as so many

# What the own car does in the phase
QUALIFIES, ATTACKS, DEFENDS, DRIVES, MAY_PIT, DRAWS, MAY_DRAFT, WAITS = range(8)


@rule
def role(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """One-hot: the own car qualifies (LC-3.1), attacks or defends in a challenge (LC-5.1), drives on a free
    road (LC-6.1), may pit before a challenge (LX-2.0), draws a card in the pits (LX-2.1), may challenge after
    a 3 (LX-5.1), does nothing."""
    stage = WAITS
    if s.phase == state.QUALIFY:
        stage = QUALIFIES
    elif s.lap > 0 and s.phase != state.OVER and s.turn < s.running:
        if s.order[s.turn] == seat:
            if s.phase == state.CHALLENGE:
                stage = ATTACKS
            elif s.phase == state.ROAD:
                stage = DRIVES
            elif s.phase == state.PITS:
                stage = MAY_PIT
            elif s.phase == state.PIT_DRAW:
                stage = DRAWS
            elif s.phase == state.DRAFT:
                stage = MAY_DRAFT
        elif s.phase == state.CHALLENGE and s.order[s.turn + 1] == seat:
            stage = DEFENDS
    out[n + stage] = 1
    return n + WAITS + 1


@rule
def race(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The lap, of 26; 1 in the last lap (LC-7.1); passes in this turn, of 2 (LC-5.4); cards in the own hand,
    of 15; in the smallest hand of another car; 1 if the own car may still pit, and if it has drafted in this
    lap (LX-2.0, LX-5.2)."""
    fewest = MOST_CARDS
    for car in range(g.cars):
        if car != seat and s.out[car] == 0:
            fewest = min(fewest, s.cards[car])
    out[n] = share(s.lap, MOST_LAPS)
    out[n + 1] = s.last
    out[n + 2] = share(s.passes, 2)
    out[n + 3] = s.cards[seat] / MOST_CARDS
    out[n + 4] = fewest / MOST_CARDS
    out[n + 5] = (s.stops >> seat) & 1
    out[n + 6] = (s.drafted >> seat) & 1
    return n + 7


@rule
def hand(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind in the own car's hand, Redline first, of 4; then 1 for each kind that it has."""
    for kind in range(KINDS):
        out[n + kind] = share(s.hand[seat, kind], COPIES)
        out[n + KINDS + kind] = (s.held[seat] >> kind) & 1
    return n + 2 * KINDS


@rule
def unseen(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each kind, Redline first: the part of its cards that the driver cannot place (LC-1.3); then the
    part of all these cards that is of this kind or lower."""
    other = partner(g, seat)
    total = 0
    for kind in range(KINDS):
        left = g.deck[kind] - s.discard[kind] - s.hand[seat, kind]
        if other != seat:
            left -= s.hand[other, kind]
        out[n + kind] = left / g.deck[kind]
        total += left
        out[n + KINDS + kind] = total
    for kind in range(KINDS):
        out[n + KINDS + kind] /= max(1, total)
    return n + 2 * KINDS


@rule
def place(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The own place as a part of all; 1 for the leader, and for the last car; the points that one place more
    and one place less are worth, each of 3 (LC-7.2)."""
    i = own_index(s, seat)
    if i >= 0:
        at = s.running - i
        out[n] = at / s.running
        out[n + 1] = at == 1
        out[n + 2] = i == 0
        if at > 1:
            out[n + 3] = share(g.points[at - 2] - g.points[at - 1], DEAR)
        if i > 0:
            out[n + 4] = share(g.points[at - 1] - g.points[at], DEAR)
    return n + 5


@rule
def own_index(s: State, seat: int) -> int:
    """Return where the own car is in ``order``; −1 before there is a grid, and if it has retired."""
    if s.lap > 0:
        for i in range(s.running):
            if s.order[i] == seat:
                return i
    return -1


@rule
def around(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For the next four cars ahead, then the next four behind: 1 if there is one; empty spaces between it and
    the next car on the side of the own one, of 4 (LC-6.6); 1 if there are none; cards in its hand, of 15; how
    many more than in the own hand, of 6; 1 if its turn is still to come in this lap; 1 if it may still
    pit (LX-2.0)."""
    own = own_index(s, seat)
    if own >= 0:
        for k in range(2 * AROUND):
            i = own + 1 + k if k < AROUND else own - 1 - (k - AROUND)
            if 0 <= i < s.running:
                car = s.order[i]
                gap = s.gap[i - 1] if k < AROUND else s.gap[i]
                at = n + CAR * k
                out[at] = 1
                out[at + 1] = share(gap, NEAR)
                out[at + 2] = gap == 0
                out[at + 3] = s.cards[car] / MOST_CARDS
                out[at + 4] = share(s.cards[car] - s.cards[seat], FEW)
                out[at + 5] = i > s.turn
                out[at + 6] = (s.stops >> car) & 1
    return n + 2 * CAR * AROUND


@rule
def other_car(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """If the driver has another car (LC-2.1): 1; cards of each kind in its hand, Redline first, of 4; 1 for
    each kind that it has; one-hot which of the next four cars ahead, then of the next four behind it is."""
    other = partner(g, seat)
    if other != seat:
        out[n] = 1
        for kind in range(KINDS):
            out[n + 1 + kind] = share(s.hand[other, kind], COPIES)
            out[n + 1 + KINDS + kind] = (s.held[other] >> kind) & 1
        away = own_index(s, other) - own_index(s, seat)
        if min(own_index(s, seat), own_index(s, other)) >= 0 and abs(away) <= AROUND:
            out[n + 2 * KINDS + (away if away > 0 else AROUND - away)] = 1
    return n + 1 + 2 * KINDS + 2 * AROUND


@rule
def past(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For the own car, the next three cars ahead, and the next three behind: the cards of each kind that it
    has played in qualifying and challenges, Redline first, then on a free road, of 2 (LC-1.4)."""
    own = own_index(s, seat)
    if own >= 0:
        for k in range(1 + 2 * NEXT):
            i = own + k if k <= NEXT else own - (k - NEXT)
            if 0 <= i < s.running:
                car = s.order[i]
                for played in range(2 * KINDS):
                    out[n + 2 * KINDS * k + played] = share(s.past[car, played], OFTEN)
    return n + 2 * KINDS * (1 + 2 * NEXT)


FIELDS = (
    field(role, WAITS + 1),
    field(race, 7),
    field(hand, 2 * KINDS),
    field(unseen, 2 * KINDS),
    field(place, 5),
    field(around, 2 * CAR * AROUND),
    field(other_car, 1 + 2 * KINDS + 2 * AROUND),
    field(past, 2 * KINDS * (1 + 2 * NEXT)),
)
SHORT_FEATURES = sum(block.size for block in FIELDS)
PRESENT_FEATURES = SHORT_FEATURES - FIELDS[-1].size
OUTPUTS = state.TAKE + KINDS


@rule
def observe_short(s: State, g: Setup, seat: int, out: Floats) -> None:
    """Write what the driver of ``seat`` sees to ``out``: SHORT_FEATURES zeros. ``FIELDS`` says what each
    number is."""
    n = role(s, g, seat, out, 0)
    n = race(s, g, seat, out, n)
    n = hand(s, g, seat, out, n)
    n = unseen(s, g, seat, out, n)
    n = place(s, g, seat, out, n)
    n = around(s, g, seat, out, n)
    n = other_car(s, g, seat, out, n)
    past(s, g, seat, out, n)


@rule
def output(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the output of a network for a move: its id."""
    return move
