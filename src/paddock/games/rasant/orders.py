"""Rasant: standing orders, for the round in which they are given.

In notation: ``pass in game 1 at 37 points`` and ``raise to 90 in game 1 at 37 points``. A round is known
by the points that all players together had in the game when it began: every round adds some (RA-4.2).
"""

from __future__ import annotations

import re

from paddock.core.errors import BadMove
from paddock.core.i18n import Sentence, _
from paddock.core.title import Dropped, Order, Seen
from paddock.games.rasant.hands import holds_colour
from paddock.games.rasant.state import BLACK, DISCARD, EMPTY, HAND, NO_COLOUR, PASS, ROUND, SPEEDS, State

_ORDER = re.compile(r"(?:pass|raise to (1[0-3]0|[1-9]0)) in game ([1-9]\d?) at (0|[1-9]\d{0,4}) points")


def describe(seen: Seen, seat: int) -> list[Order]:
    """RA-3.3 to pass, or to raise with cheap cards up to each speed that the hand can still play.

    None outside rounds and for who is out of the round; no pass for a leader who must lead (RA-3.2).
    """
    s: State = seen.state
    if not _in_round(s, seat):
        return []
    texts = [] if _must_lead(s, seat) else ["pass"]
    texts += [f"raise to {speed}" for speed in sorted({_speed(kind) for kind in _raises(s, seat)})]
    return [parse(f"{text} {_mark(seen)}") for text in texts]


def parse(text: str) -> Order:
    """The order of a text; raises ``BadMove``."""
    words = " ".join(text.split())
    found = _ORDER.fullmatch(words)
    if not found:
        raise BadMove(
            _(
                "«{text}» is no order: write «pass in game 1 at 37 points» or "
                "«raise to 90 in game 1 at 37 points», with the points of all players now"
            ).format(text=words[:48])
        )
    if not found[1]:
        return Order(words, _("Pass for the rest of this round; where that costs a card, the slowest goes"))
    return Order(
        words,
        _(
            "Raise up to {speed}, with the slowest card that will do; then pass for the rest of this round"
        ).format(speed=found[1]),
    )


def answer(seen: Seen, seat: int, text: str) -> int | Dropped | None:
    """The move that the order makes now; None where it waits; ``Dropped`` where it no longer fits.

    It is done with a pass, and with its round. Of equally slow cards the coloured one raises, for a
    black one fits every round, and the black one is discarded, for it cannot lead.
    """
    s: State = seen.state
    found = _ORDER.fullmatch(text)
    if not found or s.phase != ROUND or not text.endswith(f" {_mark(seen)}"):
        return Dropped("")
    if s.passed >> seat & 1:
        return Dropped("")
    if not s.cards[seat]:
        return Dropped(Sentence("the hand is empty"))
    if seat not in seen.deciders:
        return None
    if _must_lead(s, seat):
        return (
            None if found[1] else Dropped(Sentence("RA-3.2 a leader who holds a coloured card must lead one"))
        )
    if found[1] and s.best != seat:  # RA-3.4 the last player need not beat its own card
        cards = [kind for kind in _raises(s, seat) if _speed(kind) <= int(found[1])]
        if s.colour != NO_COLOUR and cards:
            return min(cards, key=lambda kind: (_speed(kind), kind >= BLACK))
    if s.reserve:
        return PASS
    return DISCARD + min(_hand(s, seat), key=lambda kind: (_speed(kind), kind < BLACK))


def _mark(seen: Seen) -> str:
    points = sum(seen.state.score[seat] for seat in range(seen.options.seats))
    return f"in game {len(seen.rounds) + 1} at {points} points"


def _in_round(s: State, seat: int) -> bool:
    return s.phase == ROUND and not s.passed >> seat & 1 and s.cards[seat] > 0


def _must_lead(s: State, seat: int) -> bool:
    """RA-3.2 the lead has come to a seat that holds a coloured card."""
    return s.colour == NO_COLOUR and s.leader == seat and bool(holds_colour(s, seat))


def _hand(s: State, seat: int) -> list[int]:
    return [s.hand[seat, i] for i in range(HAND) if s.hand[seat, i] != EMPTY]


def _speed(kind: int) -> int:
    return (kind % SPEEDS + 1) * 10


def _raises(s: State, seat: int) -> list[int]:
    """RA-3.3 the cards of the hand with which the seat can raise in this round, now or once a card is led."""
    if s.colour == NO_COLOUR:
        return [kind for kind in _hand(s, seat) if _speed(kind) > 10]
    suits = (s.colour, BLACK // SPEEDS)
    return [kind for kind in _hand(s, seat) if kind // SPEEDS in suits and kind % SPEEDS > s.top % SPEEDS]
