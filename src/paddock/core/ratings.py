"""One number for each bot from the places of all its games: Plackett and Luce's model, by openskill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.intervals import Z

PACKAGE = "openskill"


@dataclass(frozen=True)
class Rating:
    """A skill, and half the width of its 95 % interval if one number for each bot is all there is."""

    value: float
    error: float


def check_ratings() -> None:
    """Raise ``PaddockError`` if the package that rates is missing."""
    need("lab", _("ratings"), PACKAGE)


def rate(bots: int, games: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[Rating]:
    """Return the ratings of bots 0, 1, … after all games; a game is the bot and the place of every player.

    Bots start at 25. Place 0 is no place: it is behind all others. A bot that is several players of a game
    learns from each of them. People change and bots do not, so nothing is forgotten (``tau`` is 0), and
    what is known grows by all that a game says (``gamma`` is 1, which openskill makes smaller). Then the
    order of the games hardly matters. Raises ``PaddockError`` if the package is missing.
    """
    check_ratings()
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0, gamma=_whole)
    ratings = [model.rating() for _bot in range(bots)]
    for who, places in games:
        old = [model.rating(ratings[bot].mu, ratings[bot].sigma) for bot in who]
        new = model.rate(
            [[rating] for rating in old], ranks=[float(place or len(who) + 1) for place in places]
        )
        for bot, before, (after,) in zip(who, old, new, strict=True):
            ratings[bot].mu += after.mu - before.mu
            ratings[bot].sigma *= after.sigma / before.sigma
    return [Rating(rating.mu, Z * rating.sigma) for rating in ratings]


def _whole(*_facts: object) -> float:
    return 1.0
