"""Judges the decisions of a game with rollouts: see ``analysis.py``.

Nothing but what a player saw when they decided goes into a judgement. The same seed and number of worlds give
the same analysis, however many processes work on it.
"""

from __future__ import annotations

import pickle
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from paddock.bots.analysis import Analysis, Judgement, MoveCost
from paddock.bots.ledger import LedgerMoment, changes
from paddock.bots.mixture import LEAST, by_models, models_for, of_model, stream_of, worlds_for
from paddock.bots.rollouts import THEIR_MOVE, Model, play_out
from paddock.bots.valuing import ValuedMoment, points_of, value, value_all
from paddock.core.beside import Lost, Steps, in_steps
from paddock.core.defaults import WORLDS as WORLDS
from paddock.core.errors import PaddockError
from paddock.core.extras import need
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.intervals import half_width
from paddock.core.threaded import THREADED
from paddock.core.title import Seen
from paddock.core.wording import number
from paddock.core.words import CHANCE
from paddock.kernel.loader import say_compiling

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paddock.kernel.bulk import Ends

LEAST_WORLDS, MOST_WORLDS = LEAST, 1_000_000
FIRST = 32  # worlds in which every move is tried; then the bad ones are dropped
SURE = 3.0  # standard errors by which a move must be behind to be dropped
READ = 64  # moments that a server reads at a time: all of a long game take 150 ms
PIECE = 8  # decisions or moments that a worker measures at a time
# Games that are played on from a moment to see which decisions matter: at most, at least, and in all
GLANCE, LEAST_GLANCE, GLANCES = 16, 2, 800

T = TypeVar("T")
# Of moves in worlds: shape (moves, worlds)
Values: TypeAlias = "Callable[[Sequence[int], range], NDArray[np.float64]]"


@dataclass(frozen=True)
class JudgedDecision:
    """A decision as its player saw it, and the move that they made."""

    entry: int  # index in the log
    round: int
    seat: int
    seen: Seen
    legal: tuple[int, ...]
    move: int


def check(game: Game, worlds: int = WORLDS) -> None:
    """Raise ``PaddockError`` if a game, or with so few worlds, cannot be analysed."""
    need("fast", _("an analysis"))
    if not LEAST_WORLDS <= worlds <= MOST_WORLDS:
        raise PaddockError(
            _("worlds={worlds}: give a whole number from {least} to {most}").format(
                worlds=worlds, least=LEAST_WORLDS, most=number(MOST_WORLDS, ",")
            )
        )


def decisions(game: Game) -> list[JudgedDecision]:
    """Return the decisions of a game with more than one legal move, in the order of its log."""
    out = []
    replayed = game.at(0)
    for index, entry in enumerate(game.log):
        if entry.by != CHANCE:
            seen = replayed.seen(game.options.eyes(game.options.owners[entry.by]))
            legal = tuple(seen.legal(entry.by))
            if len(legal) > 1:
                out.append(JudgedDecision(index, len(replayed.rounds), entry.by, seen, legal, entry.what))
        replayed.append(entry)
    return out


def values_of(
    seen: Seen,
    seat: int,
    seed: str,
    models: Sequence[Model],
    note: Callable[[Model, Ends], None] = lambda _model, _ends: None,
) -> Values:
    """Return the function that plays moves of a seat to the end: what it gains on the others, by move and
    world. The models play in turn; ``note`` is told the ends that each has reached."""
    from paddock.bots.worth import points_over  # imported late, as all that needs NumPy

    def values(moves: Sequence[int], of: range) -> NDArray[np.float64]:
        def play(model: Model, own: range) -> NDArray[np.float64]:
            ends = play_out(seen, seat, moves, own, stream_of(seed, model), None, model)
            note(model, ends)
            return points_over(seen.options, seat, ends.scores)

        return by_models(models, of, play, len(moves))

    return values


