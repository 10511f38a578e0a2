"""LACORSA: why a move is illegal. Each code stands for one clause; the sentences are in text.py."""

from __future__ import annotations

from paddock.games.lacorsa.race import can_pit
from paddock.games.lacorsa.state import (
    ATTACK,
    CHALLENGE,
    DISCARD,
    DRAFT,
    EXTEND,
    KINDS,
    PIT,
    PIT_DRAW,
    PITS,
    PLAYS,
    QUALIFY,
    REDLINE,
    ROAD,
    STAY,
    STOP,
    TAKE,
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
    NO_PIT_STOPS,
    NO_DRAFTING,
    FIRST_LAP,
    PITTED_BEFORE,
    TURN_BEGUN,
    PIT_OR_STAY,
    NOTHING_TO_STAY_FOR,
    MUST_TAKE,
    NOT_IN_PILE,
    NO_STOP_UNDER_WAY,
    ATTACK_OR_STOP,
    NOTHING_DRAFTED,
) = range(22)

CODES = 22


def why(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of why ``move`` is illegal for ``seat``, which must decide; LEGAL (0) if legal."""
    if move in (PIT, STAY) or move >= TAKE:
        return _stop(s, g, seat, move)
    if move in (ATTACK, STOP):
        if not g.drafting:
            return NO_DRAFTING
        return LEGAL if s.phase == DRAFT else NOTHING_DRAFTED
    if s.phase in _ASKED:
        return _ASKED[s.phase]
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
    if kind == 3 and s.turn == s.running - 1:
        return LEADER_EXTENDS_3
    return _hand(s, g, seat, kind, doubles=False)


_ASKED = {PITS: PIT_OR_STAY, PIT_DRAW: MUST_TAKE, DRAFT: ATTACK_OR_STOP}


def _stop(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code for a pit stop, for staying out and for taking a card."""
    if not g.pit:
        return NO_PIT_STOPS
    if move >= TAKE:
        if s.phase != PIT_DRAW:
            return NO_STOP_UNDER_WAY
        return LEGAL if s.discard[move - TAKE] else NOT_IN_PILE
    if s.phase == PITS:
        return LEGAL
    if move == STAY:
        return ROAD_IS_FREE if s.phase == ROAD else NOTHING_TO_STAY_FOR
    if s.phase == PIT_DRAW:
        return MUST_TAKE
    if s.lap < 2:
        return FIRST_LAP
    if not s.stops >> seat & 1:
        return PITTED_BEFORE
    return LEGAL if s.phase == ROAD and can_pit(s, g, seat) else TURN_BEGUN


def _hand(s: State, g: Setup, seat: int, play: int, *, doubles: bool) -> int:
    """Return the code for a play from the hand; two Redlines need ``doubles`` (LC-3.5)."""
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
