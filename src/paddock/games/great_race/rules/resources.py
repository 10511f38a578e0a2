"""The Great Race: how resource cards are drawn, kept and discarded (GR-1.8, GR-3.2)."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons
from paddock.games.great_race.rules.crew import ask
from paddock.games.great_race.rules.hands import gain, refill
from paddock.games.great_race.rules.state import (
    CARDS,
    DISCARD,
    DISCARDED,
    DRAW_CARD,
    DREW,
    KEEP,
    KEPT,
    Setup,
    State,
)
from paddock.kernel import rule, tell

ALL = -1  # in place of a number of cards to keep: nothing is chosen, and each card drawn goes into the hand


@rule
def why_not_draw(s: State) -> int:
    """GR-5.10 why no card can be drawn: GR-1.8 deck and discard pile are empty."""
    if s.deck_size > 0:
        return reasons.LEGAL
    for kind in range(CARDS):
        if s.discard[kind] > 0:
            return reasons.LEGAL
    return reasons.NO_CARDS_LEFT


@rule
def begin_draw(s: State, number: int, keep: int) -> int:
    """GR-1.8 ``turn`` draws cards, and keeps so many of them, or ALL.

    Return whether a card is due.
    """
    s.left = number
    s.keep = keep
    return draw_on(s)


@rule
def draw_on(s: State) -> int:
    """GR-1.8 the next card is due, if there is one; an empty deck is refilled first."""
    if s.left > 0:
        refill(s)
        if s.deck_size > 0:
            return ask(s, DRAW_CARD, s.turn)
    s.left = 0
    return 0


@rule
def draw(s: State, kind: int) -> int:
    """GR-1.10 only who draws a card sees it. Return whether another is due."""
    seat = s.turn
    s.deck[kind] -= 1
    s.deck_size -= 1
    if s.keep != ALL:
        s.drawn[seat, kind] += 1
        s.drawn_size += 1
    else:
        gain(s, seat, kind, 0)
    tell(s, DREW, seat, kind, 0, 1 << seat)
    s.left -= 1
    return draw_on(s)


@rule
def reject(s: State, kind: int) -> None:
    """GR-10.29, GR-11.8 one of the drawn cards is discarded, face up."""
    s.drawn[s.turn, kind] -= 1
    s.drawn_size -= 1
    s.discard[kind] += 1
    s.past[s.turn, CARDS + kind] += 1
    tell(s, DISCARDED, s.turn, kind)


@rule
def why_not_reject(s: State, kind: int) -> int:
    """GR-10.15, GR-11.3 why a card is not discarded: it is none of the cards drawn."""
    return reasons.LEGAL if s.drawn[s.turn, kind] else reasons.NOT_DRAWN


@rule
def keep_on(s: State) -> int:
    """GR-10.25, GR-11.8 which of the drawn cards are discarded; the others go into the hand.

    Where all are kept nobody is asked. Return whether somebody must answer.
    """
    seat = s.turn
    if s.drawn_size > s.keep:
        return ask(s, KEEP, seat)
    for kind in range(CARDS):
        while s.drawn[seat, kind] > 0:
            s.drawn[seat, kind] -= 1
            gain(s, seat, kind, 0)
            tell(s, KEPT, seat, kind, 0, 1 << seat)
    s.drawn_size = 0
    s.keep = 0
    return 0


@rule
def limit_on(s: State, g: Setup) -> int:
    """GR-3.2 whoever has more cards than chassis levels discards one. Return whether somebody must."""
    for seat in range(g.players):
        if s.cards[seat] > s.chassis[seat]:
            return ask(s, DISCARD, seat)
    return 0