def judge(
    decision: JudgedDecision, worlds: int, seed: str, models: Sequence[Model] | None = None
) -> Judgement:
    """Judge one decision. The seed and the index of the entry give its random numbers."""
    seen, text = decision.seen, decision.seen.title.text
    models = models or models_for(seen.title, seen.setup)
    worlds = worlds_for(seen.title, models, worlds)
    values = values_of(seen, decision.seat, f"{seed} {decision.entry}", models)
    best, tried = choose(values, decision.legal, decision.move, worlds // 2)
    measured = range(worlds // 2, worlds)
    table = values(tuple(dict.fromkeys((THEIR_MOVE, decision.move, best))), measured)
    usual, made, top = table[0], table[1], table[-1]
    cost, error = difference(top, made)
    gain, gain_error = difference(made, usual)
    own = [of_model(m, models, measured) for m in range(len(models))]
    by_model = [difference(top[part], made[part]) for part in own] if best != decision.move else []
    return Judgement(
        decision.entry,
        decision.round,
        decision.seat,
        str(text.move(seen.setup, decision.move)),
        str(text.move(seen.setup, best)),
        round(cost, 4),
        round(error, 4),
        tried[best] + len(measured),
        round(gain, 4),
        round(gain_error, 4),
        tuple(round(cost, 4) for cost, _error in by_model),
        tuple(round(error, 4) for _cost, error in by_model),
    )


def judge_all(piece: Sequence[JudgedDecision], worlds: int, seed: str) -> list[Judgement]:
    """Judge several decisions."""
    return [judge(decision, worlds, seed) for decision in piece]


def packed(game: Game) -> tuple[list[bytes], list[bytes]]:
    """Return the decisions and the moments of a game, each pickled, so that a server can pass them on unread.

    They are compressed, because a server holds those of several long games.
    """
    return [_packed(decision) for decision in decisions(game)], [_packed(point) for point in points_of(game)]


def _packed(judged: JudgedDecision | ValuedMoment) -> bytes:
    return zlib.compress(pickle.dumps(judged), 1)


@in_steps
def glance(game: Game, seed: str) -> Steps[tuple[list[int], list[bytes]]]:
    """Return the indexes of the ``decisions`` of a game in the order in which they seem to matter, and
    roughly what its races were worth at every moment: ``glanced`` reads that.

    First come those after which a few games that are played on from there end worst for their players.
    """
    points, lost = points_of(game), dict[int, float]()
    games = max(LEAST_GLANCE, min(GLANCE, GLANCES // max(1, len(points))))
    moments = list[LedgerMoment]()
    for point in points:
        moments.append(value(point, games, seed, None))
        yield
    for change in changes(moments, game.log):
        if change.seat != CHANCE:
            own_points = change.points[game.options.owners[change.seat]].points
            lost |= dict.fromkeys(range(change.entry, change.last + 1), own_points)
    all_decisions = decisions(game)
    order = sorted(range(len(all_decisions)), key=lambda i: lost.get(all_decisions[i].entry, 0.0))
    return order, [pickle.dumps(moments[i : i + READ]) for i in range(0, len(moments), READ)]


def glanced(pieces: Sequence[bytes]) -> list[LedgerMoment]:
    """Return the moments of a ``glance``. Other threads have their turn between two pieces."""
    return [moment for piece in pieces for moment in pickle.loads(piece)]


@in_steps
def judge_some(
    pieces: Sequence[bytes],
    worlds: int,
    seed: str,
    seconds: float,
    judge: Callable[[JudgedDecision, int, str], Judgement] = judge,
) -> Steps[list[Judgement]]:
    """Judge the first of several ``packed`` decisions, and more until the time is up."""
    return _do_pieces(pieces, seconds, lambda decision: judge(decision, worlds, seed))


@in_steps
def value_some(
    pieces: Sequence[bytes],
    worlds: int,
    seed: str,
    seconds: float,
    value: Callable[[ValuedMoment, int, str], LedgerMoment] = value,
) -> Steps[list[LedgerMoment]]:
    """Value the first of several ``packed`` moments, and more until the time is up."""
    return _do_pieces(pieces, seconds, lambda point: value(point, worlds, seed))


def _do_pieces(pieces: Sequence[bytes], seconds: float, do: Callable[[Any], T]) -> Steps[list[T]]:
    """Do the packed pieces in order, until the time is over; return the results so far, at least one."""
    results, end = list[T](), time.monotonic() + seconds
    for piece in pieces:
        results.append(do(pickle.loads(zlib.decompress(piece))))
        if time.monotonic() >= end:
            break
        yield
    return results


def difference(better: NDArray[np.float64], values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean difference of two moves in the same worlds, and half the width of its 95 % interval."""
    differences = better - values
    return float(differences.mean()), half_width(differences)


def choose(values: Values, legal: Sequence[int], move_made: int, worlds: int) -> tuple[int, dict[int, int]]:
    """Return the best move, and for every move in how many worlds it was tried. Equal moves: the one made.

    Bad moves are dropped early, so that many worlds are used only for close decisions. Other worlds must
    measure, because the best of several noisy means is too high on average.
    """
    import numpy as np  # imported late: not needed to play

    moves, tried = list(legal), dict.fromkeys(legal, 0)
    table: NDArray[np.float64] = np.zeros((len(moves), 0))
    while len(moves) > 1 and table.shape[1] < worlds:
        worlds_played = table.shape[1]
        table = np.hstack(
            [table, values(moves, range(worlds_played, min(worlds, max(FIRST, 2 * worlds_played))))]
        )
        tried.update((move, table.shape[1]) for move in moves)
        means = table.mean(axis=1)
        behind = table[moves.index(_leader(moves, means, move_made))] - table
        error = behind.std(axis=1, ddof=1) / table.shape[1] ** 0.5
        still_close = behind.mean(axis=1) <= SURE * error
        moves, table = (
            [move for move, keep in zip(moves, still_close, strict=True) if keep],
            table[still_close],
        )
    return _leader(moves, table.mean(axis=1), move_made), tried


def _leader(moves: Sequence[int], means: NDArray[np.float64], move_made: int) -> int:
    """Return the move with the highest mean; the move made if it is one of several."""
    if move_made in moves and means[moves.index(move_made)] == means.max():
        return move_made
    return moves[int(means.argmax())]


def rank(values: Values, legal: Sequence[int], worlds: int) -> list[tuple[int, float, float, int]]:
    """Return every move with what it costs: (move, mean difference to the best, half the
    width of its 95 % interval, worlds).

    The best move comes first, and the others by their cost. The best is chosen as in ``judge``; then each of
    the others is measured beside it in as many worlds as it was tried in before.
    """
    if len(legal) == 1:
        return [(legal[0], 0.0, 0.0, 0)]
    best, tried = choose(values, legal, legal[0], worlds // 2)
    others_tried = max(tried[move] for move in legal if move != best)
    ranked = [(best, 0.0, 0.0, tried[best] + others_tried)]
    for n in sorted(set(tried.values())):
        rivals = [move for move in legal if tried[move] == n and move != best]
        if rivals:
            table = values((best, *rivals), range(worlds // 2, worlds // 2 + n))
            measured = zip(rivals, table[1:], strict=True)
            ranked += [(move, *difference(table[0], row), 2 * n) for move, row in measured]
    return ranked[:1] + sorted(ranked[1:], key=lambda line: line[1])


def choices(game: Game, worlds: int, seed: str) -> list[MoveCost]:
    """Return what each legal move of the seats that must decide now costs, by what their players see."""
    out = []
    for seat in game.deciders:
        seen = game.seen(game.options.eyes(game.options.owners[seat]))
        models = models_for(seen.title, seen.setup)
        tried_in = worlds_for(seen.title, models, worlds)
        values = values_of(seen, seat, f"{seed} {len(game.log)} {seat}", models)
        for move, cost, error, tried in rank(values, seen.legal(seat), tried_in):
            made_words = str(game.title.text.move(game.setup, move))
            out.append(MoveCost(seat, made_words, round(cost, 4), round(error, 4), tried))
    return out


def analyse(
    game: Game,
    *,
    worlds: int = WORLDS,
    seed: int | str = 0,
    processes: int | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> Analysis:
    """Analyse the moves of a game in worker processes, by default one for each core; and, in this process,
    what the seats that must decide now can choose.

    ``progress`` is called with the number of decisions and moments measured since the last call, and the
    number of all. Raises ``PaddockError`` if the game cannot be analysed.
    """
    check(game, worlds)
    judged, moments = _measured(game, worlds, str(seed), processes, progress)
    result = made_of(game, judged, moments, worlds, str(seed))
    return replace(result, choices=tuple(choices(game, worlds, str(seed))))


def _measured(
    game: Game, worlds: int, seed: str, processes: int | None, progress: Callable[[int, int], Any] | None
) -> tuple[list[Judgement], list[LedgerMoment]]:
    """Judge the decisions of a game and value its moments, in worker processes."""
    from paddock.kernel.bulk import cores  # imported late, as all that needs NumPy

    all_decisions, points = decisions(game), points_of(game)
    if not all_decisions and not points:
        return [], []
    say_compiling(game.title, "rollouts")
    pool = THREADED.pool(processes or cores())

    def in_pieces(work: Callable[..., list[T]], items: Sequence[Any]) -> Iterator[T]:
        """Yield what ``work`` makes of items, piece by piece in the pool, in their order."""
        pieces = [items[at : at + PIECE] for at in range(0, len(items), PIECE)]
        for asked in [pool.submit(work, piece, worlds, seed) for piece in pieces]:
            part: list[T] = asked.result()
            if progress:
                progress(len(part), len(all_decisions) + len(points))
            yield from part

    try:
        return list(in_pieces(judge_all, all_decisions)), list(in_pieces(value_all, points))
    except Lost:
        raise PaddockError(_("a worker process ended unexpectedly: start the analysis again")) from None
    finally:
        pool.close()


def made_of(
    game: Game, judged: Iterable[Judgement], moments: Iterable[LedgerMoment], worlds: int, seed: str
) -> Analysis:
    """Return the analysis of a game with these judgements, in any order, and moments."""
    in_order = sorted(judged, key=lambda submission: submission.entry)
    models = tuple(model.name for model in models_for(game.title, game.setup))
    return Analysis(
        game.title.name, len(game.log), worlds, seed, tuple(in_order), moments=tuple(moments), models=models
    )
