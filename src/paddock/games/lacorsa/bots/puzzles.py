"""LACORSA: what its puzzles are about."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.title import Seen
from paddock.games.lacorsa.rules import race, state
from paddock.games.lacorsa.rules.state import State

THEMES = {
    "qualifying": mark("Qualifying"),
    "attacking": mark("Attacking"),
    "defending": mark("Defending"),
    "road": mark("On a free road"),
    "pits": mark("When to pit"),
}
GAMES = ({"drivers": 4, "races": 1}, {"drivers": 8, "races": 1, "large_grid": "yes"})


def theme(seen: Seen, seat: int, best: int) -> str:
    """Return the theme of a decision."""
    s: State = seen.state
    if s.phase == state.QUALIFY:
        return "qualifying"
    if s.phase == state.CHALLENGE:
        return "attacking" if s.order[s.turn] == seat else "defending"
    if s.phase == state.ROAD:
        return "pits" if race.can_pit(s, seen.setup, seat) else "road"
    return "attacking" if s.phase == state.DRAFT else ""
