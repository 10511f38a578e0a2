"""Hints: what the legal moves of a seat are worth, in well under a second, while a game is played.

Nothing but what its player sees goes into a hint. The same arguments give the same hint. The models of
``mixture.py`` play on, each in an equal part of the worlds. Some worlds choose the best move and those that
come near it; others measure these, so that luck in the choice adds nothing to what is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paddock.bots.judging import values_of
from paddock.bots.mixture import SLOWER, models_for
from paddock.bots.rollouts import Model
from paddock.core.game import Game
from paddock.core.intervals import half_width
from paddock.core.options import Options
from paddock.core.title import Seen, Title, move_id
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded

if TYPE_CHECKING:
    from paddock.bots.worth import Floats
    from paddock.kernel.bulk import Ends

WORK = 60_000  # decisions of a policy in all rollouts of a hint: about a third of a second in a long game
SHORTER = 4  # times as many where games are short: there a decision takes less
PROBE = 2  # worlds of each model in which every move is tried, whatever it takes
MANY = 40  # of more moves than that, each is tried in one, and only the best are measured:
LISTED = 12
LEFT = 5  # moves that are measured
LEAST = 4  # worlds of each model that measure, at least
ROUGH = 2  # the same for moves that were dropped
MOST_LINKS = 6  # decisions of one submission that are measured
MOST_LATER = 8  # links of a chain that are told after the first one
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

    def __init__(self, seen: Seen, seat: int, seed: str) -> None:
        self.models = models_for(seen.title, seen.setup)
        self._values = values_of(seen, seat, seed, self.models, self._note)
        self._next = 0
        self._done, self._work = 0, 0.0

    def values(self, moves: Sequence[int], each: int) -> Floats:
        """Return what the moves are worth in ``each`` new worlds of every model: shape (moves, worlds)."""
        worlds = range(self._next, self._next + each * len(self.models))
        self._next = worlds.stop
        return self._values(moves, worlds)

    def _note(self, model: Model, ends: Ends) -> None:
        self._done += ends.scores.shape[0] * ends.scores.shape[1]
        self._work += ends.decisions * (SLOWER if model.network else 1)

    def affordable(self, work: float) -> int:
        """Return how many rollouts are about so much work, by those that were played so far."""
        return int(work * self._done / max(1.0, self._work))


def get_ready(title: Title, options: Options) -> None:
    """Load, or compile, what hints in such a game need: it takes seconds, which the first hint would."""
    game, chance = Game(title, options), Seeded(0)
    while game.chance_due:
        game.append(game.draw(chance))
    seat = game.deciders[0]
    seen = game.seen(options.eyes(options.owners[seat]))
    _Tries(seen, seat, "").values(seen.legal(seat)[:1], 1)


def line(seen: Seen, seat: int, seed: str) -> tuple[Hint, ...]:
    """Return a hint for a decision, and one for each later link of the chain of best moves.

    The chain goes on as long as its player can foresee what follows.
    """
    hints = [hint(seen, seat, seed)]
    later = after(seen, seat, hints[0].best)
    while later and len(hints) <= MOST_LATER:
        hints.append(hint(later, seat, f"{seed} {len(hints)}", _work(later) / LATER))
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


def hint(seen: Seen, seat: int, seed: str, work: float | None = None) -> Hint:
    """Return what the legal moves of ``seat`` are worth, by what ``seen`` shows. The first call compiles."""
    text, legal = seen.title.text, tuple(seen.legal(seat))
    if len(legal) == 1:
        return Hint((MoveWorth(str(text.move(seen.setup, legal[0])), 0.0, 0.0),), 0.0, 0.0, ())
    work = work or _work(seen)
    tries = _Tries(seen, seat, seed)
    order = _chosen(tries, legal, work / 2)
    close, dropped = order[:LEFT], order[LEFT : LISTED if len(order) > MANY else None]
    table = tries.values(close, max(LEAST, _each(tries, close, work / 2)))
    found = list(zip(close, table[0] - table, strict=True))
    if dropped:  # beside the best in a few other worlds: in those that dropped them, they look worse
        rough = tries.values([order[0], *dropped], max(ROUGH, _each(tries, dropped, work / 8)))
        found += zip(dropped, rough[0] - rough[1:], strict=True)
    lines = [
        MoveWorth(
            str(text.move(seen.setup, move)),
            *_rounded(float(behind.mean()), half_width(behind) if n else 0.0),
            close=n < len(close),
        )
        for n, (move, behind) in enumerate(found)
    ]
    rest = sorted(lines[1:], key=lambda line: (not line.close, line.behind))
    worth = _rounded(float(table[0].mean()), half_width(table[0]))
    models = tuple(model.name for model in tries.models)
    return Hint((lines[0], *rest), *worth, models, len(order) - len(lines))


def made(links: Sequence[tuple[Seen, int]], seat: int, seed: str) -> MoveMade:
    """Return what the moves of one submission of ``seat`` cost together, by what was seen before each."""
    total, squares, costs = 0.0, 0.0, list[tuple[float, int, int]]()
    chosen = [link for link, (seen, _move) in enumerate(links) if len(seen.legal(seat)) > 1][:MOST_LINKS]
    for n, link in enumerate(chosen):
        seen, move = links[link]
        tries, share = _Tries(seen, seat, f"{seed} {n}"), _work(seen) / len(chosen)
        best = _chosen(tries, tuple(seen.legal(seat)), share / 2, keep=move)[0]
        cost = error = 0.0
        if best != move:
            table = tries.values((best, move), max(LEAST, _each(tries, (best, move), share / 2)))
            cost, error = float((table[0] - table[1]).mean()), half_width(table[0] - table[1])
        total, squares = total + cost, squares + error**2
        costs.append((cost, link, best))
    _cost, link, best = max(costs, key=lambda link: link[0], default=(0.0, 0, links[0][1]))
    seen, move = links[link]
    words = [str(seen.title.text.move(seen.setup, id)) for id in (move, best)]
    return MoveMade(*_rounded(total, math.sqrt(squares)), link, *words)


def _chosen(tries: _Tries, legal: Sequence[int], work: float, keep: int | None = None) -> list[int]:
    """Return the moves by sequential halving, the one that seems best first, and those dropped first last.

    Of equal moves, ``keep`` is the best.
    """
    import numpy as np  # imported late: not needed to play

    moves, probe, dropped = list(legal), PROBE if len(legal) <= MANY else 1, list[int]()
    values = tries.values(legal, probe)
    stages = _stages(len(moves))
    for _stage in range(stages):
        each = tries.affordable(work / stages) // (len(moves) * len(tries.models))
        each -= probe if len(moves) == len(legal) else 0
        if each > 0:
            values = np.hstack([values, tries.values(moves, each)])
        means = values.mean(axis=1)
        order = sorted(range(len(moves)), key=lambda i: (-means[i], moves[i] != keep))
        half = max(LEFT, (len(moves) + 1) // 2)
        dropped = [moves[i] for i in order[half:]] + dropped
        moves, values = [moves[i] for i in order[:half]], values[order[:half]]
    return moves + dropped


def _work(seen: Seen) -> int:
    """Return how much work a hint may be in this game."""
    return WORK if load_kernel(seen.title, compiled=False).HORIZON else SHORTER * WORK


def _stages(moves: int) -> int:
    """Return in how many stages one of so many moves is chosen, of which half go on from each."""
    return max(0, math.ceil(math.log2(moves / LEFT))) + 1


def _each(tries: _Tries, moves: Sequence[int], work: float) -> int:
    """Return in how many worlds of each model these moves can be measured."""
    return tries.affordable(work) // (len(moves) * len(tries.models))


def _rounded(value: float, error: float) -> tuple[float, float]:
    return round(value, 4) + 0.0, round(error, 4) + 0.0
