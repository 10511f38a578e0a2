"""The Great Race: why one move is better than another: what a crew has after each of them, in numbers."""

from __future__ import annotations

from paddock.core.i18n import _, mark
from paddock.core.title import Seen
from paddock.games.great_race.rules.state import BOXES, LEADER, PASS, PLAN, PLAY, TILE, State
from paddock.games.great_race.words.judging import steps_to_goal
from paddock.games.great_race.words.names import BOX_NAMES
from paddock.games.great_race.words.text import move as move_of

MOST_FACTS = 3
GAUGES = (
    ("petrol", mark("petrol {n}")),
    ("engine", mark("engine {n}")),
    ("chassis", mark("chassis {n}")),
    ("money", mark("{n} F")),
    ("cards", mark("{n} in hand")),
)


def why(seen: Seen, seat: int, move: int, best: int) -> str:
    """Return what the two moves leave that differs; empty where only chance or later turns tell."""
    names = [str(move_of(seen.setup, id)) for id in (best, move)]
    if PLAN <= move < LEADER and PLAN <= best < LEADER:
        plans = [[seen.setup.plan[id - PLAN, box] for box in range(BOXES)] for id in (best, move)]
        boxes = [box for box in range(BOXES) if plans[0][box] != plans[1][box]]
        return _after(names, [[f"{_(BOX_NAMES[box])} {plan[box]}" for box in boxes] for plan in plans])
    if TILE <= move < PLAN and TILE <= best < PLAN:
        petrol = [seen.setup.tile_petrol[id - TILE] for id in (best, move)]
        if petrol[0] != petrol[1]:
            return _after(names, [[_("a step for petrol {n}").format(n=n)] for n in petrol])
    if PASS in (move, best):
        left = sum(seen.state.assistants[seat, box] for box in range(BOXES))
        if left and best != PASS:
            return _("A pass leaves assistants unused: {n}.").format(n=left)
    if move < PLAY and best < PLAY:
        to_go = [steps_to_goal(seen, id) for id in (best, move)]
        if to_go[0] != to_go[1]:
            far = _("spaces to go {n}")
            return _after(names, [[far.format(n=n)] for n in to_go])
    after = [seen.preview((id,), seat).seen.state for id in (best, move)]
    differing = [part for part in GAUGES if _of(after[0], part[0], seat) != _of(after[1], part[0], seat)]
    return _after(
        names, [[_(words).format(n=_of(s, name, seat)) for name, words in differing] for s in after]
    )


def _of(s: State, name: str, seat: int) -> int:
    return int(getattr(s, name)[seat])


def _after(names: list[str], facts: list[list[str]]) -> str:
    """Return a sentence of what is there after each of two moves; empty if it is the same."""
    if not facts[0]:
        return ""
    best, made = (_(", ").join(part[:MOST_FACTS]) for part in facts)
    return _("After {best}: {facts}. After {move}: {others}.").format(
        best=names[0], facts=best, move=names[1], others=made
    )
