"""Rasant: adding and removing cards of a hand (RA-2.2, RA-3.2)."""

from __future__ import annotations

from paddock.games.rasant.rules import refusals
from paddock.games.rasant.rules.state import BLACK, EMPTY, HAND, SPEEDS, State
from paddock.kernel import Row, below, rule


@rule
def holds_colour(s: State, player: int) -> int:
    """RA-3.2 return whether the hand has a coloured card. Coloured cards come before black ones."""
    return int(s.hand[player, 0] < BLACK)


@rule
def why_not_held(s: State, player: int, kind: int) -> int:
    """RA-2.2 only a card of the hand is played or discarded."""
    for i in range(HAND):
        if s.hand[player, i] == kind:
            return refusals.LEGAL
    return refusals.NOT_HELD


@rule
def put_in(s: State, player: int, kind: int) -> None:
    """Insert a card into a hand, which stays sorted."""
    hand = s.hand
    i = s.cards[player]
    s.cards[player] = i + 1
    while i > 0:
        other = hand[player, i - 1]
        if other <= kind:
            break
        hand[player, i] = other
        i -= 1
    hand[player, i] = kind


@rule
def spend(s: State, player: int, kind: int) -> None:
    """Move a card from a hand to the discard pile. A black one is taken as one of those known to be black."""
    hand = s.hand
    i = 0
    while hand[player, i] != kind:
        i += 1
    while i < HAND - 1:
        hand[player, i] = hand[player, i + 1]
        i += 1
    hand[player, HAND - 1] = EMPTY
    s.cards[player] -= 1
    s.discard[kind] += 1
    if kind >= BLACK and s.black[player] > 0:
        s.black[player] -= 1


@rule
def draw(s: State, rng: Row) -> int:
    """Return a random card of the reserve, without removing it."""
    suits = s.suits
    deck = s.deck
    x = below(rng, s.reserve)
    suit = 0
    n = suits[0]
    while x >= n:
        x -= n
        suit += 1
        n = suits[suit]
    kind = suit * SPEEDS
    n = deck[kind]
    while x >= n:
        x -= n
        kind += 1
        n = deck[kind]
    return kind


@rule
def take(s: State, player: int, kind: int) -> None:
    """Move a card from the reserve to a hand."""
    s.deck[kind] -= 1
    s.suits[kind // SPEEDS] -= 1
    s.reserve -= 1
    put_in(s, player, kind)
