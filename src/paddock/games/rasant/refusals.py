"""Rasant: why a move is illegal. Each code stands for one clause; the sentences are in text.py."""

from __future__ import annotations

from paddock.games.rasant.hands import holds_colour
from paddock.games.rasant.state import BLACK, DISCARD, HAND, NO_COLOUR, PASS, SPEEDS, Setup, State

(
    LEGAL,
    NOT_HELD,
    LEADS_BLACK,
    OTHER_COLOUR,
    NOT_HIGHER,
    MUST_LEAD,
    MUST_DISCARD,
    KEEPS_CARDS,
) = range(8)

CODES = 8


def why(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of why ``move`` is illegal for ``seat``, which must decide; LEGAL (0) if legal."""
    if move >= PASS:
        if s.colour == NO_COLOUR and holds_colour(s, seat):
            return MUST_LEAD
        if s.reserve > 0:
            return KEEPS_CARDS if move >= DISCARD else LEGAL
        if move == PASS:
            return MUST_DISCARD
        return LEGAL if _held(s, seat, move - DISCARD) else NOT_HELD
    if not _held(s, seat, move):
        return NOT_HELD
    if s.colour == NO_COLOUR:
        return LEADS_BLACK if move >= BLACK else LEGAL
    if move < BLACK and move // SPEEDS != s.colour:
        return OTHER_COLOUR
    return LEGAL if move % SPEEDS > s.top % SPEEDS else NOT_HIGHER


def _held(s: State, seat: int, kind: int) -> bool:
    return any(s.hand[seat, i] == kind for i in range(HAND))
