"""Rollouts: each move is tried in redealt games that compiled *Clubs* play to the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paddock.bots.worth import worth
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.kernel.bulk import Bench
from paddock.kernel.source import Seed, seed_number

SEEN = 1  # where the entry point ``rollouts`` expects the hidden state; the other states are buffers


@dataclass(frozen=True)
class Ends:
    """The ends of rollouts by move and world: arrays of shape (moves, worlds, seats).

    A rollout that was cut off has estimated scores, and no places.
    """

    scores: NDArray[np.float64]
    places: NDArray[np.float64]  # 0: none
    decisions: int  # in all rollouts together


def tries(seen: Seen, seat: int, moves: Sequence[int], worlds: range, seed: Seed) -> NDArray[np.float64]:
    """Return what each move is worth in each world to the player of ``seat``: shape (moves, worlds).

    ``worth.worth`` says what this is: in a single game points, in a series a share from 0 to 1. World w uses
    stream w of ``seed``: it is the same for all moves, and in every range that includes it. Raises
    ``PaddockError`` for a move that is not legal, and ``ImportError`` without Numba. The first call for a
    title compiles.
    """
    ends = play_out(seen, seat, moves, worlds, seed)
    return worth(seen, seat, ends.scores, ends.places)


def play_out(seen: Seen, seat: int, moves: Sequence[int], worlds: range, seed: Seed, limit: int = 0) -> Ends:
    """Play each move to the end in each world, as ``tries`` does; at most ``limit`` decisions (0: all).

    Nothing but ``seen`` is known. A world is one of the games that ``seen`` may be: the hidden cards are
    dealt again, as chance deals them. What others have committed in secret is decided again by their policy.
    """
    if not set(moves) <= set(seen.legal(seat)) or worlds.step != 1:
        raise PaddockError(_("rollouts need legal moves, and worlds without gaps"))
    title, options = seen.title, seen.options
    bench = Bench(title, options, states=4)
    seen.state.store(bench.ss[SEEN])
    shape = (len(moves), len(worlds), title.rules.MAX_SEATS)
    scores, places = np.zeros(shape), np.zeros(shape)
    decisions = bench.kernel.rollouts(
        bench.ss, bench.gg, seen.eyes, seat, np.array(moves, np.int64),
        np.array([options.eyes(owner) for owner in options.owners]),
        seed_number(seed), worlds.start, limit, bench.rng, bench.out, scores, places,
    )  # fmt: skip
    return Ends(scores[:, :, : options.seats], places[:, :, : options.seats], decisions)
