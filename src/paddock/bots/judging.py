"""Judges the decisions of a game with rollouts: see ``analysis.py``.

Nothing but what a player saw when they decided goes into a judgement. The same seed and number of worlds give
the same analysis, however many processes work on it.
"""

from __future__ import annotations

import math
import pickle
import time
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import sub
from typing import Any, TypeAlias, TypeVar

from paddock.bots.analysis import Analysis, Judgement, MoveCost
from paddock.bots.imagining import COMPILED, Effort, Imagining
from paddock.bots.ledger import LedgerMoment, changes
from paddock.bots.mixture import LEAST, Rows, beside, by_models, of_model, stream_of, worlds_for
from paddock.bots.rollouts import THEIR_MOVE, Model
from paddock.bots.valuing import ValuedMoment, moments_of, value, value_all
from paddock.core.beside import Lost, Steps, in_steps, steps_of
from paddock.core.defaults import WORLDS
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.intervals import half_width, mean, standard_error
from paddock.core.threaded import THREADED
from paddock.core.title import Seen
from paddock.core.wording import number
from paddock.core.words import CHANCE
from paddock.kernel.loader import load_kernel, say_compiling

LEAST_WORLDS, MOST_WORLDS = LEAST, 1_000_000
FIRST = 32  # worlds in which every move is tried; then the bad ones are dropped
MEASURED = 3  # moves of a decision in the worlds that measure, at most
SURE = 3.0  # standard errors by which a move must be behind to be dropped
READ = 64  # moments that a server reads at a time: all of a long game take 150 ms
PIECE = 8  # decisions or moments that a worker measures at a time
# Games that are played on from a moment to see which decisions matter: at most, and at least
GLANCE, LEAST_GLANCE = 16, 2

T = TypeVar("T")
Values: TypeAlias = Callable[[Sequence[int], range], Rows]  # of moves in worlds; it may have steps


@dataclass(frozen=True)
class JudgedDecision:
    """A decision as its player saw it, and the move that they made."""

    entry: int  # index in the log
    round: int
    seat: int
    seen: Seen
    legal: tuple[int, ...]
    move: int


def check(worlds: int = WORLDS, imagining: Imagining = COMPILED) -> None:
    """Raise ``PaddockError`` if games, or with so few worlds, cannot be analysed."""
    imagining.check(_("an analysis"))
    if not LEAST_WORLDS <= worlds <= MOST_WORLDS:
        raise PaddockError(
            _("worlds={worlds}: give a whole number from {least} to {most}").format(
                worlds=worlds, least=LEAST_WORLDS, most=number(MOST_WORLDS, ",")
            )
        )


@in_steps
def decisions(game: Game) -> Steps[list[JudgedDecision]]:
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
        yield
    return out


def values_of(
    seen: Seen,
    seat: int,
    seed: str,
    models: Sequence[Model],
    imagining: Imagining = COMPILED,
    note: Callable[[Model, int, int], None] = lambda _model, _games, _decisions: None,
) -> Values:
    """Return the function that plays moves of a seat to the end, in steps: what it gains on the others, by
    move and world. The models play in turn; ``note`` is told how many games each has played, and how many
    decisions they took."""

    @in_steps
    def values(moves: Sequence[int], of: range) -> Steps[Rows]:
        def play(model: Model, own: range) -> Steps[Rows]:
            ends = yield from imagining.after(seen, seat, moves, own, stream_of(seed, model), model)
            note(model, len(moves) * len(own), ends.decisions)
            return ends.points

        return (yield from by_models(models, of, play, len(moves)))

    return values


