"""What the items that chance gives to a seat are worth, in points: a regression on random deals.

Chance deals the items, so they go together with nothing else that decides a game, and least squares gives
what one more of them changes. No game has to be played again with another hand: every seat of every game
says something about each of its items. Games of a deal are alike, so a deal is one observation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from paddock.core.intervals import TINY
from paddock.lab.figures import Ratio
from paddock.lab.survey import GamesSample

CURVED = 1.0  # items of which a seat has so many on average: one less is not the opposite of one more


def worths(sample: GamesSample, groups: Sequence[int]) -> dict[tuple[int, bool], Ratio]:
    """Return what one more (True) or one less (False) of an item changes the points of its seat: by item.

    ``groups`` are the numbers of items of each group. Where chance gives every seat as many items of a group,
    one more replaces an average one of it. An item that never varies has no worth. One less is measured only
    of items of which a seat has at least one on average; there the worth is a curve, a parabola.
    """
    deals, seats = len(sample.items), sample.items.shape[2]
    counts = sample.items.reshape(-1, seats, sample.items.shape[-1]).astype(float)
    points = sample.scores.reshape(-1, seats).astype(float)
    points -= points.mean(0)  # the seat has a worth of its own
    means = counts.mean((0, 1))
    counts -= counts.mean(0)
    varying = [item for item in range(len(means)) if counts[..., item].any()]
    if not varying:
        return {}
    curved = [item for item in varying if means[item] >= CURVED]
    squares = counts[..., curved] ** 2
    columns = np.concatenate([counts[..., varying], squares - squares.mean((0, 1))], -1)
    columns = columns.reshape(-1, columns.shape[-1])
    inverse = np.linalg.pinv(columns.T @ columns, hermitian=True)
    slopes = inverse @ (columns.T @ points.reshape(-1))
    rest = points.reshape(-1) - columns @ slopes
    pulls = (columns * rest[:, None]).reshape(deals, -1, columns.shape[-1]).sum(1) @ inverse * deals
    for group in _places(groups):
        members = [k for k, item in enumerate(varying) if item in group]
        if members and np.abs(counts[..., list(group)].sum(-1)).max() < TINY:
            parts = means[[varying[k] for k in members]]
            parts = parts / parts.sum()
            slopes[members] -= parts @ slopes[members]
            pulls[:, members] -= (pulls[:, members] @ parts)[:, None]
    found = {}
    for k, item in enumerate(varying):
        for more in (True, False):
            sign = 1.0 if more else -1.0
            value, pull = sign * slopes[k], sign * pulls[:, k]
            if item in curved:
                bend = len(varying) + curved.index(item)
                value, pull = value + slopes[bend], pull + pulls[:, bend]
            elif not more:
                continue
            found[item, more] = Ratio(value + pull, np.ones(deals))
    return found


def _places(groups: Sequence[int]) -> Iterator[range]:
    """Yield the items of each group."""
    first = 0
    for size in groups:
        yield range(first, first + size)
        first += size
