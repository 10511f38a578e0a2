"""Rasant: what a study counts. Who has most points is ahead."""

from __future__ import annotations

from paddock.core.i18n import _, mark, pmark
from paddock.games.rasant.rules.state import (
    BLACK,
    HAND,
    LEADS,
    LED,
    MOVED,
    PASSED,
    RAISED,
    RESERVE_EMPTY,
    SPEEDS,
    Setup,
    State,
)
from paddock.kernel import Row, rule

ROUND = MOVED
ROUNDS = pmark("noun", "rounds")
A_ROUND = pmark("noun", "round")
EVENTS = {
    LEADS: mark("A player gets the lead"),
    LED: mark("A card is led"),
    RAISED: mark("A raise"),
    PASSED: mark("A pass"),
    MOVED: mark("Cars overtake"),
    RESERVE_EMPTY: mark("The reserve is empty"),
}


def items() -> dict[str, tuple[str, ...]]:
    """Return the cards of a hand, as ``holdings`` writes them: the four colours are alike."""
    speeds = [10 * (speed + 1) for speed in range(SPEEDS)]
    coloured = (_("coloured {speed}").format(speed=speed) for speed in speeds)
    return {"cards": (*coloured, *(_("black {speed}").format(speed=speed) for speed in speeds))}


@rule
def holdings(s: State, g: Setup, seat: int, out: Row) -> None:
    """RA-2.2 write how many cards of each speed a player was dealt: coloured ones, then black ones."""
    for item in range(2 * SPEEDS):
        out[item] = 0
    for i in range(HAND):
        kind = s.hand[seat, i]
        out[kind % SPEEDS + SPEEDS * int(kind >= BLACK)] += 1
