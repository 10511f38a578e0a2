"""The decisions of whole games as arrays, played compiled where all their levels can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paddock.bots.champion import network_inputs
from paddock.bots.network import Network, stacked, thought
from paddock.core.bounds import FENCED
from paddock.core.game import Game
from paddock.core.title import Seen
from paddock.kernel import calls
from paddock.kernel.entries import NETWORK
from paddock.kernel.source import Seeded
from paddock.lab.data.plan import DataPlan
from paddock.lab.players import LabPlayer, make_player

ROOM = 1 << 23  # features that are played at once, about: 32 MB
AT_ONCE = 500  # games that are played at once, at most


@dataclass(frozen=True, eq=False)
class Decisions:
    """All decisions between several moves of some whole games, in their order."""

    games: NDArray[np.int64]  # (games,): their numbers
    counts: NDArray[np.int64]  # (games,): their decisions
    scores: NDArray[np.int64]  # (games, seats)
    places: NDArray[np.int64]  # (games, seats); 0: none
    seats: NDArray[np.int64]  # (decisions,)
    moves: NDArray[np.int64]  # (decisions,): ids
    features: NDArray[np.float32]  # (decisions, features)
    masks: NDArray[np.bool_]  # (decisions, ACTIONS): the legal moves

    def of_game(self, index: int) -> list[tuple[int, int]]:
        """Return the seat and the move of each decision of a game."""
        end = int(self.counts[: index + 1].sum())
        part = slice(end - int(self.counts[index]), end)
        return list(zip(self.seats[part].tolist(), self.moves[part].tolist(), strict=True))


def observed(plan: DataPlan, seen: Seen, seat: int) -> NDArray[np.float32]:
    """Return the features of a seat, in plain mode."""
    if plan.full:
        return seen.vector(seat)
    return np.array(network_inputs(seen, seat), np.float32)


class Deciders:
    """Plays the games of a data set in this process. Levels are loaded when they are needed."""

    def __init__(self, plan: DataPlan) -> None:
        self._plan = plan
        self._players = dict[int, LabPlayer]()
        self._compiled: _Compiled | None = None

    def play(self, games: range) -> Iterator[Decisions]:
        """Play games; yield their decisions, some games at a time, in their order."""
        for compiled, group in groupby(games, self.plays_compiled):
            if not compiled:
                yield from map(self.plain, group)
                continue
            self._compiled = self._compiled or _Compiled(self._plan)
            yield from self._compiled.play(list(group))

    def plays_compiled(self, game: int) -> bool:
        """Whether all levels of a game play compiled."""
        return all(self._plan.parts[k] is not None for k in self._plan.levels(game))

    def plain(self, number: int) -> Decisions:
        """Play one game in plain mode, whatever its levels are."""
        plan, options, rules = self._plan, self._plan.options, self._plan.title.rules
        levels, seats, moves = plan.levels(number), list[int](), list[int]()
        features, masks = list[NDArray[np.float32]](), list[NDArray[np.bool_]]()
        players = range(plan.players)
        sources = [Seeded(plan.bots_seed, number * plan.players + player) for player in players]
        game = Game(plan.title, options, Seeded(plan.seed, number // plan.players))
        while not game.over:
            seat = game.deciders[0]
            player = options.owners[seat]
            seen = game.seen(options.eyes(player))
            legal = seen.legal(seat)
            move = self._player(levels[player]).choose(seen, seat, legal, sources[player])
            if len(legal) > 1:
                seats.append(seat)
                moves.append(move)
                features.append(observed(plan, seen, seat))
                masks.append(seen.mask(seat))
            game.play(seat, move)
        (result,) = game.rounds
        return Decisions(
            np.array([number]), np.array([len(moves)]), np.array([result.scores]), np.array([result.places]),
            np.array(seats, np.int64), np.array(moves, np.int64),
            np.array(features, np.float32).reshape(-1, plan.width),
            np.array(masks, np.bool_).reshape(-1, rules.ACTIONS),
        )  # fmt: skip

    def _player(self, level: int) -> LabPlayer:
        if level not in self._players:
            self._players[level] = make_player(self._plan, self._plan.entrants[level])
        return self._players[level]


class _Compiled:
    """Plays games compiled. The decisions are those of ``plain``."""

    def __init__(self, plan: DataPlan) -> None:
        from paddock.kernel.bulk import Bench  # imported late: it needs Numba

        options, rules = plan.options, plan.title.rules
        self._plan, self._bench = plan, Bench(plan.title, options, states=2)
        networks = [part for part in plan.parts if isinstance(part, Network)]
        self._codes = [
            NETWORK + networks.index(part) if isinstance(part, Network) else part or 0 for part in plan.parts
        ]
        nets = stacked(networks, self._bench.kernel)
        self._nets = nets, thought(self._bench.kernel, nets)
        self._owners = np.array(options.owners)
        self._eyes = np.array([options.eyes(player) for player in range(plan.players)])
        self._rng, self._own = np.zeros(2, np.int64), np.zeros((plan.players, 1), np.int64)
        self._sight = np.zeros(plan.width + FENCED, np.float32)
        self._ends = np.zeros(AT_ONCE, np.int64)
        self._results = np.zeros((2, AT_ONCE, rules.MAX_SEATS), np.int64)
        self._make_room(max(1000, ROOM // plan.width))

    def _make_room(self, rows: int) -> None:
        """Make room for so many decisions."""
        self._rows: tuple[Any, ...] = (
            np.zeros((rows, self._plan.width), np.float32),
            np.zeros((rows, self._plan.title.rules.ACTIONS), np.bool_),
            np.zeros(rows, np.int64),
            np.zeros(rows, np.int64),
        )

    def play(self, games: Sequence[int]) -> Iterator[Decisions]:
        """Play games; yield their decisions, as many games at a time as there is room for."""
        left = list(games)
        while left:
            if done := self._play(np.array(left[:AT_ONCE])):
                yield self._made(np.array(left[:done]))
                left = left[done:]
            else:
                self._make_room(2 * len(self._rows[0]))

    def _play(self, games: NDArray[np.int64]) -> int:
        """Play games until there is no more room; return how many are whole."""
        plan, bench = self._plan, self._bench
        parts = np.array([[self._codes[k] for k in plan.levels(game)] for game in games.tolist()])
        bots = games[:, np.newaxis] * plan.players + np.arange(plan.players)
        scores, places = self._results
        features, masks, by, moves = self._rows
        call = calls.NoteGames(
            bench.ss, bench.gg, parts, *self._nets, self._owners, self._eyes,
            plan.seed, games // plan.players, plan.bots_seed, bots,
            self._rng, bench.out, self._own, not plan.full, self._sight,
            features, masks, by, moves, self._ends, scores, places,
        )  # fmt: skip
        return int(bench.kernel.note_games(call))

    def _made(self, games: NDArray[np.int64]) -> Decisions:
        """Return a copy of the decisions that were written for these games."""
        count, seats = len(games), self._plan.options.seats
        ends = self._ends[:count]
        features, masks, by, moves = (array[: ends[-1]].copy() for array in self._rows)
        scores, places = (array[:count, :seats].copy() for array in self._results)
        return Decisions(games, np.diff(ends, prepend=0), scores, places, by, moves, features, masks)
