"""The Great Race: moments that come in every race, and what can be chosen in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paddock.core.i18n import mark
from paddock.core.rooms.situations import Situation, real_choices
from paddock.core.title import Seen
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import LEADER, MECHANICS, PLAN, SECURITY, Setup

AVOIDS = (state.GUARD, state.COOK_GUARD, state.PLAY + state.MILITIA)  # GR-7.3

SITUATIONS = (
    Situation(
        "mechanics",
        mark("You plan a turn"),
        mark(
            "You put two assistants or more on Mechanics in {own} of {n} turns; {level} does so in {others}."
        ),
    ),
    Situation(
        "security",
        mark("You plan a turn"),
        mark(
            "You put at least one assistant on Security in {own} of {n} turns; {level} does so in {others}."
        ),
    ),
    Situation(
        "danger",
        mark("A danger that you can avoid"),
        mark("You avoided it in {own} of {n} such moments; {level} does so in {others}."),
    ),
    Situation(
        "halt",
        mark("You can drive on, or halt"),
        mark("You halted in {own} of {n} such moments; {level} does so in {others}."),
    ),
)


def choices(seen: Seen, seat: int) -> Mapping[str, frozenset[int]]:
    """Return the kinds of moments that a decision is one of, with the moves of the choice."""
    return real_choices(seen.legal(seat), _kinds(int(seen.state.stage), seen.setup))


def _kinds(stage: int, g: Setup) -> Mapping[str, Callable[[int], bool]]:
    """Return the kinds of moments of a stage, each with what says whether a legal move is the choice."""
    if stage == state.PLANS_STAGE:  # GR-4.1
        return {
            "mechanics": lambda move: PLAN <= move < LEADER and g.plan[move - PLAN, MECHANICS] >= 2,
            "security": lambda move: PLAN <= move < LEADER and g.plan[move - PLAN, SECURITY] >= 1,
        }
    if stage in (state.ARRIVAL, state.DANGER):  # GR-7.3
        return {"danger": lambda move: move in AVOIDS}
    if stage == state.STEP:  # GR-7.17
        return {"halt": lambda move: move == state.HALT}
    return {}
