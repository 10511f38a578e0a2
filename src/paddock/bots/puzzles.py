"""Puzzles: positions of finished games in which one move is clearly better than others. «What would you do?»

A puzzle is asked with what its seat saw, and nothing else. Those of a title's set are in a file beside its
rules, which the laboratory makes from games of bots; a player's own come from the analyses of their games.
"""

from __future__ import annotations

import datetime
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter

from paddock import records
from paddock.bots.analysis import Analysis, Judgement
from paddock.bots.imagining import COMPILED, Imagining
from paddock.bots.judging import SURE, JudgedDecision, Values, choose, less, values_of
from paddock.bots.mixture import models_for, worlds_for
from paddock.bots.rollouts import CLUBS, Model
from paddock.core.beside import Steps, in_steps, steps_of
from paddock.core.game import Game
from paddock.core.intervals import half_width, mean, standard_error, t_value
from paddock.core.log import Entry
from paddock.core.rooms.puzzles import Puzzling
from paddock.core.title import Seen, Title, move_id, titles
from paddock.core.words import CHANCE

FILE = "puzzles.jsonl"  # of a title
REPLAYED = 32  # games of sets in memory
NEAR = 3.0  # widths of its interval by which a move must be behind, so that more worlds cannot change that
LEAD = 0.1  # points by which the best answer leads all others at least
CHOICES = 3  # moves to choose from at least
STEP = 7919  # puzzles of the day: a prime, so that all have their turn before one comes again


@dataclass(frozen=True)
class AnswerCost:
    """What a move costs beside the best one, in points of the race; the best move costs nothing."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    move: str  # in notation
    cost: float  # mean difference to the best move
    error: float  # half the width of its 95 % interval
    better: float  # the share of the worlds in which the best move earns more
    worse: float  # the share in which it earns less

    @property
    def right(self) -> bool:
        """Whether the move is the best, or not clearly worse."""
        return self.cost <= self.error


@dataclass(frozen=True)
class Puzzle:
    """A decision of a game, to be made again."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    entry: int  # its index in the log
    seat: int
    theme: str  # a word of ``Puzzling.THEMES``; empty for none
    played: str  # in the game, in notation
    costs: tuple[AnswerCost, ...]  # of every legal move, the best first
    wrong: float = 0.5  # the share of the answers of all levels that are wrong: how difficult it is

    @property
    def best(self) -> str:
        """The best move, in notation."""
        return self.costs[0].move


@dataclass(frozen=True)
class Source:
    """A game with its puzzles: a line of a title's file."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    record: str  # of the game, up to its last puzzle
    puzzles: tuple[Puzzle, ...]


_LINE = TypeAdapter(Source)


@dataclass(frozen=True)
class Set:
    """The puzzles of a title by their ids, which stay the same when others are added."""

    title: Title
    puzzles: dict[str, tuple[Puzzle, str]]  # each with the record of its game

    @property
    def themes(self) -> list[str]:
        """The themes of these puzzles, in the order of the title."""
        room = puzzling(self.title)
        return [theme for theme in room.THEMES if self.of(theme)] if room else []

    def of(self, theme: str) -> list[str]:
        """Return the ids of the puzzles of a theme, the easier ones first; of all for an empty one."""
        ids = [id for id, (puzzle, _record) in self.puzzles.items() if theme in ("", puzzle.theme)]
        return sorted(ids, key=lambda id: self.puzzles[id][0].wrong)


def dump(source: Source) -> str:
    """Return a line of a title's file."""
    return _LINE.dump_json(source).decode()


def loads(title: Title, text: str) -> Set:
    """Return the set in the text of a title's file."""
    puzzles = dict[str, tuple[Puzzle, str]]()
    for line in filter(None, text.splitlines()):
        source = _LINE.validate_json(line)
        for puzzle in source.puzzles:
            key = f"{source.record} {puzzle.entry} {puzzle.seat}"
            puzzles[hashlib.blake2b(key.encode(), digest_size=5).hexdigest()] = puzzle, source.record
    return Set(title, puzzles)


@lru_cache(maxsize=16)
def puzzles_of(title: Title) -> Set:
    """Return the set of a title; it is empty if the title has none."""
    file = files(title.package).joinpath(FILE)
    return loads(title, file.read_text("utf-8") if file.is_file() else "")


