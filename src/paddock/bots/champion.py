"""*Champion*, the fourth level: a network that learned by playing against itself. It needs no compiler."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from math import exp
from typing import Any

import numpy as np

from paddock.bots.interface import Bot
from paddock.bots.network import Network
from paddock.core.game import ChanceSource
from paddock.core.title import Seen, Title
from paddock.kernel.chance import SEEDS, by_chances
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded

ROOM, FEATURES = "champion", "short_features"  # of titles that have networks
FOLDER = "networks"  # of their weights

_log = logging.getLogger(__name__)


def network_for(title: Title, setup: Any) -> Network | None:
    """Return the network of the title for games of this set-up; None if it has none."""
    name = network_name(title, setup)
    return shipped(title, name) if name else None


def network_name(title: Title, setup: Any) -> str:
    """Return the name of the network for games of this set-up; empty if the title says that there is none."""
    room = title.room(ROOM)
    return str(room.network(setup)) if room else ""


@cache
def has_networks(title: Title) -> bool:
    """Return whether the title comes with networks, and so has this level."""
    return title.has_room(ROOM) and title.file(FOLDER).is_dir()


@cache
def shipped(title: Title, name: str) -> Network | None:
    """Return the network of this name that comes with the title; None if there is none."""
    file = title.file(FOLDER) / f"{name}.npz"
    return Network.load(file) if file.is_file() else None


class Champion:
    """Plays what its network says, by its chances; the same arguments give the same move.

    Where the title has no network for the set-up, such as for another number of players, ``spare`` plays, and
    the log says so. In a series it plays each game for the points of this game.
    """

    def __init__(self, spare: Bot, network: Network | None = None) -> None:
        self._spare, self._network = spare, network

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Choose a move from what is seen."""
        network = self._network or network_for(seen.title, seen.setup)
        if network is None:
            _say_spare(seen.title, network_name(seen.title, seen.setup))
            return self._spare.choose(seen, seat, legal, rng)
        lots = Seeded(rng.below(SEEDS)).rng
        if len(legal) == 1:
            return legal[0]
        return legal[_draw(network, seen, seat, legal, lots)]


def _draw(network: Network, seen: Seen, seat: int, legal: Sequence[int], rng: Any) -> int:
    """Return the index of a legal move by the chances of the network, as ``network_move`` of the kernel."""
    s, g, room = seen.state, seen.setup, seen.title.room(FEATURES)
    inputs = [0.0] * room.SHORT_FEATURES
    room.observe_short(s, g, seat, inputs)
    outputs = network.think(np.array(inputs, np.float32))[0]
    sums = [float(outputs[room.output(s, g, seat, move)]) for move in legal]
    if network.prior:
        space = [*legal, *[0] * (seen.title.rules.ACTIONS + 1 - len(legal))]
        favoured = load_kernel(seen.title, compiled=False).policy(s, g, seat, space, len(legal), rng)
        sums[legal.index(favoured)] += network.prior
    best = max(sums)
    return by_chances(rng, [exp((x - best) * network.sharp) for x in sums], len(legal))


@cache
def _say_spare(title: Title, name: str) -> None:
    _log.warning("%s has no network for these options: the level «champion» plays as «works»", title.label)
