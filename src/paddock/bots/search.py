"""Champion's search: the moves are tried in games that networks play to the end.

The chance of a move is in proportion to p · exp(Q/h): p is its chance by the network, Q the mean reward that
it leads to in many worlds, h the ``heat``. So the network is overruled only where the difference is clear. A
move that others do not see is drawn by these chances; of others, the likeliest is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paddock.bots.network import stacked, thought
from paddock.bots.thinking import Thinker
from paddock.core.recipe import Recipe, Search
from paddock.core.title import Seen, Title
from paddock.core.words import HIDDEN
from paddock.kernel import calls
from paddock.kernel.bulk import Bench, eyes_by_seat
from paddock.kernel.chance import by_chances
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded

Floats: TypeAlias = NDArray[np.float64]

LIKELY = 1e-5  # a move that is less likely, compared with the likeliest, is not tried
FIRST = 8  # worlds in which every move is tried, at least
LAST = 3  # moves that are left in the last stage
DRAW = 1 << 40  # the stream of the draw: those below are of worlds


@dataclass(frozen=True, eq=False)
class SearchMeans:
    """What a search works with: networks by name, its own with an empty one, and the reward of the recipe."""

    search: Search
    recipe: Recipe
    networks: dict[str, Thinker]


@dataclass(frozen=True, eq=False)
class Judged:
    """The moves that were tried, the likeliest by the network first, and the chance of each."""

    moves: list[int]
    chances: Floats  # they sum to 1


def chosen(
    seen: Seen, seat: int, legal: Sequence[int], sums: Sequence[float], means: SearchMeans, seed: int
) -> int:
    """Return a legal move; ``sums`` are what the network says of each, as logarithms of chances."""
    results = judged(seen, seat, legal, sums, means, seed)
    if secret(seen, seat, legal[0]):
        return results.moves[by_chances(Seeded(seed, DRAW).rng, results.chances.tolist(), len(results.moves))]
    return results.moves[int(results.chances.argmax())]


def secret(seen: Seen, seat: int, move: int) -> bool:
    """Whether others do not see the move when it is made: they may decide at the same time."""
    other_seats = ((1 << seen.options.seats) - 1) & ~seen.eyes
    return bool(seen.title.rules.seen(seen.state, seen.setup, other_seats, seat, move) == HIDDEN)


def judged(
    seen: Seen, seat: int, legal: Sequence[int], sums: Sequence[float], means: SearchMeans, seed: int
) -> Judged:
    """Try the moves by sequential halving, in as many games as the search says, or up to twice as many.

    In the end, what a move is worth is taken over the best one in the same worlds.
    """
    search, top = means.search, max(sums)
    order = sorted(
        (i for i, x in enumerate(sums) if x - top >= log(LIKELY)), key=lambda i: sums[i], reverse=True
    )
    moves, prior = [legal[i] for i in order], np.array([sums[i] - top for i in order])
    if len(moves) == 1:
        return Judged(moves, np.ones(1))
    values = [np.zeros(0)] * len(moves)
    stages = (max(1, len(moves) // LAST) - 1).bit_length() + 1
    left, worlds = list(range(len(moves))), range(0)
    while True:
        rollouts_each = max(FIRST, search.rollouts // (stages * len(left)))
        worlds = range(worlds.stop, worlds.stop + rollouts_each)
        results = look_ahead(seen, seat, [moves[i] for i in left], worlds, means, seed)
        for i, row in zip(left, results, strict=True):
            values[i] = np.concatenate([values[i], row])
        left.sort(key=lambda i: prior[i] + values[i].mean() / search.heat, reverse=True)
        if len(left) <= LAST:
            break
        del left[max(LAST, (len(left) + 1) // 2) :]
    best = values[left[0]]
    score = prior + [(row - best[: len(row)]).mean() / search.heat for row in values]
    chances = np.exp(score - score.max())
    return Judged(moves, chances / chances.sum())


def look_ahead(
    seen: Seen, seat: int, moves: Sequence[int], worlds: range, means: SearchMeans, seed: int
) -> Floats:
    """Return the reward that each move leads to in each world: shape (moves, worlds). Only ``seen`` is known.

    World w uses stream w of ``seed``: it is the same for all moves, and in every range that includes it.
    """
    options = seen.options
    bench = Bench(seen.title, options, states=4)
    seen.state.store(bench.ss[1])
    values, nets = np.zeros((len(moves), len(worlds))), _stacked_networks(means, seen.title)
    call = calls.LookAhead(
        bench.ss, bench.gg, seen.eyes, seat, np.array(moves, np.int64), np.array(options.owners),
        eyes_by_seat(options), casts(means, options.owners, seat), nets,
        thought(bench.kernel, nets), seed, worlds.start, float(means.recipe.wins), float(means.recipe.points),
        bench.rng, bench.out, np.zeros(options.players), values=values,
    )  # fmt: skip
    bench.kernel.look_ahead(call)
    return values


def casts(means: SearchMeans, owners: Sequence[int], seat: int) -> NDArray[np.int64]:
    """Return which network plays each seat, in one world after the other."""
    names, own_player = list(means.networks), owners[seat]
    return np.array(
        [
            [names.index("" if owner == own_player else name) for owner in owners]
            for name in means.search.rivals
        ]
    )


@lru_cache(maxsize=32)
def _stacked_networks(means: SearchMeans, title: Title) -> calls.Networks:
    return stacked(list(means.networks.values()), load_kernel(title, compiled=True))
