"""Plays the games of a data set again from their moves, by the plain rules; measures moves and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paddock.bots.imagining import COMPILED
from paddock.bots.judging import rank, values_of
from paddock.bots.mixture import worlds_for
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.source import ChanceSource
from paddock.core.title import Seen
from paddock.kernel.source import Seeded
from paddock.lab.data.plan import DataPlan
from paddock.lab.figures import Floats
from paddock.lab.luck import worth_of

DIGITS = 4  # after the point, of what is measured


@dataclass(frozen=True)
class DecisionSeen:
    """A decision of a game that is played again: what its seat saw, and the ids of its legal moves."""

    game: Game
    seat: int
    seen: Seen
    legal: list[int]


def replayed(
    plan: DataPlan,
    number: int,
    decisions: Sequence[tuple[int, int]],
    drew: Callable[[Any, Any], None] = lambda _before, _after: None,
) -> Iterator[DecisionSeen]:
    """Play game ``number`` again with the seat and the move of each of its decisions; yield each before it is
    made, and then the end as ``DecisionSeen`` without legal moves.

    ``drew`` gets the states before and after all chance that is due at once. Raises ``PaddockError`` if these
    are not the decisions of this game.
    """
    game, chance = Game(plan.title, plan.options), Seeded(plan.seed, number // plan.players)
    for seat, move in decisions:
        decision = _next(plan, game, chance, drew)
        if decision.seat != seat or move not in decision.legal:
            raise _other(number)
        yield decision
        game.play(seat, move)
    decision = _next(plan, game, chance, drew)
    if decision.legal:
        raise _other(number)
    yield decision


def _other(number: int) -> PaddockError:
    return PaddockError(_("game {n}: these are not moves of this game").format(n=number))


def _next(plan: DataPlan, game: Game, chance: ChanceSource, drew: Callable[[Any, Any], None]) -> DecisionSeen:
    """Play on to the next decision between several moves, or to the end."""
    while not game.over:
        if game.chance_due:
            before = game.whole()
            while game.chance_due:
                game.append(game.draw(chance))
            drew(before, game.whole())
            continue
        seat = game.deciders[0]
        seen = game.seen(plan.options.eyes(plan.options.owners[seat]))
        legal = sorted(seen.legal(seat))
        if len(legal) > 1:
            return DecisionSeen(game, seat, seen, legal)
        game.play(seat, legal[0])
    return DecisionSeen(game, 0, game.seen(0), [])


@dataclass
class Measures:
    """What the decisions of some games are worth; None for what was not measured, or did not happen."""

    worths: list[list[float] | None] = field(default_factory=list)  # by legal move: points beside the best
    errors: list[list[float] | None] = field(default_factory=list)  # half the widths of 95 % intervals
    luck: list[Floats | None] = field(default_factory=list)  # by player: what the next draw gave


def measure(plan: DataPlan, number: int, decisions: Sequence[tuple[int, int]], out: Measures) -> None:
    """Add to ``out`` what the plan measures of the decisions of a game.

    A judgement knows what the seat saw. The luck of a draw knows all hidden cards, as in a match with luck.
    """
    luck, draws = list[Floats | None](), 0

    def drew(before: Any, after: Any) -> None:
        nonlocal draws
        if not (plan.luck and luck):  # the deal before the first decision belongs to none
            return
        worths = [
            worth_of(plan, state, f"{plan.seed} luck {number} {2 * draws + i}")
            for i, state in enumerate((before, after))
        ]
        last = luck[-1]
        luck[-1] = worths[1] - worths[0] + (0 if last is None else last)
        draws += 1

    for index, decision in enumerate(replayed(plan, number, decisions, drew)):
        if index < len(decisions):
            luck.append(None)
            worths, errors = _judged(plan, decision, f"{plan.seed} worth {number} {index}")
            out.worths.append(worths)
            out.errors.append(errors)
    out.luck += [None if row is None else np.round(row, DIGITS) for row in luck]


def _judged(plan: DataPlan, decision: DecisionSeen, seed: str) -> tuple[list[float] | None, ...]:
    """Return what each legal move is worth beside the best one, and the errors; None if it is not asked."""
    if not plan.worlds:
        return None, None
    models = COMPILED.models(plan.title, decision.seen.setup)
    values = values_of(decision.seen, decision.seat, seed, models)
    lines = rank(values, decision.legal, worlds_for(plan.title, models, plan.worlds))
    costs = {move: (round(-cost, DIGITS) + 0.0, round(error, DIGITS)) for move, cost, error, _worlds in lines}
    return [costs[move][0] for move in decision.legal], [costs[move][1] for move in decision.legal]
