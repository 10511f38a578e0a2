"""Skerries: what a skipper sees, as numbers for a network, relative to that skipper.

All numbers are from −1 to 1. Blocks with a part for each skipper begin with the one who is observed.
"""

from __future__ import annotations

from paddock.kernel import Floats, field, rule, share
from skerries.cards import surprises
from skerries.chart import LIGHT
from skerries.sailing import ASKED, HAND, KINDS, SEATS, THEFT, Setup, State, takes

PHASES = 6
WIND = 12  # more is counted as so much
FAR = 24  # the same for the wind to a light
WAY = 4  # numbers in the block ``ways`` for each way
SKIPPER = 7  # numbers in the block ``skippers`` for each skipper


@rule
def race(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """One-hot: roll, sail, asked, draw, theft, over. Then the day as a part of all days (SK-5.2); wind, of 12
    (SK-2.2); 1 for a turn that has entered a harbour, has a pilot (SK-3.4), or has robbed (SK-4.1)."""
    out[n + s.phase] = 1
    out[n + PHASES] = share(s.day, g.days)
    out[n + PHASES + 1] = share(s.wind, WIND)
    out[n + PHASES + 2] = s.drew
    out[n + PHASES + 3] = s.piloted
    out[n + PHASES + 4] = s.robbed
    return n + PHASES + 5


@rule
def hand(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """Cards of each kind in the own hand, of 3."""
    for kind in range(KINDS):
        out[n + kind] = s.held[seat, kind] / HAND
    return n + KINDS


@rule
def pile(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """The part of each kind of card that lies open (SK-3.3); then the part of all cards that is in the
    deck."""
    for kind in range(KINDS):
        out[n + kind] = s.open[kind] / g.copies
    out[n + KINDS] = s.left / (KINDS * g.copies)
    return n + KINDS + 1


@rule
def skippers(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each skipper: 1 if there is one; wind to the nearest light, of 24; cards, of 3; place, of 4
    (SK-5.1); then 1 for who has the turn, is robbed (SK-4.2), and is on the own hex."""
    for k in range(g.skippers):
        skipper = (seat + k) % g.skippers
        at = n + SKIPPER * k
        out[at] = 1
        out[at + 1] = share(g.far[s.at[skipper]], FAR)
        out[at + 2] = s.cards[skipper] / HAND
        out[at + 3] = s.place[skipper] / SEATS
        out[at + 4] = s.turn == skipper
        out[at + 5] = (s.phase == ASKED or s.phase == THEFT) and s.victim == skipper
        out[at + 6] = s.at[skipper] == s.at[seat]
    return n + SKIPPER * SEATS


@rule
def remembers(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each skipper: cards of each kind in its hand that the own skipper remembers, of 3 (SK-4.4)."""
    for k in range(g.skippers):
        holder = (seat + k) % g.skippers
        for kind in range(KINDS):
            out[n + KINDS * k + kind] = s.known[SEATS * seat + holder, kind] / HAND
    return n + KINDS * SEATS


@rule
def ways(s: State, g: Setup, seat: int, out: Floats, n: int) -> int:
    """For each way from the own boat, east first and on against the clock: its wind, of 2 (SK-2.3), 0 where
    no boat can go; how much nearer to a light it leads, of 3; 1 if a card is drawn there now (SK-3.1); 1 for
    a light."""
    here = s.at[seat]
    for way in range(6):
        to = g.beside[here, way]
        if to >= 0:
            at = n + WAY * way
            out[at] = takes(g, to, s.piloted) / 2
            out[at + 1] = share(g.far[here] - g.far[to], 3)
            out[at + 2] = g.land[to] != LIGHT and surprises(s, g, to) == 1
            out[at + 3] = g.land[to] == LIGHT
    return n + WAY * 6


FIELDS = (
    field(race, PHASES + 5),
    field(hand, KINDS),
    field(pile, KINDS + 1),
    field(skippers, SKIPPER * SEATS),
    field(remembers, KINDS * SEATS),
    field(ways, WAY * 6),
)
FEATURES = sum(block.size for block in FIELDS)


@rule
def observe(s: State, g: Setup, seat: int, out: Floats) -> None:
    """Write what the skipper ``seat`` sees to ``out``: FEATURES zeros. ``FIELDS`` says what each number
    is."""
    n = race(s, g, seat, out, 0)
    n = hand(s, g, seat, out, n)
    n = pile(s, g, seat, out, n)
    n = skippers(s, g, seat, out, n)
    n = remembers(s, g, seat, out, n)
    ways(s, g, seat, out, n)
