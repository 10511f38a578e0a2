"""Rasant: why a move was the only one."""

from __future__ import annotations

from paddock.core.i18n import Sentence, mark
from paddock.core.title import Seen
from paddock.games.rasant.rules.state import PASS, State

LAST = Sentence(mark("one card is left"))


def why(seen: Seen, seat: int, move: int) -> Sentence | None:
    """RA-3.2, RA-5.2 the last card, where it is led or discarded. To pass and keep it would tell of it."""
    s: State = seen.state
    return LAST if s.cards[seat] == 1 and move != PASS else None
