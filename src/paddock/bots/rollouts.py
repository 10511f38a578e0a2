"""Rollouts: each move is tried in redealt games that are played on, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from paddock.bots.thinking import Thinker
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.core.words import NOBODY
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paddock.kernel import calls
    from paddock.kernel.bulk import Ends


@dataclass(frozen=True, eq=False)
class Model:
    """Who plays games on, at all seats: a network, or else the title's policy, the *Clubs*."""

    name: str  # in stored analyses
    network: Thinker | None = None
    slips: int = 0  # one in so many of its moves is random; 0: none


CLUBS = Model("club")
THEIR_MOVE = -1  # in place of a move: the one that whoever plays on makes


@lru_cache(maxsize=32)
def _plays_on(title: Title, model: Model) -> calls.PlaysOn:
    """Return a model as compiled rollouts take it."""
    from paddock.bots.network import stacked, thought  # imported late, as all that needs NumPy
    from paddock.kernel import calls
    from paddock.kernel.bulk import POLICY

    if model.network is None:
        return POLICY._replace(slips=model.slips)
    kernel = load_kernel(title, compiled=True)
    nets = stacked([model.network], kernel)
    return calls.PlaysOn(nets, thought(kernel, nets), 0, model.slips)


def tries(seen: Seen, seat: int, moves: Sequence[int], worlds: range, seed: Seed) -> NDArray[np.float64]:
    """Return what each move is worth in each world to the player of ``seat``: shape (moves, worlds).

    ``worth.worth`` says what this is: in a single game points, in a series a share from 0 to 1. World w uses
    stream w of ``seed``: it is the same for all moves, and in every range that includes it. Where games are
    long, a rollout is cut off at the title's ``HORIZON``, and the scores are estimated. Raises
    ``PaddockError`` for a move that is not legal, and without Numba. The first call for a title compiles.
    """
    from paddock.bots.worth import worth

    ends = play_out(seen, seat, moves, worlds, seed)
    return worth(seen, seat, ends.scores, ends.places)


def play_out(
    seen: Seen,
    seat: int,
    moves: Sequence[int],
    worlds: range,
    seed: Seed,
    limit: int | None = None,
    model: Model = CLUBS,
) -> Ends:
    """Return the ends behind ``tries``; ``kernel.bulk.rollouts`` describes them.

    Nothing but ``seen`` is known. A rollout ends after ``limit`` decisions (0: never; None: as in ``tries``).
    """
    from paddock.kernel.bulk import rollouts

    if not set(moves) <= {*seen.legal(seat), THEIR_MOVE} or worlds.step != 1:
        raise PaddockError(_("rollouts need legal moves, and worlds without gaps"))
    game, by = (seen.title, seen.options, seen.state, seen.eyes), _plays_on(seen.title, model)
    return rollouts(*game, seat, moves, worlds, seed, by, limit)


def play_on(
    title: Title,
    options: Options,
    state: Any,
    worlds: range,
    seed: Seed,
    limit: int | None = None,
    model: Model = CLUBS,
) -> Ends:
    """Return ways in which a game may end, as ``play_out`` does: shape (1, worlds, seats).

    ``state`` is the game with all its secrets (``Game.whole``): nothing is dealt again, and what was
    committed in secret stays. From here on, the model makes all decisions. Secret moves are not random: with
    random moves, a game that the policy played itself would end better than its moments say.
    """
    from paddock.kernel.bulk import rollouts

    all_eyes = (1 << options.seats) - 1
    by = _plays_on(title, model)
    return rollouts(title, options, state, all_eyes, NOBODY, (0,), worlds, seed, by, limit)
