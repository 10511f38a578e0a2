"""Exact equilibria of small games of two players, and what each player loses without one.

``tree_of`` writes out all histories of a game. A player with perfect memory cannot tell some of them apart:
together they are an information state, with one mix of moves. A sequence is an information state with one of
its moves; the first sequence of a player is that of no move yet. What both players win is linear in the plan
of each, which has the chance of every sequence. So a linear program solves the game, and the best response to
a plan is one pass over the information states. See Koller, Megiddo and von Stengel 1994, Fast Algorithms for
Finding Randomized Strategies in Game Trees.

The reward of a player is its points over the mean of both, as in the environments: the game is zero-sum.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from paddock.bots import Bot, bot
from paddock.core.defaults import ASKS, HISTORIES
from paddock.core.errors import PaddockError
from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.intervals import half_width
from paddock.core.options import Options
from paddock.core.title import Seen, Title, seats_of
from paddock.core.title import title as find_title
from paddock.core.told import Told, head_of
from paddock.core.wording import number
from paddock.core.words import CHANCE
from paddock.kernel.record import PlainRecord
from paddock.kernel.source import Seeded
from paddock.lab.endgame import EXACT
from paddock.lab.figures import Floats

TIGHT = 1e-10  # how far HiGHS may miss a condition; it allows no less


@dataclass(frozen=True)
class InformationState:
    """What a player with perfect memory knows when it decides."""

    text: str  # all that it was shown, as ``information_state_string`` of the game for OpenSpiel
    seen: Seen  # what it sees now
    seat: int
    moves: tuple[int, ...]
    before: int  # its last sequence on the way here
    first: int  # the sequence of its first move; those of the others follow

    @property
    def own(self) -> slice:
        """Which sequences are those of its moves."""
        return slice(self.first, self.first + len(self.moves))


@dataclass(frozen=True, eq=False)
class Tree:
    """All histories of a game of two players.

    ``payoffs`` has a row for each end: the sequence of either player; and ``weights`` the chance of the end
    times what player 0 gets.
    """

    histories: int
    states: tuple[list[InformationState], list[InformationState]]  # by player, each after those on its way
    payoffs: npt.NDArray[np.int64]  # ends × 2
    weights: Floats  # ends

    def sequences(self, player: int) -> int:
        """Return how many sequences a player has, the empty one included."""
        return 1 + sum(len(state.moves) for state in self.states[player])

    def mix(self, player: int, of: Callable[[InformationState], Floats | Sequence[float]]) -> Floats:
        """Return by sequence the chance of its move: ``of`` says those of an information state."""
        mixes = np.ones(self.sequences(player))
        for state in self.states[player]:
            mixes[state.own] = of(state)
        return mixes

    def plan(self, player: int, mixes: Floats) -> Floats:
        """Return by sequence the product of the chances of its moves."""
        plan = np.ones(len(mixes))
        for state in self.states[player]:
            plan[state.own] = plan[state.before] * mixes[state.own]
        return plan

    def worth(self, player: int, other: Floats) -> Floats:
        """Return what the ends after each sequence of ``player`` give it, if the other has this mix."""
        chances = self.weights * self.plan(1 - player, other)[self.payoffs[:, 1 - player]]
        gains = (1 - 2 * player) * chances
        return np.bincount(self.payoffs[:, player], gains, self.sequences(player)).astype(np.float64)

    def value(self, first: Floats, second: Floats) -> float:
        """Return what player 0 gets on average from the mixes of both players."""
        return float(self.plan(0, first) @ self.worth(0, second))

    def best_response(self, player: int, other: Floats) -> tuple[float, Floats]:
        """Return the most that ``player`` can get against the mix of the other, and a mix that gets it."""
        worth, mixes = self.worth(player, other), np.zeros(self.sequences(player))
        mixes[0] = 1
        for state in reversed(self.states[player]):
            best = state.first + int(worth[state.own].argmax())
            mixes[best] = 1
            worth[state.before] += worth[best]
        return float(worth[0]), mixes

    def policy(self, first: Floats, second: Floats) -> dict[str, dict[int, float]]:
        """Return by the text of each information state the chance of each move."""
        return {
            state.text: dict(zip(state.moves, mixes[state.own].tolist(), strict=True))
            for states, mixes in zip(self.states, (first, second), strict=True)
            for state in states
        }

    def exploitability(self, first: Floats, second: Floats) -> float:
        """Return the mean of what best responses to either mix get: 0 in an equilibrium, and nowhere less."""
        return (self.best_response(0, second)[0] + self.best_response(1, first)[0]) / 2


def tree_of(title: Title, options: Options, most: int = HISTORIES) -> Tree:
    """Write out all histories of one game.

    Raises ``PaddockError`` for more than two players, more than one game, and more than ``most`` histories.
    """
    if options.players != 2 or options.rounds != 1:
        raise PaddockError(
            _("only a single game of two players can be solved, not {rounds} of {players}").format(
                rounds=options.rounds, players=options.players
            )
        )
    rules, setup, owners = title.rules, title.setup_of(options), options.owners
    eyes, names = [options.eyes(player) for player in (0, 1)], ("1", "2")
    heads = [head_of(title, options, player) for player in (0, 1)]
    by_text: tuple[dict[str, InformationState], dict[str, InformationState]] = ({}, {})
    sequences, histories = [1, 1], 0
    payoffs: list[tuple[int, int]] = []
    weights: list[float] = []
    start = rules.State()
    rules.start(start, setup)
    todo: list[tuple[PlainRecord, Told, float, tuple[int, int]]] = [(start, Told(), 1.0, (0, 0))]

    def after(s: PlainRecord, told: Told, by: int, what: int) -> tuple[PlainRecord, Told]:
        shown = [rules.seen(s, setup, view, by, what) for view in eyes]
        before, s, told = rules.who(s, setup), s.copy(), told.copy()
        rules.apply(s, setup, by, what)
        told.append(by, what, shown, before, rules.who(s, setup))
        return s, told

    while todo:
        s, told, chance, last = todo.pop()
        histories += 1
        if histories > most:
            sentence = _("this set-up has more than {most} histories: deal fewer cards of a smaller deck")
            raise PaddockError(sentence.format(most=number(most, ",")))
        waiting = rules.who(s, setup)
        if not waiting:
            scores, _places = title.results(s, setup)
            payoffs.append(last)
            more = sum(score * (1 - 2 * owner) for score, owner in zip(scores, owners, strict=False))
            weights.append(chance * more / 2)
        elif waiting >> CHANCE:
            outcomes = title.outcomes(s, setup)
            total = sum(outcomes.values())
            for outcome, weight in outcomes.items():
                if weight:
                    todo.append((*after(s, told, CHANCE, outcome), chance * weight / total, last))
        else:
            seat = seats_of(waiting)[0]
            player = owners[seat]
            text = told.text(player)
            if text not in by_text[player]:
                hidden, moves = s.copy(), tuple(title.legal(s, setup, seat))
                rules.hide(hidden, setup, eyes[player])
                seen = Seen(title, options, setup, hidden, eyes[player], (), names)
                by_text[player][text] = InformationState(
                    f"{heads[player]}\n{text}", seen, seat, moves, last[player], sequences[player]
                )
                sequences[player] += len(moves)
            state = by_text[player][text]
            for i, move in enumerate(state.moves):
                own = state.first + i
                here = (own, last[1]) if player == 0 else (last[0], own)
                todo.append((*after(s, told, seat, move), chance, here))
    states = list(by_text[0].values()), list(by_text[1].values())
    return Tree(histories, states, np.array(payoffs), np.array(weights))


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """What a game is worth to player 0, and a mix of each player that gets it whatever the other does."""

    value: float
    mixes: tuple[Floats, Floats]


def equilibrium(tree: Tree) -> Equilibrium:
    """Return an equilibrium of a tree, by two linear programs: see the top of this module.

    Raises ``ArithmeticError`` if the mixes do not guarantee the value to both players within ``EXACT``.
    """
    mixes = _guarantee(tree, 0), _guarantee(tree, 1)
    if tree.exploitability(*mixes) > EXACT:
        raise ArithmeticError("the linear programs have not solved this game")
    return Equilibrium(tree.value(*mixes), mixes)


def _guarantee(tree: Tree, player: int) -> Floats:
    """Return the mix of ``player`` that gets the most against the best response to it.

    The variables are its plan, and what each information state of the other player is worth to ``player``;
    the last of them is the worth of the whole game.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, csr_array, hstack

    own, other = tree.states[player], tree.states[1 - player]
    plans, infos = tree.sequences(player), len(other) + 1
    signed = tree.weights * (1 - 2 * player)
    payoff = coo_array(
        (signed, (tree.payoffs[:, 1 - player], tree.payoffs[:, player])), (tree.sequences(1 - player), plans)
    )
    # For each sequence of the other: the worth of its state is at most that of the ends and states after it
    rows, columns, values = [0], [infos - 1], [1.0]
    for i, state in enumerate(other):
        rows += [*range(state.own.start, state.own.stop), state.before]
        columns += [i] * (len(state.moves) + 1)
        values += [1.0] * len(state.moves) + [-1.0]
    worth = coo_array((values, (rows, columns)), (tree.sequences(1 - player), infos))
    # The plan of a state's moves adds up to that of the sequence before it
    rows, columns, values = [0], [0], [1.0]
    for i, state in enumerate(own, 1):
        rows += [i] * (len(state.moves) + 1)
        columns += [state.before, *range(state.own.start, state.own.stop)]
        values += [-1.0] + [1.0] * len(state.moves)
    flow = csr_array((values, (rows, columns)), (len(own) + 1, plans + infos))
    goal = np.zeros(plans + infos)
    goal[-1] = -1
    solved = linprog(
        goal,
        hstack([-payoff, worth]),
        np.zeros(tree.sequences(1 - player)),
        flow,
        np.eye(1, len(own) + 1)[0],
        [(0, None)] * plans + [(None, None)] * infos,
        method="highs",
        options={"primal_feasibility_tolerance": TIGHT, "dual_feasibility_tolerance": TIGHT},
    )
    if solved.x is None:
        raise ArithmeticError(solved.message)
    plan = solved.x[:plans].clip(0)

    def of(state: InformationState) -> Floats:
        part = plan[state.own]
        total = part.sum()
        return part / total if total > EXACT else np.full(len(part), 1 / len(part))

    return tree.mix(player, of)


