"""Skerries: hidden cards, and how they change hands (SK-3, SK-4)."""

from __future__ import annotations

from paddock.kernel import Row, rule, tell, weighted
from skerries import refusals, sailing
from skerries.chart import HARBOUR, LIGHT
from skerries.sailing import Setup, State


@rule
def draws(s: State) -> int:
    """Whether the boat draws a card in a harbour now (SK-3.1), for which there must be one (SK-3.2)."""
    some = s.left
    for kind in range(sailing.KINDS):
        some += s.open[kind]
    return int(s.drew == 0 and s.cards[s.turn] < sailing.HAND and some > 0)


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
        for kind in range(sailing.KINDS):
            s.deck[kind] += s.open[kind]
            s.left += s.open[kind]
            s.open[kind] = 0
        tell(s, sailing.SHUFFLED, s.left)
    s.phase = sailing.DRAW


@rule
def weight(s: State, kind: int) -> int:
    """How many cards of a kind chance can draw: from the deck (SK-3.1) or from the robbed hand (SK-4.3)."""
    if s.phase == sailing.DRAW:
        return s.deck[kind]
    return s.held[s.victim, kind]


@rule
def draw(s: State, kind: int) -> None:
    """SK-3.1 the card goes into the hand; nobody else sees it."""
    s.deck[kind] -= 1
    s.left -= 1
    s.held[s.turn, kind] += 1
    s.cards[s.turn] += 1
    s.phase = sailing.SAIL
    tell(s, sailing.DREW, s.turn, kind, 0, 1 << s.turn)


@rule
def why_not_play(s: State, seat: int, kind: int) -> int:
    """SK-3.3 a card of the hand is played; SK-3.4 one pilot a turn is enough."""
    if s.held[seat, kind] == 0:
        return refusals.NOT_HELD
    return refusals.ONE_PILOT if kind == sailing.PILOT and s.piloted else refusals.LEGAL


@rule
def play(s: State, seat: int, kind: int) -> None:
    """SK-3.3 a played card lies open. SK-4.4 others may have remembered it."""
    s.held[seat, kind] -= 1
    s.cards[seat] -= 1
    s.open[kind] += 1
    for knower in range(sailing.SEATS):
        forget_one(s, knower, seat, kind)
    tell(s, sailing.PLAYED, seat, kind)
    if kind == sailing.GUST:
        s.wind += 2
    elif kind == sailing.PILOT:
        s.piloted = 1
    else:
        s.victim = 0  # SK-4.2 the robbery fails
        s.phase = sailing.SAIL


@rule
def why_not_rob(s: State, g: Setup, seat: int) -> int:
    """SK-4.1 the boat whose turn it is robs, once, another in the same hex that holds cards."""
    if s.robbed:
        return refusals.ONCE_A_TURN
    if s.cards[s.turn] == sailing.HAND:
        return refusals.HAND_FULL
    if seat >= g.skippers or seat == s.turn or s.place[seat] > 0 or s.at[seat] != s.at[s.turn]:
        return refusals.NOBODY_THERE
    return refusals.LEGAL if s.cards[seat] > 0 else refusals.NO_CARDS


@rule
def rob(s: State, seat: int) -> None:
    """SK-4.2 the robbed skipper is asked, whatever cards it holds."""
    s.robbed = 1
    s.victim = seat
    s.phase = sailing.ASKED
    tell(s, sailing.ROBS, s.turn, seat)


@rule
def yields(s: State) -> None:
    """SK-4.3 a card is drawn blindly."""
    s.phase = sailing.THEFT
    tell(s, sailing.YIELDED, s.victim)


@rule
def steal(s: State, kind: int) -> None:
    """SK-4.3 the card changes hands. SK-4.4 the robbed skipper remembers it, others forget."""
    thief = s.turn
    victim = s.victim
    s.held[victim, kind] -= 1
    s.cards[victim] -= 1
    s.held[thief, kind] += 1
    s.cards[thief] += 1
    for knower in range(sailing.SEATS):
        if knower == thief:
            forget_one(s, knower, victim, kind)
        else:
            for any_kind in range(sailing.KINDS):
                s.known[sailing.SEATS * knower + victim, any_kind] = 0
    s.known[sailing.SEATS * victim + thief, kind] += 1
    s.victim = 0
    s.phase = sailing.SAIL
    tell(s, sailing.STOLE, thief, victim, kind, 1 << thief | 1 << victim)


@rule
def forget_one(s: State, knower: int, holder: int, kind: int) -> None:
    """SK-4.4 a card of this kind has left the hand: it may be the remembered one."""
    row = sailing.SEATS * knower + holder
    if s.known[row, kind] > 0:
        s.known[row, kind] -= 1


@rule
def remembered(s: State, eyes: int, holder: int, kind: int) -> int:
    """SK-4.4 how many cards of a kind these eyes together know to be in a hand; no card counts twice."""
    n = 0
    for knower in range(sailing.SEATS):
        if (eyes >> knower) & 1:
            n += s.known[sailing.SEATS * knower + holder, kind]
    return n


@rule
def deal_again(s: State, g: Setup, eyes: int, rng: Row) -> None:
    """SK-1.3 deal the cards that the eyes cannot place to the other hands at random; the rest is the deck."""
    unplaced = 0
    for kind in range(sailing.KINDS):
        n = g.copies - s.open[kind]
        for seat in range(g.skippers):
            if not (eyes >> seat) & 1:
                s.held[seat, kind] = remembered(s, eyes, seat, kind)
            n -= s.held[seat, kind]
        s.deck[kind] = n
        unplaced += n
    for seat in range(g.skippers):
        missing = s.cards[seat]
        for kind in range(sailing.KINDS):
            missing -= s.held[seat, kind]
        for _ in range(missing):
            kind = weighted(rng, s.deck, unplaced)
            s.deck[kind] -= 1
            s.held[seat, kind] += 1
            unplaced -= 1
