"""Matches in this process, where it does not matter that workers play them: each of those costs a second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paddock.core.defaults import SECONDS
from paddock.core.title import title
from paddock.lab import Match
from paddock.lab.plan import Plan, make_plan
from paddock.lab.play import BotTeam, play_deal
from paddock.lab.results import make_match
from paddock.lab.rows import GameRow


def rows_here(
    name: str,
    bots: Sequence[Any],
    games: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
) -> tuple[Plan, list[GameRow]]:
    """Return the plan of a match, and the rows of its games: whole deals."""
    plan = make_plan(title(name), bots, seed, options or {}, seconds)
    with BotTeam(plan) as team:
        return plan, [row for deal in range(games // len(bots)) for row in play_deal(plan, deal, team)]


def played_here(name: str, bots: Sequence[Any], games: int, *more: Any) -> Match:
    """Return the results of a match; ``more`` as for ``rows_here``."""
    return make_match(*rows_here(name, bots, games, *more))
