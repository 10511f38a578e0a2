"""Skerries: the reasons why a move is forbidden, each with its clause; {move} is the notation of the move."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.parts.reasons import Reasons

LEGAL = 0
REASONS = Reasons()
_reason = REASONS.new

ASKED_NOW = _reason("SK-4.2", mark("your boat is being robbed: drop anchor or yield"))
NOT_ASKED = _reason("SK-4.2", mark("only a boat that is being robbed can do this"))
NOT_HELD = _reason("SK-3.3", mark("the hand holds no {move}"))
OFF_CHART = _reason("SK-2.3", mark("the chart ends there"))
ON_ROCK = _reason("SK-2.3", mark("a skerry lies there"))
NO_WIND = _reason("SK-2.3", mark("there is too little wind for this step"))
ONE_PILOT = _reason("SK-3.4", mark("a pilot is already aboard in this turn"))
ONCE_A_TURN = _reason("SK-4.1", mark("you have already robbed somebody in this turn"))
HAND_FULL = _reason("SK-4.1", mark("the hand is full"))
NOBODY_THERE = _reason("SK-4.1", mark("that boat is not in the same hex"))
NO_CARDS = _reason("SK-4.1", mark("that skipper holds no cards"))