@in_steps
def judge(
    decision: JudgedDecision,
    worlds: int,
    seed: str,
    models: Sequence[Model] | None = None,
    imagining: Imagining = COMPILED,
) -> Steps[Judgement]:
    """Judge one decision. The seed and the index of the entry give its random numbers."""
    seen, text = decision.seen, decision.seen.title.text
    models = models or imagining.models(seen.title, seen.setup)
    worlds = worlds_for(seen.title, models, worlds)
    values = values_of(seen, decision.seat, f"{seed} {decision.entry}", models, imagining)
    best, tried = yield from steps_of(choose)(values, decision.legal, decision.move, worlds // 2)
    measured = range(worlds // 2, worlds)
    moves = tuple(dict.fromkeys((THEIR_MOVE, decision.move, best)))
    table = yield from steps_of(values)(moves, measured)
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


@in_steps
def packed(game: Game) -> Steps[tuple[list[bytes], list[bytes]]]:
    """Return the decisions and the moments of a game, each pickled, so that a server can pass them on unread.

    They are compressed, because a server holds those of several long games.
    """
    judged, points = list[bytes](), list[bytes]()
    for decision in (yield from steps_of(decisions)(game)):
        judged.append(_packed(decision))
        yield
    for point in (yield from steps_of(moments_of)(game)):
        points.append(_packed(point))
        yield
    return judged, points


def _packed(judged: JudgedDecision | ValuedMoment) -> bytes:
    return zlib.compress(pickle.dumps(judged), 1)


@dataclass(frozen=True)
class Plan:
    """What an analysis does: the indexes of the ``decisions`` that it judges, in this order, and in how many
    worlds; and roughly what the races were worth at every moment, which ``glanced`` reads."""

    order: Sequence[int]
    worlds: int
    moments: Sequence[bytes] = ()


@in_steps
def glance(
    game: Game, seed: str, people: Collection[int] = (), imagining: Imagining = COMPILED
) -> Steps[Plan]:
    """Return what an analysis of a game does first and last; ``people`` are its players that are people.

    First come the decisions after which a few games that are played on from there end worst for their
    players.
    """
    lost = dict[int, float]()
    points = yield from steps_of(moments_of)(game)
    games = max(LEAST_GLANCE, min(GLANCE, imagining.effort.glances // max(1, len(points))))
    moments = list[LedgerMoment]()
    for point in points:
        moments.append((yield from steps_of(value)(point, games, seed, False, imagining)))
        yield
    for change in changes(moments, game.log):
        if change.seat != CHANCE:
            own_points = change.points[game.options.owners[change.seat]].points
            lost |= dict.fromkeys(range(change.entry, change.last + 1), own_points)
    all_decisions = yield from steps_of(decisions)(game)
    order = sorted(range(len(all_decisions)), key=lambda i: lost.get(all_decisions[i].entry, 0.0))
    if people and imagining.effort.short:
        order = [i for i in order if game.options.owners[all_decisions[i].seat] in people]
    worlds, count = affordable(all_decisions, order, imagining.effort)
    pieces = [pickle.dumps(moments[i : i + READ]) for i in range(0, len(moments), READ)]
    return Plan(order[:count], worlds, pieces)


def affordable(every: Sequence[JudgedDecision], order: Sequence[int], effort: Effort) -> tuple[int, int]:
    """Return in how many worlds how many decisions can be tried, in this order, with some effort.

    About half of the worlds try every move, and the others three; each game goes on as long as the real one.
    """
    if not effort.short:
        return effort.worlds, len(order)
    long = every and load_kernel(every[0].seen.title, compiled=False).HORIZON
    horizon = effort.horizon if long else math.inf
    left = Counter(decision.round for decision in every)
    work = list[float]()  # of one world, by decision
    for decision in every:
        games = (len(decision.legal) + MEASURED) / 2
        work.append(games * min(left[decision.round], horizon))
        left[decision.round] -= 1
    total = sum(work[i] for i in order)
    worlds = max(effort.least, min(effort.worlds, int(effort.work / max(1.0, total))))
    sums = accumulate(work[i] * worlds for i in order)
    return worlds, max(1, sum(spent <= effort.work for spent in sums))


def glanced(pieces: Sequence[bytes]) -> list[LedgerMoment]:
    """Return the moments of a ``glance``. Other threads have their turn between two pieces."""
    return [moment for piece in pieces for moment in pickle.loads(piece)]


@in_steps
def judge_some(
    pieces: Sequence[bytes],
    worlds: int,
    seed: str,
    seconds: float,
    imagining: Imagining = COMPILED,
    judge: Callable[..., Judgement] = judge,
) -> Steps[list[Judgement]]:
    """Judge the first of several ``packed`` decisions, and more until the time is up."""
    judged = steps_of(judge)
    return _do_pieces(pieces, seconds, lambda decision: judged(decision, worlds, seed, None, imagining))


@in_steps
def value_some(
    pieces: Sequence[bytes],
    worlds: int,
    seed: str,
    seconds: float,
    imagining: Imagining = COMPILED,
    value: Callable[..., LedgerMoment] = value,
) -> Steps[list[LedgerMoment]]:
    """Value the first of several ``packed`` moments, and more until the time is up."""
    valued = steps_of(value)
    return _do_pieces(pieces, seconds, lambda point: valued(point, worlds, seed, True, imagining))


def _do_pieces(pieces: Sequence[bytes], seconds: float, do: Callable[[Any], Steps[T]]) -> Steps[list[T]]:
    """Do the packed pieces in order, until the time is over; return the results so far, at least one."""
    results, end = list[T](), time.monotonic() + seconds
    for piece in pieces:
        results.append((yield from do(pickle.loads(zlib.decompress(piece)))))
        if time.monotonic() >= end:
            break
        yield
    return results


def less(better: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return how much less a move gains than another one, in each world."""
    return list(map(sub, better, values))


def difference(better: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return the mean difference of two moves in the same worlds, and half the width of its 95 % interval."""
    behind = less(better, values)
    return mean(behind), half_width(behind)


@in_steps
def choose(
    values: Values, legal: Sequence[int], move_made: int, worlds: int
) -> Steps[tuple[int, dict[int, int]]]:
    """Return the best move, and for every move in how many worlds it was tried. Equal moves: the one made.

    Bad moves are dropped early, so that many worlds are used only for close decisions. Other worlds must
    measure, because the best of several noisy means is too high on average.
    """
    tried = dict.fromkeys(legal, 0)
    table: dict[int, Sequence[float]] = dict.fromkeys(legal, ())
    played, first = 0, max(LEAST, min(FIRST, worlds // 3))
    while len(table) > 1 and played < worlds:
        part = range(played, min(worlds, max(first, 2 * played)))
        rows = yield from steps_of(values)(tuple(table), part)
        table = dict(zip(table, beside(list(table.values()), rows), strict=True))
        played = part.stop
        tried.update(dict.fromkeys(table, played))
        lead = table[_leader(table, move_made)]
        behind = {move: less(lead, row) for move, row in table.items()}
        table = {move: table[move] for move, row in behind.items() if mean(row) <= SURE * standard_error(row)}
    return _leader(table, move_made), tried


def _leader(table: Mapping[int, Sequence[float]], move_made: int) -> int:
    """Return the move with the highest mean; the move made if it is one of several."""
    means = {move: mean(row) if row else 0.0 for move, row in table.items()}
    return max(means, key=lambda move: (means[move], move == move_made))


@in_steps
def rank(values: Values, legal: Sequence[int], worlds: int) -> Steps[list[tuple[int, float, float, int]]]:
    """Return every move with what it costs: (move, mean difference to the best, half the
    width of its 95 % interval, worlds).

    The best move comes first, and the others by their cost. The best is chosen as in ``judge``; then each of
    the others is measured beside it in as many worlds as it was tried in before.
    """
    if len(legal) == 1:
        return [(legal[0], 0.0, 0.0, 0)]
    best, tried = yield from steps_of(choose)(values, legal, legal[0], worlds // 2)
    others_tried = max(tried[move] for move in legal if move != best)
    ranked = [(best, 0.0, 0.0, tried[best] + others_tried)]
    for n in sorted(set(tried.values())):
        rivals = [move for move in legal if tried[move] == n and move != best]
        if rivals:
            table = yield from steps_of(values)((best, *rivals), range(worlds // 2, worlds // 2 + n))
            measured = zip(rivals, table[1:], strict=True)
            ranked += [(move, *difference(table[0], row), 2 * n) for move, row in measured]
    return ranked[:1] + sorted(ranked[1:], key=lambda line: line[1])


def choices(game: Game, worlds: int, seed: str, imagining: Imagining = COMPILED) -> list[MoveCost]:
    """Return what each legal move of the seats that must decide now costs, by what their players see."""
    out = []
    for seat in game.deciders:
        seen = game.seen(game.options.eyes(game.options.owners[seat]))
        models = imagining.models(seen.title, seen.setup)
        tried_in = worlds_for(seen.title, models, worlds)
        values = values_of(seen, seat, f"{seed} {len(game.log)} {seat}", models, imagining)
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
    check(worlds)
    judged, moments = _measured(game, worlds, str(seed), processes, progress)
    result = made_of(game, judged, moments, worlds, str(seed))
    return replace(result, choices=tuple(choices(game, worlds, str(seed))))


def _measured(
    game: Game, worlds: int, seed: str, processes: int | None, progress: Callable[[int, int], Any] | None
) -> tuple[list[Judgement], list[LedgerMoment]]:
    """Judge the decisions of a game and value its moments, in worker processes."""
    from paddock.kernel.bulk import cores  # imported late, as all that needs NumPy

    all_decisions, points = decisions(game), moments_of(game)
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
    game: Game,
    judged: Iterable[Judgement],
    moments: Iterable[LedgerMoment],
    worlds: int,
    seed: str,
    imagining: Imagining = COMPILED,
) -> Analysis:
    """Return the analysis of a game with these judgements, in any order, and moments."""
    in_order = sorted(judged, key=lambda submission: submission.entry)
    models = tuple(model.name for model in imagining.models(game.title, game.setup))
    return Analysis(
        game.title.name, len(game.log), worlds, seed, tuple(in_order), moments=tuple(moments), models=models
    )
