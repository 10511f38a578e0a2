"""Skerries: why a move is forbidden. Every code has a clause and a sentence."""

from __future__ import annotations

from paddock.core.i18n import mark
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

REASONS = (  # (clause, sentence) by code; {move} is the notation of the move
    ("", ""),
    ("SK-4.2", mark("your boat is being robbed: drop anchor or yield")),
    ("SK-4.2", mark("only a boat that is being robbed can do this")),
    ("SK-3.3", mark("the hand holds no {move}")),
    ("SK-2.3", mark("the chart ends there")),
    ("SK-2.3", mark("a skerry lies there")),
    ("SK-2.3", mark("there is too little wind for this step")),
    ("SK-3.4", mark("a pilot is already aboard in this turn")),
    ("SK-4.1", mark("you have already robbed somebody in this turn")),
    ("SK-4.1", mark("the hand is full")),
    ("SK-4.1", mark("that boat is not in the same hex")),
    ("SK-4.1", mark("that skipper holds no cards")),
)
CODES = len(REASONS)
LEGAL, ASKED_NOW, NOT_ASKED, NOT_HELD, OFF_CHART, ON_ROCK, NO_WIND, ONE_PILOT = range(8)
ONCE_A_TURN, HAND_FULL, NOBODY_THERE, NO_CARDS = range(8, CODES)


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
