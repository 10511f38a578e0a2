"""*Works*, the third level: it tries its moves in rollouts, and plays the one that ends best on average."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from paddock.bots.interface import Bot
from paddock.bots.rollouts import play_out, tries
from paddock.bots.warming import Warming
from paddock.core.extras import has, need
from paddock.core.game import ChanceSource
from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.kernel.chance import SEEDS
from paddock.kernel.source import Seeded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# For one decision: about a fifth of a second on an idle core
ROLLOUTS = 1000
DECISIONS = 80_000  # in all rollouts together
FIRST = 2  # worlds in which every move is tried, whatever it takes
DRAW = 1 << 40  # the stream of the draw among good moves: those below are of rollouts
AS_GOOD = 1.0  # standard errors by which a move may be worse than the best one and still be chosen

_log = logging.getLogger(__name__)
_warming = Warming()


def need_works() -> None:
    """Raise ``PaddockError`` if this level cannot play here."""
    need("fast", _("the level “works”"))


class Works:
    """Plays the move with the best mean result of rollouts; one of them at random if several are as good.

    With ``wait`` it waits for the compiler, so that the same arguments always give the same move; it raises
    ``PaddockError`` if Numba is not installed. Without, as at a table, it plays as ``club`` until its
    rollouts are compiled, which it starts in a thread; without Numba always.
    """

    def __init__(self, club: Bot, *, wait: bool = True) -> None:
        if wait:
            need_works()
        self._club, self._wait = club, wait

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Choose a move. ``rng`` is the seed of all worlds."""
        if len(legal) == 1:
            return legal[0]
        if not (self._wait or _warm(seen, seat)):
            return self._club.choose(seen, seat, legal, rng)
        return best(seen, seat, legal, rng.below(SEEDS))


def best(seen: Seen, seat: int, legal: Sequence[int], seed: int, most: int = ROLLOUTS) -> int:
    """Return a legal move that ends best in about ``most`` rollouts; fewer where games are long.

    They are spread by sequential halving: every stage has as many rollouts, and the better half of the moves
    goes on to the next stage, until two are left.
    """
    import numpy as np  # imported late: not needed to play

    from paddock.bots.worth import worth

    moves = np.array(legal)
    ends = play_out(seen, seat, legal, range(FIRST), seed)
    values = worth(seen, seat, ends.scores, ends.places)
    most = min(most, DECISIONS * values.size // ends.decisions)
    stages = max(1, (len(legal) - 1).bit_length())
    while True:
        done = values.shape[1]
        share = most // (stages * len(moves))  # of this stage, for each move
        further = share - (done if len(moves) == len(legal) else 0)  # the first ones count in the first stage
        if further > 0:
            values_found = tries(seen, seat, moves.tolist(), range(done, done + further), seed)
            values = np.concatenate([values, values_found], axis=1)
        if len(moves) <= 2:
            break
        best_half = np.argsort(-values.mean(1), kind="stable")[: (len(moves) + 1) // 2]
        moves, values = moves[best_half], values[best_half]
    good_moves = as_good(values)
    return int(moves[good_moves[Seeded(seed, DRAW).below(len(good_moves))]])


def as_good(values: NDArray[np.float64]) -> list[int]:
    """Return the rows whose mean is not clearly below the best mean: by the error of their differences."""
    import numpy as np  # imported late: not needed to play

    top = int(values.mean(1).argmax())
    less = values[top] - values
    error = less.std(1, ddof=1) / np.sqrt(values.shape[1])
    return [int(i) for i in np.flatnonzero(less.mean(1) <= AS_GOOD * error)]


def _warm(seen: Seen, seat: int) -> bool:
    """Whether the rollouts of this title are compiled in this process; the first call starts a thread."""
    name = seen.title.name
    if not has("fast"):
        _say_slow(name)
        return False
    return _warming.ready(seen.title, f"compile {name}", lambda: _compile(seen, seat))


@cache
def _say_slow(name: str) -> None:
    _log.warning("Numba is not installed: the level “works” of %s plays as “club”", name)


def _compile(seen: Seen, seat: int) -> None:
    tries(seen, seat, seen.legal(seat)[:1], range(1), 0)
