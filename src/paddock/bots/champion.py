"""*Champion*, the fourth level: a network that learned by playing against itself.

It needs no compiler, but plays better with one where it looks ahead.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import exp
from typing import TYPE_CHECKING, Any

from paddock.bots.interface import Bot
from paddock.bots.networks import load_network
from paddock.bots.thinking import Thinker
from paddock.bots.warming import Warming
from paddock.core.bounds import filled
from paddock.core.extras import has
from paddock.core.game import ChanceSource
from paddock.core.recipe import Recipe, Search
from paddock.core.title import Seen, Title
from paddock.kernel.chance import SEEDS, by_chances
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded

if TYPE_CHECKING:
    from paddock.bots.search import SearchMeans

FOLDER = "networks"  # of their weights
USUAL = Search(rollouts=700, heat=0.003)  # of any network where the title does not look ahead

_log = logging.getLogger(__name__)
_warming = Warming()


def network_for(title: Title, setup: Any) -> Thinker | None:
    """Return the network of the title for games of this set-up; None if it has none."""
    name = network_name(title, setup)
    return shipped(title, name) if name else None


def network_name(title: Title, setup: Any) -> str:
    """Return the name of the network for games of this set-up; empty if the title says that there is none."""
    return title.champion.network(setup)


def playing(title: Title) -> set[str]:
    """Return the names of the networks that play in some set-up; the others are stages of training."""
    room = title.champion
    kinds = (kind for recipe in room.RECIPES.values() for kind in (recipe.options, *recipe.others))
    setups = (title.setup_of(title.options.read({**title.one_round, **kind})) for kind in kinds)
    return {network_name(title, setup) for setup in setups} - {""}


@cache
def has_networks(title: Title) -> bool:
    """Return whether the title comes with networks, and so has this level."""
    return title.has_room("champion") and title.file(FOLDER).is_dir()


@cache
def shipped(title: Title, name: str) -> Thinker | None:
    """Return the network of this name that comes with the title; None if there is none."""
    file = title.file(FOLDER) / f"{name}.npz"
    return load_network(file) if file.is_file() else None


@cache
def means_for(title: Title, name: str) -> SearchMeans | None:
    """Return what the level looks ahead with where this network plays; None if it does not."""
    from paddock.bots.search import SearchMeans  # imported late: it needs NumPy

    search = title.champion.SEARCHES.get(name)
    if search is None:
        return None
    files = {rival: shipped(title, rival or name) for rival in ("", *search.rivals)}
    networks = {rival: network for rival, network in files.items() if network}
    return SearchMeans(search, title.champion.RECIPES[name], networks)


@lru_cache(maxsize=32)
def means_with(title: Title, name: str, network: Thinker) -> SearchMeans:
    """Return what any network looks ahead with; others play as the title's network of this name, if any."""
    from paddock.bots.search import SearchMeans  # imported late: it needs NumPy

    others = shipped(title, name)
    search = replace(title.champion.SEARCHES.get(name, USUAL), rivals=(name if others else "",))
    recipe = title.champion.RECIPES.get(name, Recipe({}, 0))
    return SearchMeans(search, recipe, {"": network, **({name: others} if others else {})})


class Champion:
    """Plays what its network says, by its chances; the same arguments give the same move.

    Where the title says so, it looks ahead before it moves: see ``search.py``. That needs the compiler, so
    without Numba the network plays alone. With ``wait`` the first decision waits for the compiler; without,
    as at a table, the network plays alone until then.

    Where the title has no network for the set-up, such as for another number of players, ``spare`` plays, and
    the log says so. In a series it plays each game for the points of this game. ``ahead`` says whether it
    looks ahead; by default only without a ``network`` of its own.
    """

    def __init__(
        self, spare: Bot, network: Thinker | None = None, *, ahead: bool | None = None, wait: bool = True
    ) -> None:
        self._spare, self._network, self._wait = spare, network, wait
        self._ahead = network is None if ahead is None else ahead

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Choose a move from what is seen."""
        name = network_name(seen.title, seen.setup)
        network = self._network or network_for(seen.title, seen.setup)
        if network is None:
            _say_spare(seen.title, name)
            return self._spare.choose(seen, seat, legal, rng)
        seed = rng.below(SEEDS)
        if len(legal) == 1:
            return legal[0]
        lots = Seeded(seed).rng
        sums = sums_of(network, seen, seat, legal, lots)
        means = self._means(seen.title, name) if self._ahead and has("fast") else None
        if means and (self._wait or _warm(seen, seat, means)):
            from paddock.bots.search import chosen  # imported late: it needs NumPy

            return chosen(seen, seat, legal, sums, means, seed)
        return legal[by_chances(lots, weights_of(sums), len(legal))]

    def _means(self, title: Title, name: str) -> SearchMeans | None:
        """Return what it looks ahead with, where the network of this name plays."""
        return means_with(title, name, self._network) if self._network else means_for(title, name)


def _warm(seen: Seen, seat: int, means: SearchMeans) -> bool:
    """Whether what looks ahead is compiled in this process; the first call starts a thread."""

    def compile() -> None:
        from paddock.bots.search import look_ahead  # imported late: it needs NumPy

        look_ahead(seen, seat, seen.legal(seat)[:1], range(1), means, 0)

    return _warming.ready(seen.title, f"compile {seen.title.name} for champion", compile)


def network_inputs(seen: Seen, seat: int) -> list[float]:
    """Return the short features of a seat, which networks read."""
    room, s, g = seen.title.short_features, seen.state, seen.setup
    return filled("SHORT_FEATURES", room.SHORT_FEATURES, lambda out: room.observe_short(s, g, seat, out))


def sums_of(network: Thinker, seen: Seen, seat: int, legal: Sequence[int], rng: Any) -> list[float]:
    """Return the logarithm of the chance of each legal move, plus a number that is the same for all.

    The chances are those of ``network_move`` of the kernel.
    """
    s, g, room = seen.state, seen.setup, seen.title.short_features
    outputs = [room.output(s, g, seat, move) for move in legal]
    sums = network.outputs(network_inputs(seen, seat), outputs)
    if network.prior:
        space = [*legal, *[0] * (seen.title.rules.ACTIONS + 1 - len(legal))]
        favoured = load_kernel(seen.title, compiled=False).policy(s, g, seat, space, len(legal), rng)
        sums[legal.index(favoured)] += network.prior
    return [x * network.sharp for x in sums]


def weights_of(sums: Sequence[float]) -> list[float]:
    """Return numbers that are to each other as the chances of the moves; the likeliest has 1."""
    best = max(sums)
    return [exp(x - best) for x in sums]


@cache
def _say_spare(title: Title, name: str) -> None:
    _log.warning("%s has no network for these options: the level “champion” plays as “works”", title.label)
