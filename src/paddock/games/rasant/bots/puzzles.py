"""Rasant: what its puzzles are about."""

from __future__ import annotations

from paddock.core.i18n import mark
from paddock.core.title import Seen
from paddock.games.rasant.rules import state
from paddock.games.rasant.rules.state import State

THEMES = {
    "leading": mark("Leading a round"),
    "raising": mark("Raising"),
    "passing": mark("When to pass"),
}
GAMES = ({"players": 3, "games": 1}, {"players": 4, "games": 1})


def theme(seen: Seen, seat: int, best: int) -> str:
    """Return the theme of a decision."""
    s: State = seen.state
    if s.phase != state.ROUND:
        return ""
    if s.colour == state.NO_COLOUR:
        return "leading"
    return "passing" if best >= state.PASS else "raising"
