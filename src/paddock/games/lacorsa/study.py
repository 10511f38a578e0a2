"""LACORSA: what a study counts, and who is ahead."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.games.lacorsa.state import (
    ACCIDENT,
    DISCARDED,
    DRAFTS,
    EMPTY,
    EXTENDED,
    HELD,
    LAP,
    MOVED_UP,
    OFF,
    PASSED,
    PITTED,
    RETIRED,
    SKIPPED,
    SPUN,
    Setup,
    State,
)
from paddock.kernel import Row, rule

ROUND = LAP
ROUNDS = mark("laps")
EVENTS = {
    PASSED: mark("A challenger passes"),
    HELD: mark("A defender holds"),
    EXTENDED: mark("A car extends"),
    DISCARDED: mark("A car discards"),
    EMPTY: mark("A hand is empty"),
    SKIPPED: mark("A car without cards is skipped"),
    PITTED: mark("A car pits"),
    MOVED_UP: mark("A car gains a space from a pit stop"),
    DRAFTS: mark("A car drafts"),
    ACCIDENT: mark("An accident"),
    SPUN: mark("Two cars spin"),
    OFF: mark("Two cars go off"),
    RETIRED: mark("A car retires"),
}


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
