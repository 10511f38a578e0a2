"""Deals played compiled, if every bot is a network, or a level that the title's policy can play."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paddock.bots.network import Network, stacked, thought
from paddock.bots.registry import looks_ahead, network_of, thirds
from paddock.core.errors import PaddockError
from paddock.core.extras import has
from paddock.core.series import RoundResult
from paddock.kernel import calls
from paddock.kernel.entries import NETWORK
from paddock.lab.plan import Plan
from paddock.lab.rows import GameRow, final

MEMORY = 100_000  # results of games that are kept, because most games end like another one


def parts_of(plan: Plan) -> list[int | Network] | None:
    """Return for every entrant how many of three decisions the policy makes, or its network.

    None if the match must be played in plain mode: a bot is a program, an object, a level without this
    number or one that looks ahead, or Numba is missing.
    """
    levels = [entrant.level for entrant in plan.entrants]
    if not has("fast") or not all(levels):
        return None
    if any(looks_ahead(plan.title, level, plan.options) for level in levels):
        return None
    try:
        networks = [network_of(plan.title, level, plan.options) for level in levels]
        return [
            network if isinstance(network, Network) else thirds(plan.title, level)
            for network, level in zip(networks, levels, strict=True)
        ]
    except PaddockError:
        return None


class Compiled:
    """Plays deals compiled. The rows are those of ``play_deal``."""

    def __init__(self, plan: Plan, parts: Sequence[int | Network]) -> None:
        from paddock.kernel.bulk import Bench  # imported late: it needs Numba

        count, options = len(plan.line_up), plan.options
        self._plan, self._bench = plan, Bench(plan.title, options, states=2)
        self._games, self._players = np.arange(count)[:, np.newaxis], np.arange(count)
        self._rounds = np.arange(options.rounds)
        networks = [part for part in parts if isinstance(part, Network)]
        codes = [NETWORK + networks.index(part) if isinstance(part, Network) else part for part in parts]
        self._parts = np.array([codes[k] for k in plan.line_up])
        nets = stacked(networks, self._bench.kernel)
        self._nets = nets, thought(self._bench.kernel, nets)
        self._owners = np.array(options.owners)
        self._eyes = np.array([options.eyes(player) for player in range(count)])
        self._rng, self._own = np.zeros(2, np.int64), np.zeros((count, 1), np.int64)
        self._moves = np.zeros(options.seats, np.int64)
        self._results = np.zeros((2, count, options.rounds, plan.title.rules.MAX_SEATS), np.int64)
        self._known: dict[bytes, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self._none = ("",) * count

    def play(self, deal: int) -> list[GameRow]:
        """Play a deal once for each rotation of the players."""
        plan, bench = self._plan, self._bench
        seated = plan.seatings(deal)
        scores, places = self._results
        call = calls.Compete(
            bench.ss, bench.gg, self._parts[seated], *self._nets, self._owners, self._eyes,
            plan.seed, plan.chance_index(deal, self._rounds),
            plan.bots_seed, plan.bot_index(deal, self._games, self._players),
            self._rng, bench.out, self._own, self._moves, scores=scores, places=places,
        )  # fmt: skip
        bench.kernel.compete(call)
        return [
            GameRow(
                deal, rotation, tuple([plan.line_up[k] for k in order]), *self._final(rotation), self._none
            )
            for rotation, order in enumerate(seated)
        ]

    def _final(self, rotation: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the points and places of the players in a game."""
        results = self._results[:, rotation, :, : self._plan.options.seats]
        key = results.tobytes()
        if key not in self._known:
            if len(self._known) == MEMORY:
                self._known.clear()
            rounds = [
                RoundResult(tuple(scores), tuple(places))
                for scores, places in zip(*results.tolist(), strict=True)
            ]
            self._known[key] = final(self._plan.options, rounds)
        return self._known[key]
