"""Rasant: the reasons why a move is illegal, each with its clause and its sentence.

The rules answer with the code of a reason; LEGAL (0) says that nothing forbids the move.
"""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.parts.reasons import Reasons

LEGAL = 0
REASONS = Reasons()
_reason = REASONS.new

NOT_HELD = _reason("RA-2.2", mark("the hand holds no {card}"))
LEADS_BLACK = _reason("RA-3.2", mark("the lead must be a coloured card"))
OTHER_COLOUR = _reason("RA-3.3", mark("the {card} is not black and does not have the round's colour"))
NOT_HIGHER = _reason("RA-3.3", mark("the {card} is not higher than the highest card of the round"))
MUST_LEAD = _reason("RA-3.2", mark("a leader who holds a coloured card must lead one"))
MUST_DISCARD = _reason("RA-5.2", mark("the reserve is empty: a pass costs a card"))
KEEPS_CARDS = _reason("RA-5.2", mark("a pass costs no card while there is a reserve"))
