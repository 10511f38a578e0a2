"""Who plays the seats that are not asked: levels and networks, compiled, or bots that Python calls."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from paddock.bots import Bot, bot
from paddock.bots import thirds as thirds_of
from paddock.bots.network import Network, stacked
from paddock.bots.registry import looks_ahead, network_of
from paddock.core.errors import BadOption, quoted
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.envs.arguments import player_number
from paddock.kernel import calls
from paddock.kernel.entries import NETWORK
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded
from paddock.kernel.vector import CALLED, OUTSIDE


@dataclass(frozen=True, eq=False)
class Opponents:
    """Who plays each seat, as the kernel takes it; games share it, and nobody writes to it."""

    parts: npt.NDArray[np.int64]  # by seat: ``thirds``, from NETWORK on a network, or OUTSIDE, or CALLED
    nets: calls.Networks
    bots: Mapping[int, Bot]  # by seat: those that are CALLED


def opponents_of(title: Title, options: Options, levels: Mapping[int, str]) -> Opponents:
    """Return the opponents with these levels by player; the others are asked.

    A level plays compiled if its moves are those of the title's policy or of a network alone. Others are
    called: those that search, such as *Works*, and bots that do not state their ``thirds``. Raises
    ``BadOption`` for wrong players and levels, and ``PaddockError`` for a file that is no network.
    """
    parts: npt.NDArray[np.int64] = np.full(options.players, OUTSIDE)
    if not isinstance(levels, Mapping):
        sentence = _(
            "opponents={value}: give the level of each by the number of the player, such as {example}"
        )
        raise BadOption([sentence.format(value=quoted(levels), example='{1: "rookie"}')])
    networks: dict[str, Network] = {}
    bots: dict[int, Bot] = {}
    for given_player, level in levels.items():
        player = player_number("opponents", title, options, given_player)
        plays = _plays(title, options, level)
        if isinstance(plays, Network):
            networks.setdefault(level, plays)
            parts[player] = NETWORK + list(networks).index(level)
        elif isinstance(plays, int):
            parts[player] = plays
        else:
            parts[player], bots[player] = CALLED, plays
    if OUTSIDE not in parts:
        raise BadOption([_("opponents: leave at least one player to be asked")])
    return Opponents(
        parts[np.array(options.owners)],
        stacked(list(networks.values()), load_kernel(title, compiled=True)),
        {seat: bots[owner] for seat, owner in enumerate(options.owners) if owner in bots},
    )


def _plays(title: Title, options: Options, level: str) -> int | Network | Bot:
    """Return the ``thirds`` of a level, its network, or else its bot."""
    name = str(level)  # whatever it is: ``bot`` says then which levels there are
    if not looks_ahead(title, name, options):
        network = network_of(title, name, options)
        if isinstance(network, Network):
            return network
        with suppress(BadOption):  # of a level that does not play compiled
            return thirds_of(title, name)
    return bot(title, name)


def called_move(bot: Bot, seen: Seen, seat: int, legal: list[int], side: npt.NDArray[np.int64]) -> int:
    """Return the move that a bot chooses; it draws from ``side``, the stream of the game's opponents."""
    if len(legal) == 1:
        return legal[0]
    source = Seeded(0)
    source.rng[0] = int(side[0])
    move = bot.choose(seen, seat, legal, source)
    side[0] = source.rng[0]
    return move
