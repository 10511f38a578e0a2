"""Skerries: hidden cards, and how they change hands (SK-3, SK-4)."""

from __future__ import annotations

from paddock.kernel import Row, rule, tell, weighted
from skerries.chart import HARBOUR, LIGHT
from skerries.sailing import (
    ASKED,
    DRAW,
    DREW,
    GUST,
    HAND,
    KINDS,
    PILOT,
    PLAYED,
    ROBS,
    SAIL,
    SEATS,
    SHUFFLED,
    STOLE,
    THEFT,
    YIELDED,
    Setup,
    State,
)


@rule
def draws(s: State) -> int:
    """Whether the boat draws a card in a harbour now (SK-3.1), for which there must be one (SK-3.2)."""
    some = s.left
    for kind in range(KINDS):
        some += s.open[kind]
    return int(s.drew == 0 and s.cards[s.turn] < HAND and some > 0)


@rule
def surprises(s: State, g: Setup, hex: int) -> int:
    """Whether a card is drawn (SK-3.1) or the boat arrives (SK-5.1) when it enters a hex."""
    return int(g.land[hex] == LIGHT or (g.land[hex] == HARBOUR and draws(s) == 1))


@rule
def enter_harbour(s: State) -> None:
    """SK-3.1 a card is due. SK-3.2 if the deck is empty, the open cards are shuffled into it first."""
    due = draws(s)
    s.drew = 1
    if due == 0:
        return
    if s.left == 0:
        for kind in range(KINDS):
            s.deck[kind] += s.open[kind]
            s.left += s.open[kind]
            s.open[kind] = 0
        tell(s, SHUFFLED, s.left)
    s.phase = DRAW


@rule
def weight(s: State, kind: int) -> int:
    """How many cards of a kind chance can draw: from the deck (SK-3.1) or from the robbed hand (SK-4.3)."""
    if s.phase == DRAW:
        return s.deck[kind]
    return s.held[s.victim, kind]


@rule
def draw(s: State, kind: int) -> None:
    """SK-3.1 the card goes into the hand; nobody else sees it."""
    s.deck[kind] -= 1
    s.left -= 1
    s.held[s.turn, kind] += 1
    s.cards[s.turn] += 1
    s.phase = SAIL
    tell(s, DREW, s.turn, kind, 0, 1 << s.turn)


@rule
def play(s: State, seat: int, kind: int) -> None:
    """SK-3.3 a played card lies open. SK-4.4 others may have remembered it."""
    s.held[seat, kind] -= 1
    s.cards[seat] -= 1
    s.open[kind] += 1
    for knower in range(SEATS):
        forget_one(s, knower, seat, kind)
    tell(s, PLAYED, seat, kind)
    if kind == GUST:
        s.wind += 2
    elif kind == PILOT:
        s.piloted = 1
    else:
        s.victim = 0  # SK-4.2 the robbery fails
        s.phase = SAIL


@rule
def can_rob(s: State, g: Setup, seat: int) -> int:
    """SK-4.1 whether the boat whose turn it is can rob this one."""
    near = seat < g.skippers and seat != s.turn and s.at[seat] == s.at[s.turn] and s.place[seat] == 0
    return int(near and s.robbed == 0 and s.cards[seat] > 0 and s.cards[s.turn] < HAND)


@rule
def rob(s: State, seat: int) -> None:
    """SK-4.2 the robbed skipper is asked, whatever cards it holds."""
    s.robbed = 1
    s.victim = seat
    s.phase = ASKED
    tell(s, ROBS, s.turn, seat)


@rule
def yields(s: State) -> None:
    """SK-4.3 a card is drawn blindly."""
    s.phase = THEFT
    tell(s, YIELDED, s.victim)


@rule
def steal(s: State, kind: int) -> None:
    """SK-4.3 the card changes hands. SK-4.4 the robbed skipper remembers it, others forget."""
    thief = s.turn
    victim = s.victim
    s.held[victim, kind] -= 1
    s.cards[victim] -= 1
    s.held[thief, kind] += 1
    s.cards[thief] += 1
    for knower in range(SEATS):
        if knower == thief:
            forget_one(s, knower, victim, kind)
        else:
            for any_kind in range(KINDS):
                s.known[SEATS * knower + victim, any_kind] = 0
    s.known[SEATS * victim + thief, kind] += 1
    s.victim = 0
    s.phase = SAIL
    tell(s, STOLE, thief, victim, kind, 1 << thief | 1 << victim)


@rule
def forget_one(s: State, knower: int, holder: int, kind: int) -> None:
    """SK-4.4 a card of this kind has left the hand: it may be the remembered one."""
    row = SEATS * knower + holder
    if s.known[row, kind] > 0:
        s.known[row, kind] -= 1


@rule
def remembered(s: State, eyes: int, holder: int, kind: int) -> int:
    """SK-4.4 how many cards of a kind these eyes together know to be in a hand; no card counts twice."""
    n = 0
    for knower in range(SEATS):
        if (eyes >> knower) & 1:
            n += s.known[SEATS * knower + holder, kind]
    return n


@rule
def deal_again(s: State, g: Setup, eyes: int, rng: Row) -> None:
    """SK-1.3 deal the cards that the eyes cannot place to the other hands at random; the rest is the deck."""
    unplaced = 0
    for kind in range(KINDS):
        n = g.copies - s.open[kind]
        for seat in range(g.skippers):
            if not (eyes >> seat) & 1:
                s.held[seat, kind] = remembered(s, eyes, seat, kind)
            n -= s.held[seat, kind]
        s.deck[kind] = n
        unplaced += n
    for seat in range(g.skippers):
        missing = s.cards[seat]
        for kind in range(KINDS):
            missing -= s.held[seat, kind]
        for _ in range(missing):
            kind = weighted(rng, s.deck, unplaced)
            s.deck[kind] -= 1
            s.held[seat, kind] += 1
            unplaced -= 1
