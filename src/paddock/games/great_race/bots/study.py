"""The Great Race: what a study counts, and who is ahead."""

from __future__ import annotations

from paddock.core.i18n import mark, pmark
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.land import progress
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import Row, rule

ROUND = state.TURN
ROUNDS = pmark("of all crews", "turns")
EVENTS = {
    state.DROVE: mark("A step by land"),
    state.FLEW: mark("A lane by air or sea"),
    state.EXPLORED: mark("Unknown land is explored"),
    state.TURNED_BACK: mark("A crew turns back"),
    state.STOPPED: mark("A stop sign stops a crew"),
    state.PLACED: mark("A tile is placed by scouts"),
    state.PLAYED: mark("A card is played"),
    state.CANCELLED: mark("A card is cancelled"),
    state.GUARDED: mark("A danger is avoided"),
    state.HARMED: mark("Damage to engine or chassis"),
    state.MENDED: mark("A level is repaired"),
    state.BROKE_DOWN: mark("A breakdown"),
    state.BOUGHT: mark("Petrol is bought"),
    state.FUNDED: mark("Money from funding"),
    state.EARNED: mark("Money from a card or a city"),
    state.STOLE: mark("A theft"),
    state.PASSED: mark("A pass"),
    state.SHUFFLED: mark("The discard pile is shuffled"),
    state.ARRIVED: mark("A crew arrives"),
}


@rule
def standing(s: State, g: Setup, out: Row) -> int:
    """GR-1.11 write the progress of every crew, in columns; return 0 before the destination is known."""
    if s.goal == state.OFF:
        return 0
    for seat in range(g.players):
        out[seat] = progress(s, g, s.at[seat])
    return 1
