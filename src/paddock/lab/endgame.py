"""Exact play at the end of a game of two seats, what a bot loses against it, and what a best response gains.

It suits positions in which each seat can infer all cards of the other. A decision is then a matrix game: the
only secret is what the other seat commits at the same moment. ``Endgame`` solves a position by backward
induction over these games, with the rules of the title.

``solve_matrix`` has a simplex method of its own, and checks every solution. SciPy's ``linprog`` gives the
same values, but it is 35 MB to download and ten times as slow for these small matrices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paddock.bots import Bot
from paddock.core.options import Options
from paddock.core.title import Seen, Title, seats_of
from paddock.core.words import CHANCE
from paddock.kernel.record import PlainRecord
from paddock.kernel.source import Seeded
from paddock.lab.figures import Floats

SMALL = 1e-11  # a number of the simplex tableau that is smaller counts as 0
EXACT = 1e-9  # how far a solution may be from the exact value


@dataclass(frozen=True, eq=False)
class Solution:
    """The value of a matrix game for the player of the rows, and how both players mix their moves."""

    value: float
    rows: Floats
    columns: Floats


def solve_matrix(payoff: Floats) -> Solution:
    """Solve the game in which one player picks a row, the other a column, and the first gets ``payoff``.

    If a pair of pure moves is optimal, each player mixes all of its optimal pure moves equally. Otherwise the
    mixes are a vertex of all optimal ones. Raises ``ArithmeticError`` if the mixes do not guarantee the value
    to both players within ``EXACT``.
    """
    worst, best = payoff.min(1), payoff.max(0)
    value = float(worst.max())
    if value == best.min():
        rows, columns = (worst == value).astype(float), (best == value).astype(float)
        return Solution(value, rows / rows.sum(), columns / columns.sum())
    value, rows, columns = _simplex(payoff)
    if (rows @ payoff).min() < value - EXACT or (payoff @ columns).max() > value + EXACT:
        raise ArithmeticError(f"the simplex method has not solved {payoff.tolist()}")
    return Solution(value, rows, columns)


def _simplex(payoff: Floats) -> tuple[float, Floats, Floats]:
    """Return the value for the player of the rows, then the mix of the rows and that of the columns.

    Payoffs are first shifted so that all are positive: then the player of the columns maximises the sum of
    ``y`` where ``payoff @ y <= 1`` and ``y >= 0``; the value is 1 / sum, shifted back. Bland's rule chooses
    the pivots, so that it cannot run in circles.
    """
    height, width = payoff.shape
    shift = payoff.min() - 1
    table = np.zeros((height + 1, width + height + 1))
    table[:-1, :width] = payoff - shift
    table[:-1, width:-1] = np.eye(height)
    table[:-1, -1] = 1
    table[-1, :width] = -1
    basis = np.arange(width, width + height)
    while (gains := np.flatnonzero(table[-1, :-1] < -SMALL)).size:
        enters = gains[0]
        column = table[:-1, enters]
        ratios = np.where(column > SMALL, table[:-1, -1], np.inf) / np.where(column > SMALL, column, 1)
        tied = np.flatnonzero(ratios <= ratios.min() + SMALL)
        leaves = tied[basis[tied].argmin()]
        basis[leaves] = enters
        table[leaves] /= table[leaves, enters]
        factors = table[:, enters].copy()
        factors[leaves] = 0
        table -= np.outer(factors, table[leaves])
    solved = np.zeros(width + height)
    solved[basis] = table[:-1, -1]
    columns = solved[:width].clip(0)
    rows = table[-1, width:-1].clip(0)
    return float(1 / table[-1, -1] + shift), rows / rows.sum(), columns / columns.sum()


@dataclass(frozen=True, eq=False)
class SolvedPosition:
    """A solved position. A seat that has nothing to decide has no moves, and one row or column."""

    payoff: Floats  # the value after each pair of moves
    moves: tuple[list[int], list[int]]  # the legal moves of both seats
    solution: Solution

    @property
    def mixes(self) -> tuple[Floats, Floats]:
        """How perfect players mix the moves of both seats."""
        return self.solution.rows, self.solution.columns

    def lost(self, seat: int, index: int) -> float:
        """Return what a move (its index) of ``seat`` loses on average against the other seat's mix."""
        rows, columns = self.mixes
        if seat == 0:
            return self.solution.value - float(self.payoff[index] @ columns)
        return float(rows @ self.payoff[:, index]) - self.solution.value


