"""Who plays on in an analysis: a mixture of models, of which each plays an equal part of the worlds.

What a move is worth depends on how the others play. So one part of the worlds is played on by *Clubs*, at all
seats, and the other by the network of *Champion*, which draws its moves by their chances. In a set-up without
a network, the other part is played by *Clubs* of whose moves one in ``SLIPS`` is random: *Works* would take
hours. A title without a policy has one model: random moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

from paddock.bots.champion import has_networks, network_for
from paddock.bots.rollouts import CLUBS, Model
from paddock.bots.thinking import Thinker
from paddock.core.beside import Steps
from paddock.core.defaults import SLIPS
from paddock.core.title import Title
from paddock.kernel.loader import load_kernel

Rows: TypeAlias = Sequence[Sequence[float]]  # of moves or players, a number for each world

CHAMPION, SLIPPING = "champion", "slipping"  # names of models in stored analyses, besides "club"
LEAST = 8  # worlds

# In so many times fewer worlds is a decision tried, where a network plays on: else an analysis would take
# several times as long as one by *Clubs* alone
FEWER, FEWER_IN_LONG = 2, 4
SLOWER = 5  # times as long as a policy takes a network for a decision, in long games


def models_for(title: Title, setup: Any, networks: bool = True) -> tuple[Model, ...]:
    """Return the models that play on in games of this set-up, *Clubs* first; without ``networks``, none is
    one."""
    network = network_for(title, setup) if networks and has_networks(title) else None
    if network is None and not title.has_room("policy"):
        return (CLUBS,)
    return CLUBS, _other(network)


@cache
def _other(network: Thinker | None) -> Model:
    return Model(CHAMPION, network) if network else Model(SLIPPING, slips=SLIPS)


def worlds_for(title: Title, models: Sequence[Model], worlds: int) -> int:
    """Return in how many worlds a decision is tried, of so many at most. Long games have a ``HORIZON``."""
    if not any(model.network for model in models):
        return worlds
    fewer = FEWER_IN_LONG if load_kernel(title, compiled=False).HORIZON else FEWER
    return max(LEAST, worlds // fewer)


def by_models(
    models: Sequence[Model], worlds: range, play: Callable[[Model, range], Steps[Rows]], rows: int
) -> Steps[Rows]:
    """Return what ``play`` returns for each model in its worlds: so many ``rows``.

    Model m plays the worlds m, m + n, m + 2n, … of n models, which it counts from 0. So a world is that of
    the same model in every range that includes it.
    """
    out = [[0.0] * len(worlds) for _ in range(rows)]
    for m, model in enumerate(models):
        own = range(*(-((m - end) // len(models)) for end in (worlds.start, worlds.stop)))
        if own:
            for row, played in zip(out, (yield from play(model, own)), strict=True):
                row[of_model(m, models, worlds)] = played
    return out


def beside(some: Rows, more: Rows) -> Rows:
    """Return rows with those of more worlds behind them."""
    return [[*row, *longer] for row, longer in zip(some, more, strict=True)]


def of_model(m: int, models: Sequence[object], worlds: range) -> slice:
    """Return which columns of a table of these worlds are those of model m."""
    return slice((m - worlds.start) % len(models), None, len(models))


def stream_of(seed: str, model: Model) -> str:
    """Return the seed of the worlds of a model: each has worlds of its own."""
    return seed if model is CLUBS else f"{seed} {model.name}"
