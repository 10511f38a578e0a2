"""LACORSA: why a move was the only one."""

from __future__ import annotations

from paddock.core.i18n import Sentence, mark
from paddock.core.title import Seen
from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.rules.state import State

LAST = Sentence(mark("one card is left"))


def why(seen: Seen, seat: int, move: int) -> Sentence | None:
    """LC-3.1, LC-6.1 the last card of the hand: how many there are is public, and it is played openly or
    committed. With more cards, which of them fit is a secret."""
    s: State = seen.state
    return LAST if s.cards[seat] == 1 and move < state.EXTEND else None
