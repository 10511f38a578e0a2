"""The Great Race: why a move was the only one."""

from __future__ import annotations

from paddock.core.i18n import Sentence, mark
from paddock.core.title import Seen
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import CARDS, State

EMPTY = Sentence(mark("no petrol"))
LAST = Sentence(mark("one card is left"))
_NO_HELP = Sentence(mark("no guard and no card helps"))
_WHY = {
    state.TAKE: Sentence(mark("one kind of card is on offer")),
    state.ACT: Sentence(mark("nothing is left to do")),
    state.TARGET: Sentence(mark("there is one rival to choose")),
    state.CANCEL: _NO_HELP,
    state.RANSOM_STAGE: Sentence(mark("the ransom costs too much")),
    state.MEND: Sentence(mark("the repair has one way to go on")),
    state.STEP: Sentence(mark("there is one way to go on")),
    state.ARRIVAL: _NO_HELP,
    state.DANGER: _NO_HELP,
    state.STOP_SIGN: Sentence(mark("a stop sign, and no Guide")),
    state.DISCARD: Sentence(mark("the hand has one kind of card")),
    state.CUSTOMS_DISCARD: Sentence(mark("the hand has one kind of card")),
}


def why(seen: Seen, seat: int, move: int) -> Sentence | None:
    """GR-3.3 a hand of which everybody knows all cards has no secret, and neither has one card that is
    discarded: which it was is seen then."""
    s: State = seen.state
    if s.cards[seat] > sum(s.known[seat, kind] for kind in range(CARDS)):
        dropped = state.DROP_CARD <= move < state.DROP_CARD + CARDS
        return LAST if s.cards[seat] == 1 and dropped and not s.drawn_size else None
    if move == state.HALT and s.petrol[seat] == 0:
        return EMPTY
    return _WHY.get(s.stage)
