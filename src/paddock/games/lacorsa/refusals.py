"""LACORSA: why a move is forbidden. Every code names one clause; the sentences are in text.py."""

from __future__ import annotations

from paddock.games.lacorsa.rules import (
    CHALLENGE,
    DISCARD,
    EXTEND,
    KINDS,
    PLAYS,
    QUALIFY,
    REDLINE,
    ROAD,
    TWO_REDLINES,
    Setup,
    State,
)

(
    LEGAL,
    NOT_HELD,
    NO_REDLINE,
    TWO_REDLINES_REFUSED,
    ONE_REDLINE_HELD,
    QUALIFYING,
    MUST_CHALLENGE,
    DEFENDING,
    ROAD_IS_FREE,
    LEADER_EXTENDS_3,
) = range(10)

CODES = 10


def why(s: State, g: Setup, seat: int, move: int) -> int:
    """The code of what forbids ``move`` to ``seat``, which must decide; LEGAL (0) when nothing does."""
    if move < PLAYS:
        if s.phase == ROAD:
            return ROAD_IS_FREE
        return _hand(s, g, seat, move, doubles=bool(g.void))
    if s.phase == QUALIFY:
        return QUALIFYING
    if s.phase == CHALLENGE:
        return MUST_CHALLENGE if s.order[s.turn] == seat else DEFENDING
    if move < EXTEND:
        return _hand(s, g, seat, move - DISCARD, doubles=False)
    kind = move - EXTEND + 1
    if kind == 3 and s.turn == g.cars - 1:
        return LEADER_EXTENDS_3
    return _hand(s, g, seat, kind, doubles=False)


def _hand(s: State, g: Setup, seat: int, play: int, *, doubles: bool) -> int:
    """Does the hand hold the cards of the play, and are they one play (LC-3.5)?"""
    redlines = s.hand[seat, REDLINE]
    if play == TWO_REDLINES:
        if not doubles:
            return TWO_REDLINES_REFUSED
        return LEGAL if redlines > 1 else ONE_REDLINE_HELD
    if play < KINDS:
        return LEGAL if s.hand[seat, play] else NOT_HELD
    if not s.hand[seat, play - 12]:
        return NOT_HELD
    return LEGAL if redlines else NO_REDLINE
