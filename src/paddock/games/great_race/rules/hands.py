"""The Great Race: cards that come into hands and leave them, and what others know of a hand.

A claim is a card of a hand of which somebody else knows. ``known`` has the claims that everybody knows,
``private`` those that one other seat alone knows. Claims on one hand are of different cards, so seats that
look together add theirs up, and a hand never has more claims on a kind than it has cards of that kind.
"""

from __future__ import annotations

from paddock.games.great_race.rules.state import (
    CARDS,
    JERRYCAN,
    PLAY,
    SEATS,
    SHUFFLED,
    Setup,
    State,
)
from paddock.kernel import Row, below, rule, tell, weighted


@rule
def gain(s: State, seat: int, kind: int, public: int) -> None:
    """GR-3.3 a card comes into a hand; ``public`` is 1 where everybody sees it, as at bivouac."""
    s.hand[seat, kind] += 1
    s.cards[seat] += 1
    s.known[seat, kind] += public


@rule
def lose(s: State, seat: int, kind: int) -> None:
    """GR-3.3 a card leaves a hand openly and uses up a claim. The caller puts it where it goes."""
    s.hand[seat, kind] -= 1
    s.cards[seat] -= 1
    if s.known[seat, kind] > 0:
        s.known[seat, kind] -= 1
    else:
        forget_one(s, seat, kind)


@rule
def forget_one(s: State, holder: int, kind: int) -> None:
    """GR-3.3 one private claim less for every seat that has one: theirs may be the card that is meant."""
    for knower in range(SEATS):
        row = SEATS * knower + holder
        if s.private[row, kind] > 0:
            s.private[row, kind] -= 1


@rule
def move_hidden(s: State, g: Setup, thief: int, victim: int, kind: int) -> None:
    """GR-3.4 a card is stolen; only thief and victim see which one. The caller tells it.

    Where everybody knew all cards of the victim, and all were of this kind, everybody knows it.
    """
    certain = int(s.known[victim, kind] == s.cards[victim])
    for k in range(CARDS):
        if s.known[victim, k] > 0:
            s.known[victim, k] -= 1
            if k != kind:
                s.private[SEATS * thief + victim, k] += 1
        else:
            for knower in range(SEATS):
                row = SEATS * knower + victim
                if s.private[row, k] > 0 and (knower != thief or k == kind):
                    s.private[row, k] -= 1
    s.hand[victim, kind] -= 1
    s.cards[victim] -= 1
    s.hand[thief, kind] += 1
    s.cards[thief] += 1
    if certain:
        s.known[thief, kind] += 1
    else:
        s.private[SEATS * victim + thief, kind] += 1


@rule
def refill(s: State) -> None:
    """GR-1.8 where the deck is empty, the discard pile is shuffled and is the deck."""
    if s.deck_size > 0:
        return
    for kind in range(CARDS):
        s.deck[kind] = s.discard[kind]
        s.deck_size += s.discard[kind]
        s.discard[kind] = 0
    if s.deck_size > 0:
        tell(s, SHUFFLED)


@rule
def claims(s: State, g: Setup, eyes: int, holder: int, kind: int) -> int:
    """GR-3.3 how many cards of a kind the eyes together know to be in the hand of another seat."""
    n = s.known[holder, kind]
    for knower in range(g.players):
        if (eyes >> knower) & 1:
            n += s.private[SEATS * knower + holder, kind]
    return n


@rule
def card_by_lot(s: State, seat: int, rng: Row) -> int:
    """GR-11.5 draw a card of a hand, as ``weighted`` does: a hand is a line of a grid, and no ``Row``."""
    x = below(rng, s.cards[seat])
    kind = 0
    while x >= s.hand[seat, kind]:
        x -= s.hand[seat, kind]
        kind += 1
    return kind


@rule
def blind_draw(s: State, size: int, rng: Row) -> int:
    """Take one of the ``size`` cards in ``deck`` by lot, and return its kind."""
    kind = weighted(rng, s.deck, size)
    s.deck[kind] -= 1
    return kind


@rule
def deal_again(s: State, g: Setup, eyes: int, rng: Row) -> None:
    """GR-1.5, GR-3.3 deal all cards that the eyes cannot place: each hand keeps what they know to be in it.

    What is left is the deck. Cards just drawn belong to ``turn``. It may be called again for another deal.
    """
    size = 0
    for kind in range(CARDS):
        n = g.deck[kind] - s.discard[kind] - s.market[kind] - int(s.card == kind)
        for seat in range(g.players):
            if not (eyes >> seat) & 1:
                s.hand[seat, kind] = claims(s, g, eyes, seat, kind)
                s.drawn[seat, kind] = 0
            n -= s.hand[seat, kind] + s.drawn[seat, kind]
        s.deck[kind] = n
        size += n
    for seat in range(g.players):
        if not (eyes >> seat) & 1:
            missing = s.cards[seat]
            for kind in range(CARDS):
                missing -= s.hand[seat, kind]
            for _ in range(missing):
                s.hand[seat, blind_draw(s, size, rng)] += 1
                size -= 1
    if not (eyes >> s.turn) & 1:
        for _ in range(s.drawn_size):
            s.drawn[s.turn, blind_draw(s, size, rng)] += 1
            size -= 1


@rule
def stuck(out: Row, n: int) -> int:
    """Whether a legal list of ``n`` moves has nothing but a Jerrycan, which never ends a question (GR-5.12).

    No seat is ever asked so. A deal of unseen cards that leads to it lacks a card that the seat must have
    to be asked: a Militia (GR-7.4), a part (GR-5.10), a Transport (GR-7.9).
    """
    return int(n == 0 or (n == 1 and out[0] == PLAY + JERRYCAN))
