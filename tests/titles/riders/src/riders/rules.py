"""Riders: what may happen now, and what follows."""

from __future__ import annotations

from typing import Annotated

from paddock.kernel import CHANCE, HIDDEN, Grid, Hidden, Row, clearing, i8, listing, record, rule, tell

MAX_SEATS, KINDS, COPIES, HAND = 4, 5, 8, 4
ACTIONS, OUTCOMES, MIN_SCORE, MAX_SCORE = KINDS, KINDS, 0, 64
MAX_DECISIONS = KINDS * COPIES
REVEALED, MOVED, DREW = 1, 2, 3


@record
class Setup:
    """RI-1.1 the options."""

    riders: i8
    length: i8
    draft: i8


@record
class State:
    """RI-1 a stage."""

    over: i8
    turn: i8
    dealing: i8  # the seat that gets a card, + 1; 0: nobody
    deck: Annotated[Row, i8, KINDS]
    hand: Annotated[Grid, i8, MAX_SEATS, KINDS, Hidden("riders", deck="deck", count="cards")]
    cards: Annotated[Row, i8, MAX_SEATS]
    chosen: Annotated[Row, i8, MAX_SEATS, Hidden("riders", choice=True)]
    at: Annotated[Row, i8, MAX_SEATS]


clear = clearing(State)


@rule
def start(s: State, g: Setup) -> None:
    """RI-1.2 a full deck."""
    clear(s)
    for kind in range(KINDS):
        s.deck[kind] = COPIES
    s.dealing = 1


@rule
def who(s: State, g: Setup) -> int:
    """RI-2.1 all riders who have not chosen."""
    if s.over:
        return 0
    if s.dealing:
        return 1 << CHANCE
    waiting = 0
    for seat in range(g.riders):
        if s.chosen[seat] == 0:
            waiting |= 1 << seat
    return waiting


@rule
def why_not(s: State, g: Setup, seat: int, move: int) -> int:
    """RI-2.1 a rider plays a card of its hand."""
    return int(s.hand[seat, move] == 0)


legal = listing(why_not, ACTIONS)


@rule
def left(s: State) -> int:
    """How many cards the deck has."""
    n = 0
    for kind in range(KINDS):
        n += s.deck[kind]
    return n


@rule
def deal_on(s: State, g: Setup) -> None:
    """RI-1.2, RI-2.3 who gets the next card."""
    s.dealing = 0
    for seat in range(g.riders):
        if s.cards[seat] < HAND and s.dealing == 0:
            s.dealing = seat + 1
    if s.dealing and left(s) == 0:
        s.dealing = 0
        s.over = 1


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """RI-2 a card is dealt or chosen."""
    if seat == CHANCE:
        to = s.dealing - 1
        s.deck[move] -= 1
        s.hand[to, move] += 1
        s.cards[to] += 1
        tell(s, DREW, to, move + 1, 0, 1 << to)
        deal_on(s, g)
        return
    s.chosen[seat] = move + 1
    if who(s, g):
        return
    for one in range(g.riders):
        tell(s, REVEALED, one, s.chosen[one])
    for one in range(g.riders):
        alone = 1
        for other in range(g.riders):
            if other != one and s.chosen[other] == s.chosen[one]:
                alone = 0
        if alone:
            s.at[one] += s.chosen[one]
            tell(s, MOVED, one, s.at[one])
    for one in range(g.riders):
        s.hand[one, s.chosen[one] - 1] -= 1
        s.cards[one] -= 1
        s.chosen[one] = 0
        if s.at[one] >= g.length:
            s.over = 1
    if s.over == 0:
        s.turn += 1
        if g.draft:
            pass_on(s, g)
        deal_on(s, g)


@rule
def pass_on(s: State, g: Setup) -> None:
    """RI-2.4 each hand goes to the next rider."""
    for kind in range(KINDS):
        first = s.hand[g.riders - 1, kind]
        for seat in range(g.riders - 1, 0, -1):
            s.hand[seat, kind] = s.hand[seat - 1, kind]
        s.hand[0, kind] = first


@rule
def outcomes(s: State, g: Setup, out: Row, weights: Row) -> int:
    """RI-1.2 the cards of the deck."""
    n = 0
    for kind in range(KINDS):
        if s.deck[kind]:
            out[n] = kind
            weights[n] = s.deck[kind]
            n += 1
    return n


@rule
def seen(s: State, g: Setup, eyes: int, by: int, move: int) -> int:
    """RI-2.1 who sees a card."""
    if by == CHANCE:
        return move if eyes >> (s.dealing - 1) & 1 else HIDDEN
    waiting = who(s, g)
    last = waiting & ~(1 << by) == 0
    return move if last or eyes >> by & 1 else HIDDEN


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """RI-3.2 the steps."""
    for seat in range(g.riders):
        out[seat] = s.at[seat]