class Endgame:
    """Solves positions of a game of two seats by backward induction, and remembers them.

    The value of a position is the share of wins of the first seat: 1 for a win, 0.5 if both win or nobody
    does. Chance counts by its weights.
    """

    def __init__(self, title: Title, options: Options) -> None:
        if options.seats != 2:
            raise ValueError(f"an endgame has two seats, not {options.seats}")
        self.title, self.options = title, options
        self.setup = title.setup_of(options)
        self._values: dict[bytes, float] = {}
        self._forced: dict[tuple[bytes, int], bool] = {}
        self._decisions: dict[bytes, SolvedPosition] = {}

    def value(self, s: PlainRecord) -> float:
        """Return the value of a state for the first seat if both play perfectly."""
        key = s.present()
        if key not in self._values:
            self._values[key] = self._value(s)
        return self._values[key]

    def _value(self, s: PlainRecord) -> float:
        """Work out ``value``: the result, the solution of a decision, or the mean over chance."""
        rules = self.title.rules
        waiting = rules.who(s, self.setup)
        if not waiting:
            return self.share(s)
        if not waiting >> CHANCE:
            return self.decision(s).solution.value
        states, weights = zip(*self.drawn(s), strict=True)
        return float(np.average([self.value(state) for state in states], weights=weights))

    def forced(self, s: PlainRecord, seat: int) -> bool:
        """Return whether a seat can force a win: then its value is 1, and else it is less.

        This needs no mixes, so it takes a fraction of the time of ``value``.
        """
        key = s.present(), seat
        if key not in self._forced:
            self._forced[key] = self._force(s, seat)
        return self._forced[key]

    def _force(self, s: PlainRecord, seat: int) -> bool:
        """Work out ``forced``: whether a move of the seat wins whatever the other does."""
        waiting = self.title.rules.who(s, self.setup)
        if not waiting:
            return self.share(s) == 1 - seat
        if waiting >> CHANCE:
            return all(self.forced(after, seat) for after, _weight in self.drawn(s))
        own_moves, other_moves = self.moves(s, seat), self.moves(s, 1 - seat)
        return any(
            all(self.forced(self.played(s, {seat: a, 1 - seat: b}), seat) for b in other_moves)
            for a in own_moves
        )

    def forcer(self, s: PlainRecord) -> int | None:
        """Return the seat that can force a win, or None: then both must guess what the other does."""
        return next((seat for seat in (0, 1) if self.forced(s, seat)), None)

    def undecided(self, s: PlainRecord) -> bool:
        """Return whether it matters what is played now.

        It does if some legal move guarantees its seat less than the position is worth to it: if a seat that
        can force a win may throw it away, or if nobody can and a seat has worse moves than others.
        """
        if (seat := self.forcer(s)) is None:
            solved = self.decision(s)
            value, low, high = solved.solution.value, solved.payoff.min(1), solved.payoff.max(0)
            return bool((low < value - EXACT).any() or (high > value + EXACT).any())
        return not all(
            self.forced(self.played(s, {seat: a, 1 - seat: b}), seat)
            for a in self.moves(s, seat)
            for b in self.moves(s, 1 - seat)
        )

    def drawn(self, s: PlainRecord) -> list[tuple[PlainRecord, int]]:
        """Return what may follow from chance, each with its weight."""
        outcomes = self.title.outcomes(s, self.setup)
        return [(self._after(s, CHANCE, outcome), weight) for outcome, weight in outcomes.items()]

    def moves(self, s: PlainRecord, seat: int) -> Sequence[int | None]:
        """Return the legal moves of a seat; only None if it has nothing to decide."""
        return self.legal(s, seat) if self.title.rules.who(s, self.setup) >> seat & 1 else [None]

    def played(self, s: PlainRecord, moves: Mapping[int, int | None]) -> PlainRecord:
        """Return what follows from the moves of both seats; None is no move."""
        s = s.copy()
        for seat in (0, 1):
            if (move := moves[seat]) is not None:
                self.title.rules.apply(s, self.setup, seat, move)
        return s

    def share(self, s: PlainRecord) -> float:
        """Return the first seat's share of the win at the end of a game."""
        _scores, places = self.title.results(s, self.setup)
        first_wins, second_wins = places[0] == 1, places[1] == 1
        return (1 + first_wins - second_wins) / 2

    def decision(self, s: PlainRecord) -> SolvedPosition:
        """Return the solution of a state in which seats must decide."""
        key = s.present()
        if key not in self._decisions:
            self._decisions[key] = self._decision(s)
        return self._decisions[key]

    def _decision(self, s: PlainRecord) -> SolvedPosition:
        """Solve the matrix of the values after each pair of moves."""
        deciding = seats_of(self.title.rules.who(s, self.setup))
        moves = (self.legal(s, 0) if 0 in deciding else [], self.legal(s, 1) if 1 in deciding else [])
        payoff = np.empty((len(moves[0]) or 1, len(moves[1]) or 1))
        for i in range(payoff.shape[0]):
            first = self._after(s, 0, moves[0][i]) if moves[0] else s
            for j in range(payoff.shape[1]):
                payoff[i, j] = self.value(self._after(first, 1, moves[1][j]) if moves[1] else first)
        return SolvedPosition(payoff, moves, solve_matrix(payoff))

    def legal(self, s: PlainRecord, seat: int) -> list[int]:
        """Return the legal moves of a seat that must decide."""
        return self.title.legal(s, self.setup, seat)

    def _after(self, s: PlainRecord, seat: int, move: int) -> PlainRecord:
        new = s.copy()
        self.title.rules.apply(new, self.setup, seat, move)
        return new

    def loss(self, s: PlainRecord, bot: Bot, seat: int, rng: Seeded) -> float:
        """Play a state to its end, ``bot`` on ``seat`` against a perfect opponent; return what the bot lost.

        A move loses the value of its position, less the expected value after it. The sum over the moves is
        the loss, a share of a win. On average it is the value of the first position less the result, but it
        varies less, and it is never negative.
        """
        rules, g, lost = self.title.rules, self.setup, 0.0
        s = s.copy()
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                rules.run_chance(s, g, rng.rng)
                continue
            solved = self.decision(s)
            moves_made = []
            for decider in seats_of(waiting):
                if decider == seat:
                    move = self.ask(s, bot, seat, rng)
                    lost += solved.lost(seat, solved.moves[seat].index(move))
                else:
                    move = solved.moves[decider][drawn_from(solved.mixes[decider], rng)]
                moves_made.append((decider, move))
            for decider, move in moves_made:
                rules.apply(s, g, decider, move)
        return lost

    def ask(self, s: PlainRecord, bot: Bot, seat: int, rng: Seeded) -> int:
        """Return the move of a bot, which sees what its seat sees."""
        hidden, eyes = s.copy(), 1 << seat
        self.title.rules.hide(hidden, self.setup, eyes)
        names = tuple(map(str, range(self.options.players)))
        seen = Seen(self.title, self.options, self.setup, hidden, eyes, (), names)
        return bot.choose(seen, seat, seen.legal(seat), rng)


def drawn_from(mix: Floats, rng: Seeded) -> int:
    """Return a random index, each as often as the mix says."""
    x = (rng.below(1 << 30) + 0.5) / (1 << 30)
    return min(int(np.searchsorted(mix.cumsum(), x, "right")), len(mix) - 1)