def bot_mixes(tree: Tree, player: int, bot: Bot, seed: str, asks: int) -> Floats:
    """Return ``asks`` mixes, one to a row: the answers of a bot in every information state of ``player``.

    Of a bot that plays plainly at random, each row has its chances.
    """
    rows = np.ones((asks, tree.sequences(player)))
    for state in tree.states[player]:
        count = len(state.moves)
        if count == 1 or getattr(bot, "thirds", None) == 0:
            rows[:, state.own] = 1 / count
            continue
        chances = (Seeded(f"{seed} {state.text}", i) for i in range(asks))
        moves = [bot.choose(state.seen, state.seat, state.moves, rng) for rng in chances]
        rows[:, state.own] = np.eye(count)[[state.moves.index(move) for move in moves]]
    return rows


def bot_exploitability(tree: Tree, bot: Bot, seed: int, asks: int) -> tuple[float, float]:
    """Return the 95 % interval of the exploitability of a bot, which plays both seats.

    It is asked twice ``asks`` times. The best response to half of its answers looks better against them than
    it is against the bot: on average it gains too much. Against the other half it gains what it does against
    the bot: at most what a best response does. The interval is from the lower to the upper mean, and as much
    wider as the answers vary.
    """
    halves = [
        [bot_mixes(tree, player, bot, f"{seed} {half}", asks) for player in (0, 1)]
        for half in ("first", "second")
    ]
    lower: list[float] = []
    upper: list[float] = []
    for known, new in (halves, halves[::-1]):
        first, second = (rows.mean(0) for rows in known)
        upper.append(tree.exploitability(first, second))
        over, under = tree.best_response(0, second)[1], tree.best_response(1, first)[1]
        lower += [
            (tree.value(over, theirs) - tree.value(ours, under)) / 2
            for ours, theirs in zip(*new, strict=True)
        ]
    error = half_width(np.array(lower))
    return float(np.mean(lower)) - error, float(np.mean(upper)) + error


