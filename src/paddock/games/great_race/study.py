"""The Great Race: what a study counts, and who is ahead."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.games.great_race.land import progress
from paddock.games.great_race.state import (
    ARRIVED,
    BOUGHT,
    BROKE_DOWN,
    CANCELLED,
    DROVE,
    EARNED,
    EXPLORED,
    FLEW,
    FUNDED,
    GUARDED,
    HARMED,
    MENDED,
    OFF,
    PASSED,
    PLACED,
    PLAYED,
    SHUFFLED,
    STOLE,
    STOPPED,
    TURN,
    TURNED_BACK,
    Setup,
    State,
)
from paddock.kernel import Row, rule

ROUND = TURN
ROUNDS = mark("turns")
EVENTS = {
    DROVE: mark("A step by land"),
    FLEW: mark("A lane by air or sea"),
    EXPLORED: mark("Unknown land is explored"),
    TURNED_BACK: mark("A crew turns back"),
    STOPPED: mark("A stop sign stops a crew"),
    PLACED: mark("A tile is placed by scouts"),
    PLAYED: mark("A card is played"),
    CANCELLED: mark("A card is cancelled"),
    GUARDED: mark("A danger is avoided"),
    HARMED: mark("Damage to engine or chassis"),
    MENDED: mark("A level is repaired"),
    BROKE_DOWN: mark("A breakdown"),
    BOUGHT: mark("Petrol is bought"),
    FUNDED: mark("Money from funding"),
    EARNED: mark("Money from a card or a city"),
    STOLE: mark("A theft"),
    PASSED: mark("A pass"),
    SHUFFLED: mark("The discard pile is shuffled"),
    ARRIVED: mark("A crew arrives"),
}


@rule
def standing(s: State, g: Setup, out: Row) -> int:
    """GR-1.11 write the progress of every crew, in columns; return 0 before the destination is known."""
    if s.goal == OFF:
        return 0
    for seat in range(g.players):
        out[seat] = progress(s, g, s.at[seat])
    return 1
