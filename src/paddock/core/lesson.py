"""A guided first game: one idea at each decision of the learner, when its moment has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.game import Game
from paddock.core.title import Idea


@dataclass(frozen=True)
class Lesson:
    """What the page says now: the number of the idea among all, and its text."""

    step: int
    steps: int
    text: str


def lesson(game: Game, player: int, ideas: Sequence[Idea], freely: str, last: str) -> Lesson | None:
    """The idea for the decision that is open, none of them twice; None where it is another's turn.

    Once none fits the page says ``freely``, and after the game ``last``.
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
    """Take the idea that fits the decision out of those that are left."""
    seen = game.seen(1 << seat)
    for idea in left:
        if idea.fits(seen, seat):
            left.remove(idea)
            return idea
    return None
