"""LACORSA: what a study counts, and who is ahead."""

from __future__ import annotations

from paddock.core.i18n import _, mark
from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.kernel import Row, rule

ROUND = state.LAP
ROUNDS = mark("laps")
A_ROUND = mark("lap")
EVENTS = {
    state.PASSED: mark("A challenger passes"),
    state.HELD: mark("A defender holds"),
    state.EXTENDED: mark("A car extends"),
    state.DISCARDED: mark("A car discards"),
    state.EMPTY: mark("A hand is empty"),
    state.SKIPPED: mark("A car without cards is skipped"),
    state.PITTED: mark("A car pits"),
    state.MOVED_UP: mark("A car gains a space from a pit stop"),
    state.DRAFTS: mark("A car drafts"),
    state.ACCIDENT: mark("An accident"),
    state.SPUN: mark("Two cars spin"),
    state.OFF: mark("Two cars go off"),
    state.RETIRED: mark("A car retires"),
}


def items() -> dict[str, tuple[str, ...]]:
    """Return the kinds of cards of a hand, as ``holdings`` writes them."""
    return {"cards": (_("Redline"), *map(str, range(1, state.KINDS)))}


@rule
def holdings(s: State, g: Setup, seat: int, out: Row) -> None:
    """LC-1.2 write how many cards of each kind a car was dealt."""
    for kind in range(state.KINDS):
        out[kind] = s.hand[seat, kind]


@rule
def standing(s: State, g: Setup, out: Row) -> int:
    """Write how far ahead every car is, in cars; 0 if it has retired. Return 0 before the first lap."""
    if s.lap == 0:
        return 0
    if s.running < g.cars:
        for car in range(g.cars):
            out[car] = 0
    for i in range(s.running):
        out[s.order[i]] = i + 1
    return 1
