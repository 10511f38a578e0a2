"""Hints: what the legal moves of a seat are worth, in well under a second, while a game is played.

Nothing but what its player sees goes into a hint. The same arguments give the same hint. The models of
``mixture.py`` play on, each in an equal part of the worlds. Some worlds choose the best move and those that
come near it; others measure these, so that luck in the choice adds nothing to what is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from paddock.bots.imagining import COMPILED, Imagining
from paddock.bots.judging import difference, less, values_of
from paddock.bots.mixture import SLOWER, Rows, beside
from paddock.bots.rollouts import Model
from paddock.core.beside import Steps, in_steps, steps_of
from paddock.core.game import Game
from paddock.core.intervals import half_width, mean
from paddock.core.options import Options
from paddock.core.title import Seen, Title, move_id
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded

SHORTER = 4  # times as much work where games are short: there a decision takes less
LISTED = 12  # moves that are measured at most, of very many
LEFT = 5  # moves that are measured
LEAST = 4  # worlds of each model that measure, at least
ROUGH = 2  # the same for moves that were dropped
MOST_LINKS = 6  # decisions of one submission that are measured
LATER = 4  # times less work is done for each of them


@dataclass(frozen=True)
class MoveWorth:
    """What a move is worth beside the best one."""

    move: str  # in notation
    behind: float  # mean difference to the best move in the same worlds, in points
    error: float  # half the width of its 95 % interval
    close: bool = True  # False: it was dropped early, and is measured in a few worlds

    @property
    def good(self) -> bool:
        """Whether it may be as good as the best: the interval of the difference includes 0."""
        return self.close and self.behind <= self.error


@dataclass(frozen=True)
class Hint:
    """What the legal moves of a decision are worth, the best first."""

    moves: tuple[MoveWorth, ...]
    worth: float  # of the best move: points over the mean of all players
    error: float  # half the width of its 95 % interval
    models: tuple[str, ...]  # who played on
    more: int = 0  # moves that are not listed: of very many, those that were dropped first
    games: int = 0  # in which each of the best moves was measured

    @property
    def good(self) -> tuple[MoveWorth, ...]:
        """The moves that may be as good as the best, which comes first."""
        return tuple(move for move in self.moves if move.good)

    @property
    def best(self) -> str:
        """The best move, in notation."""
        return self.moves[0].move


@dataclass(frozen=True)
class MoveMade:
    """What a submission cost beside the best one. It is below 0 if the submission was better in the end."""

    cost: float  # in points
    error: float  # half the width of its 95 % interval
    link: int  # which of its moves cost most
    move: str  # that move, in notation
    best: str  # what was better; the same move if nothing was


class _Tries:
    """Plays moves to the end, world by world; no world is played twice. It knows how much work that is."""

    def __init__(self, seen: Seen, seat: int, seed: str, imagining: Imagining) -> None:
        self.models = imagining.models(seen.title, seen.setup)
        self.effort = imagining.effort
        self._values = values_of(seen, seat, seed, self.models, imagining, self._note)
        self._next = 0
        self._done, self._work = 0, 0.0

    def values(self, moves: Sequence[int], each: int) -> Steps[Rows]:
        """Return what the moves are worth in ``each`` new worlds of every model."""
        worlds = range(self._next, self._next + each * len(self.models))
        self._next = worlds.stop
        return steps_of(self._values)(moves, worlds)

    def _note(self, model: Model, games: int, decisions: int) -> None:
        self._done += games
        self._work += decisions * (SLOWER if model.network else 1)

    def affordable(self, work: float) -> int:
        """Return how many rollouts are about so much work, by those that were played so far."""
        return int(work * self._done / max(1.0, self._work))


@in_steps
def get_ready(title: Title, options: Options, imagining: Imagining = COMPILED) -> Steps[None]:
    """Load, or compile, what hints in such a game need: it takes seconds, which the first hint would."""
    game, chance = Game(title, options), Seeded(0)
    while game.chance_due:
        game.append(game.draw(chance))
    seat = game.deciders[0]
    seen = game.seen(options.eyes(options.owners[seat]))
    yield from _Tries(seen, seat, "", imagining).values(seen.legal(seat)[:1], 1)


@in_steps
def line(seen: Seen, seat: int, seed: str, imagining: Imagining = COMPILED) -> Steps[tuple[Hint, ...]]:
    """Return a hint for a decision, and one for each later link of the chain of best moves.

    The chain goes on as long as its player can foresee what follows.
    """
    hints = [(yield from steps_of(hint)(seen, seat, seed, None, imagining))]
    later = after(seen, seat, hints[0].best)
    while later and len(hints) <= imagining.effort.later:
        work = _work(later, imagining) / LATER
        hints.append((yield from steps_of(hint)(later, seat, f"{seed} {len(hints)}", work, imagining)))
        later = after(later, seat, hints[-1].best)
    return tuple(hints)


def after(seen: Seen, seat: int, move: str) -> Seen | None:
    """Return what a seat sees when it goes on with the move that it begins so; None if that is all of it."""
    title, id = seen.title, move_id(seen.title, seen.setup, move)
    if not title.foreseen(seen.state, seen.setup, seat, id):
        return None
    preview = seen.preview([id], seat)
    together = seat in preview.seen.deciders and title.page.goes_on(preview.seen, seat)
    return preview.seen if together or not preview.ended else None


@in_steps
def hint(
    seen: Seen, seat: int, seed: str, work: float | None = None, imagining: Imagining = COMPILED
) -> Steps[Hint]:
    """Return what the legal moves of ``seat`` are worth, by what ``seen`` shows. The first call compiles."""
    text, legal = seen.title.text, tuple(seen.legal(seat))
    if len(legal) == 1:
        return Hint((MoveWorth(str(text.move(seen.setup, legal[0])), 0.0, 0.0),), 0.0, 0.0, ())
    work = work or _work(seen, imagining)
    tries = _Tries(seen, seat, seed, imagining)
    order = yield from _chosen(tries, legal, work / 2)
    close, dropped = order[:LEFT], order[LEFT : LISTED if len(order) > tries.effort.many else None]
    table = yield from tries.values(close, max(LEAST, _each(tries, close, work / 2)))
    found = [(move, less(table[0], row)) for move, row in zip(close, table, strict=True)]
    if dropped:  # beside the best in a few other worlds: in those that dropped them, they look worse
        each = max(ROUGH, _each(tries, dropped, work / 8))
        best, *rough = yield from tries.values([order[0], *dropped], each)
        found += [(move, less(best, row)) for move, row in zip(dropped, rough, strict=True)]
    lines = [
        MoveWorth(
            str(text.move(seen.setup, move)),
            *_rounded(mean(behind), half_width(behind) if n else 0.0),
            close=n < len(close),
        )
        for n, (move, behind) in enumerate(found)
    ]
    rest = sorted(lines[1:], key=lambda line: (not line.close, line.behind))
    worth = _rounded(mean(table[0]), half_width(table[0]))
    models = tuple(model.name for model in tries.models)
    return Hint((lines[0], *rest), *worth, models, len(order) - len(lines), len(table[0]))


@in_steps
def made(
    links: Sequence[tuple[Seen, int]], seat: int, seed: str, imagining: Imagining = COMPILED
) -> Steps[MoveMade]:
    """Return what the moves of one submission of ``seat`` cost together, by what was seen before each."""
    total, squares, costs = 0.0, 0.0, list[tuple[float, int, int]]()
    chosen = [link for link, (seen, _move) in enumerate(links) if len(seen.legal(seat)) > 1][:MOST_LINKS]
    for n, link in enumerate(chosen):
        seen, move = links[link]
        tries, share = _Tries(seen, seat, f"{seed} {n}", imagining), _work(seen, imagining) / len(chosen)
        best, *_others = yield from _chosen(tries, tuple(seen.legal(seat)), share / 2, keep=move)
        cost = error = 0.0
        if best != move:
            each = max(LEAST, _each(tries, (best, move), share / 2))
            cost, error = difference(*(yield from tries.values((best, move), each)))
        total, squares = total + cost, squares + error**2
        costs.append((cost, link, best))
    _cost, link, best = max(costs, key=lambda link: link[0], default=(0.0, 0, links[0][1]))
    seen, move = links[link]
    words = [str(seen.title.text.move(seen.setup, id)) for id in (move, best)]
    return MoveMade(*_rounded(total, math.sqrt(squares)), link, *words)


def _chosen(tries: _Tries, legal: Sequence[int], work: float, keep: int | None = None) -> Steps[list[int]]:
    """Return the moves by sequential halving, the one that seems best first, and those dropped first last.

    Of equal moves, ``keep`` is the best.
    """
    moves, dropped = list(legal), list[int]()
    probe = tries.effort.probe if len(legal) <= tries.effort.many else 1
    values = yield from tries.values(legal, probe)
    stages = _stages(len(moves))
    for _stage in range(stages):
        each = tries.affordable(work / stages) // (len(moves) * len(tries.models))
        each -= probe if len(moves) == len(legal) else 0
        if each > 0:
            values = beside(values, (yield from tries.values(moves, each)))
        means = list(map(mean, values))
        order = sorted(range(len(moves)), key=lambda i: (-means[i], moves[i] != keep))
        half = max(LEFT, (len(moves) + 1) // 2)
        dropped = [moves[i] for i in order[half:]] + dropped
        moves, values = [moves[i] for i in order[:half]], [values[i] for i in order[:half]]
    return moves + dropped


def _work(seen: Seen, imagining: Imagining) -> int:
    """Return how much work a hint may be in this game."""
    work = imagining.effort.hint
    return work if load_kernel(seen.title, compiled=False).HORIZON else SHORTER * work


def _stages(moves: int) -> int:
    """Return in how many stages one of so many moves is chosen, of which half go on from each."""
    return max(0, math.ceil(math.log2(moves / LEFT))) + 1


def _each(tries: _Tries, moves: Sequence[int], work: float) -> int:
    """Return in how many worlds of each model these moves can be measured."""
    return tries.affordable(work) // (len(moves) * len(tries.models))


def _rounded(value: float, error: float) -> tuple[float, float]:
    return round(value, 4) + 0.0, round(error, 4) + 0.0
