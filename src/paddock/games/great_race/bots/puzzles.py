"""The Great Race: what its puzzles are about."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.title import Seen
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import State

THEMES = {
    "plans": mark("Plans"),
    "turn": mark("Petrol, cards and assistants"),
    "driving": mark("Driving"),
    "repairs": mark("Repairs and damage"),
    "cards": mark("Which cards to keep"),
}
GAMES = ({"players": 2}, {"players": 3}, {"players": 4})
_OF = {
    state.PLANS_STAGE: "plans",
    state.ACT: "turn",
    state.STEP: "driving",
    state.ARRIVAL: "driving",
    state.DANGER: "driving",
    state.MEND: "repairs",
    state.TOOLBOX_LEVEL: "repairs",
    state.DAMAGE: "repairs",
    state.TAKE: "cards",
    state.KEEP: "cards",
    state.DISCARD: "cards",
    state.CUSTOMS_DISCARD: "cards",
}


def theme(seen: Seen, seat: int, best: int) -> str:
    """Return the theme of a decision."""
    s: State = seen.state
    return _OF.get(s.stage, "")
