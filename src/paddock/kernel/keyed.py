"""Chance that follows from a secret key: the same choices get the same cards, whoever plays and whenever."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Mapping
from decimal import Context, Decimal
from typing import TYPE_CHECKING

from paddock.core.words import CHANCE

if TYPE_CHECKING:
    from paddock.core.game import Game

_EXACT = Context(prec=30)  # its logarithms are correctly rounded, so they are the same on every machine
_BITS = 64


class Places:
    """Names the places of a game where chance decides, by replaying its log beside it.

    A place is the round, what chance decides as in records («draw 2»), and how often it has decided that in
    the round. So what one hand draws does not depend on how often the others have drawn.
    """

    def __init__(self) -> None:
        self._game: Game | None = None
        self._counts: Counter[tuple[int, str]] = Counter()

    def of(self, game: Game) -> str:
        """Return the place where chance is due now."""
        follower = self._game
        if follower is None or follower.options != game.options or not game.log.continues(follower.log):
            follower = self._game = game.at(0)
            self._counts.clear()
        for entry in game.log[len(follower.log) :]:
            if entry.by == CHANCE:
                self._counts[len(follower.rounds), follower.heading] += 1
            follower.append(entry)
        place = len(follower.rounds), follower.heading
        return f"{place[0] + 1} {place[1]} {self._counts[place] + 1}"


class Keyed:
    """A chance source for one game: each outcome follows from the key, the place and what is possible there.

    Every possible outcome has a waiting time at each place: −ln(u) divided by its weight, where u comes from
    HMAC-SHA256 of the place and the outcome. The one with the shortest time wins. So each is as likely as its
    weight says, and if another choice has changed some weights, the others mostly win where they won before.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._places = Places()
        self._drawn = 0

    def pick(self, game: Game, weights: Mapping[int, int]) -> int:
        """Return the outcome that is due in the game: one of those with a weight above 0."""
        place = self._places.of(game)
        times = {
            outcome: self._time_of(f"{place} {outcome}", weight)
            for outcome, weight in weights.items()
            if weight
        }
        return min(times, key=times.__getitem__)

    def _time_of(self, key: str, weight: int) -> Decimal:
        half_steps = 2 * self._bits(key.encode()) + 1
        u = _EXACT.divide(Decimal(half_steps), Decimal(2 << _BITS))
        return _EXACT.divide(-_EXACT.ln(u), Decimal(weight))

    def seed(self, key: bytes) -> int:
        """Return a seed of 63 bits that follows from the key and from this."""
        return self._bits(b"seed " + key) >> 1

    def below(self, n: int) -> int:
        """Return a random integer from 0 to n−1 of a stream of its own, which no game uses."""
        self._drawn += 1
        return self._bits(b"stream %d" % self._drawn) * n >> _BITS

    def _bits(self, key: bytes) -> int:
        return int.from_bytes(hmac.digest(self._key, key, "sha256")[: _BITS // 8], "big")
