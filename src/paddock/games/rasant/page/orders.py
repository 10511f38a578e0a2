"""Rasant: standing orders. An order lasts until the end of the round.

Notation: ``pass in game 1 at 37 points`` and ``raise to 90 in game 1 at 37 points``. The points identify the
round: they are the sum for all players when it began, and every round adds to it (RA-4.2).
"""

from __future__ import annotations

import re

from paddock.core.errors import BadMove
from paddock.core.i18n import Sentence, _
from paddock.core.title import Dropped, Order, Seen
from paddock.games.rasant.rules.hands import holds_colour
from paddock.games.rasant.rules.rounds import is_higher
from paddock.games.rasant.rules.state import (
    BLACK,
    DISCARD,
    EMPTY,
    HAND,
    NO_COLOUR,
    PASS,
    ROUND,
    SPEEDS,
    Setup,
    State,
)

_ORDER = re.compile(r"(?:pass|raise to (1[0-3]0|[1-9]0)) in game ([1-9]\d?) at (0|[1-9]\d{0,4}) points")


def describe(seen: Seen, seat: int) -> list[Order]:
    """Return the orders that the player can give now: pass, or raise up to a speed of the hand (RA-3.3).

    There are none outside a round or after a pass. A leader who must lead cannot pass (RA-3.2).
    """
    s: State = seen.state
    if not _in_round(s, seat):
        return []
    texts = [] if _must_lead(s, seat) else ["pass"]
    speeds = {_speed(kind) for kind in _raises(s, seen.setup, seat)}
    texts += [f"raise to {speed}" for speed in sorted(speeds)]
    return [parse(f"{text} {_mark(seen)}") for text in texts]


def parse(text: str) -> Order:
    """Parse an order; raise ``BadMove``."""
    words = " ".join(text.split())
    match = _ORDER.fullmatch(words)
    if not match:
        raise BadMove(
            _(
                "“{text}” is not an order: write “pass in game 1 at 37 points” or "
                "“raise to 90 in game 1 at 37 points”, with the points of all players now"
            ).format(text=words[:48])
        )
    if not match[1]:
        return Order(words, _("Pass for the rest of this round; if that costs a card, discard the slowest"))
    return Order(
        words,
        _(
            "Raise up to {speed}, always with the slowest card possible; then pass for the rest of this round"
        ).format(speed=match[1]),
    )


def answer(seen: Seen, seat: int, text: str) -> int | Dropped | None:
    """Return the move that the order makes now, None if it waits, ``Dropped`` if it is out of date.

    An order ends with a pass or with its round. Among cards of equal speed it raises with a coloured one,
    because black fits every round, and discards a black one, because black cannot lead.
    """
    s: State = seen.state
    match = _ORDER.fullmatch(text)
    if not match or s.phase != ROUND or not text.endswith(f" {_mark(seen)}"):
        return Dropped("")
    if s.passed >> seat & 1:
        return Dropped("")
    if not s.cards[seat]:
        return Dropped(Sentence("the hand is empty"))
    if seat not in seen.deciders:
        return None
    if _must_lead(s, seat):
        return (
            None if match[1] else Dropped(Sentence("RA-3.2 a leader who holds a coloured card must lead one"))
        )
    if match[1] and s.best != seat:  # RA-3.4 the last player need not beat its own card
        cards = [kind for kind in _raises(s, seen.setup, seat) if _speed(kind) <= int(match[1])]
        if s.colour != NO_COLOUR and cards:
            return min(cards, key=lambda kind: (_speed(kind), kind >= BLACK))
    if s.reserve or not seen.setup.pass_cost:
        return PASS
    return DISCARD + min(_hand(s, seat), key=lambda kind: (_speed(kind), kind < BLACK))


def _mark(seen: Seen) -> str:
    points = sum(seen.state.score[seat] for seat in range(seen.options.seats))
    return f"in game {len(seen.rounds) + 1} at {points} points"


def _in_round(s: State, seat: int) -> bool:
    return s.phase == ROUND and not s.passed >> seat & 1 and s.cards[seat] > 0


def _must_lead(s: State, seat: int) -> bool:
    """RA-3.2 return whether the seat must lead, because it holds a coloured card."""
    return s.colour == NO_COLOUR and s.leader == seat and bool(holds_colour(s, seat))


def _hand(s: State, seat: int) -> list[int]:
    return [s.hand[seat, i] for i in range(HAND) if s.hand[seat, i] != EMPTY]


def _speed(kind: int) -> int:
    return (kind % SPEEDS + 1) * 10


def _raises(s: State, g: Setup, seat: int) -> list[int]:
    """RA-3.3 return the cards of the hand that can raise in this round, or could once a card is led."""
    if s.colour == NO_COLOUR:
        return [k for k in _hand(s, seat) if k % SPEEDS >= (g.black_by if k >= BLACK else g.raise_by)]
    suits = (s.colour, BLACK // SPEEDS)
    return [kind for kind in _hand(s, seat) if kind // SPEEDS in suits and is_higher(s, g, kind)]
