"""Where a game's chance comes from: the protocol, and the randomness of the operating system."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Protocol, cast

from paddock.core.errors import PaddockError, quoted
from paddock.core.i18n import _


class ChanceSource(Protocol):
    """A random number generator for a game."""

    def below(self, n: int) -> int:
        """Return a uniformly random integer from 0 to n−1."""


class System:
    """The random numbers of the operating system, used for live tables."""

    def below(self, n: int) -> int:
        """Return a uniformly random integer from 0 to n−1."""
        return secrets.randbelow(n)


def drawn(chance: ChanceSource, game: Any, weights: Mapping[int, int]) -> int:
    """Return an outcome that is drawn by weight for a ``Game``.

    A source with a method ``pick`` is asked for it: the outcome may depend on where in the game it is due.
    """
    if pick := getattr(chance, "pick", None):
        return int(pick(game, weights))
    return weighted(chance, weights)


def weighted(chance: ChanceSource, weights: Mapping[int, int]) -> int:
    """Return an id that is drawn by its weight."""
    x = chance.below(sum(weights.values()))
    for id, weight in weights.items():
        if x < weight:
            return id
        x -= weight
    raise AssertionError("chance drew beyond its weights")


def source_of(source: Any) -> ChanceSource:
    """Return a chance source as it is; raise ``PaddockError`` for anything else."""
    if callable(getattr(source, "below", None)) and not isinstance(source, type):
        return cast(ChanceSource, source)
    raise PaddockError(
        _("give a chance source, such as paddock.Seeded(7), not {what}").format(what=quoted(source))
    )
