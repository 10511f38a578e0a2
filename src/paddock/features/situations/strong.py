"""What the strongest bot does in a moment: asked with what the player saw, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paddock.bots.champion import has_networks, network_for, sums_of, weights_of
from paddock.bots.registry import CHAMPION, WORKS
from paddock.bots.works import best, need_works
from paddock.core.title import Seen
from paddock.kernel.source import Seeded

ASKED = 1  # the seed of what is random in an answer: no secret


def asked(seen: Seen, seat: int, legal: Sequence[int]) -> tuple[str, Mapping[int, float]]:
    """Return the level of the bot, and the chance of each of its moves.

    That is the network of *Champion*, or *Works* where there is none for this set-up. Raises ``PaddockError``
    if *Works* cannot play here.
    """
    network = network_for(seen.title, seen.setup) if has_networks(seen.title) else None
    if network is None:
        need_works()
        return WORKS, {best(seen, seat, legal, ASKED): 1.0}
    weights = weights_of(sums_of(network, seen, seat, legal, Seeded(ASKED).rng))
    total = sum(weights)
    return CHAMPION, {move: weight / total for move, weight in zip(legal, weights, strict=True)}