def puzzling(title: Title) -> Puzzling | None:
    """Return the room of a title that says what its puzzles are about; None if it has none."""
    return title.puzzles


def theme_of(seen: Seen, seat: int, best: int) -> str:
    """Return the theme of a decision; empty if it has none."""
    room = puzzling(seen.title)
    return room.theme(seen, seat, best) if room else ""


@lru_cache(maxsize=REPLAYED)
def game_of(record: str, entry: int) -> Game:
    """Return the game of a record before one of its entries. Do not change it."""
    return records.read(record).game().at(entry)


def of_the_day(day: datetime.date) -> tuple[Title, str] | None:
    """Return the puzzle of a day: its title and id, the same for all; None if no title has any."""
    candidates = [
        (title, id) for _name, title in sorted(titles().items()) for id in puzzles_of(title).puzzles
    ]
    if not candidates:
        return None
    # Steps without a common divisor with their number come to every puzzle before one comes again.
    step = next(step for step in (STEP, 1) if math.gcd(step, len(candidates)) == 1)
    return candidates[day.toordinal() * step % len(candidates)]


# Which decisions make a puzzle


def mistakes(analysis: Analysis) -> list[Judgement]:
    """Return the judgements in which the best move led the one that was made by ``SURE`` standard errors,
    and under every model."""
    return [
        judgement
        for judgement in analysis.judgements
        if judgement.agreed and judgement.cost >= SURE * _error(judgement, analysis)
    ]


