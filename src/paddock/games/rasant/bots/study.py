"""Rasant: what a study counts. Who has most points is ahead."""

from __future__ import annotations

from paddock.core.i18n import mark, pmark
from paddock.games.rasant.rules.state import LEADS, LED, MOVED, PASSED, RAISED, RESERVE_EMPTY

ROUND = MOVED
ROUNDS = pmark("noun", "rounds")
EVENTS = {
    LEADS: mark("A player gets the lead"),
    LED: mark("A card is led"),
    RAISED: mark("A raise"),
    PASSED: mark("A pass"),
    MOVED: mark("Cars overtake"),
    RESERVE_EMPTY: mark("The reserve is empty"),
}
