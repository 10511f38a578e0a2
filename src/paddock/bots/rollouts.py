"""Rollouts: each move is tried in redealt games that compiled *Clubs* play on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paddock.bots.worth import worth
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.core.words import NOBODY
from paddock.kernel.bulk import Ends, rollouts
from paddock.kernel.source import Seed


def tries(seen: Seen, seat: int, moves: Sequence[int], worlds: range, seed: Seed) -> NDArray[np.float64]:
    """Return what each move is worth in each world to the player of ``seat``: shape (moves, worlds).

    ``worth.worth`` says what this is: in a single game points, in a series a share from 0 to 1. World w uses
    stream w of ``seed``: it is the same for all moves, and in every range that includes it. Where games are
    long, a rollout is cut off at the title's ``HORIZON``, and the scores are estimated. Raises
    ``PaddockError`` for a move that is not legal, and without Numba. The first call for a title compiles.
    """
    ends = play_out(seen, seat, moves, worlds, seed)
    return worth(seen, seat, ends.scores, ends.places)


def play_out(
    seen: Seen, seat: int, moves: Sequence[int], worlds: range, seed: Seed, limit: int | None = None
) -> Ends:
    """Return the ends behind ``tries``; ``kernel.bulk.rollouts`` describes them.

    Nothing but ``seen`` is known. A rollout ends after ``limit`` decisions (0: never; None: as in ``tries``).
    """
    if not set(moves) <= set(seen.legal(seat)) or worlds.step != 1:
        raise PaddockError(_("rollouts need legal moves, and worlds without gaps"))
    return rollouts(seen.title, seen.options, seen.state, seen.eyes, seat, moves, worlds, seed, limit)


def play_on(
    title: Title, options: Options, state: Any, worlds: range, seed: Seed, limit: int | None = None
) -> Ends:
    """Return ways in which a game may end, as ``play_out`` does: shape (1, worlds, seats).

    ``state`` is the game with all its secrets (``Game.whole``): nothing is dealt again, and what was
    committed in secret stays. From here on, the policy makes all decisions. No move is random: with random
    moves, a game that the policy played itself would end better than its moments say.
    """
    all_eyes = (1 << options.seats) - 1
    return rollouts(title, options, state, all_eyes, NOBODY, (0,), worlds, seed, limit)
