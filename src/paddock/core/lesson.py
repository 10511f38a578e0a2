"""A guided first game: at each decision of the learner, one idea that fits the position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.game import Game
from paddock.core.pages import Idea


@dataclass(frozen=True)
class Lesson:
    """What the page says now: the number of the idea, and its text, not translated yet."""

    step: int
    steps: int
    text: str


def lesson(game: Game, player: int, ideas: Sequence[Idea], freely: str, last: str) -> Lesson | None:
    """Return the idea for the learner's current decision; None if it is another player's turn.

    No idea is shown twice. If none fits, the text is ``freely``, and after the game ``last``.
    """
    steps = len(ideas) + 1
    if game.over:
        return Lesson(steps, steps, last)
    seat = game.options.owners.index(player)
    first = next((i for i, entry in enumerate(game.log) if entry.by == seat), len(game.log))
    twin = game.at(first)
    left = list(ideas)
    for entry in game.log[first:]:
        if entry.by == seat and not entry.linked:
            _next(twin, seat, left)
        twin.append(entry)
    if seat not in twin.deciders:
        return None
    idea = _next(twin, seat, left)
    return Lesson(len(ideas) - len(left), steps, idea.text if idea else freely)


def _next(game: Game, seat: int, left: list[Idea]) -> Idea | None:
    """Remove the first idea that fits the decision from ``left``, and return it."""
    seen = game.seen(1 << seat)
    for idea in left:
        if idea.fits(seen, seat):
            left.remove(idea)
            return idea
    return None