@dataclass(frozen=True, eq=False)
class Solved:
    """A solved game, and the 95 % intervals of the exploitability of bots in it."""

    title: Title
    options: Options
    tree: Tree
    equilibrium: Equilibrium
    bots: Mapping[str, tuple[float, float]]

    @property
    def policy(self) -> dict[str, dict[int, float]]:
        """The equilibrium: the chance of each move in each information state of both players."""
        return self.tree.policy(*self.equilibrium.mixes)

    @property
    def json(self) -> str:
        """``policy`` as JSON, with what it belongs to."""
        about = {"title": self.title.name, "options": self.options.text, "value": self.equilibrium.value}
        return json.dumps({**about, "policy": self.policy}, indent=1)

    def __str__(self) -> str:
        tree, worth, points = self.tree, self.equilibrium.value, ".4f"
        lines = [f"{self.title.label}: {self.options.text}"]
        lines.append(_("{n} histories").format(n=number(tree.histories, ",")))
        for player, states in enumerate(tree.states):
            sentence = _("{player} {n}: worth {points}, {states} information states, {choices} with a choice")
            lines.append(
                sentence.format(
                    player=_(self.title.player_name),
                    n=player + 1,
                    points=number(round(worth * (1 - 2 * player), 4) + 0.0, points),
                    states=number(len(states), ","),
                    choices=number(sum(len(state.moves) > 1 for state in states), ","),
                )
            )
        lines.append(_("exploitability, in points over the mean of both players"))
        rows = {_("equilibrium"): (tree.exploitability(*self.equilibrium.mixes),) * 2, **self.bots}
        width = max(map(len, rows))
        for name, (low, high) in rows.items():
            ends = [number(abs(round(end, 4)), points) for end in (low, high)]
            between = (
                ends[0] if ends[0] == ends[1] else _("{low} to {high}").format(low=ends[0], high=ends[1])
            )
            lines.append(f"  {name:{width}}  {between}")
        return "\n".join(lines)


def solve(
    name: Title | str,
    options: Mapping[str, Any] | None = None,
    bots: Sequence[str] = (),
    *,
    seed: int = 0,
    asks: int = ASKS,
    most: int = HISTORIES,
) -> Solved:
    """Solve a game of two players, and say how far each of these bots is from an equilibrium.

    A bot is a level, or ``net:`` and the file of a network; it is asked twice ``asks`` times in every
    information state. Raises ``PaddockError`` for wrong arguments, more than ``most`` histories, and if SciPy
    is not installed.
    """
    need("research", "paddock.lab.solve", "scipy")
    title = find_title(name)
    chosen = title.options.read({**title.one_round, **(options or {})})
    players = {word: bot(title, word) for word in bots}
    tree = tree_of(title, chosen, most)
    solved = equilibrium(tree)
    lost = {word: bot_exploitability(tree, player, seed, asks) for word, player in players.items()}
    return Solved(title, chosen, tree, solved, lost)
