"""Skerries: why a move is forbidden. Every code names one clause; the sentences are in text.py."""

from __future__ import annotations

from skerries.sailing import (
    ANCHOR,
    ASKED,
    HAND,
    OFF,
    PILOT,
    PLAY,
    ROB,
    ROCK,
    STOP,
    YIELD,
    Setup,
    State,
    can_step,
)

(
    LEGAL,
    ASKED_NOW,
    NOT_ASKED,
    NOT_HELD,
    OFF_CHART,
    ON_ROCK,
    NO_WIND,
    ONE_PILOT,
    ONCE_A_TURN,
    HAND_FULL,
    NOBODY_THERE,
    NO_CARDS,
) = range(12)

CODES = 12


def why(s: State, g: Setup, seat: int, move: int) -> int:
    """Return the code of the clause that forbids ``move``; LEGAL (0) if none does. ``seat`` must decide."""
    if s.phase == ASKED and move not in (PLAY + ANCHOR, YIELD):
        return ASKED_NOW
    if s.phase != ASKED and move in (PLAY + ANCHOR, YIELD):
        return NOT_ASKED
    if move < STOP:
        beside = g.beside[s.at[seat], move]
        if beside in (OFF, ROCK):
            return OFF_CHART if beside == OFF else ON_ROCK
        return LEGAL if can_step(s, g, move) else NO_WIND
    if PLAY <= move < YIELD:
        if not s.held[seat, move - PLAY]:
            return NOT_HELD
        return ONE_PILOT if move == PLAY + PILOT and s.piloted else LEGAL
    return _why_rob(s, g, seat, move - ROB) if move >= ROB else LEGAL


def _why_rob(s: State, g: Setup, seat: int, other: int) -> int:
    """SK-4.1 why this boat cannot be robbed."""
    if s.robbed:
        return ONCE_A_TURN
    if s.cards[seat] == HAND:
        return HAND_FULL
    if other >= g.skippers or other == seat or s.place[other] or s.at[other] != s.at[seat]:
        return NOBODY_THERE
    return LEGAL if s.cards[other] else NO_CARDS