def _error(judgement: Judgement, analysis: Analysis) -> float:
    """Return about the standard error of a cost, which was measured in half of the worlds."""
    return judgement.error / t_value(max(1, analysis.worlds - analysis.worlds // 2 - 1))


def weighed(decision: JudgedDecision, worlds: int, seed: str) -> tuple[tuple[AnswerCost, ...], float]:
    """Return what each legal move costs, the best first, and by how many standard errors it leads all others.

    Half as many worlds again choose the best move, so that luck in the choice is no part of its lead.
    """
    values = values_of(decision.seen, decision.seat, f"{seed} {decision.entry}", (CLUBS,))
    best, _tried = choose(values, decision.legal, decision.legal[0], worlds // 2)
    other_moves = [move for move in decision.legal if move != best]
    behind = _behind(values, best, other_moves, range(worlds // 2, worlds // 2 + worlds))
    costs = [_cost(decision, move, differences) for move, differences in behind.items()]
    lead = min(map(_lead_in_errors, behind.values()))
    return (_free(decision, best), *sorted(costs, key=lambda cost: cost.cost)), lead


def _behind(values: Values, best: int, moves: Sequence[int], worlds: range) -> dict[int, list[float]]:
    """Return by how much each move is behind the best one, in each world."""
    table = values((best, *moves), worlds)
    return {move: less(table[0], row) for move, row in zip(moves, table[1:], strict=True)}


def _lead_in_errors(differences: Sequence[float]) -> float:
    """Return a mean in standard errors; infinite if it is the same in every world, and not 0."""
    lead, deviation = mean(differences), standard_error(differences)
    if deviation:
        return lead / deviation
    return math.copysign(math.inf, lead) if lead else 0.0


def checked(decision: JudgedDecision, best: int, worlds: int, seed: str) -> tuple[AnswerCost, ...] | None:
    """Return what each legal move costs, the mean of all models that may play on, each in so many worlds.

    None if the best move is not the best under every model, or leads another by less than ``LEAD``.
    """
    seen = decision.seen
    by_model = []
    for model in models_for(seen.title, seen.setup):
        costs = _under(decision, best, model, worlds, seed)
        if costs is None:
            return None
        by_model.append(costs)
    means = [_mean(parts) for parts in zip(*by_model, strict=True)]
    if min(cost.cost for cost in means[1:]) < LEAD:
        return None
    return (means[0], *sorted(means[1:], key=lambda cost: cost.cost))


def _under(
    decision: JudgedDecision, best: int, model: Model, worlds: int, seed: str
) -> list[AnswerCost] | None:
    """Return what each move costs if one model plays on: the best one, then the others as they are listed.

    What is clearly far behind in an eighth of the worlds is not tried in all. None if another move is better.
    """
    values = values_of(decision.seen, decision.seat, f"{seed} {decision.entry}", (model,))
    moves = [best, *(move for move in decision.legal if move != best)]
    found = dict[int, AnswerCost]()
    for part in (range(worlds // 8), range(worlds // 8, worlds + worlds // 8)):
        near = [move for move in moves[1:] if move not in found or _is_near(found[move])]
        if not near:
            break
        behind = _behind(values, best, near, part)
        found |= {move: _cost(decision, move, differences) for move, differences in behind.items()}
        if any(cost.cost < -cost.error for cost in found.values()):
            return None
    if any(cost.cost <= 0 for cost in found.values()):
        return None
    return [_free(decision, best), *(found[move] for move in moves[1:])]


def _is_near(cost: AnswerCost) -> bool:
    """Whether more worlds may change that a move is behind by ``LEAD``."""
    return cost.cost < LEAD + NEAR * cost.error


def _mean(costs: Sequence[AnswerCost]) -> AnswerCost:
    """Return the mean of what one move costs under several models."""
    n = len(costs)
    return AnswerCost(
        costs[0].move,
        round(sum(cost.cost for cost in costs) / n, 3),
        round(math.hypot(*(cost.error for cost in costs)) / n, 3),
        round(sum(cost.better for cost in costs) / n, 3),
        round(sum(cost.worse for cost in costs) / n, 3),
    )


@in_steps
def compared(
    decision: JudgedDecision, best: int, move: int, analysis: Analysis, imagining: Imagining = COMPILED
) -> Steps[AnswerCost]:
    """Return what a move costs beside the best one of a decision, in the worlds of its ``Judgement``."""
    seen = decision.seen
    models = [one for one in imagining.models(seen.title, seen.setup) if one.name in analysis.models]
    worlds = worlds_for(seen.title, models, min(analysis.worlds, imagining.effort.worlds))
    values = values_of(seen, decision.seat, f"{analysis.seed} {decision.entry}", models, imagining)
    if move == best:
        return _free(decision, best)
    pair = yield from steps_of(values)((best, move), range(worlds // 2, worlds))
    return _cost(decision, move, less(pair[0], pair[1]))


def _free(decision: JudgedDecision, best: int) -> AnswerCost:
    """Return the cost of the best move: nothing."""
    return AnswerCost(str(decision.seen.title.text.move(decision.seen.setup, best)), 0.0, 0.0, 0.0, 0.0)


def _cost(decision: JudgedDecision, move: int, differences: Sequence[float]) -> AnswerCost:
    """Return what a move costs, from how much better the best move did in each world."""
    return AnswerCost(
        str(decision.seen.title.text.move(decision.seen.setup, move)),
        round(mean(differences), 3),
        round(half_width(differences), 3),
        round(mean([behind > 0 for behind in differences]), 3),
        round(mean([behind < 0 for behind in differences]), 3),
    )


def decision_at(before: Game, entry: Entry) -> JudgedDecision | None:
    """Return the decision that a game is before, in which ``entry`` was made; None if there was no choice."""
    if entry.by == CHANCE:
        return None
    seen = before.seen(before.options.eyes(before.options.owners[entry.by]))
    legal = tuple(seen.legal(entry.by))
    index = len(before.log)
    return (
        JudgedDecision(index, len(before.rounds), entry.by, seen, legal, entry.what)
        if len(legal) > 1
        else None
    )


def themes(analysis: Analysis, game: Game) -> list[tuple[Judgement, str]]:
    """Return the ``mistakes`` of an analysed game, each with its theme."""
    judged = {judgement.entry: judgement for judgement in mistakes(analysis)}
    replayed, out = game.at(0), list[tuple[Judgement, str]]()
    for index, entry in enumerate(game.log[: max(judged, default=-1) + 1]):
        if index in judged and (decision := decision_at(replayed, entry)):
            best = move_id(game.title, game.setup, judged[index].best)
            out.append((judged[index], theme_of(decision.seen, entry.by, best)))
        replayed.append(entry)
    return out
