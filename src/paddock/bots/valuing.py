"""Measures what a race is worth to its players at each of its moments: see ``ledger.py``.

Unlike a judgement, a value knows all hidden cards. So games can only be valued when they are over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paddock.bots.imagining import COMPILED, Imagining, points_of
from paddock.bots.ledger import LedgerMoment, starts
from paddock.bots.mixture import SLOWER, Rows, beside, by_models, stream_of
from paddock.bots.rollouts import Model
from paddock.core.beside import Steps, in_steps
from paddock.core.game import Game
from paddock.core.intervals import half_width, mean
from paddock.core.options import Options
from paddock.core.title import Title

FIRST = 32  # games that are played on from every moment
DECISIONS = 100_000  # of the policy, from one moment: about a tenth of a second


@dataclass(frozen=True)
class ValuedMoment:
    """A moment of a race whose value is asked: the game with all its secrets; at the end, its values."""

    entry: int
    round: int
    title: Title
    options: Options
    state: Any  # None at the end
    values: tuple[float, ...] = ()


@in_steps
def moments_of(game: Game) -> Steps[list[ValuedMoment]]:
    """Return the moments of the finished races of a game, in the order of its log.

    A race that is not finished has none: what it is worth would tell of hidden cards.
    """
    replayed, rounds, states = game.at(0), list[int](), list[Any]()
    for entry in game.log:
        rounds.append(len(replayed.rounds))
        states.append(replayed.whole())
        replayed.append(entry)
        yield
    out = list[ValuedMoment]()
    first = sorted({rounds.index(number) for number in set(rounds)})
    for index in starts(game.log, first):
        if index in first and index:
            out.append(_end_value(game, index, rounds[index] - 1))
        if rounds[index] < len(game.rounds):
            out.append(ValuedMoment(index, rounds[index], game.title, game.options, states[index]))
    if rounds and rounds[-1] < len(game.rounds):
        out.append(_end_value(game, len(rounds), rounds[-1]))
    return out


def _end_value(game: Game, entry: int, round: int) -> ValuedMoment:
    values = tuple(points_of(game.rounds[round].scores, game.options.owners))
    return ValuedMoment(entry, round, game.title, game.options, None, values)


@in_steps
def value(
    point: ValuedMoment, worlds: int, seed: str, whole: bool = True, imagining: Imagining = COMPILED
) -> Steps[LedgerMoment]:
    """Return what a race is worth at a moment, in at most ``worlds`` games that are played on from it.

    They are played to the end if that is asked for as a ``whole``. The seed and the index of the entry give
    their random numbers.
    """
    if point.state is None:
        return LedgerMoment(point.entry, point.round, point.values, (0.0,) * len(point.values))
    stream, decisions = f"{seed} value {point.entry}", 0
    models = imagining.models(point.title, point.title.setup_of(point.options))

    def play(model: Model, own: range) -> Steps[Rows]:
        nonlocal decisions
        game = point.title, point.options, point.state
        ends = yield from imagining.onward(*game, own, stream_of(stream, model), model, whole)
        decisions += ends.decisions * (SLOWER if model.network else 1)
        return ends.points

    first = range(min(FIRST, worlds))
    games = yield from by_models(models, first, play, point.options.players)
    target = min(worlds, DECISIONS * len(first) // max(1, decisions))
    if target > len(first):
        more = yield from by_models(models, range(len(first), target), play, point.options.players)
        games = beside(games, more)
    return LedgerMoment(
        point.entry,
        point.round,
        tuple(round(mean(row), 4) for row in games),
        tuple(round(half_width(row), 4) for row in games),
    )


def value_all(piece: Sequence[ValuedMoment], worlds: int, seed: str) -> list[LedgerMoment]:
    """Return what a race is worth at several moments."""
    return [value(point, worlds, seed) for point in piece]
