"""LACORSA: the reasons why a move is illegal, each with its clause and its sentence.

The rules answer with the code of a reason; LEGAL (0) says that nothing forbids the move.
"""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.parts.reasons import Reasons

LEGAL = 0
REASONS = Reasons()
_reason = REASONS.new

NOT_HELD = _reason("LC-5.1", mark("the hand holds no {card}"))
NO_REDLINE = _reason("LC-5.1", mark("the hand holds no Redline to add"))
TWO_REDLINES_REFUSED = _reason("LC-3.5", mark("two Redlines cannot be played together"))
ONE_REDLINE_HELD = _reason("LC-3.5", mark("the hand does not hold two Redlines"))
QUALIFYING = _reason("LC-3.1", mark("in qualifying every car commits a card"))
MUST_CHALLENGE = _reason("LC-4.3", mark("a car is directly ahead: you must challenge it"))
DEFENDING = _reason("LC-5.1", mark("the defender commits a card"))
ROAD_IS_FREE = _reason("LC-4.3", mark("no car is directly ahead: extend or discard"))
NO_EXTEND_CARD = _reason("LC-6.1", mark("a {card} does not extend here"))
LEADER_EXTENDS = _reason("LC-6.2", mark("the leader cannot extend with a {card}"))
NO_PIT_STOPS = _reason("LX-2.0", mark("this championship has no pit stops"))
NO_DRAFTING = _reason("LX-5.1", mark("this championship has no special drafting"))
TOO_EARLY = _reason("LX-2.0", mark("cars can pit from the second lap on"))
PITTED_BEFORE = _reason("LX-2.0", mark("this car has already pitted in this race"))
TURN_BEGUN = _reason("LX-2.0", mark("a car can pit only at the start of its own turn"))
PIT_OR_STAY = _reason("LX-2.0", mark("first choose whether to pit or to stay out"))
NOTHING_TO_STAY_FOR = _reason("LX-2.0", mark("a car can stay out only when it could pit instead"))
MUST_TAKE = _reason("LX-2.1", mark("the car is in the pits: take a card from the discard pile"))
NOT_IN_PILE = _reason("LX-2.1", mark("the discard pile holds no {card}"))
NO_STOP_UNDER_WAY = _reason("LX-2.1", mark("cards are taken from the discard pile only in a pit stop"))
ATTACK_OR_STOP = _reason("LX-5.1", mark("the gap is closed: challenge the car ahead or stop behind it"))
NOTHING_DRAFTED = _reason(
    "LX-5.1", mark("this choice follows only a card that drafts and has closed the gap to a car")
)
